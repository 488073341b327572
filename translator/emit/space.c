/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory, as far as it can be told beforehand: how many elements the snapshots of foreach loops may hold at
 * once in one hit, through the functions that are called; how deep calls go; what arrays of statistics take.
 */
#include "translator/emit/emit.h"

/* A function that calls itself inside its own foreach: how many of its snapshots are provided for. */
enum { RECURSIONS = 4 };

/* So much for one array on one CPU is told. */
enum { WARN_MB = 64 };

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

int64_t emit_snapshots(struct session *s)
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

/* The least that a hit may have; and so many are left for functions that call themselves. */
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

unsigned emit_nesting(struct session *s)
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

/* ---- statistics ---- */

struct rt_stat_shape emit_stat_shape(const struct symbol *v)
{
	return (struct rt_stat_shape){
		.hist = v->hist == OP_HIST_LOG ? RT_HIST_LOG : v->hist == OP_HIST_LINEAR ? RT_HIST_LINEAR : RT_HIST_NONE,
		.low = v->hist_low,
		.high = v->hist_high,
		.step = v->hist_step,
		.shift = (unsigned)v->shift,
		.variance = v->needs_variance,
		.quantile = v->needs_quantile,
	};
}

/* On each CPU. */
static int64_t statistics_kb(struct session *s, const struct symbol *v)
{
	struct rt_stat_shape shape = emit_stat_shape(v);
	int64_t max = session_array_max(s, v), kb = session_limit(s, "MAXQUANTILEKB");
	int64_t words = RT_CELL_WORDS + rt_more_words(&shape, (unsigned)session_limit(s, "STP_MAX_BUCKETS"));
	int64_t most = max * RT_QUANTILE_MOST * RT_QUANTILE_BLOCK / 1024;

	return max * words * (int64_t)sizeof(rt_u64) / 1024 + (shape.quantile ? kb < most ? kb : most : 0);
}

void emit_warn_memory(struct session *s, const struct symbol *v)
{
	int64_t mb = statistics_kb(s, v) / 1024;
	struct diag *d;

	if (mb < WARN_MB)
		return;
	d = s_error(s, v->decl->loc, W_MEMORY,
		    "the statistics in \"%s\" take %lld MB on each CPU", v->name, (long long)mb);
	if (mb > session_limit(s, "MAXQUANTILEKB") / 1024 * 2)
		diag_hint(&s->diags, d,
			  "declare with \"%s[N]\" how many elements it needs; now there is room for %lld", v->name,
			  (long long)session_array_max(s, v));
}

/* Of so many functions that one leads to, any may lead back: nobody writes such scripts. */
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

bool emit_calls_itself(struct emit *e, const struct function *f)
{
	struct search x = {.target = f, .stamp = ++e->stamp};

	return reaches(&x, f->body);
}
