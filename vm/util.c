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

static void say(const char *fmt, va_list ap)
{
	char *text;

	/* One write: several processes may share this terminal. */
	if (vasprintf(&text, fmt, ap) < 0)
		no_memory();
	dprintf(STDERR_FILENO, "spile-vm: %s\n", text);
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
		dprintf(STDERR_FILENO, "spile-vm: hint: %s\n", hint);
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
