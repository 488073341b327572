/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small and brief handlers.  Where a small one is hit, the runtime need not prepare a context for it, nor be ready for its errors, for hits
 * inside it, or for a long run: "n++" is done in a fraction of the time.  A brief one counts in arrays or feeds statistics, with numbers
 * that come with the hit or are in the kernel's memory.  It may fail, wait for a lock and be interrupted by other hits as any handler, but
 * needs neither room for texts and output, nor a budget, nor other registers than those of arguments or of the result.
 */
#include "translator/debuginfo/fetch.h"
#include "translator/debuginfo/target.h"
#include "translator/lower/private.h"
#include "translator/resolve/embedded.h"

enum { SMALL_MOST = 16, BRIEF_MOST = 24 }; /* operations */

struct measure {
	const struct target *target;
	unsigned allowed; /* bits of enum lower_how: an operation must have one of them */
	unsigned left;    /* operations */
};

static bool is_plain(const struct node *n)
{
	return n->kind == N_BLOCK || n->kind == N_EXPR || n->kind == N_IF || n->kind == N_LET || n->kind == N_PUT || n->kind == N_GOTO ||
	       n->kind == N_LABEL || n->kind == N_TEMP || n->kind == N_NAME || n->kind == N_NUMBER;
}

/* A step that takes an argument or the result from its register, or a value that came with the hit, or goes on in the kernel's memory. */
static bool is_of_hit(const struct measure *m, const struct fetch_op *op)
{
	if (op->code == FETCH_ARG)
		return op->n >= 0 && op->n < m->target->narguments;
	if (op->code == FETCH_DEREF)
		return op->space == FETCH_KERNEL;
	return op->code == FETCH_RETVAL || op->code == FETCH_GIVEN || op->code == FETCH_CONST || op->code == FETCH_INPUT || op->code == FETCH_ADD ||
	       op->code == FETCH_INDEX || op->code == FETCH_BITS || op->code == FETCH_EXT;
}

static bool is_brief(const struct measure *m, const struct node *n)
{
	if (n->type == T_STRING)
		return false;
	if (n->kind == N_CALL)
		return embedded_is_quick(n->sym->function) && !embedded_can_fail(n->sym->function);
	if (n->kind == N_FETCH)
		return is_of_hit(m, n->fetch->ops);
	return n->kind == N_VALUES || (n->kind == N_TABLE && (n->num == TABLE_KEYS || n->num == TABLE_LOCKS)) || is_plain(n);
}

/* Without loops every jump goes forward. */
static bool is_within(struct measure *m, const struct node *n)
{
	if (n->kind == N_OP ? !(lower_ops[n->run].how & m->allowed) || !m->left-- :
			      !(m->allowed & BRIEF ? is_brief(m, n) : is_plain(n)))
		return false;
	AST_EACH(child, n)
		if (!is_within(m, *child))
			return false;
	return true;
}

void lower_measure(struct lower *l, struct probe *p)
{
	struct measure small = {l->s->target, SMALL, SMALL_MOST}, brief = {l->s->target, SMALL | BRIEF, BRIEF_MOST};
	bool simple = !p->entries.n && !p->arms;

	p->small = simple && is_within(&small, p->lowered);
	p->brief = simple && !p->small && is_within(&brief, p->lowered);
}
