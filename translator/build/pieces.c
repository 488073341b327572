/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pieces in which the runtime is compiled, and which of them a text seems to need.
 *
 * Every file of rt/ is a piece.  The files of kernel/ are the core, which every module has, but for those that kernel/parts.def names as parts.
 * calls/ is a piece too.  Pieces are linked by the symbols of their objects (members.c, parts.c).  What is read here, from the sources alone, is
 * a guess: so that what is needed can be compiled at the same time, before there are objects.  A word of a text is taken to need the piece
 * that defines a function or variable of this name.  What is compiled without need costs time; what is missed is compiled later.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/intern.h"
#include "translator/build/private.h"

static const struct loc nowhere;

/* --- reading C --- */

struct scan {
	struct build *b;
	struct map *words, *defines; /* or NULL */
	struct map names;            /* of this declaration, that may be what it defines */
	const char *last;            /* the word just read, if nothing has come since */
	unsigned braces, parens;
	bool hidden; /* static or extern */
	bool called; /* the declaration has a '(' */
	bool valued; /* it is after its '=' */
};

/* The end of a comment, a literal or a directive's include that begins at p; p itself if none does. */
static const char *skip(const char *p)
{
	const char *end;
	char quote;

	if (!strncmp(p, "/*", 2)) {
		end = strstr(p + 2, "*/");
		return end ? end + 2 : p + strlen(p);
	}
	if (!strncmp(p, "//", 2))
		return p + strcspn(p, "\n");
	if (*p != '"' && *p != '\'')
		return p;
	quote = *p++;
	while (*p && *p != quote && *p != '\n')
		p += *p == '\\' && p[1] ? 2 : 1;
	return *p == quote ? p + 1 : p;
}

static const char *skip_directive(const char *p)
{
	while (*p && *p != '\n') {
		const char *end = skip(p);

		p = end != p ? end : *p == '\\' && p[1] ? p + 2 : p + 1;
	}
	return p;
}

static void end_declaration(struct scan *s, bool defines)
{
	for (size_t i = 0; defines && s->defines && !s->hidden && i < s->names.n; i++)
		map_set(s->b->arena, s->defines, s->names.entries[i].key, s->b);
	s->names = (struct map){0};
	s->hidden = s->called = s->valued = false;
}

/* Outside of functions: the names before a '(' that a body follows, or before '=', '[' or ';' without one. */
static void mark(struct scan *s, char c)
{
	bool top = !s->braces && !s->parens;

	if (top && s->last && !s->valued && (c == '(' || (!s->called && strchr("=[;", c))))
		map_set(s->b->arena, &s->names, s->last, s->b);
	if (top && c == '(')
		s->called = true;
	if (top && c == '=')
		s->valued = true;
	if (top && c == ';')
		end_declaration(s, !s->called || s->valued);
	if (c == '(')
		s->parens++;
	else if (c == ')')
		s->parens -= s->parens > 0;
	else if (c == '{')
		s->braces++;
	else if (c == '}' && s->braces && !--s->braces && s->called && !s->valued)
		end_declaration(s, true);
	s->last = NULL;
}

static void word(struct scan *s, const char *p, size_t n)
{
	s->last = intern_n(p, n);
	if (s->words)
		map_set(s->b->arena, s->words, s->last, s->b);
	if (!s->braces && !s->parens && ((n == 6 && (!strncmp(p, "static", 6) || !strncmp(p, "extern", 6))) || !strncmp(p, "typedef", 7)))
		s->hidden = true;
}

static void scan_words(struct scan *s, const char *p, const char *end, bool marks)
{
	while (p < end) {
		const char *after = skip(p);
		size_t n = 0;

		while (isalnum((unsigned char)p[n]) || p[n] == '_')
			n++;
		if (after != p) {
			p = after;
		} else if (n) {
			if (!isdigit((unsigned char)*p))
				word(s, p, n);
			p += n;
		} else {
			if (marks && !isspace((unsigned char)*p))
				mark(s, *p);
			p++;
		}
	}
}

/* words: gets the identifiers in the text.  defines: gets the names of what is not static in it.  Either may be NULL. */
static void scan(struct build *b, const char *text, struct map *words, struct map *defines)
{
	struct scan s = {.b = b, .words = words, .defines = defines};
	const char *p = text;

	while (*p) {
		const char *line = p + strspn(p, " \t\n"), *end;

		if (*line == '#') {
			struct scan directive = {.b = b, .words = words};

			end = skip_directive(line);
			scan_words(&directive, line, end, false);
			p = end;
			continue;
		}
		end = line;
		while (*end && *end != '\n') {
			const char *after = skip(end);

			end = after != end ? after : end + 1;
		}
		scan_words(&s, line, end, true);
		p = end;
	}
}

void pieces_words(struct build *b, const char *text, struct map *words)
{
	scan(b, text, words, NULL);
}

/* --- the pieces --- */

static struct piece *add_piece(struct build *b, struct pieces *ps, enum piece_kind kind, const char *name)
{
	struct piece *p = arena_new(b->arena, struct piece);

	p->kind = kind;
	p->name = name;
	vec_push(b->arena, &ps->all, p);
	return p;
}

