/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "regions": which consecutive statements are one locked region, so that nothing is seen or changed between them.
 * Reads: the optimised tree.  Writes: blocks with NF_ATOMIC around such statements; locals for conditions that are looked at twice.
 *
 * A region holds what neither sleeps, nor waits, nor takes long: variables, arithmetic, elements, <<<, prints, registers, functions tagged
 * "quick", `if', and what leaves.  Everything else is a barrier.  What the first statement needs of those is computed ahead of the lock.
 * Of an `if' with a barrier, the condition and what stands before the barrier belong to the region; the rest becomes an `if' after it.
 *
 * A run is a row of statements that could be a region.  opt_locks() asks for what is touched twice in one (opt_regions_need_locks()).
 */
#include "base/intern.h"
#include "parser/format.h"
#include "translator/debuginfo/fetch.h"
#include "translator/opt/opt.h"
#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"

/* Interrupts are off meanwhile. */
enum { MOST_STATEMENTS = 32, MOST_NODES = 500 };

bool opt_needs_lock(const struct symbol *v)
{
	return v->kind == SYM_GLOBAL && !v->unlocked && !v->settled && (v->is_array || v->type != T_STATS);
}

/* ---- what may be done under a lock ---- */

bool opt_is_slice(const struct node *n)
{
	for (unsigned i = 1; (n->kind == N_INDEX || n->kind == N_IN) && i < n->nk; i++)
		if (n->k[i]->kind == N_STAR)
			return true;
	return false;
}

bool opt_is_barrier(const struct node *n)
{
	if (n->kind == N_INDEX && n->k[0]->kind == N_STAT)
		return true;
	if (n->kind == N_STAT && n->op >= OP_P50)
		return true;
	return (n->kind == N_IN && opt_is_slice(n)) || n->kind == N_CALL || n->kind == N_PRINT || n->kind == N_FETCH || n->kind == N_STORE ||
	       n->kind == N_SHOW || n->kind == N_REGEX || n->kind == N_ENUM_NAME || (n->kind == N_ASSIGN && n->op == OP_STAT_ADD);
}

static bool is_quick_call(const struct node *n)
{
	const struct function *f = n->sym ? n->sym->function : NULL;

	return f && !f->first->gives_way && f->embedded && f->embedded->is_own && (f->embedded->tags & EMBEDDED_QUICK);
}

static bool is_in_registers(const struct fetch *f)
{
	for (unsigned i = 0; f && i < f->nops; i++) {
		enum fetch_opcode code = f->ops[i].code;
		if (code != FETCH_CONST && code != FETCH_REG && code != FETCH_ARG && code != FETCH_RETVAL && code != FETCH_INPUT &&
		    code != FETCH_ADD && code != FETCH_BITS && code != FETCH_EXT)
			return false;
	}
	return f;
}

/* %m and %M read memory; histograms are of all CPUs. */
static bool is_quick_print(struct session *s, const struct node *n)
{
	if (n->nk == 1 && n->k[0]->kind == N_STAT && n->k[0]->type == T_STATS)
		return false;
	return !(n->flags & NF_FMT_FORMAT) || !format_has(&s->arena, n->text, intern_len(n->text), "mM");
}

/* A barrier that does not matter. */
static bool is_quick(struct session *s, const struct node *n)
{
	switch (n->kind) {
	case N_CALL:
		return is_quick_call(n);
	case N_PRINT:
		return is_quick_print(s, n);
	case N_FETCH:
		return is_in_registers(n->fetch);
	case N_ASSIGN:
	case N_ENUM_NAME:
		return true;
	default:
		return false;
	}
}

static bool may_be_locked(struct session *s, const struct node *n)
{
	if (opt_is_barrier(n) && !is_quick(s, n))
		return false;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && !may_be_locked(s, n->k[i]))
			return false;
	return true;
}

bool opt_has_barrier(const struct node *n)
{
	if (n->value)
		return false;
	if (opt_is_barrier(n))
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && opt_has_barrier(n->k[i]))
			return true;
	return false;
}

/* Can what may not be locked be computed before, with nothing else of the expression?  It must be sure to be computed. */
static bool goes_ahead(struct session *s, const struct node *n)
{
	bool parts = n->kind == N_TERNARY || (n->kind == N_BINARY && op_kind(n->op) == OPK_LOG);

	if (opt_is_barrier(n))
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && (parts && i ? opt_has_barrier(n->k[i]) : !goes_ahead(s, n->k[i])))
			return false;
	return true;
}

