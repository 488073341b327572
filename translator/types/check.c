/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "check": what types alone do not say: nothing is left without a type, statements stand where they may, arrays are not
 * changed under a foreach.
 * Reads: the typed tree.  Writes: node.type of what stays open (long, where any type will do).
 */
#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"
#include "translator/resolve/given.h"
#include "translator/types/advice.h"
#include "translator/types/entries.h"
#include "translator/types/pattern.h"

struct check {
	struct session *s;
	struct function *function;
	struct symbol *walked[32]; /* arrays that enclosing foreach loops walk over */
	unsigned nwalked;
};

static void open_type(struct session *s, const struct symbol *v, const char *what)
{
	struct diag *d = s_error(s, v->decl->loc, E_UNRESOLVED_TYPE, "the type of %s \"%s\" cannot be told", what, v->name);
	type_advice_open(s, d, v);
}

static void changed(struct check *c, struct node *lvalue, struct node *at)
{
	struct symbol *v = lvalue->kind == N_INDEX ? lvalue->k[0]->sym : lvalue->sym;

	for (unsigned i = 0; v && i < c->nwalked; i++)
		if (c->walked[i] == v) {
			s_error(c->s, at->loc, E_FOREACH_MODIFIED, "the array \"%s\" is changed inside the foreach that walks over it",
				v->name);
			return;
		}
}

static void stars(struct check *c, const struct node *n, unsigned from)
{
	for (unsigned i = from; i < n->nk; i++)
		if (n->k[i]->kind == N_STAR)
			s_error(c->s, n->k[i]->loc, E_NOT_ARRAY, "* stands for a key in foreach, delete and \"in\" only");
}

static void walk(struct check *c, struct node *n);

static void kids(struct check *c, struct node *n, unsigned from)
{
	for (unsigned i = from; i < n->nk; i++)
		if (n->k[i])
			walk(c, n->k[i]);
}

static void foreach(struct check *c, struct node *n)
{
	struct node *array = n->k[0];
	struct symbol *v = array->kind == N_INDEX ? array->k[0]->sym : array->sym;

	if (n->k[2])
		walk(c, n->k[2]);
	if (array->kind == N_INDEX)
		for (unsigned i = 1; i < array->nk; i++)
			if (array->k[i]->kind != N_STAR)
				walk(c, array->k[i]);
	if (c->nwalked == sizeof c->walked / sizeof c->walked[0]) {
		s_error(c->s, n->loc, E_NOT_SUPPORTED, "foreach loops nested more than 32 deep are not supported");
		return;
	}
	c->walked[c->nwalked++] = v;
	walk(c, n->k[3]);
	c->nwalked--;
}

static void walk(struct check *c, struct node *n)
{
	switch (n->kind) {
	case N_RETURN:
		if (!n->k[0] && c->function && c->function->sym->type != T_VOID)
			s_error(c->s, n->loc, E_TYPE_MISMATCH, "the function returns %s elsewhere", type_text(c->function->sym->type));
		break;
	case N_FOREACH:
		foreach(c, n);
		return;
	case N_REGEX:
		pattern_check(c->s, n);
		break;
	case N_ASSIGN:
	case N_INCDEC:
		changed(c, n->k[0], n);
		break;
	case N_DELETE:
		changed(c, n->k[0], n);
		if (n->k[0]->kind != N_NAME && n->k[0]->kind != N_INDEX)
			s_error(c->s, n->k[0]->loc, E_NOT_ASSIGNABLE, "only variables, arrays and their elements can be deleted");
		else if (n->k[0]->kind == N_INDEX)
			for (unsigned i = 1; i < n->k[0]->nk; i++)
				if (n->k[0]->k[i]->kind != N_STAR)
					walk(c, n->k[0]->k[i]);
		return;
	case N_IN:
		for (unsigned i = 1; i < n->nk; i++)
			if (n->k[i]->kind != N_STAR)
				walk(c, n->k[i]);
		return;
	case N_INDEX:
		stars(c, n, 1);
		if (n->k[0]->kind == N_STAT) { /* a bucket */
			walk(c, n->k[0]->k[0]);
			kids(c, n, 1);
			return;
		}
		break;
	case N_STAT:
		if (n->type == T_STATS)
			s_error(c->s, n->loc, E_NOT_STATS, "a histogram can be printed, and its buckets read, but it is not a value");
		walk(c, n->k[0]);
		return;
	case N_PRINT:
		for (unsigned i = 0; i < n->nk; i++)
			if (n->k[i]->kind == N_STAT && n->k[i]->type == T_STATS && !(n->flags & NF_FMT_FORMAT) && n->nk == 1)
				walk(c, n->k[i]->k[0]); /* print(@hist_log(x)) */
			else
				walk(c, n->k[i]);
		return;
	default:
		break;
	}
	kids(c, n, 0);
}

