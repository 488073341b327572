/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "regions": which consecutive statements form one locked region, so that other handlers neither see nor change anything
 * between them.
 * Reads: the optimised tree.  Writes: blocks with NF_ATOMIC around such statements; locals for conditions that are used twice.
 *
 * A region holds only what neither sleeps, nor waits, nor takes long: variables, arithmetic, elements, <<<, prints, registers,
 * functions tagged "quick", `if', and next, break, continue and return.  Everything else is a barrier.  Barriers of the first
 * statement are computed before the locks are taken.  Of an `if' with a barrier, the condition and the statements before the barrier
 * belong to the region; the rest becomes an `if' after it.
 *
 * A run is a row of statements that could be a region.  opt_regions_need_locks() is for opt_locks(): it finds globals that are used
 * twice in a run.
 */
#include "base/intern.h"
#include "parser/format.h"
#include "translator/debuginfo/fetch.h"
#include "translator/opt/opt.h"
#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"
#include "translator/uses.h"

/* Limits of a region, since interrupts are off in it. */
enum { MOST_STATEMENTS = 32, MOST_NODES = 500 };

bool opt_needs_lock(const struct symbol *v)
{
	return v->kind == SYM_GLOBAL && !v->unlocked && !v->settled && (v->is_array || v->type != T_STATS);
}

/* ---- what may be done under a lock ---- */

bool opt_is_slice(const struct node *n)
{
	for (unsigned i = 0; (n->kind == N_INDEX || n->kind == N_IN) && i < ast_keys(n); i++)
		if (ast_key(n, i)->kind == N_STAR)
			return true;
	return false;
}

bool opt_is_histogram(const struct node *n)
{
	return n->kind == N_STAT && n->type == T_STATS;
}

bool opt_is_barrier(const struct node *n)
{
	if (n->kind == N_INDEX && INDEX_BASE(n)->kind == N_STAT)
		return true;
	if (n->kind == N_STAT && n->op >= OP_P50)
		return true;
	return (n->kind == N_IN && opt_is_slice(n)) || n->kind == N_CALL || n->kind == N_PRINT || n->kind == N_FETCH || n->kind == N_STORE ||
	       n->kind == N_SHOW || n->kind == N_REGEX || n->kind == N_ENUM_NAME || (n->kind == N_ASSIGN && n->op == OP_STAT_ADD);
}

static bool is_quick_call(const struct node *n)
{
	return n->sym && n->sym->function && embedded_is_quick(n->sym->function);
}

/* %m and %M read memory; histograms add up all CPUs. */
static bool is_quick_print(struct session *s, const struct node *n)
{
	if (PRINT_VALUES(n) == 1 && opt_is_histogram(PRINT_VALUE(n, 0)))
		return false;
	return !(n->flags & NF_FMT_FORMAT) || !format_has(&s->arena, n->text, intern_len(n->text), "mM");
}

/* A barrier that is allowed in a region. */
static bool is_quick(struct session *s, const struct node *n)
{
	if (n->kind == N_CALL)
		return is_quick_call(n);
	if (n->kind == N_PRINT)
		return is_quick_print(s, n);
	if (n->kind == N_FETCH)
		return n->fetch && fetch_is_in_registers(n->fetch);
	return n->kind == N_ASSIGN || n->kind == N_ENUM_NAME;
}

static bool may_be_locked(struct session *s, const struct node *n)
{
	if (opt_is_barrier(n) && !is_quick(s, n))
		return false;
	AST_EACH(child, n)
		if (!may_be_locked(s, *child))
			return false;
	return true;
}

bool opt_has_barrier(const struct node *n)
{
	if (n->value)
		return false;
	if (opt_is_barrier(n))
		return true;
	AST_EACH(child, n)
		if (opt_has_barrier(*child))
			return true;
	return false;
}

/* Can the barriers be computed first, and nothing else of the expression?  They must be computed in any case. */
static bool goes_ahead(struct session *s, const struct node *n)
{
	if (opt_is_barrier(n))
		return true;
	AST_EACH(child, n)
		if (opt_is_sure(n, child) ? !goes_ahead(s, *child) : opt_has_barrier(*child))
			return false;
	return true;
}

/* Statements whose children are expressions: the expression, or NULL. */
static struct node *root_of(const struct node *n)
{
	if (n->kind == N_EXPR)
		return EXPR_VALUE(n);
	if (n->kind == N_IF)
		return IF_CONDITION(n);
	if (n->kind == N_RETURN)
		return RETURN_VALUE(n);
	return n->kind == N_DELETE ? DELETE_WHAT(n) : NULL;
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
		for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++)
			if (!fits(s, BLOCK_STATEMENT(n, i), false))
				return false;
		return true;
	case N_IF:
		return !(n->flags & NF_ARMING) && root_fits(s, n, first) && fits(s, IF_THEN(n), false) &&
		       (!IF_ELSE(n) || fits(s, IF_ELSE(n), false));
	case N_EXPR:
	case N_RETURN:
	case N_DELETE:
		return root_fits(s, n, first);
	case N_EMPTY:
	case N_NEXT:
	case N_BREAK:
	case N_CONTINUE:
		return true;
	case N_FOR:
	case N_FOREACH:
	case N_TRY:
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		break;
	}
	return false;
}

/* ---- runs ---- */

/*
 * The statements from .. to-1 of a block.  splits: and of the `if' after them the condition and the first statements of its
 * branches.
 */
