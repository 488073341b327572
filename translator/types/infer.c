/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "infer": every expression, variable and function gets a type: long, string or stats.
 * Walks everything silently until nothing changes any more; then once more to report types that disagree or are unknown.
 * Reads: sym.  Writes: node.type, symbol.type and keys, needs of statistics.
 * After an error a node is T_ERROR, which agrees with everything.
 */

#include "base/intern.h"
#include "parser/format.h"
#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"
#include "translator/types/hints.h"
#include "translator/types/dropped.h"
#include "translator/types/undeclared.h"

struct infer {
	struct session *s;
	struct function *function; /* or NULL in a probe */
	bool changed;
	bool report;
	bool settles; /* what nothing says more about becomes a long: calls whose function returns nothing */
	const struct node *user;    /* the parent of the current node, and */
	const struct node *why;     /* what requires its type there; NULL if that is clear from the parent itself */
};

static enum type expr(struct infer *c, struct node *n, enum type want);
static void statement(struct infer *c, struct node *n);

static const char *article(enum type t)
{
	return t == T_LONG ? "a long" : t == T_STRING ? "a string" : t == T_STATS ? "statistics" : type_text(t);
}

/* Marks only while reporting: before that, the mark would hide what is to be reported. */
static enum type poison(const struct infer *c, struct node *n)
{
	if (c->report)
		n->type = T_ERROR;
	return T_ERROR;
}

static enum type mismatch(struct infer *c, struct node *n, enum type is, enum type want, struct node *origin)
{
	if (c->report) {
		struct diag *d = s_error(c->s, n->loc, E_TYPE_MISMATCH, "this is %s, and %s is needed", article(is), article(want));
		const struct node *why = c->why != n ? c->why : NULL;
		if (origin && origin != n && (n->kind != N_CALL || !why))
			diag_note(&c->s->diags, d, origin->loc, "the type follows from this");
		else
			origin = NULL;
		if (why && why != origin)
			diag_note(&c->s->diags, d, why->loc, origin ? "and the other here" : "the type follows from this");
		hints_mismatch(c->s, d, n, is, c->user);
		n->type = T_ERROR;
	}
	return T_ERROR;
}

/* An operand of user, which requires a type because of why (or NULL). */
static enum type operand(struct infer *c, const struct node *user, struct node *n, enum type want, const struct node *why)
{
	const struct node *outer = c->user, *outer_why = c->why;
	enum type t;

	c->user = user;
	c->why = why;
	t = expr(c, n, want);
	c->user = outer;
	c->why = outer_why;
	return t;
}

/* The function of the call returns nothing: 0 or "", whatever is required there. */
static enum type nothing(struct infer *c, struct node *n, enum type want)
{
	const struct node *body = n->sym->function->body;
	struct diag *d;

	if (want != T_LONG && want != T_STRING)
		want = n->type == T_UNKNOWN && c->settles ? T_LONG : n->type;
	if (want != n->type) {
		n->type = want;
		c->changed = true;
	}
	if (!c->report)
		return want;
	if (body->kind == N_EMBEDDED && embedded_returns_value(body->text)) {
		d = s_error(c->s, n->loc, E_NO_VALUE, "nothing says what the function \"%s\" returns", n->name);
		diag_hint(&c->s->diags, d, "C says it so: function %s:long(...), or :string", n->name);
		return poison(c, n);
	}
	s_error(c->s, n->loc, W_RETURNS_NOTHING, "the function \"%s\" returns nothing, so this is %s", n->name, want == T_STRING ? "\"\"" : "0");
	return want;
}

