// SPDX-License-Identifier: GPL-2.0-or-later
/* Output that could not be written is an error.  This is checked in one place, at exit. */
#include "base/std.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

static const char *guarded_program;
static int guarded_status;

/* Opens a file for the wrong direction: using the descriptor gives EBADF, as if it were still closed. */
static void occupy(int fd)
{
	if (fcntl(fd, F_GETFD) < 0)
		(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void check_stdout(void)
{
	bool failed = ferror(stdout);
	int error = 0;

	if (fflush(stdout) || close(STDOUT_FILENO))
		error = errno;
	if (!failed && !error)
		return;
	dprintf(STDERR_FILENO, "%s: cannot write the output%s%s\n", guarded_program, error ? ": " : "",
		error ? strerror(error) : "");
	_exit(guarded_status);
}

void std_guard(const char *program, int status)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		occupy(fd);
	signal(SIGXFSZ, SIG_IGN);
	guarded_program = program;
	guarded_status = mem_exit_status = status;
	atexit(check_stdout);
}

double std_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
