/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that use $variables, themselves or through functions that they call.  What such a function means depends on the
 * probe: each probe that calls it has a copy of its own, with types of its own.
 */
#include "translator/resolve/resolve.h"

static bool uses_variables(const struct node *n)
{
	if (n->kind == N_TARGET || n->kind == N_ENTRY)
		return true;
	AST_EACH(child, n)
		if (uses_variables(*child))
			return true;
	return false;
}

bool context_called(struct session *s, const struct node *n)
{
	if (!s->prog.in_context)
		return false;

	const struct symbol *v = n->kind == N_CALL ? declare_find_function(s, n->name, CALL_ARGS(n), n->loc) : NULL;

	for (const struct function *f = v ? v->function : NULL; f; f = function_next(f))
		if (f->in_context)
			return true;
	AST_EACH(child, n)
		if (context_called(s, *child))
			return true;
	return false;
}

/* Marks functions for which test is true; returns whether there was one. */
static bool mark(struct session *s, bool (*test)(struct session *s, const struct node *n))
{
	bool some = false;

	for (size_t i = 0; i < s->prog.functions.n; i++) {
		const struct symbol *v = s->prog.functions.entries[i].value;
		for (struct function *f = v->function; f; f = f->overload)
			if (!f->in_context && test(s, f->body))
				some = f->in_context = true;
	}
	return some;
}

static bool uses(struct session *s, const struct node *n)
{
	(void)s;
	return uses_variables(n);
}

void context_find(struct session *s)
{
	s->prog.in_context = mark(s, uses);
	while (mark(s, context_called))
		;
}

static struct function *copy_of(struct session *s, struct view at, const struct function *from)
{
	struct function *f = arena_new(&s->arena, struct function);
	struct symbol *v = arena_memdup(&s->arena, from->sym, sizeof *v);

	v->decl = ast_copy(&s->arena, from->decl);
	v->function = f;
	v->decl->sym = v;
	f->sym = v;
	f->decl = v->decl;
	f->body = FUNCTION_BODY(v->decl);
	f->probe = at.probe;
	f->origin = from;
	f->moment = at.moment;
	f->order = from->order;
	f->gives_way = from->gives_way;
	f->copy = ++s->prog.ncopies;
	for (size_t i = 0; i < from->params.n; i++) {
		struct symbol *param = arena_memdup(&s->arena, from->params.v[i], sizeof *param);
		param->decl = FUNCTION_PARAM(v->decl, (unsigned)i);
		param->type_origin = param->type_origin ? param->decl : NULL;
		param->decl->sym = param;
		vec_push(&s->arena, &f->params, param);
		map_set(&s->arena, &f->scope, param->name, param);
	}
	vec_push(&s->arena, &at.probe->functions, f);
	return f;
}

struct function *context_copy(struct session *s, struct view at, const struct function *first)
{
	struct function *head = NULL, **end = &head;

	for (size_t i = 0; i < at.probe->functions.n; i++)
		if (at.probe->functions.v[i]->origin == first && at.probe->functions.v[i]->moment == at.moment)
			return at.probe->functions.v[i];
	for (const struct function *f = first; f; f = f->overload) {
		*end = copy_of(s, at, f);
		(*end)->first = head;
		end = &(*end)->overload;
	}
	return head;
}