/* Statements whose children are expressions: the expression, or NULL. */
static struct node *root_of(const struct node *n)
{
	if (n->kind == N_RETURN && !n->nk)
		return NULL;
	return n->kind == N_EXPR || n->kind == N_IF || n->kind == N_RETURN || n->kind == N_DELETE ? n->k[0] : NULL;
}

static bool root_fits(struct session *s, const struct node *n, bool first)
{
	const struct node *root = root_of(n);

	if (!root)
		return true;
	if (n->kind == N_DELETE && opt_is_slice(root))
		return false;
	if (may_be_locked(s, root))
		return true;
	return first && !(n->kind == N_EXPR && opt_is_barrier(root)) && goes_ahead(s, root);
}

static bool fits(struct session *s, const struct node *n, bool first)
{
	switch (n->kind) {
	case N_BLOCK:
		for (unsigned i = 0; i < n->nk; i++)
			if (!fits(s, n->k[i], false))
				return false;
		return true;
	case N_IF:
		return !(n->flags & NF_ARMING) && root_fits(s, n, first) && fits(s, n->k[1], false) &&
		       (!n->k[2] || fits(s, n->k[2], false));
	case N_EXPR:
	case N_RETURN:
	case N_DELETE:
		return root_fits(s, n, first);
	case N_EMPTY:
	case N_NEXT:
	case N_BREAK:
	case N_CONTINUE:
		return true;
	default:
		return false;
	}
}

/* ---- runs ---- */

/* Statements from .. to-1 of a list; splits: and of the `if' after them the condition and the first statements of its branches. */
struct run {
	struct node **k;
	unsigned from, to;
	bool splits;
};

/* Of a branch: how many statements fit at its beginning. */
static unsigned fitting(struct session *s, const struct node *branch)
{
	unsigned n = 0;

	if (!branch)
		return 0;
	if (branch->kind != N_BLOCK)
		return fits(s, branch, false);
	while (n < branch->nk && fits(s, branch->k[n], false))
		n++;
	return n;
}

static unsigned statements(const struct node *n)
{
	unsigned count = n->kind == N_EXPR || n->kind == N_IF || n->kind == N_RETURN || n->kind == N_DELETE;

	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			count += statements(n->k[i]);
	return count;
}

static unsigned nodes(const struct node *n)
{
	unsigned count = 1;

	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			count += nodes(n->k[i]);
	return count;
}

/* The longest run from the i-th statement on; it may be empty. */
static struct run run_from(struct session *s, struct node **k, unsigned n, unsigned i)
{
	struct run r = {.k = k, .from = i, .to = i};
	unsigned nstatements = 0, nnodes = 0;

	for (; r.to < n; r.to++) {
		struct node *next = k[r.to];
		nstatements += statements(next);
		nnodes += nodes(next);
		if (nstatements > MOST_STATEMENTS || nnodes > MOST_NODES)
			return r;
		if (fits(s, next, r.to == i))
			continue;
		r.splits = next->kind == N_IF && !(next->flags & NF_ARMING) && next->k[0]->type == T_LONG && root_fits(s, next, r.to == i);
		return r;
	}
	return r;
}

/* ---- what is touched ---- */

static bool mentions(const struct node *n, const struct symbol *v)
{
	if (v ? n->sym == v : n->sym && n->kind != N_CALL && opt_needs_lock(n->sym))
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && mentions(n->k[i], v))
			return true;
	return false;
}

static unsigned at_least(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned touches(struct session *s, const struct node *n, const struct symbol *v);

static unsigned list_touches(struct session *s, struct node **k, unsigned n, const struct symbol *v)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++)
		count += touches(s, k[i], v);
	return count;
}

/* Expressions that touch v (NULL: anything that needs a lock) on the way through the statement that has most of them. */
static unsigned touches(struct session *s, const struct node *n, const struct symbol *v)
{
	const struct node *root = root_of(n);
	unsigned count = root && mentions(root, v);

	if (n->kind == N_IF)
		count += at_least(touches(s, n->k[1], v), n->k[2] ? touches(s, n->k[2], v) : 0);
	return n->kind == N_BLOCK ? list_touches(s, n->k, n->nk, v) : count;
}

static unsigned beginning_touches(struct session *s, const struct node *branch, const struct symbol *v)
{
	unsigned n = fitting(s, branch);

	if (!n)
		return 0;
	return branch->kind == N_BLOCK ? list_touches(s, branch->k, n, v) : touches(s, branch, v);
}

