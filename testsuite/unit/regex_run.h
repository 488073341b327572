/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the tests and the fuzzer of regular expressions: runs what translator/regex/ compiled by runtime/rt/regex.c, and finds groups
 * a second time by following the words of POSIX instead of an automaton.
 */
#ifndef TESTSUITE_REGEX_RUN_H
#define TESTSUITE_REGEX_RUN_H

#include <stdlib.h>
#include <string.h>

#include "runtime/rt/regex.c"
#include "testsuite/unit/port_native.h"
#include "translator/regex/tree.h"

enum { RUN_GROUPS = 64, RUN_TEXT = 64 };

struct run_group {
	int begin, end; /* -1: no part in the match */
};

/* ---- the tables, as the emitter would write them ---- */

struct run_regex {
	struct rt_regex re;
	struct rt_regex_groups groups;
};

static inline struct rt_regex_table run_table(const struct regex_table *t)
{
	return (struct rt_regex_table){t->next, (rt_u16)t->start, (rt_u16)t->found, (rt_u16)t->at_end};
}

static inline void run_prepare(struct run_regex *r, const struct regex *x)
{
	_Static_assert(sizeof(struct regex_step) == sizeof(struct rt_regex_step), "the same on both sides");
	r->re = (struct rt_regex){
		.classes = x->classes,
		.nclasses = (rt_u16)x->nclasses,
		.test = run_table(&x->test),
		.groups = x->captures ? &r->groups : NULL,
	};
	r->groups = (struct rt_regex_groups){
		.ngroups = x->ngroups,
		.last = x->last,
		.back = run_table(&x->back),
		.way = run_table(&x->way),
		.start_at_begin = (rt_u16)x->way.start_at_begin,
		.moves = x->way.moves,
		.ends = x->way.ends,
		.steps = (const struct rt_regex_step *)x->steps,
		.marks = x->marks,
	};
}

/* Matches and fills the groups; false: no match. */
static inline bool run_match(struct rt_ctx *c, const struct regex *x, const char *text, size_t n,
			     struct run_group *groups)
{
	struct run_regex r;

	run_prepare(&r, x);
	if (!rt_regex_match(c, &r.re, (struct rt_str){text, (rt_u32)n}))
		return false;
	last_match(c, "test");
	for (unsigned i = 0; i < x->ngroups && i < RUN_GROUPS; i++) {
		bool part = c->match->group[2 * i + 1] < NO_PART;
		groups[i] = part ? (struct run_group){(int)c->match->group[2 * i],
						      (int)c->match->group[2 * i + 1]}
				 : (struct run_group){-1, -1};
	}
	return true;
}

static inline bool run_test(const struct regex *x, const char *text, size_t n)
{
	struct run_regex r;

	run_prepare(&r, x);
	return rt_regex_test(&r.re, (struct rt_str){text, (rt_u32)n});
}

/* ---- following the words of the standard ---- */

/*
 * can(n, i, j): may this part of the expression match the bytes [i, j)?  The answers are stored, since the same questions come again.  For
 * a repetition, the question is about its turns from the t-th on, and whether it has had one already.
 */
struct oracle {
	const char *text;
	int n;
	struct run_group groups[RUN_GROUPS];
	struct {
		const struct regex_node *node;
		unsigned from;
		int i, j;
		signed char can;
	} seen[1 << 14];
	long budget; /* questions left; < 0: it took too long */
};

static inline bool oracle_can(struct oracle *o, const struct regex_node *n, unsigned from, int i, int j);

/* A repetition that has had `turn' turns matches the rest [i, j). */
static inline bool oracle_turns(struct oracle *o, const struct regex_node *n, unsigned turn, int i, int j)
{
	const struct regex_node *what = n->k.v[0];

	if (turn >= n->min && i == j)
		return true;
	if (turn >= n->max)
		return false;
	if (turn >= n->min && turn > 32)
		turn = n->min > 32 ? n->min : 32; /* from now on all turns are alike */
	for (int k = j; k >= i; k--)
		if ((k > i || turn < n->min || !turn) && oracle_can(o, what, 0, i, k) &&
		    oracle_can(o, n, turn + 1, k, j))
			return true;
	return false;
}

static inline bool oracle_parts(struct oracle *o, const struct regex_node *n, unsigned from, int i, int j)
{
	if (from == n->k.n)
		return i == j;
	for (int k = j; k >= i; k--)
		if (oracle_can(o, n->k.v[from], 0, i, k) && oracle_can(o, n, from + 1, k, j))
			return true;
	return false;
}

