/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a regular expression becomes tables.
 *
 * parse.c      The text becomes a tree: sets of bytes, sequences, alternatives, repetitions, groups, anchors.
 * positions.c  Repetitions are written out, so that the expression is a number of positions, each a set of
 *              bytes, of which one may follow another (Glushkov's automaton: no empty steps, one state per
 *              position).  That is a nondeterministic automaton.
 * subset.c     The automaton `test'.  Its states are sets of positions, and a match may begin anywhere; it stops at the first end.
 *              This is all that =~ needs.
 *
 * If the script has matched(), there are two more, which run only when it is called after a match:
 *
 * subset.c     `back' reads the text backwards from its end, by the reversed expression.  The leftmost match begins where the last
 *              of its ends is.
 * tagged.c     `way' reads from there on.  Its states are sets of threads: one per position that can have been reached, and for
 *              each two of them which is preferred by POSIX's rules, and whether that can still change (order.c).  If two threads
 *              reach one position, the worse is dropped.  The automaton does not note where groups begin as it goes.  Instead each
 *              transition has a list, for each thread after it: which thread before it came from, and which groups began and ended
 *              on the way.  At run time the passed states are kept, and these lists are followed back from the end of the match to
 *              its start; the marks on that path are the groups.  So there are no registers to copy, and many groups cost no more
 *              than few.  Groups that the script never uses cost nothing: with matched(0) alone, the states of `way' are sets of
 *              positions.
 *
 * Since the beginning is known, `way' has few threads: those of one match, not of one for each place where a
 * match may have begun.  (In one pass, `a.{0,60}b' would have to know the places of all a's among the last 60
 * bytes.)
 *
 * minimise.c   Each automaton is minimised and becomes a table.
 *
 * Bytes that no set distinguishes share a column of the tables.  The expression distinguishes all 256 bytes, as libc does in the C
 * locale.
 *
 * An automaton may have exponentially many states: `(a|b)*a(a|b){30}'.  Positions, states, work and the size
 * of the tables are limited, so that compiling takes some tenths of a second at most, whatever the
 * expression; over a limit it is refused.
 */
#include "translator/regex/tree.h"

/*
 * Groups after the last one used become mere brackets.  They do not influence the others: by POSIX's rules those begin further left or
 * enclose them, and are decided first.
 */
static void forget(struct regex_node *n, int asked)
{
	if (n->kind == RX_GROUP && (int)n->group > asked)
		n->group = 0;
	for (size_t i = 0; i < n->k.n; i++)
		forget(n->k.v[i], asked);
}

/* The automaton `way' and its lists: 0, or -1 if it is too big. */
static int way(struct arena *a, const struct regex_tree *tree, enum regex_copies copies, const struct regex_automaton *classes,
	       struct regex *out, bool *other, struct regex_problem *problem)
{
	struct regex_positions paths = {0};
	struct regex_automaton m = *classes;

	if (regex_positions(a, tree, true, copies, &paths, problem))
		return -1;
	*other = paths.has_optional;
	if (regex_tagged(a, &paths, &m, problem) || regex_minimise(a, &m, &out->way, problem))
		return -1;
	out->steps = m.steps.v;
	out->nsteps = m.steps.n;
	out->marks = m.marks.v;
	out->nmarks = m.marks.n;
	return 0;
}

static size_t size(const struct regex *re, unsigned nclasses)
{
	return (size_t)re->way.nstates * nclasses + re->nsteps + re->nmarks;
}

/*
 * Makes the tables for the groups.  An x{m,n} can be written out so that each copy follows only the last one, or any of the earlier
 * ones.  The second has more threads, but may have fewer states.  Both are tried, and the smaller result is taken.
 */
static int groups(struct arena *a, const struct regex_tree *tree, const struct regex_positions *plain,
		  const struct regex_automaton *classes, struct regex *out, struct regex_problem *problem)
{
	struct regex_automaton back = *classes;
	struct regex_positions reverse = {0};
	struct regex_problem ignored = {0};
	struct regex any = {0};
	bool other = false, unused;
	int failed;

	regex_reverse(a, plain, &reverse);
	if (regex_subset(a, &reverse, false, &back, problem) || regex_minimise(a, &back, &out->back, problem))
		return -1;
	failed = way(a, tree, REGEX_COPIES_LAST, classes, out, &other, problem);
	if (other && !way(a, tree, REGEX_COPIES_ANY, classes, &any, &unused, &ignored) &&
	    (failed || size(&any, classes->nclasses) < size(out, classes->nclasses))) {
		failed = 0;
		*problem = (struct regex_problem){0};
		out->way = any.way;
		out->steps = any.steps;
		out->nsteps = any.nsteps;
		out->marks = any.marks;
		out->nmarks = any.nmarks;
	}
	out->captures = !failed;
	return failed;
}

const struct regex *regex_compile(struct arena *a, const char *text, size_t len, int asked,
				  struct regex_problem *problem)
{
	struct regex *out = arena_new(a, struct regex);
	struct regex_positions positions = {0};
	struct regex_automaton classes = {0}, test;
	struct regex_tree tree;

	*problem = (struct regex_problem){0};
	if (regex_parse(a, text, len, &tree, problem) ||
	    regex_positions(a, &tree, false, REGEX_COPIES_ANY, &positions, problem))
		return NULL;
	regex_classes(a, &positions, &classes);
	forget(tree.root, asked);
	test = classes;
	if (regex_subset(a, &positions, true, &test, problem) ||
	    regex_minimise(a, &test, &out->test, problem) ||
	    (asked >= 0 && groups(a, &tree, &positions, &classes, out, problem))) {
		if (!problem->len)
			problem->len = len;
		return NULL;
	}
	out->classes = classes.classes;
	out->nclasses = classes.nclasses;
	out->ngroups = tree.ngroups;
	out->last = tree.last;
	return out;
}
