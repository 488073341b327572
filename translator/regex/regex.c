/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a regular expression becomes tables.
 *
 * parse.c      The text becomes a tree: sets of bytes, sequences, alternatives, repetitions, groups, anchors.
 * positions.c  Repetitions are written out, so that the expression is a number of positions, each a set of
 * bytes, of which one may follow another (Glushkov's automaton: no empty steps, one state per position). That
 * is a nondeterministic automaton.
 *
 * Who only asks whether there is a match (no matched() in the script) gets
 *
 * subset.c     the automaton whose states are sets of positions, with a match allowed to begin anywhere, that
 * stops at the first end.
 *
 * Who asks for groups gets
 *
 * tagged.c     an automaton whose states are sets of threads: one per position that can have been reached,
 * and for each two of them which is to be preferred by POSIX's rules, and whether that can still change
 * (order.c).  A thread that another has caught up with at its position is dropped if it is the worse one. The
 * automaton does not note where groups begin as it goes.  Instead each transition has a list, for each thread
 * after it: which thread before it came from, and which groups began and ended on the way.  The run time
 * keeps the states it passes, and when there was a match, walks back along these lists from the end of the
 * match to its start; the marks on that one way are the groups. So there are no registers to copy, matching
 * costs the same with many groups as with none, and only a script that calls matched() after a match pays for
 * the way back.
 *
 * minimise.c   Either automaton is minimised and becomes tables.
 *
 * Bytes that no set tells apart share a column of the tables.  All 256 bytes are told apart where the
 * expression does, as by libc in the C locale.
 *
 * An automaton may have exponentially many states (`x.{0,40}y').  Positions, states, work and the size of the
 * tables are limited, so that compiling takes some tenths of a second at most, whatever the expression; over
 * a limit it is refused.
 */
#include "translator/regex/tree.h"

const struct regex *regex_compile(struct arena *a, const char *text, size_t len, bool captures,
				  struct regex_problem *problem)
{
	struct regex *out = arena_new(a, struct regex);
	struct regex_positions positions = {0};
	struct regex_automaton m = {0};
	struct regex_tree tree;

	*problem = (struct regex_problem){.len = len};
	if (regex_parse(a, text, len, &tree, problem) ||
	    regex_positions(a, &tree, captures, &positions, problem))
		return NULL;
	regex_classes(a, &positions, &m);
	if (captures ? regex_tagged(a, &positions, &m, problem) : regex_subset(a, &positions, &m, problem)) {
		problem->len = len;
		return NULL;
	}
	if (regex_minimise(a, &m, out, problem)) {
		problem->len = len;
		return NULL;
	}
	out->ngroups = tree.ngroups;
	out->last = tree.last;
	out->captures = captures;
	out->steps = m.steps.v;
	out->nsteps = m.steps.n;
	out->marks = m.marks.v;
	out->nmarks = m.marks.n;
	return out;
}
