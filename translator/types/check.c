/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "check": rules that need types: every expression has one, statements are only where they are allowed, arrays are not changed
 * under a foreach.
 * Reads: the typed tree.  Writes: node.type where it is still unknown (long, where any type is right).
 */
#include <string.h>

#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"
#include "translator/resolve/given.h"
#include "translator/types/hints.h"
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
	struct diag *d = s_error(s, v->decl->loc, E_UNRESOLVED_TYPE, "the type of %s \"%s\" is not known", what, v->name);
	hints_open(s, d, v);
}

/* By n. */
static void changed(struct check *c, const struct node *n)
{
	const struct symbol *v = ast_variable(ast_changed(n))->sym;

	for (unsigned i = 0; v && i < c->nwalked; i++)
		if (c->walked[i] == v) {
			s_error(c->s, n->loc, E_FOREACH_MODIFIED, "the array \"%s\" is changed inside the foreach that walks over it",
				v->name);
			return;
		}
}

static void stars(struct check *c, const struct node *n)
{
	for (unsigned i = 0; i < INDEX_KEYS(n); i++)
		if (INDEX_KEY(n, i)->kind == N_STAR)
			s_error(c->s, INDEX_KEY(n, i)->loc, E_NOT_ARRAY, "* can be a key in foreach, delete and \"in\" only");
}

static void walk(struct check *c, struct node *n);

static void keys(struct check *c, const struct node *n)
{
	for (unsigned i = 0; i < ast_keys(n); i++)
		walk(c, ast_key(n, i));
}

static void foreach(struct check *c, struct node *n)
{
	const struct node *array = FOREACH_ARRAY(n);

	if (FOREACH_LIMIT(n))
		walk(c, FOREACH_LIMIT(n));
	if (array->kind == N_INDEX)
		keys(c, array);
	if (c->nwalked == sizeof c->walked / sizeof c->walked[0]) {
		s_error(c->s, n->loc, E_NOT_SUPPORTED, "foreach loops nested more than 32 deep are not supported");
		return;
	}
	c->walked[c->nwalked++] = ast_variable(array)->sym;
	walk(c, FOREACH_BODY(n));
	c->nwalked--;
}

static void delete(struct check *c, const struct node *n)
{
	const struct node *what = DELETE_WHAT(n);

	changed(c, n);
	if (what->kind == N_INDEX)
		keys(c, what);
	else if (what->kind != N_NAME)
		s_error(c->s, what->loc, E_NOT_ASSIGNABLE, "only variables, arrays and their elements can be deleted");
}

/* print(@hist_log(x)) is the one place where a histogram is a value. */
static void print(struct check *c, const struct node *n)
{
	bool one = !(n->flags & NF_FMT_FORMAT) && PRINT_VALUES(n) == 1;

	for (unsigned i = 0; i < PRINT_VALUES(n); i++) {
		struct node *value = PRINT_VALUE(n, i);
		walk(c, one && value->kind == N_STAT && value->type == T_STATS ? STAT_OF(value) : value);
	}
}

static void walk(struct check *c, struct node *n)
{
	switch (n->kind) {
	case N_RETURN:
		if (!RETURN_VALUE(n) && c->function && c->function->sym->type != T_VOID)
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
		changed(c, n);
		break;
	case N_DELETE:
		delete(c, n);
		return;
	case N_IN:
		keys(c, n);
		return;
	case N_INDEX:
		stars(c, n);
		if (INDEX_BASE(n)->kind == N_STAT) { /* a bucket */
			walk(c, STAT_OF(INDEX_BASE(n)));
			keys(c, n);
			return;
		}
		break;
	case N_STAT:
		if (n->type == T_STATS)
			s_error(c->s, n->loc, E_NOT_STATS, "a histogram can be printed, and its buckets read, but it is not a value");
		walk(c, STAT_OF(n));
		return;
	case N_PRINT:
		print(c, n);
		return;
	case N_BLOCK:
	case N_EMPTY:
	case N_EXPR:
	case N_IF:
	case N_FOR:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
	case N_TRY:
	case N_EMBEDDED:
	case N_NUMBER:
	case N_STRING:
	case N_NAME:
	case N_STAR:
	case N_UNARY:
	case N_BINARY:
	case N_TERNARY:
	case N_CALL:
	case N_PERF:
	case N_FETCH:
	case N_STORE:
	case N_SHOW:
	case N_ENUM_NAME:
	case N_ENTRY_VALUE:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		break;
	}
	AST_EACH(child, n)
		walk(c, *child);
}

/* Does nothing give it a value?  Only then its unknown type is reported; not that of what is assigned from it, or of its keys and values. */
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

/* Variables that no probe reaches (idle) may have no type.  A key of foreach is reported with its array. */
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

/* v has an initial value.  It may be one of the variables argc and argv_N, whose declarations nobody wrote. */
static void no_scalar(struct session *s, const struct symbol *v)
{
	const struct source *src = source_by_id(&s->sources, v->decl->loc.source);
	const struct node *use = v->is_array ? v->array_origin : v->type_origin;

	if (src && src->is_made && use)
		s_error(s, use->loc, E_TYPE_MISMATCH, "\"%s\" is %s, which cannot be used so", v->name,
			strcmp(v->name, "argc") ? "an argument of the script" : "the number of the script's arguments");
	else
		s_error(s, GLOBAL_VALUE(v->decl)->loc, E_TYPE_MISMATCH, "only a scalar can have an initial value");
}

static void globals(struct session *s, bool roots)
{
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		struct symbol *v = s->prog.globals.entries[i].value;
		if (!v->read && !v->written)
			continue;
		if (v->type == T_UNKNOWN && (!roots || is_root(v)))
			open_type(s, v, "global");
		if (GLOBAL_VALUE(v->decl) && (v->is_array || v->type == T_STATS))
			no_scalar(s, v);
		if ((v->decl->flags & NF_WRAP) && !v->is_array)
			s_error(s, v->decl->loc, E_NOT_ARRAY,
				"\"%s\" is not an array: the %% is for arrays, which then recycle their oldest elements", v->name);
		for (unsigned i2 = 0; i2 < v->nkeys && v->type != T_UNKNOWN; i2++)
			if (v->key[i2] == T_UNKNOWN)
				s_error(s, v->decl->loc, E_UNRESOLVED_TYPE, "the type of key %u of \"%s\" is not known", i2 + 1, v->name);
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
