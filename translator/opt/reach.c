/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that run and globals in use. */
#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"

struct reach {
	struct session *s;
	VEC(struct function *) todo; /* used, and not looked into yet */
};

static void reach(struct reach *r, struct node *n)
{
	for (struct function *f = n->kind == N_CALL ? n->sym->function : NULL; f; f = function_next(f)) {
		if (!f->used)
			vec_push(&r->s->arena, &r->todo, f);
		f->used = true;
	}
	if (n->sym && n->sym->kind == SYM_GLOBAL)
		n->sym->used = true;
	AST_EACH(child, n)
		reach(r, *child);
}

/* -G may set what nothing reads. */
static bool is_given(const struct session *s, const struct symbol *v)
{
	for (size_t k = 0; k < s->opt.globals.n; k++) {
		const char *g = s->opt.globals.v[k];
		size_t n = 0;
		while (v->name[n] && v->name[n] == g[n])
			n++;
		if (!v->name[n] && g[n] == '=')
			return true;
	}
	return false;
}

static void number_globals(struct session *s)
{
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		struct symbol *v = s->prog.globals.entries[i].value;
		v->used |= v->type != T_UNKNOWN && is_given(s, v);
		if (!v->used)
			continue;
		v->index = (unsigned)s->prog.global_list.n;
		vec_push(&s->arena, &s->prog.global_list, v);
	}
}

void opt_reach(struct session *s)
{
	struct reach r = {.s = s};
	size_t kept = 0;

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		for (size_t k = 0; k < p->entries.n; k++)
			reach(&r, p->entries.v[k]->value);
		reach(&r, p->body);
	}
	for (size_t i = 0; i < r.todo.n; i++) {
		const struct embedded *c = r.todo.v[i]->embedded;
		for (size_t k = 0; c && k < c->uses.n; k++)
			c->uses.v[k].global->used = true;
		if (!c)
			reach(&r, r.todo.v[i]->body);
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->used)
			s->prog.function_list.v[kept++] = s->prog.function_list.v[i];
	s->prog.function_list.n = kept;
	number_globals(s);
}
