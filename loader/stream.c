// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of all CPUs, put in order.  Orders count 1, 2, 3 ... without a gap and ascend on each CPU, so
 * the next record is at the head of some CPU or not yet read; a CPU whose head is later never holds up
 * others: its buffer fills, and that is all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "loader/loader.h"

#define IN_SIZE (1u << 20)
#define OUT_SIZE (1u << 20)
#define RECORD_MAX (IN_SIZE / 2)

void stream_init(struct stream *s, const int *fds, unsigned n, int to)
{
	*s = (struct stream){ .ncpus = n, .next = 1, .to = to };
	s->cpus = mem_calloc(n, sizeof *s->cpus);
	s->heads = mem_calloc(n, sizeof *s->heads);
	s->out = mem_calloc(1, OUT_SIZE);
	for (unsigned i = 0; i < n; i++)
		s->cpus[i] = (struct stream_cpu){ .fd = fds[i], .ended = fds[i] < 0 };
}

/* ---- out ---- */

static void write_all(struct stream *s, const char *p, size_t n)
{
	while (n && !s->write_errno) {
		ssize_t done = write(s->to, p, n);

		if (done >= 0) {
			p += done;
			n -= (size_t)done;
		} else if (errno != EINTR) {
			s->write_errno = errno;
		}
	}
}

static void flush(struct stream *s)
{
	write_all(s, s->out, s->nout);
	s->nout = 0;
}

static void put(struct stream *s, const char *p, size_t n)
{
	if (n > OUT_SIZE - s->nout)
		flush(s);
	if (n > OUT_SIZE) {
		write_all(s, p, n);
		return;
	}
	memcpy(s->out + s->nout, p, n);
	s->nout += n;
}

/* ---- in ---- */

/* Looks at what is first in the buffer: sets the head, or 0 when no whole record is there. */
static void look(struct stream *s, unsigned i)
{
	struct stream_cpu *c = &s->cpus[i];
	struct wire_record r;

	s->heads[i] = 0;
	if (c->end - c->start < sizeof r)
		return;
	memcpy(&r, c->buf + c->start, sizeof r);
	if (r.magic != WIRE_MAGIC || r.len > RECORD_MAX || !r.order) {
		s->damaged = true;
		c->ended = true;
		c->start = c->end;
		return;
	}
	if (c->end - c->start >= sizeof r + r.len)
		s->heads[i] = r.order;
}

/* Reads once; bytes. */
static size_t fill(struct stream *s, unsigned i)
{
	struct stream_cpu *c = &s->cpus[i];
	ssize_t n;

	if (c->ended)
		return 0;
	if (!c->buf)
		c->buf = mem_calloc(1, IN_SIZE);
	if (c->start && c->end > IN_SIZE / 2) {
		memmove(c->buf, c->buf + c->start, c->end - c->start);
		c->end -= c->start;
		c->start = 0;
	}
	if (c->end == IN_SIZE)
		return 0;
	n = read(c->fd, c->buf + c->end, IN_SIZE - c->end);
	if (n > 0) {
		c->end += (size_t)n;
		if (!s->heads[i])
			look(s, i);
		return (size_t)n;
	}
	if (!n || (errno != EAGAIN && errno != EINTR))
		c->ended = true;
	return 0;
}

/* Writes the first record of a CPU. */
static void take(struct stream *s, unsigned i)
{
	struct stream_cpu *c = &s->cpus[i];
	struct wire_record r;

	memcpy(&r, c->buf + c->start, sizeof r);
	put(s, c->buf + c->start + sizeof r, r.len);
	s->next = r.order + 1;
	c->start += sizeof r + r.len;
	if (c->start == c->end)
		c->start = c->end = 0;
	look(s, i);
}

/* Writes what is in order. */
static void merge(struct stream *s)
{
	unsigned i = 0, passed = 0;

	while (passed < s->ncpus) {
		if (s->heads[i] == s->next) {
			take(s, i);
			passed = 0;
			continue;
		}
		passed++;
		i = i + 1 < s->ncpus ? i + 1 : 0;
	}
}

size_t stream_drain(struct stream *s)
{
	size_t all = 0, n;

	do {
		n = 0;
		for (unsigned i = 0; i < s->ncpus; i++)
			n += fill(s, i);
		merge(s);
		all += n;
	} while (n >= IN_SIZE / 4);
	flush(s);
	return all;
}

bool stream_ended(const struct stream *s)
{
	for (unsigned i = 0; i < s->ncpus; i++)
		if (!s->cpus[i].ended)
			return false;
	return true;
}

/* The CPU with the earliest head, or -1. */
static int earliest(const struct stream *s)
{
	int best = -1;

	for (unsigned i = 0; i < s->ncpus; i++)
		if (s->heads[i] && (best < 0 || s->heads[i] < s->heads[best]))
			best = (int)i;
	return best;
}

uint64_t stream_finish(struct stream *s)
{
	uint64_t missing = 0;
	int i;

	while ((i = earliest(s)) >= 0) {
		if (s->heads[i] > s->next)
			missing += s->heads[i] - s->next;
		take(s, (unsigned)i);
	}
	flush(s);
	for (unsigned k = 0; k < s->ncpus; k++) {
		if (s->cpus[k].fd >= 0)
			close(s->cpus[k].fd);
		free(s->cpus[k].buf);
	}
	free(s->cpus);
	free(s->heads);
	free(s->out);
	s->ncpus = 0;
	return missing;
}
