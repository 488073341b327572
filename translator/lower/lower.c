/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "lower": see lower.h.
 * Reads: the tree after the pass "regions".  Writes: node.value, symbol.arms, function.snapshots, function.depth, function.lowered,
 * probe.lowered, probe.entry_body, probe.arming, probe.arms, probe.small, prog.needs.
 */
#include <ctype.h>
#include <string.h>

#include "translator/lower/private.h"
#include "translator/pipeline.h"

struct node *lower_begin(struct lower *l, const struct node *n)
{
	l->ntemps = l->nids = 0;
	l->error = lower_label(l, "err", -1);
	l->out = lower_label(l, "out", -1);
	l->scope = NULL;
	l->function = NULL;
	l->locked = l->copy_locals = l->has_buffers = false;
	l->dropped = NULL;
	l->nstrings = 0;
	return l->block = lower_new(l, N_BLOCK, n, 0);
}

/* Buffers of the strings that loops assign. */
static void buffers(struct lower *l, const struct node *n, struct symbol *const *v, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (v[i]->type == T_STRING && v[i]->assigned_in_loop) {
			l->has_buffers = true;
			lower_do(l, lower_op_of(l, n, L_BUFFER, v[i], NULL));
			l->nstrings++;
		}
}

static void function(struct lower *l, struct function *f)
{
	struct node *n = f->body, *body = lower_begin(l, n);

	l->function = f;
	lower_goto(l, n, l->error, lower_op_num(l, n, L_CHARGE, 1, NULL), 0)->flags &= ~(unsigned)NF_PLACED; /* errors are reported at the call */
	buffers(l, n, f->params.v, f->params.n);
	buffers(l, n, f->locals.v, f->locals.n);
	lower_body(l, n);
	lower_goto(l, n, l->out, NULL, 0);
	lower_place(l, n, l->error);
	lower_do(l, lower_op(l, n, L_UNLOCK, NULL));
	lower_place(l, n, l->out);
	f->lowered = body;
	l->s->prog.needs.strings += l->nstrings * (lower_calls_itself(l, f) ? l->s->prog.needs.nesting : 1);
}

/* Errors go to "err"; all else that leaves the handler goes to "out". */
static void end_handler(struct lower *l, const struct node *n)
{
	if (l->error->used) {
		if (l->out->used)
			lower_goto(l, n, l->out, NULL, 0);
		else
			lower_do(l, lower_op(l, n, L_RETURN, NULL));
		lower_place(l, n, l->error);
		lower_do(l, lower_op(l, n, L_UNLOCK, NULL));
	}
	if (l->out->used) {
		lower_place(l, n, l->out);
		lower_do(l, lower_op(l, n, L_RETURN, NULL));
	}
}

/* What a return probe saves at the function's entry. */
static struct node *entry_body(struct lower *l, const struct probe *p)
{
	struct node *body = lower_begin(l, p->body);

	for (size_t i = 0; i < p->entries.n; i++) {
		const struct entry *x = p->entries.v[i];
		struct node *outer = lower_open(l, x->value), *value = lower_whole(l, x->value);
		lower_do(l, lower_op_num(l, x->value, x->sym->type == T_STRING ? L_SAVE_STR : L_SAVE, x->sym->index, value));
		lower_close(l, outer);
	}
	end_handler(l, p->body);
	return body;
}

static struct node *handler_body(struct lower *l, const struct probe *p)
{
	struct node *body = lower_begin(l, p->body);

	buffers(l, p->body, p->locals.v, p->locals.n);
	lower_body(l, p->body);
	end_handler(l, p->body);
	return body;
}

/* ---- test builds: does each operation have what its text refers to? ---- */

#ifdef SPILE_VERIFY
static bool is_complete(const struct node *n)
{
	for (const char *text = lower_ops[n->run].text; (text = strchr(text, '%')); text += 2) {
		int letter = tolower((unsigned char)text[1]);
		if (letter >= 'a' && letter <= 'd' && (unsigned)(letter - 'a') >= OP_ARGS(n))
			return false;
		if (strchr("vilu", text[1]) && !n->sym)
			return false;
	}
	return true;
}

static void verify(struct session *s, const struct node *n)
{
	if (n->kind == N_OP && !is_complete(n))
		s_error(s, n->loc, E_INTERNAL, "after pass lower: %s has not what it needs", lower_ops[n->run].name);
	AST_EACH(child, n)
		verify(s, *child);
}

static void verify_bodies(struct session *s)
{
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->lowered)
			verify(s, s->prog.function_list.v[i]->lowered);
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		verify(s, p->lowered);
		if (p->entry_body)
			verify(s, p->entry_body);
		if (p->arming)
			verify(s, p->arming);
	}
}
#else
static void verify_bodies(struct session *s)
{
	(void)s;
}
#endif

/* ---- the pass ---- */

static unsigned more(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

int lower_pass(struct session *s)
{
	struct lower l = {.s = s, .a = &s->arena};
	struct program *prog = &s->prog;
	unsigned strings = 0;

	prog->needs.nesting = lower_nesting(s);
	prog->needs.snapshots = lower_snapshots(s);
	lower_conditions(&l);
	for (size_t i = 0; i < prog->function_list.n; i++)
		if (!prog->function_list.v[i]->embedded)
			function(&l, prog->function_list.v[i]);
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];
		if (p->entries.n) {
			p->entry_body = entry_body(&l, p);
			strings = more(strings, l.nstrings);
		}
		p->lowered = handler_body(&l, p);
		lower_measure(&l, p);
		strings = more(strings, l.nstrings);
	}
	prog->needs.strings += strings;
	verify_bodies(s);
	return s->diags.errors ? -1 : 0;
}
