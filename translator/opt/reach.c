/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that run and globals in use. */
#include "translator/opt/opt.h"
#include "translator/uses.h"

static void use_global(struct uses *u, const struct mention *m)
{
	(void)u;
	if (m->v && m->v->kind == SYM_GLOBAL)
		m->v->used = true;
}

static bool use_function(struct uses *u, struct function *f)
{
	bool first = !f->used;

	(void)u;
	f->used = true;
	return first;
}

static void number_globals(struct session *s)
{
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		struct symbol *v = s->prog.globals.entries[i].value;
		v->used |= v->type != T_UNKNOWN && v->is_given; /* also if nothing reads it */
		if (!v->used)
			continue;
		v->index = (unsigned)s->prog.global_list.n;
		vec_push(&s->arena, &s->prog.global_list, v);
	}
}

void opt_reach(struct session *s)
{
	struct uses u = {.mention = use_global, .function = use_function, .arena = &s->arena};
	size_t kept = 0;

	for (size_t i = 0; i < s->prog.probes.n; i++)
		uses_walk_probe(&u, s->prog.probes.v[i]);
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->used)
			s->prog.function_list.v[kept++] = s->prog.function_list.v[i];
	s->prog.function_list.n = kept;
	number_globals(s);
}
