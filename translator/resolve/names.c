/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "bind": names -> symbols.  A name is a global, a parameter, or else a local of its probe or function.
 * $variables become fetch programs (target.c); @defined becomes 0 or 1, and what it excludes is dropped unseen.
 * Reads: prog.probes, declarations.  Writes: node.sym, prog.function_list (functions that something calls), locals.
 * Afterwards: no N_TARGET, N_MEMBER, N_ADDRESS, N_PRETTY, N_CAST, N_DEFINED, N_ENTRY, N_ATVAR, N_ATOP.
 */
#include <string.h>

#include "base/intern.h"
#include "parser/habit.h"
#include "translator/limits.h"
#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"
#include "translator/resolve/given.h"
#include "translator/resolve/resolve.h"
#include "translator/resolve/select.h"
#include "translator/resolve/signature.h"
#include "translator/types/dropped.h"

/* The call that led to the function being bound. */
struct call {
	struct loc loc;
	const struct call *outer;
};

struct binder {
	struct session *s;
	struct view view;          /* what $variables mean */
	struct function *function; /* whose body it is, or NULL: the probe's */
	bool at_entry;             /* inside @entry() */
	const struct call *call;   /* that led into the function, for messages */
	bool asking;               /* inside @defined(): nothing is read */
};

static void bind(struct binder *b, struct node **np);

/*
 * The global that the name means.  A function of the tapset does not see the script's globals: the name is a local there.  The
 * variables of an alias of the tapset are shared with the body, so there a global of the script is meant, with a warning.
 */
static struct symbol *visible_global(struct binder *b, const struct node *n)
{
	struct session *s = b->s;
	struct symbol *v = declare_find_global(s, n->name, n->loc);

	if (!v || (v->decl->flags & NF_TAPSET) || !session_in_tapset(s, n->loc))
		return v;
	if (b->function)
		return NULL;
	struct diag *d = s_error(s, v->decl->loc, W_CROSS_FILE, "the tapset uses a variable \"%s\" too, which becomes this global",
				 v->name);
	diag_note(&s->diags, d, n->loc, "here");
	diag_hint(&s->diags, d, "rename the global if the two have nothing to do with each other");
	return v;
}

static struct symbol *lookup(struct binder *b, struct node *n)
{
	struct map *scope = b->function ? &b->function->scope : &b->view.probe->scope;
	struct symbol *v = map_get(scope, n->name);

	if (!v && (v = visible_global(b, n)))
		declare_used(b->s, v->decl);
	if (b->at_entry && (!v || v->kind == SYM_LOCAL)) {
		struct diag *d = s_error(b->s, n->loc, E_ENTRY, "\"%s\" is a local variable: it has no value when the function is entered",
					 n->name);
		diag_hint(&b->s->diags, d, "@entry() can use target variables, globals and functions");
	}
	if (v)
		return v;
	v = arena_new(&b->s->arena, struct symbol);
	v->kind = SYM_LOCAL;
	v->name = n->name;
	v->decl = n;
	map_set(&b->s->arena, scope, n->name, v);
	if (!b->function) {
		v->index = (unsigned)b->view.probe->locals.n;
		vec_push(&b->s->arena, &b->view.probe->locals, v);
	} else {
		v->index = (unsigned)(b->function->params.n + b->function->locals.n);
		vec_push(&b->s->arena, &b->function->locals, v);
	}
	return v;
}

static void bind_children(struct binder *b, struct node *n)
{
	AST_EACH(child, n)
		bind(b, child);
}

static void bind_name(struct binder *b, struct node *n, bool write, bool read)
{
	n->sym = lookup(b, n);
	n->sym->written |= write && !b->asking;
	n->sym->read |= read && !b->asking;
}

/* array[keys]: only an element of the array is read. */
static void bind_element(struct binder *b, struct node *n, bool write, bool read)
{
	bind_name(b, INDEX_BASE(n), write, read);
	for (unsigned i = 0; i < INDEX_KEYS(n); i++)
		bind(b, &INDEX_KEY(n, i));
}

/* What is assigned to: a name, an element, or something that is refused later, by the checks. */
static void bind_lvalue(struct binder *b, struct node **np, bool read)
{
	struct node *n = *np;

	if (n->kind == N_NAME) {
		bind_name(b, n, true, read);
	} else if (n->kind == N_INDEX && INDEX_BASE(n)->kind == N_NAME) {
		bind_element(b, n, true, read);
	} else {
		bind(b, np);
	}
}

