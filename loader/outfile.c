// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file of -o, and those that follow it: FILE, FILE.1, FILE.2 ..., by switch_file(), SIGUSR2 or, with -S, when one is full; with -S the
 * first one is FILE.0.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "loader/loader.h"

static const char *path_of(struct arena *a, const struct outfile *f, unsigned number)
{
	return f->most || number ? arena_printf(a, "%s.%u", f->name, number) : f->name;
}

static int open_numbered(const struct outfile *f, unsigned number)
{
	struct arena a = { 0 };
	const char *path = path_of(&a, f, number);
	int fd = file_open_output(path);

	if (fd < 0)
		say_error("cannot write %s: %s", path, errno == EWOULDBLOCK ? "another session writes it" : strerror(errno));
	arena_free(&a);
	return fd;
}

/* "/dev/fd/N" is a descriptor that the caller gave us, and that the command need not have; -1: the name is another one. */
static int given_descriptor(const char *name)
{
	const char *digits = name && !strncmp(name, "/dev/fd/", 8) ? name + 8 : "";
	size_t n = strspn(digits, "0123456789");
	int fd = n && n < 6 && !digits[n] ? atoi(digits) : -1;

	return fd > STDERR_FILENO && !fcntl(fd, F_SETFD, FD_CLOEXEC) ? fd : -1;
}

int outfile_open(struct outfile *f)
{
	int fd = f->most ? -1 : given_descriptor(f->name);

	if (fd >= 0) {
		f->name = NULL; /* no file follows it */
		f->fd = fd;
		return 0;
	}
	f->fd = f->name ? open_numbered(f, 0) : STDOUT_FILENO;
	return f->fd < 0 ? -1 : 0;
}

bool outfile_keeps(const struct outfile *f)
{
	return f->name && file_is_regular(f->fd);
}

static uint64_t bytes_until_now(const struct output *o)
{
	return o->written + o->dropped + (o->end - o->start);
}

bool outfile_is_full(const struct outfile *f, const struct output *o, size_t more)
{
	uint64_t n = bytes_until_now(o) - f->begun;

	return f->most && n && n + more > f->most;
}

static int close_first(struct outfile *f)
{
	int rc = f->first ? close(f->first) : 0;

	f->first = 0;
	return rc;
}

static void remove_oldest(struct outfile *f)
{
	struct arena a = { 0 };

	if (f->keep && f->number >= f->keep) {
		close_first(f);
		unlink(path_of(&a, f, f->number - f->keep));
	}
	arena_free(&a);
}

void outfile_next(struct outfile *f, struct output *o)
{
	int fd;

	if (!f->name) {
		say_warning("there is no file of output to switch: -o names one, where the session runs (--vm has it elsewhere)");
		return;
	}
	f->begun = bytes_until_now(o); /* also if it fails, so that it is not tried at each record */
	fd = open_numbered(f, f->number + 1);
	if (fd < 0)
		return;
	output_switch(o, fd);
	if (file_is_regular(fd) && ftruncate(fd, 0))
		output_fail(o, errno);
	if (!f->number)
		f->first = f->fd;
	else if (close(f->fd))
		output_fail(o, errno);
	f->fd = fd;
	f->number++;
	remove_oldest(f);
}

int outfile_close(struct outfile *f)
{
	bool failed = f->name && close_first(f);

	if (!f->name || (!close(f->fd) && !failed))
		return 0;
	say_error("cannot write %s: %s", f->name, strerror(errno));
	return -1;
}
