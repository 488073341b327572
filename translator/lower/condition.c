/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The conditions of probe points, as functions that the runtime asks when a global in them may have changed.  The
 * handlers ask as well, since arming and disarming take time.
 */
#include "translator/lower/private.h"
#include "translator/uses.h"

/* The condition that earlier passes have put around what the handler does, or NULL. */
static struct node *find_condition(const struct node *n)
{
	struct node *found = n->kind == N_IF && (n->flags & NF_ARMING) ? IF_CONDITION(n) : NULL;

	for (unsigned i = 0; n->kind == N_BLOCK && !found && i < BLOCK_STATEMENTS(n); i++)
		found = find_condition(BLOCK_STATEMENT(n, i));
	return found;
}

static bool is_disarmed(const struct probe *p)
{
	for (size_t i = 0; i < p->sites.n; i++)
		if (p->sites.v[i]->mechanism->disarms && !p->sites.v[i]->is_never)
			return true;
	return false;
}

static void mark_global(struct uses *u, const struct mention *m)
{
	(void)u;
	if (m->v && m->v->kind == SYM_GLOBAL)
		m->v->arms = true;
}

static bool changes_condition(struct lower *l, const struct probe *p)
{
	for (size_t i = 0; i < p->entries.n; i++)
		if (lower_changes_condition(l, p->entries.v[i]->value))
			return true;
	return lower_changes_condition(l, p->body);
}

/*
 * It needs no more room for strings than the handler, which evaluates it too.  A condition that fails counts as true, so that the
 * handler runs and reports it.
 */
static struct node *lowered(struct lower *l, struct node *condition)
{
	struct node *body = lower_begin(l, condition), *outer = lower_open(l, condition);

	lower_do(l, lower_op(l, condition, L_HOLDS, lower_whole(l, condition)));
	lower_close(l, outer);
	if (l->error->used) {
		lower_place(l, condition, l->error);
		lower_do(l, lower_op(l, condition, L_UNLOCK, NULL));
	}
	return body;
}

void lower_conditions(struct lower *l)
{
	struct program *prog = &l->s->prog;
	bool any = false;

	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];
		struct node *condition = is_disarmed(p) ? find_condition(p->body) : NULL;
		if (!condition)
			continue;
		any = true;
		uses_walk(&(struct uses){.mention = mark_global}, condition, false);
		p->arming = lowered(l, ast_copy(l->a, condition));
	}
	for (size_t i = 0; any && i < prog->probes.n; i++)
		prog->probes.v[i]->arms = changes_condition(l, prog->probes.v[i]);
}
