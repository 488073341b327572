// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Matching regular expressions by the tables that translator/regex/ makes: one step per byte, and no more
 * once the answer is known.  With captures the states passed are kept; the way back through them, to find the
 * groups, is only taken when a group is asked for.
 */
#include "rt/lib.h"

#define UNKNOWN (~0u)     /* nothing about the group has been met on the way back */
#define NO_PART (~0u - 1) /* it has no part in the match */

/* The last match of a context; c->matched tells whose it is. */
struct rt_match {
	rt_u32 n;        /* of subject */
	rt_u32 end;      /* of the match */
	rt_u32 at_end;   /* the match needs the end of the text */
	rt_u32 resolved; /* group[] is filled */
	rt_u32 *group;   /* begin and end of each */
	rt_u16 *path;    /* the state before each byte, and behind the last one */
	char *subject;
};

/* The path has an entry more than the longest string has bytes. */
rt_size rt_regex_size(void)
{
	const struct rt_limits *l = rt_script.limits;

	if (!l->regex_groups)
		return 0;
	return rt_round_up(sizeof(struct rt_match) + 8ULL * l->regex_groups + 2 * (l->string_max + 1ULL) +
				   l->string_max,
			   8);
}

void rt_regex_init(struct rt_ctx *c, void *space)
{
	const struct rt_limits *l = rt_script.limits;
	struct rt_match *m = space;

	c->match = 0;
	c->matched = 0;
	if (!l->regex_groups)
		return;
	c->match = m;
	m->group = (rt_u32 *)(m + 1);
	m->path = (rt_u16 *)(m->group + 2 * l->regex_groups);
	m->subject = (char *)(m->path + l->string_max + 1);
}

rt_bool rt_regex_test(const struct rt_regex *re, struct rt_str s)
{
	const rt_u8 *p = (const rt_u8 *)s.p, *end = p + s.n;
	const rt_u16 *next = re->next;
	rt_u32 state = re->start;

	while (state > re->found) {
		if (p == end)
			return state <= re->at_end;
		state = next[state + re->classes[*p++]];
	}
	return state != 0;
}

rt_bool rt_regex_match(struct rt_ctx *c, const struct rt_regex *re, struct rt_str s)
{
	struct rt_match *m = c->match;
	rt_u32 n = (rt_u32)rt_min(s.n, rt_script.limits->string_max), state = re->start, end = UNKNOWN, i = 0;
	const rt_u16 *next = re->next;
	rt_u16 *path = m->path;

	c->matched = 0;
	m->at_end = 0;
	for (;; i++) {
		path[i] = (rt_u16)state;
		if (state <= re->found) {
			if (!state)
				break;
			end = i;
		}
		if (i == n) {
			if (state <= re->at_end) {
				end = n;
				m->at_end = 1;
			}
			break;
		}
		state = next[state + re->classes[(rt_u8)s.p[i]]];
	}
	if (end == UNKNOWN)
		return 0;
	c->matched = re;
	m->end = end;
	m->n = n;
	m->resolved = 0;
	memmove(m->subject, s.p, n); /* it may be a part of the last one */
	return 1;
}

/* The marks between two bytes, from the last to the first. */
static void mark(const struct rt_regex_tags *tags, rt_u32 *group, const rt_u16 *marks, rt_u32 pos)
{
	rt_u32 g, i;

	for (; *marks; marks++) {
		g = (*marks - 2) / 2;
		if (*marks & 1) {
			if (group[2 * g + 1] == UNKNOWN)
				group[2 * g + 1] = pos;
		} else if (group[2 * g] == UNKNOWN) {
			group[2 * g] = pos;
			/* groups inside it that this last turn has not met have no part in it */
			for (i = g + 1; i <= tags->last[g]; i++)
				if (group[2 * i + 1] == UNKNOWN)
					group[2 * i] = group[2 * i + 1] = NO_PART;
		}
	}
}

/* Walks back from the end of the match to its beginning. */
static void resolve(const struct rt_regex *re, struct rt_match *m)
{
	const struct rt_regex_tags *tags = re->tags;
	rt_u32 pos = m->end, i, from;
	const struct rt_regex_step *step;

	for (i = 0; i < 2 * tags->ngroups; i++)
		m->group[i] = UNKNOWN;
	step = &tags->steps[tags->ends[m->path[pos] / re->nclasses * 2 + m->at_end] - 1];
	for (;;) {
		mark(tags, m->group, tags->marks + step->marks, pos);
		from = step->from;
		if (from == RT_REGEX_START)
			break;
		pos--;
		step = &tags->steps[tags->moves[m->path[pos] + re->classes[(rt_u8)m->subject[pos]]] + from];
	}
	m->group[0] = pos;
	m->group[1] = m->end;
	m->resolved = 1;
}

/* The last match; 0 with an error if there is none. */
static struct rt_match *last_match(struct rt_ctx *c, const char *who)
{
	struct rt_match *m = c->match;

	if (!c->matched) {
		rt_error(c, "%s: no regular expression has matched before", who);
		return 0;
	}
	if (!m->resolved)
		resolve(c->matched, m);
	return m;
}

struct rt_str rt_matched(struct rt_ctx *c, rt_s64 n)
{
	struct rt_match *m = last_match(c, "matched");
	rt_u32 begin, end;

	if (!m)
		return RT_EMPTY;
	if (n < 0 || n >= c->matched->tags->ngroups) {
		rt_error(c, "matched: there is no group %lld, the last is %u", n,
			 c->matched->tags->ngroups - 1);
		return RT_EMPTY;
	}
	begin = m->group[2 * n];
	end = m->group[2 * n + 1];
	if (end == UNKNOWN || end == NO_PART)
		return RT_EMPTY;
	return rt_str_copy(c, m->subject + begin, end - begin);
}

struct rt_str rt_matched_str(struct rt_ctx *c)
{
	struct rt_match *m = last_match(c, "matched_str");

	return m ? rt_str_copy(c, m->subject, m->n) : RT_EMPTY;
}

rt_s64 rt_ngroups(struct rt_ctx *c)
{
	struct rt_match *m = last_match(c, "ngroups");

	return m ? c->matched->tags->ngroups : 0;
}