/* The type of n is t, and want is required. */
static enum type agree(struct infer *c, struct node *n, enum type t, enum type want, struct node *origin)
{
	if (n->type == T_ERROR || t == T_ERROR || want == T_ERROR)
		return poison(c, n);
	if (t == T_VOID && want != T_VOID && n->kind == N_CALL)
		return nothing(c, n, want);
	if (t == T_VOID && want != T_VOID && n->kind == N_PRINT) {
		if (!c->report)
			return T_ERROR; /* the place that requires it must not infer a type from it */
		s_error(c->s, n->loc, E_NO_VALUE, "a print has no value");
		return poison(c, n);
	}
	if (want == T_VOID)
		want = t; /* any type will do: the value is dropped */
	if (t != T_UNKNOWN && want != T_UNKNOWN && t != want && t != T_VOID)
		return mismatch(c, n, t, want, origin);
	if (t == T_UNKNOWN)
		t = want;
	if (t != n->type) {
		n->type = t;
		c->changed = true;
	}
	return t;
}

/* A variable (or key, or result) whose type is in *slot is used as want at n. */
static enum type settle(struct infer *c, enum type *slot, struct node **origin, struct node *n, enum type want)
{
	if (*slot == T_UNKNOWN && want != T_UNKNOWN && want != T_ERROR) {
		*slot = want;
		if (origin)
			*origin = n;
		c->changed = true;
	}
	return agree(c, n, *slot, want, origin ? *origin : NULL);
}

static void error_once(struct infer *c, struct node *n, enum diag_id id, const char *text, struct node *origin)
{
	if (c->report && n->type != T_ERROR) {
		struct diag *d = s_error(c->s, n->loc, id, "%s", text);
		if (origin && origin != n)
			diag_note(&c->s->diags, d, origin->loc, origin->kind == N_GLOBAL ? "declared here" : id == E_NOT_ARRAY ?
				  "here it is used as an array" : "declared or first used here");
		n->type = T_ERROR;
	}
}

/* A name that must be a global and is not one: reported at its first such use in the body; later ones are T_ERROR. */
static void not_global(struct infer *c, struct symbol *v, struct node *at, enum diag_id id, const char *what)
{
	if (c->report && at->type != T_ERROR && v->type != T_ERROR)
		undeclared_report(c->s, v, at, id, what);
	if (c->report)
		v->type = T_ERROR;
	poison(c, at);
}

/* The symbol is used as an array with the keys of n: N_INDEX, N_IN. */
static void keys(struct infer *c, struct symbol *v, struct node *n)
{
	unsigned count = ast_keys(n);

	if (v->kind != SYM_GLOBAL) {
		not_global(c, v, n, E_NOT_ARRAY, "array");
		return;
	}
	if (count > MAX_KEYS) {
		error_once(c, n, E_KEY_COUNT, "an array has at most 9 keys", NULL);
		return;
	}
	if (!v->nkeys) {
		v->is_array = true;
		v->nkeys = count;
		v->array_origin = n;
		c->changed = true;
	} else if (v->nkeys != count) {
		error_once(c, n, E_KEY_COUNT,
			   arena_printf(&c->s->arena, "the array \"%s\" has %u key%s, not %u", v->name, v->nkeys,
					str_plural(v->nkeys), count), v->array_origin);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		struct node *key = ast_key(n, i);
		if (key->kind != N_STAR)
			settle(c, &v->key[i], &v->key_origin[i], key, operand(c, NULL, key, v->key[i], v->key_origin[i]));
	}
}

static enum type name(struct infer *c, struct node *n, enum type want)
{
	struct symbol *v = n->sym;

	if (v->is_array && v->type == T_ERROR)
		return poison(c, n); /* one message for each variable */
	if (v->is_array) {
		error_once(c, n, E_NOT_ARRAY, arena_printf(&c->s->arena, "\"%s\" is an array: it needs its keys here", v->name),
			   v->array_origin ? v->array_origin : v->decl);
		if (c->report)
			v->type = T_ERROR;
		return n->type;
	}
	if (v->type == T_ERROR)
		return poison(c, n); /* reported where it was settled */
	if (v->kind == SYM_LOCAL && want == T_STATS) {
		not_global(c, v, n, E_NOT_STATS, "statistic");
		return n->type;
	}
	if (v->type == T_STATS && want != T_STATS) {
		error_once(c, n, E_NOT_STATS,
			   arena_printf(&c->s->arena, "\"%s\" holds statistics: read it with @count(%s) and the like", v->name, v->name),
			   v->type_origin);
		return n->type;
	}
	if (want == T_STATS && (v->type == T_LONG || v->type == T_STRING)) {
		error_once(c, n, E_NOT_STATS, arena_printf(&c->s->arena, "\"%s\" is %s, and holds no statistics", v->name,
							   article(v->type)), v->type_origin);
		return n->type;
	}
	return settle(c, &v->type, &v->type_origin, n, want);
}