struct run {
	const struct node *block;
	unsigned from, to;
	bool splits;
};

/* The statements of a branch: of a block, a single one, or none at all. */
static unsigned branch_length(const struct node *branch)
{
	return branch && branch->kind == N_BLOCK ? BLOCK_STATEMENTS(branch) : !!branch;
}

static struct node *branch_statement(struct node *branch, unsigned i)
{
	return branch->kind == N_BLOCK ? BLOCK_STATEMENT(branch, i) : branch;
}

/* How many of them fit at its beginning. */
static unsigned fitting(struct session *s, struct node *branch)
{
	unsigned n = 0;

	while (n < branch_length(branch) && fits(s, branch_statement(branch, n), false))
		n++;
	return n;
}

static unsigned statements(const struct node *n)
{
	unsigned count = n->kind == N_EXPR || n->kind == N_IF || n->kind == N_RETURN || n->kind == N_DELETE;

	AST_EACH(child, n)
		count += statements(*child);
	return count;
}

static unsigned nodes(const struct node *n)
{
	unsigned count = 1;

	AST_EACH(child, n)
		count += nodes(*child);
	return count;
}

/* The longest run from the i-th statement on; it may be empty. */
static struct run run_from(struct session *s, const struct node *block, unsigned i)
{
	struct run r = {.block = block, .from = i, .to = i};
	unsigned nstatements = 0, nnodes = 0;

	for (; r.to < BLOCK_STATEMENTS(block); r.to++) {
		struct node *next = BLOCK_STATEMENT(block, r.to);
		nstatements += statements(next);
		nnodes += nodes(next);
		if (nstatements > MOST_STATEMENTS || nnodes > MOST_NODES)
			return r;
		if (fits(s, next, r.to == i))
			continue;
		r.splits = next->kind == N_IF && !(next->flags & NF_ARMING) && IF_CONDITION(next)->type == T_LONG &&
			   root_fits(s, next, r.to == i);
		return r;
	}
	return r;
}

/* ---- what is touched ---- */

static void find_locked(struct uses *u, const struct mention *m)
{
	if (m->v && opt_needs_lock(m->v))
		*(bool *)u->ctx = true;
}

bool opt_asks_values(struct uses *u, struct node *n)
{
	struct node *of = opt_is_histogram(n) ? STAT_OF(n) : NULL;

	if (!of)
		return !n->value;
	for (unsigned i = 0; of->kind == N_INDEX && i < ast_keys(of); i++)
		uses_walk(u, ast_key(of, i), false);
	return false;
}

/* Does it mention v (NULL: anything that needs a lock)? */
static bool mentions(struct node *n, const struct symbol *v)
{
	bool found = false;

	if (v)
		return uses_of(n, v);
	uses_walk(&(struct uses){.mention = find_locked, .node = opt_asks_values, .ctx = &found}, n, false);
	return found;
}