static inline bool oracle_ask(struct oracle *o, const struct regex_node *n, unsigned from, int i, int j)
{
	switch (n->kind) {
	case RX_EMPTY:
		return i == j;
	case RX_BEGIN:
		return i == j && i == 0;
	case RX_END:
		return i == j && i == o->n;
	case RX_SET:
		return j == i + 1 && regex_set_has(&n->set, (unsigned char)o->text[i]);
	case RX_CAT:
		return oracle_parts(o, n, from, i, j);
	case RX_ALT:
		for (size_t k = 0; k < n->k.n; k++)
			if (oracle_can(o, n->k.v[k], 0, i, j))
				return true;
		return false;
	case RX_REPEAT:
		return oracle_turns(o, n, from, i, j);
	case RX_GROUP:
		return oracle_can(o, n->k.v[0], 0, i, j);
	}
	return false;
}

static inline bool oracle_can(struct oracle *o, const struct regex_node *n, unsigned from, int i, int j)
{
	size_t at = ((uintptr_t)n / 16 * 31 + from * 1009 + (unsigned)i * 67 + (unsigned)j) %
		    (sizeof o->seen / sizeof o->seen[0]);
	bool can;

	if (o->seen[at].node == n && o->seen[at].from == from && o->seen[at].i == i && o->seen[at].j == j)
		return o->seen[at].can;
	if (--o->budget < 0)
		return false;
	can = oracle_ask(o, n, from, i, j);
	o->seen[at].node = n;
	o->seen[at].from = from;
	o->seen[at].i = i;
	o->seen[at].j = j;
	o->seen[at].can = can;
	return can;
}

/* The parts of [i, j), each as long as it can be, from the left. */
static inline void oracle_groups(struct oracle *o, const struct regex_node *n, int i, int j,
				 const uint16_t *last)
{
	int k;

	switch (n->kind) {
	case RX_EMPTY:
	case RX_BEGIN:
	case RX_END:
	case RX_SET:
		return;
	case RX_CAT:
		for (unsigned part = 0; part < n->k.n; part++, i = k) {
			for (k = j; k > i; k--)
				if (oracle_can(o, n->k.v[part], 0, i, k) && oracle_can(o, n, part + 1, k, j))
					break;
			oracle_groups(o, n->k.v[part], i, k, last);
		}
		return;
	case RX_ALT:
		for (size_t part = 0; part < n->k.n; part++)
			if (oracle_can(o, n->k.v[part], 0, i, j)) {
				oracle_groups(o, n->k.v[part], i, j, last);
				return;
			}
		return;
	case RX_REPEAT:
		for (unsigned turn = 0; turn < n->max && (i < j || turn < n->min || !turn); turn++, i = k) {
			for (k = j; k > i; k--)
				if (oracle_can(o, n->k.v[0], 0, i, k) && oracle_can(o, n, turn + 1, k, j))
					break;
			if (k == i && !oracle_can(o, n->k.v[0], 0, i, i))
				return; /* no turn at all */
			oracle_groups(o, n->k.v[0], i, k, last);
		}
		return;
	case RX_GROUP:
		for (unsigned g = n->group; g <= last[n->group]; g++)
			if (g < RUN_GROUPS)
				o->groups[g] = (struct run_group){-1, -1};
		if (n->group < RUN_GROUPS)
			o->groups[n->group] = (struct run_group){i, j};
		oracle_groups(o, n->k.v[0], i, j, last);
		return;
	}
}

/* 1: match, with groups; 0: none; -1: it would take too long. */
static inline int oracle_match(struct oracle *o, const struct regex_tree *tree, const char *text, size_t n)
{
	memset(o, 0, sizeof *o);
	o->text = text;
	o->n = (int)n;
	o->budget = 200000;
	for (unsigned g = 0; g < RUN_GROUPS; g++)
		o->groups[g] = (struct run_group){-1, -1};
	for (int i = 0; i <= o->n; i++)
		for (int j = o->n; j >= i; j--)
			if (oracle_can(o, tree->root, 0, i, j)) {
				oracle_groups(o, tree->root, i, j, tree->last);
				o->groups[0] = (struct run_group){i, j};
				return o->budget < 0 ? -1 : 1;
			}
	return o->budget < 0 ? -1 : 0;
}

#endif