static bool is_operator(const char *name)
{
	static const char *const names[] = {"count", "sum", "min", "max", "avg", "variance", "hist_log", "hist_linear",
					    "cast", "defined", "entry", "var", "enum"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* "count()", "sum($size)", "max(a, b)": not of statistics. */
static bool is_of_a_value(struct session *s, const struct node *call)
{
	const struct node *of = CALL_ARGS(call) == 1 ? CALL_ARG(call, 0) : NULL;

	if (of && of->kind == N_INDEX)
		of = INDEX_BASE(of);
	return habit_known(HABIT_CALL, call->name) && !(of && of->kind == N_NAME && declare_find_global(s, of->name, of->loc));
}

static void unknown_function(struct binder *b, struct node *n)
{
	struct session *s = b->s;
	struct nearest near;
	const char *const *others;

	if (signature_report(s, n) || foreign_function(s, n))
		return;
	struct diag *d = s_error(s, n->loc, E_UNKNOWN_FUNCTION, "there is no function \"%s\"", n->name);
	if (is_operator(n->name) && !is_of_a_value(s, n)) {
		diag_hint(&s->diags, d, "this is an operator, written @%s", n->name);
		return;
	}
	if (map_get(b->function ? &b->function->scope : &b->view.probe->scope, n->name) || declare_find_global(s, n->name, n->loc)) {
		diag_hint(&s->diags, d, "\"%s\" is a variable; the keys of an array belong in brackets: %s[...]", n->name, n->name);
		return;
	}
	if (CALL_ARGS(n) == 2 && (!strcmp(n->name, "min") || !strcmp(n->name, "max"))) {
		diag_hint(&s->diags, d, "of two values it is: a %c b ? a : b", n->name[1] == 'i' ? '<' : '>');
		return;
	}
	if (!foreign_is_misspelt(s, n) && habit_hint(&s->diags, d, HABIT_CALL, n->name))
		return;
	nearest_init(&near, n->name);
	nearest_add(&near, "print");
	nearest_add(&near, "printf");
	nearest_add(&near, "println");
	nearest_add(&near, "sprintf");
	for (size_t i = 0; i < s->prog.functions.n; i++)
		nearest_add(&near, ((const struct symbol *)s->prog.functions.entries[i].value)->name);
	for (size_t i = select_others(s->select, &others); i--;)
		nearest_add(&near, others[i]);
	diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena));
}

void function_use(struct session *s, struct function *f)
{
	struct binder b = {.s = s, .function = f};

	if (f->bound)
		return;
	f->bound = true;
	declare_used(s, f->decl);
	vec_push(&s->arena, &s->prog.function_list, f);
	if (f->body->kind == N_EMBEDDED)
		embedded_bind(s, f);
	else
		bind(&b, &f->body);
}

static bool any_in_context(const struct function *f)
{
	while (f && !f->in_context)
		f = function_next(f);
	return f;
}

/* The probe has its own copy of a function that uses $variables. */
static void use_copy(struct binder *b, struct node *n)
{
	struct function *first = context_copy(b->s, b->view, n->sym->function);
	struct call call = {n->loc, b->call};

	n->sym = first->sym;
	for (struct function *f = first; f; f = function_next(f)) {
		struct binder inside = {.s = b->s, .view = b->view, .function = f, .call = &call};
		if (f->bound)
			continue;
		f->bound = true;
		vec_push(&b->s->arena, &b->s->prog.function_list, f);
		if (f->body->kind == N_EMBEDDED)
			embedded_bind(b->s, f);
		else
			bind(&inside, &f->body);
	}
}

/*
 * A function with the tag "guru" can be called by the tapset and in guru mode.  In Spile's own tapset that makes the caller such a
 * function too: there, what calls one does the same by another name.
 */
static void check_guru(struct binder *b, const struct node *call, const struct function *f)
{
	struct session *s = b->s;

	if (!f->needs_guru && !(f->embedded && f->embedded->tags & EMBEDDED_GURU))
		return;
	if (b->function && embedded_is_own(s, call->loc))
		b->function->needs_guru = true;
	if (session_is_trusted(s, call->loc))
		return;
	struct diag *d = s_error(s, call->loc, E_GURU, "the function \"%s\" needs the option -g", f->sym->name);
	diag_hint(&s->diags, d, "it can change the kernel: give -g if you trust the script");
}

