// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is typed, for input.char and input.line: the script has files for that in procfs, and each write to one is a hit of its probe.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/loader.h"

static int open_file(const char *directory, const char *name)
{
	char path[160];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	return open(path, O_WRONLY | O_CLOEXEC);
}

void input_open(struct input *in, const char *directory, bool is_commands)
{
	in->chars = open_file(directory, "__stdin");
	in->lines = open_file(directory, "__stdin_line");
	if (is_commands && (in->chars >= 0 || in->lines >= 0)) {
		say_warning("standard input is the command's, so probes of input are not hit; with -x instead of -c the script has it");
		input_close(in);
	}
}

void input_close(struct input *in)
{
	if (in->chars >= 0)
		close(in->chars);
	if (in->lines >= 0)
		close(in->lines);
	in->chars = in->lines = -1;
}

/* In the background a read from the terminal would stop us. */
static bool may_read(void)
{
	return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

int input_fd(const struct input *in)
{
	return (in->chars >= 0 || in->lines >= 0) && may_read() ? STDIN_FILENO : -1;
}

/* A handler that fails has said so itself. */
static void give(int fd, const char *text, size_t n)
{
	while (fd >= 0 && n) {
		ssize_t done = write(fd, text, n);

		if (done <= 0)
			return;
		text += done;
		n -= (size_t)done;
	}
}

static void give_line(struct input *in)
{
	give(in->lines, in->line, in->n);
	in->n = 0;
}

void input_read(struct input *in)
{
	char text[256];
	ssize_t n = read(STDIN_FILENO, text, sizeof text);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		give_line(in);
		input_close(in);
		return;
	}
	for (ssize_t i = 0; i < n; i++) {
		give(in->chars, &text[i], 1);
		in->line[in->n++] = text[i];
		if (text[i] == '\n' || in->n == sizeof in->line)
			give_line(in);
	}
}
