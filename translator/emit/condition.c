/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The conditions of probe points, as functions that the runtime asks when a global in them may have changed.  The
 * handlers ask as well, since arming and disarming take time.
 */
#include <string.h>

#include "base/intern.h"
#include "translator/emit/emit.h"
#include "translator/uses.h"

/* The condition that passes before this one have left around what the handler does, or NULL. */
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

/*
 * The braces of the function.  Its strings need no room that the handler has not.  A condition that fails counts as
 * true, so that the handler runs and tells.
 */
static const char *condition_text(struct emit *e, const struct node *condition)
{
	struct sb text = {0}, *out = e->out;

	e->out = &text; /* labels and c are looked for from its beginning */
	emit_begin(e);
	emit_open(e);
	emit_line(e, "rt_bool holds = 1;");
	emit_open(e);
	emit_line(e, "holds = (%s) != 0;", emit_whole(e, ast_copy(&e->s->arena, condition)));
	emit_close(e);
	emit_context(e, 0);
	if (emit_label(e, 0, "err"))
		emit_line(e, "rt_unlock(c);");
	emit_line(e, "return holds;");
	emit_close(e);
	e->out = out;
	const char *key = intern_n(text.s, text.n);
	sb_free(&text);
	return key;
}

void emit_conditions(struct emit *e, struct sb *tables)
{
	struct map numbers = {0}; /* text of a function -> its number */
	struct sb table = {0};

	for (size_t i = 0; i < e->s->prog.probes.n; i++) {
		struct probe *p = e->s->prog.probes.v[i];
		struct node *condition = find_condition(p->body);
		if (!condition || !is_disarmed(p))
			continue;
		const char *text = condition_text(e, condition);
		uses_walk(&(struct uses){.mention = mark_global}, condition, false);
		p->condition = (unsigned)(uintptr_t)map_get(&numbers, text);
		if (p->condition)
			continue;
		p->condition = ++e->nconditions;
		map_set(&e->s->arena, &numbers, text, (void *)(uintptr_t)p->condition);
		sb_printf(tables, "\nstatic rt_bool condition%u(struct rt_ctx *c)\n%s", p->condition, text);
		sb_printf(&table, "condition%u, ", p->condition);
	}
	if (table.n)
		sb_printf(tables, "\nstatic rt_condition *const conditions[] = {%s};\n", table.s);
	sb_free(&table);
}