/* Was the same error reported when this place was bound for another point of the probe? */
static bool was_reported(const struct diags *ds, const struct diag *d)
{
	for (const struct diag *o = ds->first; o; o = o->next)
		if (o->id == d->id && o->loc.source == d->loc.source && o->loc.off == d->loc.off &&
		    o->loc.expansion == d->loc.expansion)
			return true;
	return false;
}

/* Adds to the messages the calls that led to this function, and passes them on. */
static void pass_on(struct binder *b, struct diags *own)
{
	if (own->first && own->first->level == DIAG_ERROR && was_reported(&b->s->diags, own->first))
		return;
	for (struct diag *d = own->first; d; d = d->next)
		for (const struct call *c = b->call; c; c = c->outer)
			diag_note(own, d, c->loc, "called from here");
	diag_move(&b->s->diags, own);
}

static void bind_call(struct binder *b, struct node *n)
{
	struct symbol *f = declare_find_function(b->s, n->name, CALL_ARGS(n), n->loc);

	bind_children(b, n);
	if (!f) {
		unknown_function(b, n);
		n->type = T_ERROR;
		return;
	}
	n->sym = f;
	if (any_in_context(f->function))
		use_copy(b, n);
	else
		for (struct function *g = f->function; g; g = function_next(g)) {
			function_use(b->s, g);
			check_guru(b, n, g);
		}
}

/* C in an expression, or @const(...), becomes the call of a function. */
static void bind_embedded(struct binder *b, struct node **np)
{
	struct node *n = *np, *call;

	if (n->kind == N_ATOP && !session_is_trusted(b->s, n->loc)) {
		struct diag *d = s_error(b->s, n->loc, E_GURU, "@const needs the option -g");
		diag_hint(&b->s->diags, d, "the constants of enums are there without it: @enum(\"...\")");
	}
	call = ast_new(&b->s->arena, N_CALL, n->loc, 0);
	call->sym = embedded_expression(b->s, n)->sym;
	call->name = call->sym->name;
	function_use(b->s, call->sym->function);
	*np = call;
}

/* What @defined finds out about an expression: whether it has parts that depend on the target, and whether all of these exist. */
enum found { FOUND_NOTHING, FOUND_DEFINED, FOUND_LATER, FOUND_UNDEFINED };

static enum found defined(struct binder *b, const struct node *n, bool outermost);

static enum found all_defined(struct binder *b, const struct node *n, enum found found)
{
	AST_EACH(child, n) {
		enum found part = defined(b, *child, false);
		if (part == FOUND_UNDEFINED)
			return part;
		found = part > found ? part : found; /* in the order of the enum */
	}
	return found;
}

/* A part that is resolved as a whole; the subscripts and operands in it, too. */
static enum found target_defined(struct binder *b, const struct node *n)
{
	struct diags quiet = {.is_question = true, .arena = &b->s->arena, .sources = &b->s->sources};
	struct node *copy = ast_copy(&b->s->arena, n), *base;

	if (n->kind == N_ATOP && !strcmp(n->name, "enumname") && ATOP_ARGS(n) == 1)
		return all_defined(b, n, FOUND_DEFINED);
	if (n->kind == N_ATOP)
		return atop_bind(b->s, &quiet, b->view.probe, copy) ? all_defined(b, n, FOUND_DEFINED) : FOUND_UNDEFINED;
	if (n->kind == N_ENTRY)
		return entry_defined(b->s, b->view, ENTRY_VALUE(n)) ? FOUND_DEFINED : FOUND_UNDEFINED;
	base = target_base(copy);
	if (!b->view.probe && base->kind == N_TARGET)
		return FOUND_UNDEFINED;
	size_t entries = b->view.probe ? b->view.probe->entries.n : 0; /* to forget what binding would save */
	size_t ksymbols = b->s->prog.ksymbols.n;
	bool exists = target_bind(b->s, &quiet, b->view, copy);
	if (b->view.probe)
		b->view.probe->entries.n = entries;
	b->s->prog.ksymbols.n = ksymbols;
	if (!exists)
		return FOUND_UNDEFINED;
	enum found found = base->kind == N_CAST || base->kind == N_ATVAR ? all_defined(b, base, FOUND_DEFINED) : FOUND_DEFINED;
	for (; target_step(n); n = *target_from(n))
		for (unsigned i = 0; i < target_subscripts(n); i++) {
			enum found subscript = defined(b, INDEX_KEY(n, i), false);
			found = subscript > found ? subscript : found;
		}
	return found;
}