static enum type element(struct infer *c, struct node *n, enum type want)
{
	struct node *base = INDEX_BASE(n);
	struct symbol *v = base->sym;

	if (base->kind == N_STAT) { /* a bucket of a histogram */
		expr(c, base, T_UNKNOWN);
		for (unsigned i = 0; i < INDEX_KEYS(n); i++)
			expr(c, INDEX_KEY(n, i), T_LONG);
		return agree(c, n, T_LONG, want, n);
	}
	if (!v) {
		error_once(c, n, E_NOT_ARRAY, "this has no elements", NULL);
		return n->type;
	}
	keys(c, v, n);
	if (n->type == T_ERROR)
		return T_ERROR;
	if (v->type == T_STATS && want != T_STATS) {
		error_once(c, n, E_NOT_STATS,
			   arena_printf(&c->s->arena, "\"%s\" holds statistics: read it with @count(%s[...]) and the like", v->name,
					v->name), v->type_origin);
		return n->type;
	}
	return settle(c, &v->type, &v->type_origin, n, want);
}

/* A local of a function to which values are added, and which nothing reads: no statistics are needed. */
static bool is_fed_only(const struct node *to)
{
	return to->kind == N_NAME && to->sym->kind == SYM_LOCAL && !to->sym->is_param && !to->sym->read;
}

static enum type assign(struct infer *c, struct node *n, enum type want)
{
	struct node *to = ASSIGN_TO(n), *value = ASSIGN_VALUE(n);
	enum type t;

	if (to->kind != N_NAME && to->kind != N_INDEX) {
		error_once(c, to, E_NOT_ASSIGNABLE, "this cannot be assigned to", NULL);
		return poison(c, n);
	}
	if (n->op == OP_STAT_ADD && c->function && is_fed_only(to))
		n->op = OP_SET;
	if (n->op == OP_STAT_ADD) {
		expr(c, to, T_STATS);
		expr(c, value, T_LONG);
		return agree(c, n, T_LONG, want, n);
	}
	t = n->op == OP_SET ? want : n->op == OP_CAT ? T_STRING : T_LONG;
	t = operand(c, n, to, t, NULL);
	if (t == T_ERROR)
		return poison(c, n);

	const struct symbol *v = ast_variable(to)->sym;

	t = operand(c, n, value, t, v ? v->type_origin : NULL);
	if (t == T_ERROR || t == T_VOID)
		return poison(c, n);
	expr(c, to, t);
	return agree(c, n, t, want, n);
}

static enum type call(struct infer *c, struct node *n, enum type want)
{
	struct symbol *f = n->sym;

	if (!f)
		return poison(c, n);
	for (unsigned i = 0; i < CALL_ARGS(n); i++) {
		struct symbol *p = f->function->params.v[i];
		enum type t = operand(c, n, CALL_ARG(n, i), p->type, p->type_origin ? p->type_origin : p->decl);
		settle(c, &p->type, &p->type_origin, CALL_ARG(n, i), t);
	}
	if (want != T_VOID && f->function->body->kind == N_EMBEDDED) /* only its use shows what C returns */
		return settle(c, &f->type, &f->type_origin, n, want);
	return agree(c, n, f->type, want, f->type_origin);
}