static unsigned run_touches(struct session *s, const struct run *r, const struct symbol *v)
{
	unsigned count = list_touches(s, r->k + r->from, r->to - r->from, v);
	const struct node *n = r->splits ? r->k[r->to] : NULL;

	if (n)
		count += mentions(n->k[0], v) + at_least(beginning_touches(s, n->k[1], v), beginning_touches(s, n->k[2], v));
	return count;
}

static bool writes(const struct node *n, const struct symbol *v)
{
	if ((n->kind == N_ASSIGN || n->kind == N_INCDEC || n->kind == N_DELETE) && opt_variable(n->k[0]) == v)
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && writes(n->k[i], v))
			return true;
	return false;
}

/* ---- every run of a body ---- */

struct regions {
	struct opt o;
	void (*found)(struct regions *g, struct node *block, unsigned *at, const struct run *r);
};

static void statement(struct regions *g, struct node **np);

static void list(struct regions *g, struct node *block)
{
	for (unsigned i = 0; i < block->nk; i++) {
		struct run r = run_from(g->o.s, block->k, block->nk, i);
		if (r.to > r.from || r.splits)
			g->found(g, block, &i, &r);
		else
			statement(g, &block->k[i]);
	}
}

/* A single statement; a block, if it becomes a region. */
static struct node *as_list(struct regions *g, struct node *n)
{
	struct node *block = ast_new(&g->o.s->arena, N_BLOCK, n->loc, 1);

	block->k[0] = n;
	list(g, block);
	return block->k[0] == n ? n : block;
}

static void statement(struct regions *g, struct node **np)
{
	struct node *n = *np;

	if (n->kind != N_BLOCK && n->kind != N_FOR && n->kind != N_FOREACH && n->kind != N_TRY && n->kind != N_IF)
		return;
	if (n->kind == N_BLOCK) {
		list(g, n);
		return;
	}
	for (unsigned i = 0; i < n->nk; i++) {
		bool is_body = n->kind == N_FOR || n->kind == N_FOREACH ? i == 3 : n->kind == N_TRY ? i != 1 : i > 0;
		if (!is_body || !n->k[i])
			continue;
		if (n->k[i]->kind == N_BLOCK)
			list(g, n->k[i]);
		else
			n->k[i] = as_list(g, n->k[i]);
	}
}

static void bodies(struct session *s, void (*found)(struct regions *g, struct node *block, unsigned *at, const struct run *r))
{
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		struct function *f = s->prog.function_list.v[i];
		struct regions g = {{.s = s, .function = f}, found};
		if (!f->embedded)
			statement(&g, &f->body);
	}
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		struct regions g = {{.s = s, .probe = p}, found};
		if (!opt_is_alone(p))
			statement(&g, &p->body);
	}
}

/* ---- which globals must be locked for it ---- */