struct piece *pieces_find(const struct pieces *ps, const char *name)
{
	for (size_t i = 0; i < ps->all.n; i++)
		if (!strcmp(ps->all.v[i]->name, name))
			return ps->all.v[i];
	return NULL;
}

/* PART(NAME, "FILE FILE ...") lines; part_of: gets the piece of each file. */
static void read_parts(struct build *b, struct pieces *ps, char *text, struct map *part_of)
{
	for (char *p = text; p && (p = strstr(p, "PART(")); p++) {
		char *name = p + 5, *files = strchr(name, '"');
		struct piece *part;

		if ((p != text && p[-1] != '\n') || !files)
			continue;
		part = add_piece(b, ps, PIECE_KERNEL, arena_strndup(b->arena, name, strcspn(name, ",")));
		for (files++; *files != '"' && *files;) {
			size_t n = strcspn(files, " \"");

			map_set(b->arena, part_of, intern_n(files, n), part);
			files += n;
			files += strspn(files, " ");
		}
	}
}

/* As parts.def names it: without kernel/, the architecture and .c. */
static const char *name_in_kernel(struct build *b, const char *file)
{
	const char *arch = arena_printf(b->arena, "arch/%s/", b->arch);
	const char *name = file + 7;
	size_t n = strlen(arch);

	if (!strncmp(name, arch, n))
		name = arena_printf(b->arena, "arch/%s", name + n);
	return intern_n(name, strlen(name) - 2);
}

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n > m && !strcmp(s + n - m, with);
}

/* The piece that a file belongs to, or NULL: it is a header, or of none. */
static struct piece *piece_of(struct build *b, struct pieces *ps, const char *file, const struct map *part_of)
{
	const char *name;
	struct piece *p;

	if (!ends(file, ".c"))
		return NULL;
	if (!strncmp(file, "kernel/", 7)) {
		p = map_get(part_of, name_in_kernel(b, file));
		return p ? p : ps->all.v[0];
	}
	if (!strcmp(file, "calls/calls.c"))
		return add_piece(b, ps, PIECE_CALLS, "calls");
	if (strncmp(file, "rt/", 3))
		return NULL;
	name = strrchr(file, '/') + 1;
	return add_piece(b, ps, PIECE_RT, arena_printf(b->arena, "rt-%.*s", (int)(strlen(name) - 2), name));
}

static char *read_source(struct build *b, struct arena *a, const char *file)
{
	const char *path = arena_printf(a, "%s/%s", b->runtime_dir, file);
	size_t len;
	char *text = file_read(a, path, &len);

	if (!text)
		diag_report(b->diags, nowhere, E_IO, "cannot read %s: %s", path, strerror(errno));
	return text;
}

/* Tables in .def files are part of the file that includes them. */
static void scan_tables(struct build *b, struct arena *a, const char *text, struct piece *p)
{
	for (; (text = strstr(text, "#include \"")); text++) {
		const char *file = text + 10;
		char *table = NULL;

		file = arena_strndup(a, file, strcspn(file, "\""));
		if (ends(file, ".def"))
			table = file_read(a, arena_printf(a, "%s/%s", b->runtime_dir, file), NULL);
		if (table)
			scan(b, table, &p->words, NULL);
	}
}

static int read_file(struct build *b, struct pieces *ps, const char *file, const struct map *part_of)
{
	struct piece *p = piece_of(b, ps, file, part_of);
	bool of_kernel = strncmp(file, "rt/", 3) != 0;
	struct arena scratch = {0};
	char *text = p || of_kernel ? read_source(b, &scratch, file) : (char *)"";

	if (text && p) {
		vec_push(b->arena, &p->files, file);
		p->bytes += strlen(text);
		scan(b, text, &p->words, &p->defines);
		scan_tables(b, &scratch, text, p);
	}
	if (text && of_kernel)
		scan(b, text, &ps->kernel_words, NULL);
	arena_free(&scratch);
	return text ? 0 : -1;
}

struct pieces *pieces_read(struct build *b)
{
	struct pieces *ps = arena_new(b->arena, struct pieces);
	struct map part_of = {0};
	build_argv files = {0};

	if (b->pieces)
		return b->pieces;
	if (sources_of_runtime(b, &files))
		return NULL;
	add_piece(b, ps, PIECE_CORE, "core");
	read_parts(b, ps, file_read(b->arena, arena_printf(b->arena, "%s/kernel/parts.def", b->runtime_dir), NULL), &part_of);
	for (size_t i = 0; i < files.n; i++)
		if (read_file(b, ps, files.v[i], &part_of))
			return NULL;
	for (size_t i = 0; i < ps->all.n; i++)
		for (size_t k = 0; k < ps->all.v[i]->defines.n; k++)
			if (ps->all.v[i]->kind != PIECE_CALLS && !map_get(&ps->owner, ps->all.v[i]->defines.entries[k].key))
				map_set(b->arena, &ps->owner, ps->all.v[i]->defines.entries[k].key, ps->all.v[i]);
	b->pieces = ps;
	return ps;
}

void pieces_want(struct pieces *ps, const struct map *words)
{
	for (size_t i = 0; i < words->n; i++) {
		struct piece *p = map_get(&ps->owner, words->entries[i].key);

		if (!p || p->is_wanted)
			continue;
		p->is_wanted = true;
		pieces_want(ps, &p->words);
	}
}