/* A parameter or the result has the same type in two overloads. */
static void unify(struct infer *c, struct symbol *a, struct symbol *b, const char *what)
{
	if (a->type == b->type || a->type == T_ERROR || b->type == T_ERROR)
		return;
	if (a->type == T_UNKNOWN || b->type == T_UNKNOWN) {
		struct symbol *open = a->type == T_UNKNOWN ? a : b, *known = open == a ? b : a;
		open->type = known->type;
		open->type_origin = known->type_origin;
		c->changed = true;
		return;
	}
	if (!c->report)
		return;
	struct diag *d = s_error(c->s, b->decl->loc, E_TYPE_MISMATCH, "%s \"%s\" is %s here, and %s in another function of the name",
				 what, b->name, article(b->type), article(a->type));
	diag_note(&c->s->diags, d, a->type_origin ? a->type_origin->loc : a->decl->loc, "the type follows from this");
	b->type = T_ERROR;
}

static void overloads(struct infer *c, struct function *first)
{
	for (struct function *f = first->overload; f; f = f->overload) {
		if (!f->bound)
			continue; /* of the tapset, and never reached */
		for (size_t i = 0; i < f->params.n; i++)
			unify(c, first->params.v[i], f->params.v[i], "the parameter");
		unify(c, first->sym, f->sym, "the function");
	}
}

static void print(struct infer *c, struct node *n)
{
	if (n->flags & NF_FMT_FORMAT) {
		struct format f;
		if (format_parse(&c->s->arena, n->text, intern_len(n->text), &f, NULL))
			return; /* the parser has reported it */
		for (unsigned i = 0; i < PRINT_VALUES(n) && i < f.nargs; i++)
			operand(c, n, PRINT_VALUE(n, i), f.types[i], NULL);
		return;
	}
	for (unsigned i = 0; i < PRINT_VALUES(n); i++)
		expr(c, PRINT_VALUE(n, i), T_UNKNOWN);
}

static void histogram(struct infer *c, struct node *n, struct symbol *v)
{
	int64_t p[3] = {0}, most = session_limit(c->s, "STP_MAX_BUCKETS") - RT_LINEAR_ENDS;

	for (unsigned i = 0; i < STAT_PARAMETERS(n) && i < 3; i++)
		p[i] = STAT_PARAMETER(n, i)->num;
	if (n->op == OP_HIST_LINEAR &&
	    (STAT_PARAMETERS(n) != 3 || p[2] <= 0 || p[1] <= p[0] ||
	     ((uint64_t)p[1] - (uint64_t)p[0]) / (uint64_t)p[2] > (uint64_t)most)) {
		error_once(c, n, E_HISTOGRAM_CUT,
			   arena_printf(&c->s->arena,
					"@hist_linear takes (x, low, high, step) with low < high, step > 0 and at most %lld buckets",
					(long long)most),
			   NULL);
		return;
	}
	if (v->hist == OP_NONE) {
		v->hist = n->op;
		v->hist_low = p[0];
		v->hist_high = p[1];
		v->hist_step = p[2];
		v->hist_origin = n;
	} else if (v->hist != n->op || v->hist_low != p[0] || v->hist_high != p[1] || v->hist_step != p[2]) {
		error_once(c, n, E_HISTOGRAM_CUT, arena_printf(&c->s->arena, "\"%s\" has another histogram elsewhere", v->name),
			   v->hist_origin);
	}
}

static void permille(struct infer *c, struct node *n)
{
	const struct node *of = n->kind == N_UNARY && n->op == OP_NEG ? UNARY_OPERAND(n) : NULL;
	bool negative = of && of->kind == N_NUMBER && of->num > 0;

	expr(c, n, T_LONG);
	if (negative || (n->kind == N_NUMBER && (n->num < 0 || n->num > 1000)))
		error_once(c, n, E_PERMILLE, "@quantile takes 0 to 1000 thousandths: 990 is the 99th percentile", NULL);
}

static enum type stat(struct infer *c, struct node *n, enum type want)
{
	struct node *base = STAT_OF(n);
	struct symbol *v = ast_variable(base)->sym;

