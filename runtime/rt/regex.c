// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Matches regular expressions by the tables that translator/regex/ makes (see its regex.c): one step per byte, until the answer is
 * known.  The places of groups are only found when one is needed: back from the end of the text to where the match begins, forward to
 * where it ends, and back along the path it took.
 */
#include "rt/lib.h"

#define UNKNOWN (~0u)     /* nothing about the group was found on the way back */
#define NO_PART (~0u - 1) /* it has no part in the match */

/* The last match of a context; c->matched is its expression. */
struct rt_match {
	rt_u32 n;        /* of subject */
	rt_u32 resolved; /* group[] is filled */
	rt_u32 *group;   /* begin and end of each */
	rt_u16 *path;    /* the state before each byte, and after the last one */
	char *subject;
};

/* The path has one entry more than the longest string has bytes. */
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
	const rt_u8 *p = (const rt_u8 *)s.p, *end = p + s.n, *classes = re->classes;
	const struct rt_regex_table *t = &re->test;
	rt_u32 state = t->start, next;

	while (state > t->found) {
		const rt_u16 *row = t->next + state;

		/* Most bytes change nothing, so the processor can look at the next without waiting. */
		do {
			if (p == end)
				return state <= t->at_end;
			next = row[classes[*p++]];
		} while (next == state);
		state = next;
	}
	return state != 0;
}

rt_bool rt_regex_match(struct rt_ctx *c, const struct rt_regex *re, struct rt_str s)
{
	struct rt_match *m = c->match;

	s.n = (rt_u32)rt_min(s.n, rt_script.limits->string_max);
	if (!rt_regex_test(re, s)) {
		c->matched = 0;
		return 0;
	}
	c->matched = re;
	m->n = s.n;
	m->resolved = 0;
	memcpy(m->subject, s.p, s.n);
	return 1;
}

/* ---- groups ---- */

/* Where the leftmost match begins. */
static rt_u32 find_begin(const struct rt_regex *re, const struct rt_match *m)
{
	const struct rt_regex_table *t = &re->groups->back;
	rt_u32 state = t->start, begin = UNKNOWN, i;

	for (i = m->n;; i--) {
		if (state <= t->found) {
			if (!state)
				return begin;
			begin = i;
		}
		if (!i)
			return state <= t->at_end ? 0 : begin;
		state = t->next[state + re->classes[(rt_u8)m->subject[i - 1]]];
	}
}

/* Where it ends, and the step that ends it; keeps the states on the way. */
static rt_u32 find_end(const struct rt_regex *re, struct rt_match *m, rt_u32 begin, rt_u32 *step)
{
	const struct rt_regex_groups *g = re->groups;
	const struct rt_regex_table *t = &g->way;
	rt_u32 state = begin ? t->start : g->start_at_begin, end = UNKNOWN, i;

	for (i = begin;; i++) {
		m->path[i] = (rt_u16)state;
		if (state <= t->found) {
			if (!state)
				return end;
			end = i;
			*step = g->ends[state / re->nclasses * 2] - 1u;
		}
		if (i == m->n)
			break;
		state = t->next[state + re->classes[(rt_u8)m->subject[i]]];
	}
	if (state > t->at_end)
		return end;
	*step = g->ends[state / re->nclasses * 2 + 1] - 1u;
	return i;
}

/* The marks between two bytes, from the last to the first. */
static void mark(const struct rt_regex_groups *groups, rt_u32 *group, const rt_u16 *marks, rt_u32 pos)
{
	rt_u32 g, i;

	for (; *marks; marks++) {
		g = (*marks - RT_REGEX_BEGINS(0)) / 2;
		if (*marks == RT_REGEX_ENDS(g)) {
			if (group[2 * g + 1] == UNKNOWN)
				group[2 * g + 1] = pos;
		} else if (group[2 * g] == UNKNOWN) {
			group[2 * g] = pos;
			/* groups inside it that were not found in this last turn have no part in the match */
			for (i = g + 1; i <= groups->last[g]; i++)
				if (group[2 * i + 1] == UNKNOWN)
					group[2 * i] = group[2 * i + 1] = NO_PART;
		}
	}
}

/* Finds the groups, from the end of the match back to its beginning. */
static void resolve(const struct rt_regex *re, struct rt_match *m)
{
	const struct rt_regex_groups *groups = re->groups;
	rt_u32 begin = find_begin(re, m), end = UNKNOWN, first, pos, i;
	const struct rt_regex_step *step;

	m->resolved = 1;
	for (i = 0; i < 2 * groups->ngroups; i++)
		m->group[i] = UNKNOWN;
	if (begin != UNKNOWN)
		end = find_end(re, m, begin, &first);
	if (end == UNKNOWN)
		return; /* only if the tables are inconsistent */
	step = &groups->steps[first];
	for (pos = end;;) {
		mark(groups, m->group, groups->marks + step->marks, pos);
		if (pos == begin || step->from == RT_REGEX_START)
			break;
		pos--;
		i = groups->moves[m->path[pos] + re->classes[(rt_u8)m->subject[pos]]] + step->from;
		step = &groups->steps[i];
	}
	m->group[0] = begin;
	m->group[1] = end;
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
	if (n < 0 || n >= c->matched->groups->ngroups) {
		rt_error(c, "Attempted to get nonexistent subexpression %lld", n);
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

	if (!m || m->group[1] == UNKNOWN)
		return RT_EMPTY;
	return rt_str_copy(c, m->subject + m->group[0], m->group[1] - m->group[0]);
}

rt_s64 rt_ngroups(struct rt_ctx *c)
{
	struct rt_match *m = last_match(c, "ngroups");

	return m ? c->matched->groups->ngroups : 0;
}