static void lock_changed(struct regions *g, const struct run *r, const struct node *n)
{
	struct symbol *v = n->sym;

	if (v && v->kind == SYM_GLOBAL && v->unlocked && run_touches(g->o.s, r, v) > 1) {
		bool changes = false;
		for (unsigned i = r->from; i < r->to + r->splits; i++)
			changes |= writes(r->k[i], v);
		v->unlocked = !changes;
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			lock_changed(g, r, n->k[i]);
}

static void lock_run(struct regions *g, struct node *block, unsigned *at, const struct run *r)
{
	for (unsigned i = r->from; i < r->to + r->splits; i++)
		lock_changed(g, r, r->k[i]);
	if (r->splits)
		statement(g, &block->k[r->to]);
	*at = r->to + r->splits - 1;
}

void opt_regions_need_locks(struct session *s)
{
	bodies(s, lock_run);
}

/* ---- making them ---- */

static struct node *name(struct regions *g, struct symbol *v, struct loc loc)
{
	struct node *n = ast_name(&g->o.s->arena, loc, v->name);

	n->sym = v;
	n->type = v->type;
	return n;
}

/* The first n statements of a branch, or those after them; NULL if there are none. */
static struct node *part(struct regions *g, struct node *branch, unsigned n, bool behind)
{
	struct node *block;

	if (!branch || (behind ? branch->kind == N_BLOCK ? n == branch->nk : n : !n))
		return NULL;
	block = ast_new(&g->o.s->arena, N_BLOCK, branch->loc, 0);
	for (unsigned i = behind ? n : 0; branch->kind == N_BLOCK && i < (behind ? branch->nk : n); i++)
		ast_add(&g->o.s->arena, block, branch->k[i]);
	if (branch->kind != N_BLOCK)
		ast_add(&g->o.s->arena, block, branch);
	return block;
}

static struct node *new_if(struct regions *g, const struct node *n, struct node *condition, struct node *then, struct node *otherwise)
{
	struct node *made = ast_new(&g->o.s->arena, N_IF, n->loc, 3);

	made->k[0] = condition;
	made->k[1] = then ? then : ast_new(&g->o.s->arena, N_BLOCK, n->loc, 0);
	made->k[2] = otherwise;
	return made;
}

/* "if (c) { P; R } else { Q; T }" becomes "chosen = c; if (chosen) P else Q", in the region, and, returned, "if (chosen) R else T". */
static struct node *split(struct regions *g, struct node *region, struct node *n)
{
	struct arena *a = &g->o.s->arena;
	struct symbol *chosen = opt_new_local(&g->o, "__chosen", T_LONG, n);
	struct node *set = ast_new(a, N_EXPR, n->loc, 1);
	unsigned then = fitting(g->o.s, n->k[1]), otherwise = fitting(g->o.s, n->k[2]);

	set->k[0] = ast_new(a, N_ASSIGN, n->loc, 2);
	set->k[0]->op = OP_SET;
	set->k[0]->type = T_LONG;
	set->k[0]->k[0] = name(g, chosen, n->loc);
	set->k[0]->k[1] = n->k[0];
	ast_add(a, region, set);
	if (then || otherwise)
		ast_add(a, region, new_if(g, n, name(g, chosen, n->loc), part(g, n->k[1], then, false), part(g, n->k[2], otherwise, false)));
	return new_if(g, n, name(g, chosen, n->loc), part(g, n->k[1], then, true), part(g, n->k[2], otherwise, true));
}

/* Puts n statements in the place of those from .. to-1. */
static void replace(struct regions *g, struct node *block, unsigned from, unsigned to, struct node **with, unsigned n)
{
	struct node **k = arena_array(&g->o.s->arena, struct node *, block->nk + n);
	unsigned at = 0;

	for (unsigned i = 0; i < from; i++)
		k[at++] = block->k[i];
	for (unsigned i = 0; i < n; i++)
		k[at++] = with[i];
	for (unsigned i = to; i < block->nk; i++)
		k[at++] = block->k[i];
	block->k = k;
	block->nk = at;
	block->room = 0;
}

/* Only what lies between the first and the last that need a lock; *from and *to are narrowed. */
static void narrow(struct regions *g, const struct run *r, unsigned *from, unsigned *to, bool splits)
{
	*from = r->from;
	*to = r->to;
	while (*from < *to && !touches(g->o.s, r->k[*from], NULL))
		++*from;
	while (!splits && *from < *to && !touches(g->o.s, r->k[*to - 1], NULL))
		--*to;
}

static void wrap_run(struct regions *g, struct node *block, unsigned *at, const struct run *r)
{
	struct node *next = r->splits ? r->k[r->to] : NULL, *region, *made[2];
	bool splits = next && mentions(next->k[0], NULL) && run_touches(g->o.s, r, NULL) > 1;
	unsigned from, to;

	narrow(g, r, &from, &to, splits);
	*at = r->to - 1; /* an `if' that is not split comes next, with its branches */
	if (next && !splits) {
		statement(g, &block->k[r->to]);
		++*at;
	}
	if (!splits && list_touches(g->o.s, r->k + from, to - from, NULL) < 2)
		return;
	if (!splits && to == from + 1 && (r->k[from]->kind == N_BLOCK || !mentions(root_of(r->k[from]), NULL))) {
		statement(g, &block->k[from]);
		return;
	}
	region = ast_new(&g->o.s->arena, N_BLOCK, r->k[splits && from == r->to ? r->to : from]->loc, 0);
	region->flags |= NF_ATOMIC;
	for (unsigned i = from; i < to; i++)
		ast_add(&g->o.s->arena, region, r->k[i]);
	made[0] = region;
	if (splits) {
		made[1] = split(g, region, next);
		statement(g, &made[1]);
	}
	if (!root_fits(g->o.s, region->k[0], false))
		region->flags |= NF_AHEAD;
	replace(g, block, from, to + splits, made, 1 + splits);
	*at = *at - (to - from) + 1 + splits;
}

int regions_pass(struct session *s)
{
	bodies(s, wrap_run);
	return 0;
}