	if (!v || (base->kind != N_NAME && base->kind != N_INDEX)) {
		error_once(c, n, E_NOT_STATS, arena_printf(&c->s->arena, "%s takes a statistics variable or array element", op_text(n->op)), NULL);
		return n->type;
	}
	if (expr(c, base, T_STATS) == T_ERROR)
		return poison(c, n);
	if (n->op == OP_QUANTILE)
		permille(c, STAT_PARAMETER(n, 0));
	for (unsigned i = 0; i < STAT_PARAMETERS(n) && n->op != OP_QUANTILE; i++)
		if (STAT_PARAMETER(n, i)->kind != N_NUMBER)
			error_once(c, STAT_PARAMETER(n, i), E_HISTOGRAM_CUT, "this parameter must be a number", NULL);
	if (n->op == OP_HIST_LOG || n->op == OP_HIST_LINEAR) {
		histogram(c, n, v);
		return n->type == T_ERROR ? T_ERROR : agree(c, n, T_STATS, want == T_UNKNOWN ? T_STATS : want, n);
	}
	v->needs_variance |= n->op == OP_VARIANCE;
	v->needs_quantile |= n->op >= OP_P50 && n->op <= OP_QUANTILE;
	return agree(c, n, T_LONG, want, n);
}

static bool is_string(const struct node *n)
{
	return n->kind == N_STRING || (n->kind == N_NAME && n->sym && n->sym->type == T_STRING) ||
	       (n->kind == N_CALL && n->sym && n->sym->type == T_STRING);
}

static enum type binary(struct infer *c, struct node *n, enum type want)
{
	struct node *left = BINARY_LEFT(n), *right = BINARY_RIGHT(n);
	enum type t;

	switch (op_kind(n->op)) {
	case OPK_CAT:
		operand(c, n, left, T_STRING, NULL);
		operand(c, n, right, T_STRING, NULL);
		return agree(c, n, T_STRING, want, n);
	case OPK_CMP:
		t = operand(c, n, left, right->type == T_ERROR ? T_UNKNOWN : right->type, right);
		t = operand(c, n, right, t == T_ERROR ? T_UNKNOWN : t, left);
		if (left->type == T_UNKNOWN && t != T_ERROR)
			expr(c, left, t);
		return agree(c, n, T_LONG, want, n);
	case OPK_NONE:
	case OPK_UN:
	case OPK_BIN:
	case OPK_RE:
	case OPK_LOG:
	case OPK_ASG:
	case OPK_STAT:
	case OPK_ITER:
		break;
	}
	t = operand(c, n, left, T_LONG, NULL);
	if (t == T_ERROR && c->report && n->op == OP_ADD && is_string(right))
		poison(c, right); /* "a" + "b" is one mistake */
	operand(c, n, right, T_LONG, NULL);
	return agree(c, n, T_LONG, want, n);
}

static enum type in(struct infer *c, struct node *n, enum type want)
{
	struct node *array = IN_ARRAY(n);

	if (array->kind == N_NAME && array->sym) {
		keys(c, array->sym, n);
	} else if (array->kind == N_STAT) { /* is it the number of a bucket? */
		expr(c, array, T_UNKNOWN);
		if (IN_KEYS(n) != 1 || IN_KEY(n, 0)->kind == N_STAR)
			error_once(c, n, E_KEY_COUNT, "the buckets of a histogram have one number", NULL);
		else
			expr(c, IN_KEY(n, 0), T_LONG);
	} else {
		error_once(c, n, E_NOT_ARRAY, "\"in\" needs the name of an array or a histogram on its right", NULL);
	}
	return n->type == T_ERROR ? T_ERROR : agree(c, n, T_LONG, want, n);
}

static enum type ternary(struct infer *c, struct node *n, enum type want)
{
	struct node *then = TERNARY_THEN(n), *otherwise = TERNARY_ELSE(n);
	enum type t;

