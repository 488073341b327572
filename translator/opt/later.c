/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an alias of the library, or a probe point, computes for a variable is computed later: behind an `if' that leaves the handler, or in the
 * only branch that reads it or goes on.  So a handler that looks at few hits, "if (execname() != "x") next; println(argstr)", does not pay for
 * argstr at the others.
 *
 * Nothing else may be seen of it.  The value goes only past what has no effect, not even a soft error, and changes nothing that it reads: all
 * effects and errors of hits that read the variable stay in order.  Only among several such values another may fail first, and so may what a
 * condition asks where there is nothing to ask (returnval() at an entry).  Where globals are read, whole regions (regions.c) stay whole: a
 * value is not put between two uses of globals.  A value that itself reads globals that change, a clock, or the like stays where it is.
 */
#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"
#include "translator/uses.h"

/* "v = value" of a local, as a statement: the assignment, or NULL. */
static struct node *assignment(const struct node *n)
{
	struct node *set = n->kind == N_EXPR ? EXPR_VALUE(n) : NULL;
	const struct node *to = set && set->kind == N_ASSIGN && set->op == OP_SET ? ASSIGN_TO(set) : NULL;

	return to && to->kind == N_NAME && to->sym && to->sym->kind == SYM_LOCAL ? set : NULL;
}

/* Is it one that the library makes, and that may be left out where nothing reads the variable? */
static bool is_offered(const struct opt *o, const struct node *set)
{
	return (set->flags & NF_TAPSET || session_in_tapset(o->s, set->loc)) && !opt_has_effect_besides_errors(ASSIGN_VALUE(set));
}

/* ---- globals ---- */

static void find_changing(struct uses *u, const struct mention *m)
{
	if (m->v && m->v->kind == SYM_GLOBAL && !m->v->settled)
		*(bool *)u->ctx = true;
}

static void find_locked(struct uses *u, const struct mention *m)
{
	if (m->v && opt_needs_lock(m->v))
		*(bool *)u->ctx = true;
}

/* Quick functions without parameters that are not stable give the time, the CPU, and the like: what they are at that moment. */
static bool find_moment(struct uses *u, struct function *f)
{
	if (f->embedded && !f->params.n && (f->embedded->tags & (EMBEDDED_QUICK | EMBEDDED_STABLE)) == EMBEDDED_QUICK)
		*(bool *)u->ctx = true;
	for (size_t i = 0; i < u->todo.n; i++)
		if (u->todo.v[i] == f)
			return false;
	return true;
}

/* Does it read a global that changes, or ask for something of the moment, itself or in a function? */
static bool depends_on_others(struct opt *o, struct node *n)
{
	bool found = false;

	uses_walk(&(struct uses){.mention = find_changing, .function = find_moment, .ctx = &found, .arena = &o->s->arena}, n, false);
	return found;
}

static bool has_locked(struct node *n)
{
	bool found = false;

	uses_walk(&(struct uses){.mention = find_locked, .ctx = &found}, n, false);
	return found;
}

/* ---- what a value may pass ---- */

/* No effect, and no error.  `=~' is allowed, though it sets what matched() reads: no value that uses either is moved. */
static bool is_quiet(const struct node *n)
{
	if (n->kind != N_REGEX && n->kind != N_UNARY && n->kind != N_TERNARY && !(n->kind == N_BINARY && op_kind(n->op) == OPK_LOG))
		return !opt_has_effect(n);
	AST_EACH(child, n)
		if (!is_quiet(*child))
			return false;
	return true;
}

/* Does the handler always end in it? */
static bool leaves(const struct node *n)
{
	if (n->kind == N_BLOCK)
		return BLOCK_STATEMENTS(n) && leaves(BLOCK_STATEMENT(n, BLOCK_STATEMENTS(n) - 1));
	if (n->kind == N_IF)
		return IF_ELSE(n) && leaves(IF_THEN(n)) && leaves(IF_ELSE(n));
	return n->kind == N_NEXT;
}

/* A value on its way, with what it has passed and what follows. */
struct way {
	struct opt *o;
	struct symbol *v;
	struct node *value;
	bool passed_locked;  /* a condition reads globals that need a lock */
	bool followed;       /* behind the block, too, globals are used that need a lock */
	bool read_behind;    /* behind the block, too, the variable is used */
};

static bool is_used_from(const struct way *w, const struct node *block, unsigned i)
{
	for (; i < BLOCK_STATEMENTS(block); i++)
		if (uses_of(BLOCK_STATEMENT(block, i), w->v))
			return true;
	return w->read_behind;
}

