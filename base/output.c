// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing without waiting, whatever the descriptor is. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/std.h"

/*
 * A pipe or a terminal is opened once more for ourselves: O_NONBLOCK belongs to the open file, which others share (the shell,
 * the rest of the pipeline).  -1 where that is not possible.
 */
static int open_unshared(int fd)
{
	char path[32];

	if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return -1; /* not open for writing: opening it again must not change that */
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

static void set_file(struct output *o, int fd)
{
	struct stat st;

	o->fd = fd;
	o->reopened = 0;
	o->has_reader = o->is_socket = false;
	o->most = OUTPUT_SIZE;
	o->moved = std_now();
	if (fstat(fd, &st) || S_ISREG(st.st_mode))
		return;
	o->has_reader = true;
	o->is_socket = S_ISSOCK(st.st_mode);
	if (o->is_socket)
		return;
	o->reopened = open_unshared(fd);
	if (o->reopened > 0)
		o->fd = o->reopened;
	else
		o->most = PIPE_BUF; /* what a pipe takes at once when it can be written at all */
}

void output_init(struct output *o, int fd)
{
	*o = (struct output){ .cap = OUTPUT_SIZE };
	o->buf = mem_calloc(1, OUTPUT_SIZE);
	set_file(o, fd);
}

void output_switch(struct output *o, int fd)
{
	if (o->reopened > 0)
		close(o->reopened);
	set_file(o, fd);
}

void output_free(struct output *o)
{
	if (o->reopened > 0)
		close(o->reopened);
	free(o->buf);
	o->buf = NULL;
}

void output_fail(struct output *o, int error)
{
	if (!o->error)
		o->error = error;
	o->dropped += o->end - o->start;
	o->start = o->end = 0;
}

/* Where writing may wait for a reader: not now. */
static bool must_wait(const struct output *o)
{
	struct pollfd p = { o->fd, POLLOUT, 0 };

	return o->most == PIPE_BUF && poll(&p, 1, 0) == 0;
}

static ssize_t write_some(struct output *o)
{
	size_t n = o->end - o->start;

	if (o->is_socket)
		return send(o->fd, o->buf + o->start, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (must_wait(o)) {
		errno = EAGAIN;
		return -1;
	}
	return write(o->fd, o->buf + o->start, n < o->most ? n : o->most);
}

void output_drop_kept(struct output *o)
{
	if (o->keep_until_output && ftruncate(o->fd, 0))
		output_fail(o, errno);
	o->keep_until_output = false;
}

void output_flush(struct output *o)
{
	if (o->start < o->end)
		output_drop_kept(o);
	while (o->start < o->end) {
		ssize_t n = write_some(o);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n < 0) {
			output_fail(o, errno);
			return;
		}
		o->start += (size_t)n;
		o->written += (size_t)n;
		o->moved = std_now();
	}
	o->start = o->end = 0;
	o->moved = std_now();
}

bool output_has_room(struct output *o, size_t n)
{
	if (o->error || o->end + n <= OUTPUT_SIZE)
		return true;
	output_flush(o);
	if (o->error || o->end + n <= OUTPUT_SIZE)
		return true;
	memmove(o->buf, o->buf + o->start, o->end - o->start);
	o->end -= o->start;
	o->start = 0;
	return o->end + n <= OUTPUT_SIZE;
}

void output_put(struct output *o, const char *p, size_t n)
{
	if (o->error) {
		o->dropped += n;
		return;
	}
	if (o->end + n > o->cap) {
		o->cap = 2 * (o->end + n);
		o->buf = mem_realloc(o->buf, o->cap, 1);
	}
	memcpy(o->buf + o->end, p, n);
	o->end += n;
}

bool output_is_pending(const struct output *o)
{
	return o->start < o->end;
}

void output_hurry(struct output *o, double since)
{
	if (o->moved > since)
		since = o->moved;
	if (output_is_pending(o) && std_now() - since > OUTPUT_PATIENCE_S)
		output_fail(o, ETIMEDOUT);
}