	operand(c, n, TERNARY_CONDITION(n), T_LONG, NULL);
	t = operand(c, n, then, want, c->why);
	t = operand(c, n, otherwise, t == T_UNKNOWN ? want : t, then);
	if (then->type == T_UNKNOWN)
		expr(c, then, t);
	return agree(c, n, t, want, n);
}

static enum type count(struct infer *c, struct node *n, enum type want)
{
	struct node *of = INCDEC_OF(n);

	if (of->kind != N_NAME && of->kind != N_INDEX)
		error_once(c, of, E_NOT_ASSIGNABLE, "this cannot be changed", NULL);
	else
		expr(c, of, T_LONG);
	return agree(c, n, T_LONG, want, n);
}

static enum type expr(struct infer *c, struct node *n, enum type want)
{
	switch (n->kind) {
	case N_NUMBER:
		return agree(c, n, n->type == T_ERROR ? T_ERROR : T_LONG, want, n);
	case N_STRING:
		return agree(c, n, T_STRING, want, n);
	case N_NAME:
		return name(c, n, want);
	case N_INDEX:
		return element(c, n, want);
	case N_UNARY:
		operand(c, n, UNARY_OPERAND(n), T_LONG, NULL);
		return agree(c, n, T_LONG, want, n);
	case N_BINARY:
		return binary(c, n, want);
	case N_REGEX:
		operand(c, n, REGEX_SUBJECT(n), T_STRING, NULL);
		expr(c, REGEX_PATTERN(n), T_STRING);
		return agree(c, n, T_LONG, want, n);
	case N_TERNARY:
		return ternary(c, n, want);
	case N_ASSIGN:
		return assign(c, n, want);
	case N_INCDEC:
		return count(c, n, want);
	case N_IN:
		return in(c, n, want);
	case N_CALL:
		return call(c, n, want);
	case N_PRINT:
		print(c, n);
		return agree(c, n, n->flags & NF_FMT_STRING ? T_STRING : T_VOID, want, n);
	case N_STAT:
		return stat(c, n, want);
	case N_FETCH:
	case N_STORE:
		AST_EACH(input, n)
			expr(c, *input, T_LONG);
		return agree(c, n, T_LONG, want, n);
	case N_SHOW:
	case N_ENUM_NAME:
		AST_EACH(value, n)
			expr(c, *value, T_LONG);
		return agree(c, n, T_STRING, want, n);
	case N_ENTRY_VALUE:
		return settle(c, &n->sym->type, &n->sym->type_origin, n, want);
	case N_STAR:
	case N_PERF:
	CASES_OF_STATEMENTS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		break; /* bind has refused it */
	}
	return poison(c, n);
}

static struct node *mention(struct node *n, const struct symbol *v)
{
	if (n->kind == N_NAME && n->sym == v)
		return n;
	AST_EACH(child, n) {
		struct node *found = mention(*child, v);
		if (found)
			return n->kind == N_STAT && STAT_OF(n) == found ? n : found;
	}
	return NULL;
}

/*
 * The value variable of a foreach over statistics.  Nothing is copied to it: @count(v) and the like were made operators on the element
 * (element.c), so any other mention is a mistake.
 */
static void no_value(struct infer *c, struct node *n, const struct symbol *v)
{
	struct symbol *own = FOREACH_VALUE(n)->sym;
	struct node *at = own->kind == SYM_LOCAL ? mention(FOREACH_BODY(n), own) : FOREACH_VALUE(n);

	if (!c->report)
		return;
	if (own->kind != SYM_LOCAL)
		error_once(c, at, E_NOT_STATS, arena_printf(&c->s->arena, "\"%s\" is a global, and the value of \"%s\" is statistics", own->name,
							    v->name), own->decl);
	else if (at && at->kind == N_STAT)
		error_once(c, at, E_NOT_STATS,
			   arena_printf(&c->s->arena, "the loop may change a key or \"%s\", so this is not an element: write %s(%s[...])", own->name,
					op_text(at->op), v->name), own->decl);
	else if (at)
		error_once(c, at, E_NOT_STATS,
			   arena_printf(&c->s->arena, "\"%s\" holds statistics: read it with @count(%s) and the like", own->name,
					own->name), v->type_origin);
	if (at)
		own->type = T_ERROR;
	if (own->type == T_UNKNOWN && !own->read)
		own->type = T_LONG; /* nothing uses it */
	FOREACH_VALUE(n) = NULL;
}

