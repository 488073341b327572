/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "opt": drops what cannot be reached or has no effect, and finds the globals that need no lock.
 * Reads: the checked tree.  Writes: bodies of probes and functions, prog.probes, prog.function_list (only functions that run),
 * prog.global_list (globals in use, with their index), symbol.unlocked, symbol.settled, symbol.assigned_in_loop.
 * With -u, does only what the emitter needs.
 */
#include "translator/opt/opt.h"

#include "translator/opt/advice.h"
#include "translator/pipeline.h"

enum { MAX_ROUNDS = 50 }; /* each finds at least one thing; stopping early only gives slower code */

struct symbol *opt_variable(const struct node *n)
{
	const struct node *v = ast_variable(n);

	return v->kind == N_NAME ? v->sym : NULL;
}

static void one_round(struct opt *o, struct node *body)
{
	opt_fold(o, &body);
	opt_dead(o, body);
	opt_locals(o, body);
}

/* Repeats until nothing changes in this body. */
static void simplify(struct opt *o, struct node *body)
{
	for (unsigned i = 0; i < MAX_ROUNDS; i++) {
		o->changed = false;
		one_round(o, body);
		if (!o->changed)
			return;
	}
}

/* Functions first: a function that turns out to have no effect helps its callers. */
static void bodies(struct session *s, void (*run)(struct opt *o, struct node *body))
{
	for (size_t i = s->prog.function_list.n; i--;) {
		struct function *f = s->prog.function_list.v[i];
		struct opt o = {.s = s, .function = f};
		if (f->body->kind != N_EMBEDDED)
			run(&o, f->body);
	}
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		struct opt o = {.s = s, .probe = p};
		for (size_t k = 0; k < p->entries.n; k++)
			opt_fold(&o, &p->entries.v[k]->value);
		run(&o, p->body);
	}
	opt_entries(s);
}

int opt_pass(struct session *s)
{
	advice_bound(s);
	if (!s->opt.unoptimized) {
		bodies(s, simplify);
		bodies(s, opt_stable);
		opt_probes(s);
	}
	opt_reach(s);
	advice_report(s);
	if (!s->opt.unoptimized) {
		opt_locks(s);
		opt_later(s);
	}
	opt_loops(s);
	return s->diags.errors ? -1 : 0;
}