static enum found defined(struct binder *b, const struct node *n, bool outermost)
{
	if (target_is(n) || n->kind == N_ENTRY || (n->kind == N_ATOP && strcmp(n->name, "const")))
		return target_defined(b, n);
	if (target_step(n))
		return all_defined(b, n, FOUND_LATER);
	if (n->kind == N_NUMBER || n->kind == N_STRING)
		return outermost ? FOUND_DEFINED : FOUND_NOTHING;
	return all_defined(b, n, FOUND_NOTHING);
}

/* 1 or 0; what does not depend on the target is defined only if it is a literal. */
static void bind_defined(struct binder *b, struct node **np)
{
	enum found found = defined(b, DEFINED_WHAT(*np), true);

	if (found == FOUND_LATER) {
		bool before = b->asking;
		b->s->prog.follows = b->asking = true;
		bind(b, &DEFINED_WHAT(*np));
		b->asking = before;
		return;
	}
	*np = ast_number(&b->s->arena, (*np)->loc, found == FOUND_DEFINED);
}

static void bind_atop(struct binder *b, struct node **np)
{
	struct node *n = *np, *bound;

	bind_children(b, n);
	if (!strcmp(n->name, "enumname") && ATOP_ARGS(n) == 1 && !ATOP_ARG(n, 0)->dtype) {
		b->s->prog.follows = true; /* the type of its value may be found later */
		return;
	}
	bound = atop_bind(b->s, &b->s->diags, b->view.probe, n);
	*np = bound ? bound : ast_number(&b->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

static void no_entry(struct binder *b, struct node *n)
{
	struct diag *d = s_error(b->s, n->loc, E_NO_VARIABLE, "@entry() is for .return probes only");
	const struct probe *p = b->view.probe;

	if (!p || !p->sites.n || !p->sites.v[0]->is_end)
		return;
	diag_hint(&b->s->diags, d, "where %s returns, what it was called with is not known: %s",
		  p->sites.v[0]->is_go ? "a function of Go" : "one of this program", probe_keep_advice(b->s, p->sites.v[0]));
}

/* @entry(): bound as at the function's entry, where the handler's locals do not exist. */
static void bind_entry(struct binder *b, struct node **np)
{
	struct node *n = *np, *source = ast_copy(&b->s->arena, ENTRY_VALUE(n));

	if (b->view.moment == MOMENT_ENTRY) { /* already at the entry */
		bind(b, &ENTRY_VALUE(n));
		*np = ENTRY_VALUE(n);
		return;
	}
	if (b->view.moment != MOMENT_RETURN) {
		no_entry(b, n);
		*np = ast_number(&b->s->arena, n->loc, 0);
		(*np)->type = T_ERROR;
		return;
	}
	b->view.moment = MOMENT_ENTRY;
	b->at_entry = true;
	bind(b, &ENTRY_VALUE(n));
	b->at_entry = false;
	b->view.moment = MOMENT_RETURN;
	*np = entry_save(b->s, b->view.probe, source, ENTRY_VALUE(n));
}

/* Subscripts in a target expression, what a cast converts, and the CPU of a variable are expressions of their own. */
static void bind_operands(struct binder *b, struct node *n)
{
	struct node *base = target_base(n);

	for (struct node *c = n; c != base; c = *target_from(c))
		for (unsigned i = 0; i < target_subscripts(c); i++)
			if (INDEX_KEY(c, i)->kind != N_NUMBER)
				bind(b, &INDEX_KEY(c, i));
	if (base->kind == N_CAST)
		bind(b, &CAST_VALUE(base));
	if (base->kind == N_ATVAR && ATVAR_CPU(base))
		bind(b, &ATVAR_CPU(base));
}

/* $x = v, $x += v, $x++ */
static void bind_store(struct binder *b, struct node **np)
{
	struct diags own = {.arena = &b->s->arena, .sources = &b->s->sources};
	struct node *n = *np, *bound;

	if (n->kind == N_ASSIGN)
		bind(b, &ASSIGN_VALUE(n));
	bind_operands(b, ast_changed(n));
	bound = assign_bind(b->s, &own, b->view, n);
	pass_on(b, &own);
	*np = bound ? bound : ast_number(&b->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

static void bind_target(struct binder *b, struct node **np)
{
	struct diags own = {.arena = &b->s->arena, .sources = &b->s->sources};
	struct node *n = *np, *bound;

	bind_operands(b, n);
	bound = target_bind(b->s, &own, b->view, n);
	if (!bound)
		bound = badvars_skip(b->s, &own, n);
	pass_on(b, &own);
	*np = bound ? bound : ast_number(&b->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

/* Is there a @defined() in it that is not decided yet?  Then what depends on it is left unbound. */
static bool waits(const struct node *n)
{
	if (n->kind == N_DEFINED)
		return true;
	AST_EACH(child, n)
		if (waits(*child))
			return true;
	return false;
}

/* A condition that is a constant after binding decides here, so that the other arm need not resolve. */
static void bind_choice(struct binder *b, struct node **np)
{
	struct node *n = *np;
	struct node **condition = n->kind == N_IF ? &IF_CONDITION(n) : &TERNARY_CONDITION(n);
	struct node **then = n->kind == N_IF ? &IF_THEN(n) : &TERNARY_THEN(n);
	struct node **otherwise = n->kind == N_IF ? &IF_ELSE(n) : &TERNARY_ELSE(n);

	bind(b, condition);
	if ((*condition)->kind == N_NUMBER) {
		bool yes = (*condition)->num;
		struct node *arm = yes ? *then : *otherwise;
		if (n->kind == N_IF && !b->asking)
			dropped_note(b->s, b->view.probe, b->function, yes ? *otherwise : *then);
		*np = arm ? arm : ast_new(&b->s->arena, N_EMPTY, n->loc, 0);
		bind(b, np);
		return;
	}
	if (waits(*condition)) {
		n->flags |= NF_WAITS;
		return;
	}
	bind(b, then);
	if (*otherwise)
		bind(b, otherwise);
}

/* ! of a constant, for !@defined(a). */
static void bind_unary(struct binder *b, struct node **np)
{
	struct node *n = *np;

	bind(b, &UNARY_OPERAND(n));
	if (waits(UNARY_OPERAND(n)))
		n->flags |= NF_WAITS;
	else if (n->op == OP_NOT && UNARY_OPERAND(n)->kind == N_NUMBER)
		*np = ast_number(&b->s->arena, n->loc, !UNARY_OPERAND(n)->num);
}

/* && and || of constants, for @defined(a) && @defined(b). */
static void bind_logic(struct binder *b, struct node **np)
{
	struct node *n = *np;
	struct arena *a = &b->s->arena;

	bind(b, &BINARY_LEFT(n));

	const struct node *left = BINARY_LEFT(n);

	if (waits(left)) {
		n->flags |= NF_WAITS;
		return;
	}
	if (left->kind == N_NUMBER && !!left->num == (n->op == OP_LOR)) {
		*np = ast_number(a, n->loc, n->op == OP_LOR);
		return;
	}
	bind(b, &BINARY_RIGHT(n));
	if (left->kind == N_NUMBER && BINARY_RIGHT(n)->kind == N_NUMBER)
		*np = ast_number(a, n->loc, !!BINARY_RIGHT(n)->num);
}

static bool is_literal(const struct node *n, enum node_kind kind)
{
	return n->kind == kind && n->type != T_ERROR;
}

/* A comparison of constants, which arguments and options of scripts often are; of strings only their being equal. */
static void bind_comparison(struct binder *b, struct node **np)
{
	struct node *n = *np;

	bind_children(b, n);

	const struct node *x = BINARY_LEFT(n), *y = BINARY_RIGHT(n);

	if (is_literal(x, N_NUMBER) && is_literal(y, N_NUMBER))
		*np = ast_number(&b->s->arena, n->loc, op_compares(n->op, x->num < y->num ? -1 : x->num > y->num));
	else if (is_literal(x, N_STRING) && is_literal(y, N_STRING) && (n->op == OP_EQ || n->op == OP_NE) &&
		 (int64_t)strlen(x->text) < session_limit(b->s, "MAXSTRINGLEN") && (int64_t)strlen(y->text) < session_limit(b->s, "MAXSTRINGLEN"))
		*np = ast_number(&b->s->arena, n->loc, (x->text == y->text) == (n->op == OP_EQ));
}

/* A loop whose condition never holds: its body need not resolve. */
static void bind_for(struct binder *b, struct node **np)
{
	struct node *n = *np, *condition;

	if (FOR_INIT(n))
		bind(b, &FOR_INIT(n));
	if (FOR_CONDITION(n))
		bind(b, &FOR_CONDITION(n));
	condition = FOR_CONDITION(n);
	if (condition && is_literal(condition, N_NUMBER) && !condition->num) {
		if (!b->asking)
			dropped_note(b->s, b->view.probe, b->function, FOR_BODY(n));
		*np = ast_new(&b->s->arena, FOR_INIT(n) ? N_EXPR : N_EMPTY, n->loc, FOR_INIT(n) ? 1 : 0);
		if (FOR_INIT(n))
			EXPR_VALUE(*np) = FOR_INIT(n);
		return;
	}
	if (FOR_STEP(n))
		bind(b, &FOR_STEP(n));
	bind(b, &FOR_BODY(n));
}

/* A number makes the names of its locals unique. */
static void bind_buckets(struct binder *b, struct node **np)
{
	struct node *n = *np;
	size_t serial = b->view.probe ? b->view.probe->locals.n : b->function->locals.n;

	if (FOREACH_KEYS(n) != 1) {
		s_error(b->s, FOREACH_KEY(n, 1)->loc, E_KEY_COUNT, "the buckets of a histogram have one number, not %u keys",
			FOREACH_KEYS(n));
		n->type = T_ERROR;
		return;
	}
	*np = buckets_loop(b->s, n, (unsigned)serial);
	bind(b, np);
}

static void bind_foreach(struct binder *b, struct node **np)
{
	struct node *n = *np, *array = FOREACH_ARRAY(n), *value = FOREACH_VALUE(n);

	if (array->kind == N_STAT) {
		bind_buckets(b, np);
		return;
	}
	if (array->kind == N_INDEX && INDEX_BASE(array)->kind == N_NAME)
		bind_element(b, array, false, true);
	else
		bind(b, &FOREACH_ARRAY(n));
	if (value)
		bind_name(b, value, true, false);
	for (unsigned i = 0; i < FOREACH_KEYS(n); i++)
		bind_name(b, FOREACH_KEY(n, i), true, false);
	if (value && value->sym->kind == SYM_LOCAL)
		element_values(b->s, n);
	if (FOREACH_LIMIT(n))
		bind(b, &FOREACH_LIMIT(n));
	bind(b, &FOREACH_BODY(n));
}

static bool has_counter(const struct session *s, const char *name)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		for (size_t k = 0; k < s->prog.probes.v[i]->sites.n; k++) {
			const char *counter = s->prog.probes.v[i]->sites.v[k]->counter;

			if (counter && !strcmp(counter, name))
				return true;
		}
	return false;
}

/* @perf("name") becomes the call of a function of the tapset. */
static void bind_counter(struct binder *b, struct node **np)
{
	struct node *n = *np, *call = ast_new(&b->s->arena, N_CALL, n->loc, 1), *name = ast_new(&b->s->arena, N_STRING, n->loc, 0);

	if (!has_counter(b->s, n->text)) {
		struct diag *d = s_error(b->s, n->loc, E_NO_COUNTER, "there is no counter \"%s\"", n->text);

		diag_hint(&b->s->diags, d, "a probe makes one: probe perf.hw.instructions.process(\"/path\").counter(\"%s\") {}", n->text);
		n->type = T_ERROR;
		return;
	}
	name->text = n->text;
	call->name = intern("__at_perf");
	CALL_ARG(call, 0) = name;
	*np = call;
	bind_call(b, call);
}

static void bind_assign(struct binder *b, struct node **np)
{
	struct node *n = *np;

	if (target_is(ASSIGN_TO(n))) {
		bind_store(b, np);
		return;
	}
	bind_lvalue(b, &ASSIGN_TO(n), n->op != OP_SET && n->op != OP_STAT_ADD);
	bind(b, &ASSIGN_VALUE(n));
}

static void bind_incdec(struct binder *b, struct node **np)
{
	if (target_is(INCDEC_OF(*np)))
		bind_store(b, np);
	else
		bind_lvalue(b, &INCDEC_OF(*np), true);
}

static void bind_try(struct binder *b, struct node *n)
{
	bind(b, &TRY_BODY(n));
	if (TRY_VARIABLE(n))
		bind_name(b, TRY_VARIABLE(n), true, false);
	bind(b, &TRY_HANDLER(n));
}

/* Long, since each kind has its line. */
static void bind(struct binder *b, struct node **np)
{
	struct node *n = *np;

	if (target_is(n)) {
		bind_target(b, np);
		return;
	}
	switch (n->kind) {
	case N_NAME:
		bind_name(b, n, false, true);
		return;
	case N_CALL:
		bind_call(b, n);
		return;
	case N_DEFINED:
		bind_defined(b, np);
		return;
	case N_IF:
	case N_TERNARY:
		bind_choice(b, np);
		return;
	case N_UNARY:
		bind_unary(b, np);
		return;
	case N_BINARY:
		if (op_kind(n->op) == OPK_LOG)
			bind_logic(b, np);
		else if (op_kind(n->op) == OPK_CMP)
			bind_comparison(b, np);
		else
			bind_children(b, n);
		return;
	case N_ASSIGN:
		bind_assign(b, np);
		return;
	case N_INCDEC:
		bind_incdec(b, np);
		return;
	case N_DELETE:
		bind_lvalue(b, &DELETE_WHAT(n), false);
		return;
	case N_FOR:
		bind_for(b, np);
		return;
	case N_FOREACH:
		bind_foreach(b, np);
		return;
	case N_TRY:
		bind_try(b, n);
		return;
	case N_MEMBER:
	case N_ADDRESS:
	case N_PRETTY:
	case N_INDEX:
		bind_children(b, n);
		b->s->prog.follows |= target_step(n);
		return;
	case N_ENTRY:
		bind_entry(b, np);
		return;
	case N_PROBEWRITE: /* in a function; in handlers, points.c has replaced it */
		s_error(b->s, n->loc, E_NO_VARIABLE, "@probewrite() asks about the handler of a probe, and this is a function");
		return;
	case N_PERF:
		bind_counter(b, np);
		return;
	case N_ATOP:
		if (!strcmp(n->name, "const"))
			bind_embedded(b, np);
		else
			bind_atop(b, np);
		return;
	case N_EMBEDDED:
		bind_embedded(b, np);
		return;
	case N_TARGET: /* handled above */
	case N_CAST:
	case N_ATVAR:
	CASES_OF_DECLARATIONS:
	CASES_LOWERED:
	case NODE_KINDS:
		return;
	case N_BLOCK: case N_EMPTY: case N_EXPR: case N_RETURN: case N_BREAK: case N_CONTINUE:
	case N_NEXT: case N_NUMBER: case N_STRING: case N_STAR: case N_IN: case N_PRINT: case N_STAT:
	case N_REGEX: case N_FETCH: case N_ENTRY_VALUE: case N_STORE: case N_SHOW: case N_ENUM_NAME:
		bind_children(b, n);
		return;
	}
}

void names_bind(struct session *s, struct view at, struct function *f, struct node **np)
{
	struct binder b = {.s = s, .view = at, .function = f, .at_entry = !f && at.moment == MOMENT_ENTRY};

	bind(&b, np);
}

int bind_pass(struct session *s)
{
	size_t bound = 0;

	do {
		for (; bound < s->prog.probes.n; bound++) {
			struct probe *p = s->prog.probes.v[bound];
			struct binder b = {.s = s, .view = view_of(p)};

			bind(&b, &p->body);
		}
	} while (points_of_library(s));
	/* The user's own functions are checked even if nothing calls them. */
	size_t reached = s->prog.function_list.n;
	for (size_t i = 0; i < s->prog.functions.n; i++) {
		const struct symbol *f = s->prog.functions.entries[i].value;
		for (struct function *g = f->function; g; g = g->overload)
			if (!(g->decl->flags & NF_TAPSET) && !g->in_context)
				function_use(s, g);
	}
	for (size_t i = reached; i < s->prog.function_list.n; i++)
		s->prog.function_list.v[i]->idle = true;
	if (s->prog.follows)
		follow_all(s);
	given_bind(s);
	limits_check_defines(s);
	return s->diags.errors ? -1 : 0;
}