static void value(struct infer *c, struct node *n, struct symbol *v)
{
	struct node *name = FOREACH_VALUE(n);

	if (v->type == T_STATS) {
		no_value(c, n, v);
		return;
	}
	if (name->sym->type == T_UNKNOWN)
		name->sym->array_origin = FOREACH_ARRAY(n);
	settle(c, &v->type, &v->type_origin, name, expr(c, name, v->type));
}

static void foreach(struct infer *c, struct node *n)
{
	struct node *array = FOREACH_ARRAY(n);
	struct symbol *v = ast_variable(array)->sym;
	unsigned count = FOREACH_KEYS(n);

	if ((array->kind != N_NAME && array->kind != N_INDEX) || !v) {
		error_once(c, array, E_NOT_ARRAY, "foreach needs a global array", NULL);
		return;
	}
	if (v->kind != SYM_GLOBAL) {
		not_global(c, v, array, E_NOT_ARRAY, "array");
		return;
	}
	if (array->kind == N_INDEX)
		keys(c, v, array);
	if (!v->nkeys && count <= MAX_KEYS) {
		v->is_array = true;
		v->nkeys = count;
		v->array_origin = array;
		c->changed = true;
	}
	if (v->nkeys != count) {
		error_once(c, array, E_KEY_COUNT,
			   arena_printf(&c->s->arena, "the array \"%s\" has %u key%s, not %u", v->name, v->nkeys,
					str_plural(v->nkeys), count), v->array_origin);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		struct node *key = FOREACH_KEY(n, i);
		if (key->sym->type == T_UNKNOWN)
			key->sym->array_origin = array;
		settle(c, &v->key[i], &v->key_origin[i], key, operand(c, NULL, key, v->key[i], v->key_origin[i]));
		/* this loop gives the variable the type that the key has elsewhere: that is the place that messages show */
		if (key->sym->type_origin == key && v->key_origin[i])
			key->sym->type_origin = v->key_origin[i];
	}
	if (n->sort_stat != OP_COUNT && v->type != T_UNKNOWN && v->type != T_STATS)
		error_once(c, array, E_NOT_STATS,
			   arena_printf(&c->s->arena, "\"%s\" holds no statistics that it could be sorted by", v->name), v->type_origin);
	if (FOREACH_VALUE(n))
		value(c, n, v);
	if (FOREACH_LIMIT(n))
		expr(c, FOREACH_LIMIT(n), T_LONG);
	if (n->op && !n->num && v->type == T_STATS) {
		v->needs_variance |= n->sort_stat == OP_VARIANCE;
		v->needs_quantile |= n->sort_stat >= OP_P50 && n->sort_stat <= OP_P99;
	}
}

/* An expression whose value is dropped: any type will do, even none. */
static void dropped(struct infer *c, struct node *n)
{
	expr(c, n, n->kind == N_CALL || n->kind == N_PRINT ? T_VOID : T_UNKNOWN);
}

static void ret(struct infer *c, struct node *n)
{
	struct symbol *f = c->function ? c->function->sym : NULL;

	struct node *value = RETURN_VALUE(n);

	if (!value)
		return;
	enum type t = operand(c, n, value, f && f->type != T_VOID ? f->type : T_UNKNOWN, f ? f->type_origin : NULL);
	if (f && f->type == T_UNKNOWN && (t == T_LONG || t == T_STRING)) {
		f->type = t;
		f->type_origin = value;
		c->changed = true;
	}
}

static void delete(struct infer *c, struct node *what)
{
	struct symbol *v = ast_variable(what)->sym;

	if (what->kind == N_INDEX && v)
		keys(c, v, what);
}

