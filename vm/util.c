// SPDX-License-Identifier: GPL-2.0-or-later
/* Small helpers of spile-vm: memory that must be there, messages, files. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/busy.h"
#include "base/str.h"
#include "base/visible.h"
#include "vm/vm.h"

void (*on_exit_hook)(void);

static void no_memory(void)
{
	dprintf(STDERR_FILENO, "spile-vm: out of memory\n");
	_exit(EXIT_VM);
}

void *xmalloc(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		no_memory();
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		no_memory();
	return s;
}

void strings_add(struct strings *l, const char *s)
{
	char **v = realloc(l->v, (l->n + 2) * sizeof(*v));

	if (!v)
		no_memory();
	l->v = v;
	l->v[l->n++] = xasprintf("%s", s);
	l->v[l->n] = NULL;
}

size_t drop_returns(char *s, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i] != '\r')
			s[k++] = s[i];
	return k;
}

/* One write: several processes may share this terminal.  It shows names and texts of others, which must not drive it. */
void say_visibly(const char *label, const char *text)
{
	struct sb line = {0};

	busy_end();
	sb_printf(&line, "spile-vm: %s", label);
	visible_put(&line, text, strlen(text), "\n\t");
	dprintf(STDERR_FILENO, "%s\n", line.s);
	sb_free(&line);
}

static void say(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		no_memory();
	say_visibly("", text);
	free(text);
}

void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void die(const char *hint, const char *fmt, ...)
{
	void (*hook)(void) = on_exit_hook;
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	if (hint)
		say_visibly("hint: ", hint);
	on_exit_hook = NULL;
	if (hook)
		hook();
	exit(EXIT_VM);
}

char *file_read(const char *path, size_t *len)
{
	size_t cap = 4096, n = 0;
	char *s = xmalloc(cap);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0) {
		free(s);
		return NULL;
	}
	while ((got = read(fd, s + n, cap - n - 1)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int e = errno;

			close(fd);
			free(s);
			errno = e;
			return NULL;
		}
		n += (size_t)got;
		if (n + 1 == cap) {
			s = realloc(s, cap *= 2);
			if (!s)
				no_memory();
		}
	}
	close(fd);
	s[n] = 0;
	if (len)
		*len = n;
	return s;
}

int write_all(int fd, const void *p, size_t n)
{
	const char *s = p;

	while (n) {
		ssize_t put = write(fd, s, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		s += put;
		n -= (size_t)put;
	}
	return 0;
}

int mkdir_p(const char *path, mode_t mode)
{
	char *p = xasprintf("%s", path);
	int r = 0;

	for (char *s = p + 1; *s && !r; s++) {
		if (*s != '/')
			continue;
		*s = 0;
		if (mkdir(p, mode) && errno != EEXIST)
			r = -1;
		*s = '/';
	}
	if (!r && mkdir(p, mode) && errno != EEXIST)
		r = -1;
	free(p);
	return r;
}

static int remove_one(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	(void)st, (void)what, (void)ftw;
	return remove(path);
}

void remove_tree(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
