/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions -> an automaton that knows the groups of a match that begins where it starts: see regex.c.
 * A state has a thread for each position reached, and the order of each two.
 */
#include <string.h>

#include "translator/regex/tree.h"

enum { MAX_WORK = 30000000, MAX_THREADS = 200 };
/* The states without threads, where matches begin. */
enum start { NO_START, START, START_AT_BEGIN };

struct state {
	unsigned n;
	enum start start;
	uint16_t position[MAX_THREADS];
	/* of i < k at pairs(k) + 3 * i: a struct regex_order */
	uint8_t order[MAX_THREADS * (MAX_THREADS - 1) / 2 * 3];
};

/* A path into a position. */
struct way {
	unsigned from;                 /* thread, or REGEX_START */
	const struct regex_path *path; /* NULL: none */
};

struct tagged {
	struct arena *arena;
	const struct regex_positions *p;
	struct regex_automaton *m;
	struct regex_keys states, runs, marks;
	VEC(uint32_t) run_at, mark_at; /* where they begin */
	struct state now, then;
	unsigned char key[sizeof(struct state)];
	struct way *ways;             /* of each position */
	struct way came[MAX_THREADS]; /* of each thread of `then' */
	size_t work;
	bool failed;
};

/* ---- the order of threads ---- */

/* Bytes that the orders of n threads take. */
static size_t pairs(size_t n)
{
	return n * (n - 1) / 2 * 3;
}

static uint8_t *at(const struct state *s, unsigned i, unsigned k)
{
	return (uint8_t *)s->order + pairs(k) + 3 * i;
}

static struct regex_order order(const struct state *s, unsigned i, unsigned k)
{
	const uint8_t *o = i < k ? at(s, i, k) : at(s, k, i);

	return i < k ? (struct regex_order){o[0], o[1], (int8_t)o[2]}
		     : (struct regex_order){o[1], o[0], (int8_t) - (int8_t)o[2]};
}

static unsigned height(const struct tagged *x, unsigned thread)
{
	return x->p->v[x->now.position[thread]].height;
}

/* Compares two paths from the threads of `now'. */
static struct regex_order compare(struct tagged *x, const struct way *a, const struct way *b)
{
	x->work += 8 + a->path->n + b->path->n;
	if (a->from == REGEX_START)
		return regex_order_fork(1, a->path, b->path);
	if (a->from == b->from)
		return regex_order_fork(height(x, a->from), a->path, b->path);
	return regex_order_go_on(order(&x->now, a->from, b->from), height(x, a->from), a->path,
				 height(x, b->from), b->path);
}

static void consider(struct tagged *x, struct way *best, struct way way)
{
	if (!way.path)
		return;
	if (!best->path || compare(x, best, &way).prefer > 0)
		*best = way;
}

/* ---- lists of steps ---- */

/* The groups that begin and end on a path, backwards. */
static uint16_t marks(struct tagged *x, const struct regex_path *path)
{
	struct arena *a = x->arena;
	uint16_t *list = arena_array(a, uint16_t, path->n + 1);
	unsigned n = 0;
	bool is_new;

	for (unsigned i = path->n; i-- > 0;) {
		enum regex_event_kind kind = RX_EVENT_KIND(path->v[i]);
		unsigned group = RX_EVENT_NUMBER(path->v[i]);
		if (kind == RX_OPEN || kind == RX_CLOSE)
			list[n++] = (uint16_t)(kind == RX_OPEN ? RT_REGEX_BEGINS(group) : RT_REGEX_ENDS(group));
	}
	list[n++] = 0;
	size_t i = regex_keys_number(&x->marks, list, n * sizeof *list, &is_new);
	if (is_new) {
		vec_push(a, &x->mark_at, (uint32_t)x->m->marks.n);
		for (unsigned k = 0; k < n; k++)
			vec_push(a, &x->m->marks, list[k]);
	}
	x->failed |= x->m->marks.n > REGEX_MAX_TABLE;
	return (uint16_t)x->mark_at.v[i];
}

/* Index of a run of steps, one for each of the ways. */
static uint32_t steps(struct tagged *x, const struct way *ways, unsigned n)
{
	struct regex_step run[MAX_THREADS];
	bool is_new;
	size_t i;

	for (unsigned k = 0; k < n; k++)
		run[k] = (struct regex_step){(uint16_t)ways[k].from, marks(x, ways[k].path)};
	i = regex_keys_number(&x->runs, run, n * sizeof run[0], &is_new);
	if (is_new) {
		vec_push(x->arena, &x->run_at, (uint32_t)x->m->steps.n);
		for (unsigned k = 0; k < n; k++)
			vec_push(x->arena, &x->m->steps, run[k]);
	}
	x->failed |= x->m->steps.n >= REGEX_MAX_TABLE;
	return x->run_at.v[i];
}

/* ---- states ---- */

/* How the best match ends in the state `now', at the end of the text or not. */
static struct way end(struct tagged *x, bool at_end)
{
	const struct state *s = &x->now;
	struct way best = {0};

