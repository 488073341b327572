// SPDX-License-Identifier: GPL-2.0-or-later
/* Source texts, positions in them, and the chain of macro expansions. */
#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"

#define MAX_TEXT ((size_t)SOURCE_MOST_MB << 20)
#define MAX_SOURCES 65534

/* A text that may be added. */
static bool has_room(const struct sources *ss, size_t len)
{
	if (len <= MAX_TEXT && ss->n < MAX_SOURCES)
		return true;
	errno = len > MAX_TEXT ? EFBIG : EMFILE;
	return false;
}

/* The text is in the arena. */
static struct source *add(struct sources *ss, const char *name, const char *text, size_t len)
{
	struct source *s = arena_new(ss->arena, struct source);

	s->name = arena_strdup(ss->arena, name);
	s->text = text;
	s->len = len;
	s->arena = ss->arena;
	if (ss->n == ss->cap)
		ss->v = vec_grow_(ss->arena, ss->v, ss->n, &ss->cap, sizeof *ss->v);
	ss->v[ss->n++] = s;
	s->id = (unsigned)ss->n;
	return s;
}

struct source *source_add(struct sources *ss, const char *name, const char *text, size_t len)
{
	return has_room(ss, len) ? add(ss, name, arena_strndup(ss->arena, text, len), len) : NULL;
}

/* All that fd has, up to one byte more than is allowed. */
static int read_all(int fd, struct sb *b)
{
	char buf[64 * 1024];

	while (b->n <= MAX_TEXT) {
		ssize_t n = file_get(fd, buf, sizeof buf);

		if (n < 0)
			return -1;
		sb_putn(b, buf, (size_t)n);
		if ((size_t)n < sizeof buf)
			return 0; /* do not read again: a terminal would wait for a second end of file */
	}
	errno = EFBIG;
	return -1;
}

/* Without a copy; not a file of /proc, which does not say its size. */
static struct source *read_regular(struct sources *ss, const char *path, int fd, size_t size)
{
	size_t len;
	char *text = has_room(ss, size) ? file_read_open(ss->arena, fd, size, &len) : NULL;

	return text && has_room(ss, len) ? add(ss, path, text, len) : NULL;
}

struct source *source_read(struct sources *ss, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;

	struct sb b = {0};
	struct source *s = NULL;
	struct stat st;

	if (!is_stdin && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size)
		s = read_regular(ss, path, fd, (size_t)st.st_size);
	else if (!read_all(fd, &b))
		s = source_add(ss, is_stdin ? "<input>" : path, b.s ? b.s : "", b.n);

	int saved = errno;

	sb_free(&b);
	if (!is_stdin)
		close(fd);
	errno = saved;
	return s;
}

struct source *source_by_id(const struct sources *ss, unsigned id)
{
	return id && id <= ss->n ? ss->v[id - 1] : NULL;
}

static void find_lines(struct source *s)
{
	const char *end = s->text + s->len;
	unsigned n = 1;

	for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	s->lines = arena_array(s->arena, uint32_t, n);
	s->nlines = 1;
	for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(end - p)));)
		s->lines[s->nlines++] = (uint32_t)(++p - s->text);
}

void source_position(struct source *s, uint32_t off, unsigned *line, unsigned *column)
{
	if (!s->lines)
		find_lines(s);
	if (off > s->len)
		off = (uint32_t)s->len;

	unsigned low = 0, high = s->nlines; /* lines[low] <= off < lines[high] */

	while (high - low > 1) {
		unsigned mid = low + (high - low) / 2;

		if (s->lines[mid] <= off)
			low = mid;
		else
			high = mid;
	}
	*line = low + 1;
	*column = off - s->lines[low] + 1;
}

const char *source_line(struct source *s, unsigned line, size_t *len)
{
	if (!s->lines)
		find_lines(s);
	*len = 0;
	if (!line || line > s->nlines)
		return "";

	const char *start = s->text + s->lines[line - 1];
	const char *end = line < s->nlines ? s->text + s->lines[line] - 1 : s->text + s->len;

	if (end > start && end[-1] == '\r' && line < s->nlines)
		end--;
	*len = (size_t)(end - start);
	return start;
}

struct loc loc_span(struct loc a, struct loc b)
{
	if (!a.source)
		return b;
	if (a.source != b.source || a.expansion != b.expansion || b.off < a.off)
		return a;

	uint64_t len = (uint64_t)b.off + b.len - a.off;

	if (len > a.len)
		a.len = len > UINT16_MAX ? UINT16_MAX : (uint16_t)len;
	return a;
}

uint32_t source_expand(struct sources *ss, const char *macro, struct loc call)
{
	if (ss->nexpansions >= UINT32_MAX - 1)
		mem_exhausted(SIZE_MAX);
	if (ss->nexpansions == ss->cap_expansions)
		ss->expansions = vec_grow_(ss->arena, ss->expansions, ss->nexpansions, &ss->cap_expansions,
					   sizeof *ss->expansions);
	ss->expansions[ss->nexpansions++] = (struct expansion){macro, call};
	return (uint32_t)ss->nexpansions;
}

uint32_t source_outermost(const struct sources *ss, uint32_t expansion)
{
	while (expansion && ss->expansions[expansion - 1].at.expansion)
		expansion = ss->expansions[expansion - 1].at.expansion;
	return expansion;
}
