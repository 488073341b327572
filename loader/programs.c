// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program that makes tables of the files which the session finds in programs (tables/main.c), for stacks and names.  A session goes on without
 * it, with addresses in place of names: so what goes wrong here is said with -v only.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/paths.h"
#include "loader/loader.h"

#define READER "spile-tables"

void programs_begin(struct programs *p, const char *directory)
{
	char own[16];
	const char *const argv[] = { paths_helper(READER), own, NULL };
	struct child_start start = { .argv = argv, .out = -1, .err = -1, .group = CHILD_OWN_GROUP };
	char path[160];
	int fd, error;

	p->reader = 0;
	snprintf(own, sizeof own, "%d", (int)getpid());
	snprintf(path, sizeof path, "%s/programs", directory);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) /* the script does not ask for code of programs */
		return;
	start.in = fd;
	error = argv[0] ? child_start(&start, &p->reader) : ENOENT;
	if (error) {
		p->reader = 0;
		say_verbose("no names of programs that the script does not know: cannot run %s: %s", READER, strerror(error));
	} else if (ioctl(fd, WIRE_READER, &p->reader)) {
		say_verbose("probes see what %s does: %s", READER, strerror(errno));
	}
	close(fd);
}

/* False: it has been killed, but waits for a file system that does not answer. */
static bool has_ended(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (int i = 0; i < 100; i++) { /* a second */
		pid_t ended = waitpid(pid, NULL, WNOHANG);

		if (ended == pid || (ended < 0 && errno != EINTR))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

void programs_end(struct programs *p)
{
	if (!p->reader)
		return;
	kill(p->reader, SIGKILL);
	if (!has_ended(p->reader))
		say_verbose("%s (process %d) does not end: it waits for a file", READER, (int)p->reader);
	p->reader = 0;
}
