/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bodies are charged, and what a hit needs at most, as far as it can be known beforehand: how many elements the snapshots of
 * foreach loops may hold at once, called functions included, and how deep calls go.
 */
#include "translator/lower/private.h"

/* A function that calls itself inside its own foreach: there is room for so many of its snapshots. */
enum { RECURSIONS = 4 };

unsigned lower_weight(const struct node *n)
{
	unsigned w = n->kind == N_EXPR || n->kind == N_DELETE || n->kind == N_IF || n->kind == N_RETURN || n->kind == N_CALL;

	AST_EACH(child, n)
		if (!((n->kind == N_FOR || n->kind == N_FOREACH) && ast_role(n, child) == ROLE_BODY))
			w += lower_weight(*child);
	return w;
}

/* ---- snapshots ---- */

static int64_t elements(struct session *s, const struct node *n);

static int64_t of_function(struct session *s, struct function *f)
{
	if (f->snapshots == SNAPSHOTS_ASKED)
		f->is_recursive = true;
	if (f->snapshots != SNAPSHOTS_UNKNOWN || f->body->kind == N_EMBEDDED)
		return f->snapshots > 0 ? f->snapshots : 0;
	f->snapshots = SNAPSHOTS_ASKED;
	int64_t n = elements(s, f->body);
	n *= f->is_recursive ? RECURSIONS : 1;
	f->snapshots = n ? n : SNAPSHOTS_NONE;
	return n;
}

static int64_t of_array(struct session *s, const struct node *n)
{
	const struct node *limit = FOREACH_LIMIT(n);
	int64_t max = session_array_max(s, ast_variable(FOREACH_ARRAY(n))->sym);

	if (limit && limit->kind == N_NUMBER && limit->num < max)
		return limit->num < 0 ? 0 : limit->num;
	return max;
}

static int64_t elements(struct session *s, const struct node *n)
{
	int64_t most = 0;

	AST_EACH(child, n) {
		int64_t inside = elements(s, *child);
		if (n->kind == N_FOREACH && *child == FOREACH_BODY(n))
			inside += of_array(s, n);
		most = inside > most ? inside : most;
	}
	for (struct function *f = n->kind == N_CALL ? n->sym->function : NULL; f; f = function_next(f)) {
		int64_t inside = of_function(s, f);
		most = inside > most ? inside : most;
	}
	return most;
}

int64_t lower_snapshots(struct session *s)
{
	int64_t most = 0;

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		int64_t n = elements(s, p->body);
		most = n > most ? n : most;
		for (size_t k = 0; k < p->entries.n; k++) {
			n = elements(s, p->entries.v[k]->value);
			most = n > most ? n : most;
		}
	}
	return most;
}

/* ---- calls ---- */

/* The least depth that a hit may use; and how much is added for functions that call themselves. */
enum { LEAST_NESTING = 32, RECURSIVE_NESTING = 10 };

static unsigned depth_of(const struct node *n)
{
	unsigned most = 0;

	for (struct function *f = n->kind == N_CALL ? n->sym->function : NULL; f; f = function_next(f)) {
		if (!f->depth) {
			f->depth = 1;
			f->depth += f->body->kind == N_EMBEDDED ? 0 : depth_of(f->body);
		}
		most = f->depth > most ? f->depth : most;
	}
	AST_EACH(child, n) {
		unsigned inside = depth_of(*child);
		most = inside > most ? inside : most;
	}
	return most;
}

unsigned lower_nesting(struct session *s)
{
	int64_t given = session_limit(s, "MAXNESTING");
	unsigned most = 0;

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		unsigned n = depth_of(p->body);
		most = n > most ? n : most;
		for (size_t k = 0; k < p->entries.n; k++) {
			n = depth_of(p->entries.v[k]->value);
			most = n > most ? n : most;
		}
	}
	if (given)
		return (unsigned)given;
	return most + RECURSIVE_NESTING > LEAST_NESTING ? most + RECURSIVE_NESTING : LEAST_NESTING;
}

/* After so many functions the search ends, and the function is assumed to call itself. */
enum { MAX_SEEN = 200 };

struct search {
	const struct function *target;
	unsigned stamp, seen;
};

static bool reaches(struct search *x, const struct node *n);

/* A call of f, or of the overloads that it gives way to. */
static bool call_reaches(struct search *x, struct function *f)
{
	for (; f; f = function_next(f)) {
		if (f == x->target || x->seen > MAX_SEEN)
			return true;
		if (f->body->kind == N_EMBEDDED || f->stamp == x->stamp)
			continue;
		f->stamp = x->stamp;
		x->seen++;
		if (reaches(x, f->body))
			return true;
	}
	return false;
}

static bool reaches(struct search *x, const struct node *n)
{
	if (n->kind == N_CALL && call_reaches(x, n->sym->function))
		return true;
	AST_EACH(child, n)
		if (reaches(x, *child))
			return true;
	return false;
}

bool lower_calls_itself(struct lower *l, const struct function *f)
{
	struct search x = {.target = f, .stamp = ++l->stamp};

	return reaches(&x, f->body);
}