/* Nothing gives it a value; what is assigned from it is open for that reason, and not told, and so are keys and values of such an array. */
static bool is_root(const struct symbol *v)
{
	return v->type == T_UNKNOWN && v->read && !v->written && !v->is_param && (v->is_array || !v->array_origin);
}

static bool any_root(const struct session *s)
{
	for (size_t i = 0; i < s->prog.globals.n; i++)
		if (is_root(s->prog.globals.entries[i].value))
			return true;
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		for (size_t k = 0; k < s->prog.function_list.v[i]->locals.n; k++)
			if (!s->prog.function_list.v[i]->idle && is_root(s->prog.function_list.v[i]->locals.v[k]))
				return true;
	for (size_t i = 0; i < s->prog.probes.n; i++)
		for (size_t k = 0; k < s->prog.probes.v[i]->locals.n; k++)
			if (is_root(s->prog.probes.v[i]->locals.v[k]))
				return true;
	return false;
}

/* What no probe reaches may stay open (idle); a key of foreach whose array is open is told with the array. */
static void symbols(struct session *s, struct symbol *const *v, size_t n, const char *what, bool idle, bool roots)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]->type == T_UNKNOWN && idle)
			v[i]->type = T_LONG;
		else if (roots && !is_root(v[i]))
			continue;
		else if (v[i]->type == T_UNKNOWN && !v[i]->array_origin && (v[i]->read || v[i]->written || v[i]->is_param))
			open_type(s, v[i], what);
}

static void globals(struct session *s, bool roots)
{
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		struct symbol *v = s->prog.globals.entries[i].value;
		if (!v->read && !v->written)
			continue;
		if (v->type == T_UNKNOWN && (!roots || is_root(v)))
			open_type(s, v, "global");
		if (v->decl->nk && v->decl->k[0] && (v->is_array || v->type == T_STATS))
			s_error(s, v->decl->k[0]->loc, E_TYPE_MISMATCH, "only a scalar can have an initial value");
		if ((v->decl->flags & NF_WRAP) && !v->is_array)
			s_error(s, v->decl->loc, E_NOT_ARRAY, "\"%s\" is no array: the %% is for arrays, which then recycle their oldest elements",
				v->name);
		for (unsigned i2 = 0; i2 < v->nkeys && v->type != T_UNKNOWN; i2++)
			if (v->key[i2] == T_UNKNOWN)
				s_error(s, v->decl->loc, E_UNRESOLVED_TYPE, "the type of key %u of \"%s\" cannot be told", i2 + 1, v->name);
	}
}

static void embedded(struct session *s, const struct function *f)
{
	for (size_t i = 0; i < f->params.n; i++)
		if (f->params.v[i]->type == T_UNKNOWN)
			open_type(s, f->params.v[i], "parameter");
	for (size_t i = 0; i < f->embedded->uses.n; i++) {
		const struct symbol *v = f->embedded->uses.v[i].global;
		if (v->type != T_STATS)
			continue;
		struct diag *d = s_error(s, f->body->loc, E_EMBEDDED_GLOBAL, "embedded C cannot use \"%s\", which holds statistics", v->name);
		diag_hint(&s->diags, d, "give the value back to the script, and feed it there with <<<");
	}
}

int check_pass(struct session *s)
{
	bool roots = any_root(s);

	globals(s, roots);
	given_check(s);
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		struct function *f = s->prog.function_list.v[i];
		struct check c = {.s = s, .function = f};
		if (f->body->kind == N_EMBEDDED) {
			embedded(s, f);
			continue;
		}
		symbols(s, f->params.v, f->params.n, "parameter", f->idle, roots);
		symbols(s, f->locals.v, f->locals.n, "local", f->idle, roots);
		walk(&c, f->body);
	}
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct check c = {.s = s};
		entries_check(s, s->prog.probes.v[i]);
		for (size_t k = 0; k < s->prog.probes.v[i]->entries.n; k++)
			walk(&c, s->prog.probes.v[i]->entries.v[k]->value);
		symbols(s, s->prog.probes.v[i]->locals.v, s->prog.probes.v[i]->locals.n, "local", false, roots);
		walk(&c, s->prog.probes.v[i]->body);
	}
	return s->diags.errors ? -1 : 0;
}