static unsigned at_least(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned touches(struct session *s, const struct node *n, const struct symbol *v);

/* The statements from .. to-1 of a block. */
static unsigned list_touches(struct session *s, const struct node *block, unsigned from, unsigned to,
			     const struct symbol *v)
{
	unsigned count = 0;

	for (unsigned i = from; i < to; i++)
		count += touches(s, BLOCK_STATEMENT(block, i), v);
	return count;
}

/* Expressions that touch v (NULL: anything that needs a lock) on the path through the statement that has most of them. */
static unsigned touches(struct session *s, const struct node *n, const struct symbol *v)
{
	struct node *root = root_of(n);
	unsigned count = root && mentions(root, v);

	if (n->kind == N_IF)
		count += at_least(touches(s, IF_THEN(n), v), IF_ELSE(n) ? touches(s, IF_ELSE(n), v) : 0);
	return n->kind == N_BLOCK ? list_touches(s, n, 0, BLOCK_STATEMENTS(n), v) : count;
}

static unsigned beginning_touches(struct session *s, struct node *branch, const struct symbol *v)
{
	unsigned n = fitting(s, branch), count = 0;

	for (unsigned i = 0; i < n; i++)
		count += touches(s, branch_statement(branch, i), v);
	return count;
}

static unsigned run_touches(struct session *s, const struct run *r, const struct symbol *v)
{
	unsigned count = list_touches(s, r->block, r->from, r->to, v);
	struct node *n = r->splits ? BLOCK_STATEMENT(r->block, r->to) : NULL;

	if (n)
		count += mentions(IF_CONDITION(n), v) +
			 at_least(beginning_touches(s, IF_THEN(n), v), beginning_touches(s, IF_ELSE(n), v));
	return count;
}

/* ---- every run of a body ---- */

struct regions {
	struct opt o;
	void (*found)(struct regions *g, struct node *block, unsigned *at, const struct run *r);
};

static void statement(struct regions *g, struct node **np);

static void list(struct regions *g, struct node *block)
{
	for (unsigned i = 0; i < BLOCK_STATEMENTS(block); i++) {
		struct run r = run_from(g->o.s, block, i);
		if (r.to > r.from || r.splits)
			g->found(g, block, &i, &r);
		else
			statement(g, &BLOCK_STATEMENT(block, i));
	}
}

/* A single statement; a block, if it becomes a region. */
static struct node *as_list(struct regions *g, struct node *n)
{
	struct node *block = ast_new(&g->o.s->arena, N_BLOCK, n->loc, 1);

	BLOCK_STATEMENT(block, 0) = n;
	list(g, block);
	return BLOCK_STATEMENT(block, 0) == n ? n : block;
}

static void statement(struct regions *g, struct node **np)
{
	struct node *n = *np;

	if (n->kind == N_BLOCK) {
		list(g, n);
		return;
	}
	AST_EACH(child, n) {
		if (ast_role(n, child) != ROLE_BODY)
			continue;
		if ((*child)->kind == N_BLOCK)
			list(g, *child);
		else
			*child = as_list(g, *child);
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

/* ---- which globals must be locked because of regions ---- */

static void lock_changed(struct regions *g, const struct run *r, const struct node *n)
{
	struct symbol *v = n->sym;

	if (v && v->kind == SYM_GLOBAL && v->unlocked && run_touches(g->o.s, r, v) > 1) {
		bool changes = false;
		for (unsigned i = r->from; i < r->to + r->splits; i++)
			changes |= uses_of(BLOCK_STATEMENT(r->block, i), v) & USE_SETS;
		v->unlocked = !changes;
	}
	AST_EACH(child, n)
		lock_changed(g, r, *child);
}

static void lock_run(struct regions *g, struct node *block, unsigned *at, const struct run *r)
{
	for (unsigned i = r->from; i < r->to + r->splits; i++)
		lock_changed(g, r, BLOCK_STATEMENT(block, i));
	if (r->splits)
		statement(g, &BLOCK_STATEMENT(block, r->to));
	*at = r->to + r->splits - 1;
}

void opt_regions_need_locks(struct session *s)
{
	bodies(s, lock_run);
}

/* ---- making regions ---- */

/* The statements from .. to-1 of a branch; NULL if there are none. */
static struct node *part(struct regions *g, struct node *branch, unsigned from, unsigned to)
{
	struct node *block;

	if (from == to)
		return NULL;
	block = ast_new(&g->o.s->arena, N_BLOCK, branch->loc, 0);
	for (unsigned i = from; i < to; i++)
		ast_add(&g->o.s->arena, block, branch_statement(branch, i));
	return block;
}

static struct node *new_if(struct regions *g, const struct node *n, struct node *condition, struct node *then, struct node *otherwise)
{
	struct node *made = ast_new(&g->o.s->arena, N_IF, n->loc, 3);

	IF_CONDITION(made) = condition;
	IF_THEN(made) = then ? then : ast_new(&g->o.s->arena, N_BLOCK, n->loc, 0);
	IF_ELSE(made) = otherwise;
	return made;
}

/* "if (c) { P; R } else { Q; T }" becomes "chosen = c; if (chosen) P else Q", in the region, and, returned, "if (chosen) R else T". */
static struct node *split(struct regions *g, struct node *region, struct node *n)
{
	struct arena *a = &g->o.s->arena;
	struct symbol *chosen = opt_new_local(&g->o, "__chosen", T_LONG, n);
	struct node *then = IF_THEN(n), *otherwise = IF_ELSE(n);
	unsigned nthen = fitting(g->o.s, then), notherwise = fitting(g->o.s, otherwise);

	ast_add(a, region, opt_assignment(&g->o, chosen, IF_CONDITION(n), n->loc));
	if (nthen || notherwise)
		ast_add(a, region, new_if(g, n, opt_name(&g->o, chosen, n->loc), part(g, then, 0, nthen),
					  part(g, otherwise, 0, notherwise)));
	return new_if(g, n, opt_name(&g->o, chosen, n->loc), part(g, then, nthen, branch_length(then)),
		      part(g, otherwise, notherwise, branch_length(otherwise)));
}

/* Narrows *from and *to to the first and the last statement that need a lock. */
static void narrow(struct regions *g, const struct run *r, unsigned *from, unsigned *to, bool splits)
{
	*from = r->from;
	*to = r->to;
	while (*from < *to && !touches(g->o.s, BLOCK_STATEMENT(r->block, *from), NULL))
		++*from;
	while (!splits && *from < *to && !touches(g->o.s, BLOCK_STATEMENT(r->block, *to - 1), NULL))
		--*to;
}

/* Is all that it uses in the statements inside it? */
static bool touches_inside_only(const struct node *n)
{
	return n->kind == N_BLOCK || !mentions(root_of(n), NULL);
}

/* Makes a region of the statements from .. to-1; with next, also of the beginning of that `if'.  *rest: the rest of the `if'. */
static struct node *region_of(struct regions *g, const struct node *block, unsigned from, unsigned to, struct node *next,
			      struct node **rest)
{
	struct arena *a = &g->o.s->arena;
	struct node *region = ast_new(a, N_BLOCK, BLOCK_STATEMENT(block, from)->loc, 0);

	region->flags |= NF_ATOMIC;
	for (unsigned i = from; i < to; i++)
		ast_add(a, region, BLOCK_STATEMENT(block, i));
	if (next)
		*rest = split(g, region, next);
	if (!root_fits(g->o.s, BLOCK_STATEMENT(region, 0), false))
		region->flags |= NF_AHEAD;
	return region;
}

static void wrap_run(struct regions *g, struct node *block, unsigned *at, const struct run *r)
{
	struct node *next = r->splits ? BLOCK_STATEMENT(block, r->to) : NULL, *made[2];
	bool splits = next && mentions(IF_CONDITION(next), NULL) && run_touches(g->o.s, r, NULL) > 1;
	unsigned from, to;

	narrow(g, r, &from, &to, splits);
	*at = r->to + r->splits - 1; /* the last statement of the run */
	if (next && !splits)
		statement(g, &BLOCK_STATEMENT(block, r->to));
	if (!splits && list_touches(g->o.s, block, from, to, NULL) < 2)
		return;
	if (!splits && to == from + 1 && touches_inside_only(BLOCK_STATEMENT(block, from))) {
		statement(g, &BLOCK_STATEMENT(block, from));
		return;
	}
	made[0] = region_of(g, block, from, to, splits ? next : NULL, &made[1]);
	if (splits)
		statement(g, &made[1]);
	ast_splice(&g->o.s->arena, block, from, to + splits, made, 1 + splits);
	*at -= to - from - 1; /* they have become one statement; with from == to there is one more */
}

int regions_pass(struct session *s)
{
	bodies(s, wrap_run);
	return 0;
}
