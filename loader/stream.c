// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of all CPUs, put in order.  Orders count 1, 2, 3 ... without a gap and ascend on each CPU, so the next record is at the
 * head of some CPU or was not read yet.  A CPU whose head is later never blocks others: only its own buffer fills.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "loader/loader.h"

#define IN_SIZE (1u << 20)
#define RECORD_MAX (IN_SIZE / 2)

_Static_assert(RECORD_MAX <= OUTPUT_SIZE, "a record that would never find room");

void stream_init(struct stream *s, const int *fds, unsigned n, struct sink *sink, struct outfile *file)
{
	*s = (struct stream){ .ncpus = n, .next = 1, .sink = sink, .file = file };
	s->cpus = mem_calloc(n, sizeof *s->cpus);
	s->heads = mem_calloc(n, sizeof *s->heads);
	for (unsigned i = 0; i < n; i++)
		s->cpus[i] = (struct stream_cpu){ .fd = fds[i], .ended = fds[i] < 0 };
}

/* ---- in ---- */

/* An unknown kind is not damage, if wire.h allows it. */
static bool is_sound(const struct wire_record *r, unsigned cpu)
{
	return r->kind >> 8 == WIRE_TEXT >> 8 && r->cpu == (uint16_t)cpu && r->len <= RECORD_MAX && r->order;
}

/* Looks at what is first in the buffer: sets the head, or 0 when there is no whole record. */
static void look(struct stream *s, unsigned i)
{
	struct stream_cpu *c = &s->cpus[i];
	struct wire_record r;

	s->heads[i] = 0;
	if (c->end - c->start < sizeof r)
		return;
	memcpy(&r, c->buf + c->start, sizeof r);
	if (!is_sound(&r, i)) {
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

/* ---- out ---- */

/* The module's buffers may soon be full, so nothing can wait for a command. */
static bool is_pressed(const struct stream *s)
{
	for (unsigned i = 0; i < s->ncpus; i++)
		if (s->cpus[i].end - s->cpus[i].start > IN_SIZE / 2)
			return true;
	return false;
}

/* Is a new output file begun with the record? */
static bool begins_file(const struct stream *s, const struct wire_record *r)
{
	return r->kind == WIRE_SWITCH || s->new_file || outfile_is_full(s->file, s->sink->to, r->len);
}

/* Must all that was output be written first? */
static bool needs_the_end(const struct stream *s, const struct wire_record *r)
{
	return r->kind == WIRE_COMMAND || begins_file(s, r);
}

static bool must_wait(struct stream *s, const struct wire_record *r)
{
	if (commands_awaited(&s->commands) >= 0 && !is_pressed(s))
		return true;
	if (!needs_the_end(s, r))
		return !output_has_room(s->sink->to, r->len);
	output_flush(s->sink->to);
	return output_is_pending(s->sink->to);
}

/* False: it has to wait. */
static bool put_out(struct stream *s, const struct wire_record *r, char *payload)
{
	if (r->kind == WIRE_COMMAND)
		return commands_start(&s->commands, payload, r->len);
	if (begins_file(s, r))
		outfile_next(s->file, s->sink->to);
	s->new_file = false;
	if (r->kind != WIRE_SWITCH && !sink_record(s->sink, r, payload) && !s->unknown++)
		say_error("the module sends records of kind %#x, which this spilerun does not know: use the one of the spile that made "
			  "it", r->kind);
	return true;
}

/* Puts out the first record of a CPU, if it need not wait. */
static bool take(struct stream *s, unsigned i)
{
	struct stream_cpu *c = &s->cpus[i];
	struct wire_record r;

	memcpy(&r, c->buf + c->start, sizeof r);
	s->is_stuck = must_wait(s, &r) || !put_out(s, &r, c->buf + c->start + sizeof r);
	if (s->is_stuck)
		return false;
	s->next = r.order + 1;
	c->start += sizeof r + r.len;
	if (c->start == c->end)
		c->start = c->end = 0;
	look(s, i);
	return true;
}

/* Outputs the records that are in order. */
static void merge(struct stream *s)
{
	unsigned i = 0, passed = 0;

	while (passed < s->ncpus) {
		if (s->heads[i] == s->next) {
			if (!take(s, i))
				return;
			passed = 0;
			continue;
		}
		passed++;
		i = i + 1 < s->ncpus ? i + 1 : 0;
	}
}

static bool files_ended(const struct stream *s)
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

/* Nothing more will come: missing records are lost. */
static void merge_over_gaps(struct stream *s)
{
	int i;

	while (!s->is_stuck && (i = earliest(s)) >= 0) {
		uint64_t gap = s->heads[i] > s->next ? s->heads[i] - s->next : 0;

		if (!take(s, (unsigned)i))
			return;
		s->missing += gap;
	}
}

void stream_drain(struct stream *s)
{
	size_t n;

	do {
		n = 0;
		for (unsigned i = 0; i < s->ncpus; i++)
			n += fill(s, i);
		merge(s);
	} while (n >= IN_SIZE / 4 && !s->is_stuck);
	if (files_ended(s))
		merge_over_gaps(s);
	output_flush(s->sink->to);
}

bool stream_ended(const struct stream *s)
{
	return files_ended(s) && earliest(s) < 0;
}

void stream_free(struct stream *s)
{
	for (unsigned k = 0; k < s->ncpus; k++) {
		if (s->cpus[k].fd >= 0)
			close(s->cpus[k].fd);
		free(s->cpus[k].buf);
	}
	free(s->cpus);
	free(s->heads);
	s->ncpus = 0;
}
