/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Automaton -> tables: states that behave alike become one (Moore's algorithm, which starts from how far away
 * the nearest match is, so that chains of states do not take a round each), and are numbered so that the ends
 * of matches come first.
 */

#include "translator/regex/tree.h"

struct minimise {
	struct arena *arena;
	const struct regex_automaton *m;
	size_t n;
	uint32_t *block; /* of each state */
	size_t nblocks;
};

static size_t row(const struct minimise *x, size_t state)
{
	return state * x->m->nclasses;
}

/* Steps to the nearest state where a match ends, or could at the end of the text; ~0 if there is none. */
static uint32_t *distances(struct minimise *x)
{
	size_t n = x->n, nclasses = x->m->nclasses;
	uint32_t *distance = arena_array(x->arena, uint32_t, n),
		 *head = arena_array(x->arena, uint32_t, n + 1),
		 *from = arena_array(x->arena, uint32_t, n * nclasses),
		 *queue = arena_array(x->arena, uint32_t, n);
	size_t done = 0, queued = 0;

	for (size_t i = 0; i < n * nclasses; i++)
		head[x->m->next.v[i]]++;
	for (size_t i = 1; i <= n; i++)
		head[i] += head[i - 1];
	for (size_t i = 0; i < n * nclasses; i++)
		from[--head[x->m->next.v[i]]] = (uint32_t)(i / nclasses);
	for (size_t i = 0; i < n; i++) {
		bool end = x->m->ends.v[i].found || x->m->ends.v[i].at_end;
		distance[i] = end ? 0 : ~0u;
		if (end)
			queue[queued++] = (uint32_t)i;
	}
	for (; done < queued; done++)
		for (size_t i = head[queue[done]]; i < head[queue[done] + 1]; i++)
			if (distance[from[i]] == ~0u) {
				distance[from[i]] = distance[queue[done]] + 1;
				queue[queued++] = from[i];
			}
	return distance;
}

/* Puts states into blocks by a signature of so many words each. */
static void split(struct minimise *x,
		  uint32_t *(*signature)(struct minimise *x, size_t state, uint32_t *space), size_t words)
{
	struct regex_keys keys = {.arena = x->arena};
	uint32_t *space = arena_array(x->arena, uint32_t, words),
		 *blocks = arena_array(x->arena, uint32_t, x->n);
	bool is_new;

	for (size_t i = 0; i < x->n; i++)
		blocks[i] = (uint32_t)regex_keys_number(&keys, signature(x, i, space), words * sizeof *space,
							&is_new);
	x->block = blocks;
	x->nblocks = keys.keys.n;
}

static uint32_t *by_behaviour(struct minimise *x, size_t state, uint32_t *space)
{
	space[0] = x->block[state];
	for (unsigned c = 0; c < x->m->nclasses; c++)
		space[1 + c] = x->block[x->m->next.v[row(x, state) + c]];
	return space;
}

/* block holds the distances. */
static uint32_t *by_end(struct minimise *x, size_t state, uint32_t *space)
{
	space[0] = x->block[state];
	space[1] = x->m->ends.v[state].found;
	space[2] = x->m->ends.v[state].at_end;
	for (unsigned c = 0; x->m->moves.n && c < x->m->nclasses; c++)
		space[3 + c] = x->m->moves.v[row(x, state) + c];
	return space;
}

/* 0: no match can follow; 1: a match ends; 2: one ends at the end of the text; 3: others. */
static unsigned rank(const struct minimise *x, size_t state, const uint32_t *distance)
{
	if (distance[state] == ~0u)
		return 0;
	return x->m->ends.v[state].found ? 1 : x->m->ends.v[state].at_end ? 2 : 3;
}

/* New numbers, by rank: 0 is the dead state, even if the automaton never gets there. */
static unsigned *number(struct minimise *x, const uint32_t *distance, struct regex_table *out)
{
	unsigned *numbers = arena_array(x->arena, unsigned, x->nblocks), n = 1;
	bool *done = arena_array(x->arena, bool, x->nblocks);

	for (unsigned r = 0; r < 4; r++) {
		for (size_t i = 0; i < x->n; i++)
			if (!done[x->block[i]] && rank(x, i, distance) == r) {
				done[x->block[i]] = true;
				numbers[x->block[i]] = r ? n++ : 0;
			}
		if (r == 1)
			out->found = n - 1;
		if (r == 2)
			out->at_end = n - 1;
	}
	out->nstates = n;
	return numbers;
}

int regex_minimise(struct arena *a, const struct regex_automaton *m, struct regex_table *out,
		   struct regex_problem *problem)
{
	struct minimise x = {.arena = a, .m = m, .n = m->ends.n};
	uint32_t *distance = distances(&x);
	unsigned *numbers;
	uint16_t *next, *moves, *ends;
	size_t before;

	x.block = distance;
	split(&x, by_end, 3 + (m->moves.n ? m->nclasses : 0));
	do {
		before = x.nblocks;
		split(&x, by_behaviour, 1 + m->nclasses);
	} while (x.nblocks > before);
	numbers = number(&x, distance, out);
	if ((size_t)out->nstates * m->nclasses > REGEX_MAX_TABLE) {
		regex_too_many_states(problem);
		return -1;
	}
	next = arena_array(a, uint16_t, (size_t)out->nstates * m->nclasses);
	moves = arena_array(a, uint16_t, (size_t)out->nstates * m->nclasses);
	ends = arena_array(a, uint16_t, (size_t)out->nstates * 2);
	for (size_t i = 0; i < x.n; i++) {
		size_t to = numbers[x.block[i]];
		for (unsigned c = 0; to && c < m->nclasses; c++) {
			next[to * m->nclasses + c] =
				(uint16_t)(numbers[x.block[m->next.v[row(&x, i) + c]]] * m->nclasses);
			moves[to * m->nclasses + c] = m->moves.n ? (uint16_t)m->moves.v[row(&x, i) + c] : 0;
		}
		ends[to * 2] = to ? (uint16_t)m->ends.v[i].found : 0;
		ends[to * 2 + 1] = to ? (uint16_t)m->ends.v[i].at_end : 0;
	}
	out->next = next;
	out->moves = moves;
	out->ends = ends;
	out->start = numbers[x.block[m->start]] * m->nclasses;
	out->start_at_begin = numbers[x.block[m->start_at_begin]] * m->nclasses;
	out->found *= m->nclasses;
	out->at_end *= m->nclasses;
	return 0;
}