static bool is_locked_from(const struct way *w, const struct node *block, unsigned i)
{
	for (; i < BLOCK_STATEMENTS(block); i++)
		if (has_locked(BLOCK_STATEMENT(block, i)))
			return true;
	return w->followed;
}

/* Another variable that is assigned, which has nothing to do with this one. */
static bool is_apart(const struct way *w, struct node *n)
{
	struct node *set = assignment(n);

	return set && (is_offered(w->o, set) || is_quiet(ASSIGN_VALUE(set))) && !uses_of(n, w->v) && !uses_of(w->value, ASSIGN_TO(set)->sym);
}

/* May it go past the condition? */
static bool is_passable(const struct way *w, struct node *n)
{
	return !(n->flags & NF_ARMING) && is_quiet(IF_CONDITION(n)) && !uses_of(IF_CONDITION(n), w->v);
}

/* Do all uses come through that branch, with or without uses behind the statement? */
static bool has_all_uses(const struct way *w, struct node *branch, struct node *other, bool behind)
{
	if (!branch || (other && uses_of(other, w->v)))
		return false;
	return behind ? other && leaves(other) : uses_of(branch, w->v);
}

/* The branch of the i-th statement that may have the value, or NULL. */
static struct node **branch_for(const struct way *w, struct node *block, unsigned i)
{
	struct node *n = BLOCK_STATEMENT(block, i);
	bool behind = is_used_from(w, block, i + 1);

	if (has_all_uses(w, IF_THEN(n), IF_ELSE(n), behind))
		return &IF_THEN(n);
	return has_all_uses(w, IF_ELSE(n), IF_THEN(n), behind) ? &IF_ELSE(n) : NULL;
}

/* ---- moving ---- */

static void move(struct way w, struct node *block, unsigned from);

/* The from-th statement of the block becomes the first of the branch. */
static void into_branch(struct way w, struct node *block, unsigned from, struct node **branch)
{
	struct arena *a = &w.o->s->arena;
	struct node *statement = BLOCK_STATEMENT(block, from), *inner = *branch;

	if (inner->kind != N_BLOCK) {
		inner = ast_new(a, N_BLOCK, inner->loc, 1);
		BLOCK_STATEMENT(inner, 0) = *branch;
		*branch = inner;
	}
	ast_splice(a, inner, 0, 0, &statement, 1);
	ast_splice(a, block, from, from + 1, NULL, 0);
	move(w, inner, 0);
}

/* Puts it behind the to-th. */
static void behind(const struct way *w, struct node *block, unsigned from, unsigned to)
{
	struct node *statement = BLOCK_STATEMENT(block, from);

	if (from == to)
		return;
	ast_splice(&w->o->s->arena, block, to + 1, to + 1, &statement, 1);
	ast_splice(&w->o->s->arena, block, from, from + 1, NULL, 0);
}

static void move(struct way w, struct node *block, unsigned from)
{
	unsigned to = from;

	for (unsigned i = from + 1; i < BLOCK_STATEMENTS(block); i++) {
		struct node *n = BLOCK_STATEMENT(block, i), **branch;
		bool splits; /* would part two uses of globals */

		if (n->kind != N_IF) {
			if (!is_apart(&w, n))
				break;
			w.passed_locked |= has_locked(n);
			continue;
		}
		if (!is_passable(&w, n))
			break;
		w.passed_locked |= has_locked(IF_CONDITION(n));
		splits = w.passed_locked && is_locked_from(&w, block, i + 1);
		branch = branch_for(&w, block, i);
		if (branch && !splits && !(w.passed_locked && has_locked(*branch))) {
			w.followed = is_locked_from(&w, block, i + 1);
			w.read_behind = is_used_from(&w, block, i + 1);
			into_branch(w, block, from, branch);
			return;
		}
		if (IF_ELSE(n) || !leaves(IF_THEN(n)) || uses_of(IF_THEN(n), w.v))
			break;
		if (!splits)
			to = i;
	}
	behind(&w, block, from, to);
}

/* The last one first, so that they stay in order. */
static void body(struct opt *o, struct node *block)
{
	for (unsigned i = BLOCK_STATEMENTS(block); i--;) {
		struct node *set = assignment(BLOCK_STATEMENT(block, i));
		struct way w = {.o = o, .v = set ? ASSIGN_TO(set)->sym : NULL, .value = set ? ASSIGN_VALUE(set) : NULL};
		if (set && is_offered(o, set) && !uses_of(w.value, w.v) && !depends_on_others(o, w.value))
			move(w, block, i);
	}
}

void opt_later(struct session *s)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		body(&(struct opt){.s = s, .probe = s->prog.probes.v[i]}, s->prog.probes.v[i]->body);
}