	for (unsigned i = 0; i < s->n; i++)
		consider(x, &best, (struct way){i, x->p->v[s->position[i]].end[at_end]});
	if (s->start)
		best = (struct way){REGEX_START, x->p->null[(s->start == START_AT_BEGIN) + 2 * at_end]};
	return best;
}

/* The number of the state `now'. */
static uint32_t state(struct tagged *x)
{
	const struct state *s = &x->now;
	size_t head = offsetof(struct state, position), used = head + s->n * sizeof s->position[0];
	bool is_new;
	size_t i;

	if (!s->n && !s->start)
		return 0;
	memcpy(x->key, s, used);
	memcpy(x->key + used, s->order, pairs(s->n));
	i = regex_keys_number(&x->states, x->key, used + pairs(s->n), &is_new);
	if (is_new) {
		struct way found = end(x, false), at_end = end(x, true);
		struct regex_ends ends = {found.path ? steps(x, &found, 1) + 1 : 0,
					  at_end.path ? steps(x, &at_end, 1) + 1 : 0};
		vec_push(x->arena, &x->m->ends, ends);
	}
	return (uint32_t)i + 1;
}

static void load(struct tagged *x, size_t i)
{
	const struct regex_key *key = &x->states.keys.v[i];
	size_t head = offsetof(struct state, position);
	struct state *s = &x->now;

	memcpy(s, key->p, head);
	memcpy(s->position, (const char *)key->p + head, s->n * sizeof s->position[0]);
	head += s->n * sizeof s->position[0];
	memcpy(s->order, (const char *)key->p + head, key->n - head);
}

static void assign(struct state *to, const struct state *from)
{
	memcpy(to, from, offsetof(struct state, position) + from->n * sizeof from->position[0]);
	memcpy(to->order, from->order, pairs(from->n));
}

/* ---- transitions ---- */

static void ways_from(struct tagged *x, const struct regex_arcs *arcs, unsigned from, unsigned byte)
{
	for (size_t i = 0; i < arcs->n; i++) {
		x->work++;
		if (regex_set_has(x->p->v[arcs->v[i].to].set, byte))
			consider(x, &x->ways[arcs->v[i].to], (struct way){from, arcs->v[i].path});
	}
}

/* Computes the state after a byte: then, and came. */
static void step(struct tagged *x, unsigned byte)
{
	const struct state *s = &x->now;
	struct state *t = &x->then;

	memset(x->ways, 0, x->p->n * sizeof x->ways[0]);
	x->work += x->p->n / 8 + 1;
	for (unsigned i = 0; i < s->n; i++)
		ways_from(x, &x->p->v[s->position[i]].arcs, i, byte);
	if (s->start)
		ways_from(x, &x->p->first[s->start == START_AT_BEGIN], REGEX_START, byte);
	t->n = 0;
	t->start = NO_START;
	for (size_t i = 0; i < x->p->n; i++) {
		if (!x->ways[i].path)
			continue;
		if (t->n == MAX_THREADS) {
			x->failed = true;
			return;
		}
		t->position[t->n] = (uint16_t)i;
		x->came[t->n++] = x->ways[i];
	}
	for (unsigned k = 1; k < t->n; k++)
		for (unsigned i = 0; i < k; i++) {
			struct regex_order o = compare(x, &x->came[i], &x->came[k]);
			memcpy(at(t, i, k), (uint8_t[]){o.a, o.b, (uint8_t)o.prefer}, 3);
		}
}

static void row(struct tagged *x, size_t i)
{
	unsigned byte[256];

	for (unsigned c = 256; c-- > 0;)
		byte[x->m->classes[c]] = c;
	for (unsigned class = 0; class < x->m->nclasses && !x->failed; class ++) {
		load(x, i);
		step(x, byte[class]);
		assign(&x->now, &x->then);
		uint32_t next = state(x);
		vec_push(x->arena, &x->m->next, next);
		next = next ? steps(x, x->came, x->now.n) : 0;
		vec_push(x->arena, &x->m->moves, next);
		x->failed |= x->work > MAX_WORK || x->m->ends.n > REGEX_MAX_STATES;
	}
}

int regex_tagged(struct arena *a, const struct regex_positions *p, struct regex_automaton *m,
		 struct regex_problem *problem)
{
	struct tagged *x = arena_new(a, struct tagged);

	x->arena = a;
	x->p = p;
	x->m = m;
	x->states.arena = x->runs.arena = x->marks.arena = a;
	x->ways = arena_array(a, struct way, p->n);
	vec_push(a, &m->ends, ((struct regex_ends){0, 0}));
	for (unsigned c = 0; c < m->nclasses; c++) {
		vec_push(a, &m->next, 0);
		vec_push(a, &m->moves, 0);
	}
	x->now.start = START;
	m->start = state(x);
	x->now.start = START_AT_BEGIN;
	m->start_at_begin = state(x);
	for (size_t i = 0; i < x->states.keys.n && !x->failed; i++)
		row(x, i);
	if (x->failed) {
		regex_too_many_states(problem);
		return -1;
	}
	return 0;
}