static void statement(struct infer *c, struct node *n)
{
	switch (n->kind) {
	case N_EXPR:
		dropped(c, EXPR_VALUE(n));
		return;
	case N_IF:
		operand(c, n, IF_CONDITION(n), T_LONG, NULL);
		statement(c, IF_THEN(n));
		if (IF_ELSE(n))
			statement(c, IF_ELSE(n));
		return;
	case N_FOR:
		if (FOR_INIT(n))
			dropped(c, FOR_INIT(n));
		if (FOR_CONDITION(n))
			operand(c, n, FOR_CONDITION(n), T_LONG, NULL);
		if (FOR_STEP(n))
			dropped(c, FOR_STEP(n));
		statement(c, FOR_BODY(n));
		return;
	case N_FOREACH:
		foreach(c, n);
		statement(c, FOREACH_BODY(n));
		return;
	case N_RETURN:
		ret(c, n);
		return;
	case N_DELETE:
		delete(c, DELETE_WHAT(n));
		return;
	case N_TRY:
		statement(c, TRY_BODY(n));
		if (TRY_VARIABLE(n))
			expr(c, TRY_VARIABLE(n), T_STRING);
		statement(c, TRY_HANDLER(n));
		return;
	case N_BLOCK:
		for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++)
			statement(c, BLOCK_STATEMENT(n, i));
		return;
	case N_EMPTY:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		return;
	}
}

/* What is saved at a function's entry: a variable that is assigned once. */
static void saved(struct infer *c, struct entry *x)
{
	enum type t = expr(c, x->value, x->sym->type);

	if (t == T_LONG || t == T_STRING)
		settle(c, &x->sym->type, &x->sym->type_origin, x->value, t);
}

static void walk(struct infer *c)
{
	for (size_t i = 0; i < c->s->prog.function_list.n; i++) {
		c->function = c->s->prog.function_list.v[i];
		if (c->function->body->kind != N_EMBEDDED)
			statement(c, c->function->body);
		if (c->function->first == c->function)
			overloads(c, c->function);
	}
	c->function = NULL;
	for (size_t i = 0; i < c->s->prog.probes.n; i++) {
		struct probe *p = c->s->prog.probes.v[i];
		for (size_t k = 0; k < p->entries.n; k++)
			saved(c, p->entries.v[k]);
		statement(c, p->body);
	}
}

/* Does the body return a value anywhere? */
static bool returns_value(const struct node *n)
{
	if (n->kind == N_RETURN)
		return RETURN_VALUE(n);
	if (n->kind == N_EMBEDDED)
		return embedded_returns_value(n->text);
	AST_EACH(child, n)
		if (returns_value(*child))
			return true;
	return false;
}

/* Does one of the functions that a call may run return a value? */
static bool has_value(const struct function *f)
{
	for (; f; f = function_next(f))
		if (f->sym->type != T_UNKNOWN || returns_value(f->body))
			return true;
	return false;
}

/* A C function without a declared type whose result is never used returns none. */
static bool close_unused(struct session *s)
{
	bool changed = false;

	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		struct function *f = s->prog.function_list.v[i];
		if (f->sym->type != T_UNKNOWN || f->body->kind != N_EMBEDDED)
			continue;
		f->sym->type = T_VOID;
		changed = true;
	}
	return changed;
}

/* True once: then there is more to infer. */
static bool settle_calls(struct infer *c)
{
	bool first = !c->settles;

	c->settles = true;
	return first;
}

int infer_pass(struct session *s)
{
	struct infer c = {.s = s};

	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		struct function *f = s->prog.function_list.v[i];
		if (f->sym->type == T_UNKNOWN && !has_value(f->first) && !has_value(f) && !dropped_returns(s, f))
			f->sym->type = T_VOID;
	}
	do {
		c.changed = false;
		walk(&c);
	} while (c.changed || dropped_settle(s) || close_unused(s) || settle_calls(&c));
	c.report = true;
	walk(&c);
	return s->diags.errors ? -1 : 0;
}
