/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions -> an automaton that finds where matches end: its states are sets of positions (the subset construction), and a match
 * may begin anywhere.  If the first end is final, it only finds whether there is a match.
 */
#include <string.h>

#include "translator/regex/tree.h"

/* The limit of words that are read: some tenths of a second. */
enum { MAX_WORK = 100000000 };

struct subset {
	struct arena *arena;
	bool final;
	const struct regex_positions *p;
	struct regex_automaton *m;
	struct regex_keys states;
	uint64_t *class_sets; /* of each class: the positions that take it */
	uint64_t *first[2];
	uint64_t *end[2]; /* positions that a match may end with */
	unsigned words;   /* in use */
	size_t work;
};

void regex_too_many_states(struct regex_problem *problem)
{
	*problem = (struct regex_problem){
		.too_big = true,
		.text = "the regular expression is too complex: its automaton has too many states",
		.hint = "smaller numbers in {}, an anchor (^) or fewer . and lists that overlap make it "
			"simpler; it can also be split into "
			"several matches",
	};
}

void regex_classes(struct arena *a, const struct regex_positions *p, struct regex_automaton *m)
{
	m->classes = arena_alloc(a, 256);
	m->nclasses = 1;
	for (size_t i = 0; i < p->n && m->nclasses < 256; i++) {
		int split[256][2]; /* the new class of each old one, outside the set and inside */
		unsigned n = 0;

		memset(split, -1, sizeof split);
		for (unsigned c = 0; c < 256; c++) {
			int *class = &split[m->classes[c]][regex_set_has(p->v[i].set, c)];
			if (*class < 0)
				*class = (int)n++;
			m->classes[c] = (unsigned char)*class;
		}
		m->nclasses = n;
	}
}

static void set_bit(uint64_t *set, size_t i)
{
	set[i / 64] |= 1ull << i % 64;
}

static bool meet(const struct subset *x, const uint64_t *a, const uint64_t *b)
{
	for (unsigned i = 0; i < x->words; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

static void prepare(struct subset *x)
{
	const struct regex_positions *p = x->p;

	x->words = (unsigned)((p->n + 63) / 64);
	x->class_sets = arena_array(x->arena, uint64_t, (size_t)x->words * x->m->nclasses);
	for (int i = 0; i < 2; i++) {
		x->first[i] = arena_array(x->arena, uint64_t, x->words);
		x->end[i] = arena_array(x->arena, uint64_t, x->words);
		for (size_t k = 0; k < p->first[i].n; k++)
			set_bit(x->first[i], p->first[i].v[k].to);
	}
	for (size_t i = 0; i < p->n; i++) {
		for (unsigned c = 0; c < 256; c++)
			if (regex_set_has(p->v[i].set, c))
				set_bit(x->class_sets + (size_t)x->m->classes[c] * x->words, i);
		for (int k = 0; k < 2; k++)
			if (p->v[i].end[k])
				set_bit(x->end[k], i);
	}
}

/*
 * State 0 is the dead state; if the first end is final, that is state 1.  The others are sets of positions; at_begin: the beginning
 * of the text.
 */
static uint32_t state(struct subset *x, const uint64_t *set, bool at_begin)
{
	const struct regex_positions *p = x->p;
	struct regex_ends ends = {meet(x, set, x->end[0]) || p->null[at_begin], 0};
	bool is_new, hope = at_begin || ends.found || p->null[2];
	size_t i;

	ends.at_end = ends.found || meet(x, set, x->end[1]) || p->null[at_begin + 2];
	if (ends.found && x->final)
		return 1;
	for (unsigned w = 0; w < x->words && !hope; w++)
		hope = set[w] || x->first[0][w];
	if (!hope)
		return 0;
	i = 1 + x->final +
	    (at_begin ? 0 : 1 + regex_keys_number(&x->states, set, x->words * sizeof *set, &is_new));
	if (i >= x->m->ends.n)
		vec_push(x->arena, &x->m->ends, ends);
	return (uint32_t)i;
}

/* What may be read next: what follows the positions of the set, and a match that begins here. */
static void next(struct subset *x, const uint64_t *set, bool at_begin, uint64_t *to)
{
	memcpy(to, x->first[at_begin], x->words * sizeof *to);
	for (unsigned w = 0; w < x->words; w++)
		for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
			const uint64_t *follow = x->p->v[w * 64 + (unsigned)__builtin_ctzll(bits)].follow;
			for (unsigned i = 0; i < x->words; i++)
				to[i] |= follow[i];
			x->work += x->words;
		}
}

static void row(struct subset *x, const uint64_t *set, bool at_begin, uint64_t *all, uint64_t *to)
{
	next(x, set, at_begin, all);
	for (unsigned c = 0; c < x->m->nclasses; c++) {
		for (unsigned w = 0; w < x->words; w++)
			to[w] = all[w] & x->class_sets[(size_t)c * x->words + w];
		uint32_t s = state(x, to, false);
		vec_push(x->arena, &x->m->next, s);
		x->work += x->words * 4;
	}
}

int regex_subset(struct arena *a, const struct regex_positions *p, bool final, struct regex_automaton *m,
		 struct regex_problem *problem)
{
	struct subset x = {.arena = a, .p = p, .m = m, .states = {.arena = a}, .final = final};
	uint64_t *none, *all, *to;

	prepare(&x);
	none = arena_array(a, uint64_t, x.words);
	all = arena_array(a, uint64_t, x.words);
	to = arena_array(a, uint64_t, x.words);
	for (unsigned i = 0; i < 1u + final; i++) {
		vec_push(a, &m->ends, ((struct regex_ends){i, i}));
		for (unsigned c = 0; c < m->nclasses; c++)
			vec_push(a, &m->next, i);
	}
	m->start = m->start_at_begin = state(&x, none, true);
	if (m->start < 1u + final)
		return 0;
	row(&x, none, true, all, to);
	for (size_t i = 0; i < x.states.keys.n; i++) {
		if (m->ends.n > REGEX_MAX_STATES || x.work > MAX_WORK) {
			regex_too_many_states(problem);
			return -1;
		}
		row(&x, x.states.keys.v[i].p, false, all, to);
	}
	return 0;
}
