/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints to messages about types: what is usually meant when a long is used as a string, or a name is unknown. */
#include "translator/types/hints.h"

#include <stdlib.h>
#include <string.h>

#include "parser/habit.h"
#include "translator/debuginfo/types.h"
#include "translator/probes/probe.h"
#include "translator/resolve/select.h"

static bool is_numeric(const char *text)
{
	char *end;

	strtoll(text, &end, 0);
	return *text && !*end;
}

/* Does user only ask whether n is true? */
static bool is_condition(const struct node *n, const struct node *user)
{
	if (user->kind == N_IF)
		return n == IF_CONDITION(user);
	if (user->kind == N_TERNARY)
		return n == TERNARY_CONDITION(user);
	if (user->kind == N_FOR)
		return n == FOR_CONDITION(user);
	return (user->kind == N_UNARY && user->op == OP_NOT) || (user->kind == N_BINARY && op_kind(user->op) == OPK_LOG);
}

static const struct node *other_operand(const struct node *binary, const struct node *n)
{
	return n == BINARY_LEFT(binary) ? BINARY_RIGHT(binary) : BINARY_LEFT(binary);
}

/* A string is used where a long is needed. */
static const char *of_string(struct session *s, const struct node *n, const struct node *user)
{
	enum op op = user ? user->op : OP_NONE;

	if (user && user->kind == N_BINARY && op == OP_ADD && n->kind != N_STRING &&
	    other_operand(user, n)->kind == N_NUMBER)
		return "strtol(..., 10) makes a long of a string";
	if (user && user->kind == N_BINARY && op == OP_ADD)
		return "strings are joined by \".\"";
	if (user && user->kind == N_ASSIGN && op == OP_ADD)
		return "strings are joined by \".=\"";
	if (user && user->kind == N_PRINT)
		return "a string is printed by %s";
	if (user && user->kind == N_BINARY && op_kind(op) == OPK_CMP && n->kind == N_STRING && is_numeric(n->text))
		return arena_printf(&s->arena, "a number is written without quotes: %s", n->text);
	if (user && user->kind == N_ASSIGN && op == OP_SET && n == ASSIGN_TO(user))
		return "comparing is \"==\"";
	return user && is_condition(n, user) ? "whether a string is empty is asked by: == \"\"" : NULL;
}

/* The address of a text: which function reads it depends on the kind of memory. */
static const char *of_text_address(const struct node *n)
{
	if (n->in_user)
		return "this is the address of a text in the program: user_string(...) reads it";
	return "this is the address of a text: kernel_string(...) reads it; user_string(...) if it is the program's, as what it gives "
	       "a system call";
}

/* "$file.f_flags" joins $file and a variable f_flags. */
static const char *of_member(struct session *s, const struct node *n, const struct node *user)
{
	const struct node *name = user && user->kind == N_BINARY && user->op == OP_CAT && n == BINARY_LEFT(user) ? BINARY_RIGHT(user) : NULL;

	if (!name || !n->dtype || name->kind != N_NAME || !name->sym || name->sym->kind != SYM_LOCAL || name->sym->written || name->sym->is_param)
		return NULL;
	return arena_printf(&s->arena, "a member is taken by \"->\", also of a struct: ...->%s", name->name);
}

/* A long is used where a string is needed. */
static const char *of_long(const struct node *n, const struct node *user)
{
	if (n->dtype && dtype_is_string(n->dtype))
		return of_text_address(n);
	if (user && user->kind == N_PRINT)
		return "a long is printed by %d, or by %x";
	if (user && user->kind == N_BINARY && op_kind(user->op) == OPK_CMP && n->kind == N_NUMBER)
		return "a string is compared with a text in quotes";
	if (user && ((user->kind == N_BINARY && user->op == OP_CAT) || (user->kind == N_ASSIGN && user->op == OP_CAT) ||
		     user->kind == N_REGEX))
		return "sprint(...) makes a string of a long";
	return NULL;
}

void hints_mismatch(struct session *s, struct diag *d, const struct node *n, enum type is, const struct node *user)
{
	const char *text = is == T_STRING ? of_string(s, n, user) : is == T_LONG ? of_member(s, n, user) : NULL;

	if (!text && is == T_LONG)
		text = of_long(n, user);

	if (text)
		diag_hint(&s->diags, d, "%s", text);
}

static bool is_function(struct session *s, const char *name)
{
	static const char *const prints[] = {"print", "println", "printf", "sprint", "sprintf", "printd", "printdln"};
	const char *const *others;

	for (size_t i = 0; i < sizeof prints / sizeof *prints; i++)
		if (!strcmp(prints[i], name))
			return true;
	for (size_t i = 0; i < s->prog.functions.n; i++)
		if (!strcmp(((const struct symbol *)s->prog.functions.entries[i].value)->name, name))
			return true;
	for (size_t i = select_others(s->select, &others); i--;)
		if (!strcmp(others[i], name))
			return true;
	return false;
}

bool hints_word(struct session *s, struct diag *d, const struct probe *p, const char *name)
{
	struct place_variable v;
	struct problem ignored = {0};

	if (p && place_variable(s, p->sites.v[0], name, place_moment(p->sites.v[0]), &v, &ignored) == PLACE_HAS) {
		diag_hint(&s->diags, d, "the variable of the probed code is written $%s", name);
		return true;
	}
	if (habit_hint(&s->diags, d, HABIT_NAME, name))
		return true;
	if (is_function(s, name))
		diag_hint(&s->diags, d, "to call the function, write %s(...)", name);
	return is_function(s, name);
}

/* The same name, assigned in another probe or function. */
static const struct symbol *namesake(struct session *s, const struct symbol *v)
{
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct symbol *other = map_get(&s->prog.probes.v[i]->scope, v->name);
		if (other && other != v && other->written)
			return other;
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct symbol *other = map_get(&s->prog.function_list.v[i]->scope, v->name);
		if (other && other != v && other->written && !(s->prog.function_list.v[i]->decl->flags & NF_TAPSET))
			return other;
	}
	return NULL;
}

static void add_written(struct nearest *near, const struct map *scope, const struct symbol *v)
{
	for (size_t i = 0; i < scope->n; i++) {
		const struct symbol *other = scope->entries[i].value;
		if (other != v && other->written)
			nearest_add(near, other->name);
	}
}

/* The variables that v could be meant for: for a global those of all probes and functions, else those of its own. */
static const char *nearest_variables(struct session *s, const struct symbol *v)
{
	struct nearest near;

	nearest_init(&near, v->name);
	for (size_t i = 0; i < s->prog.globals.n; i++)
		if (s->prog.globals.entries[i].value != v)
			nearest_add(&near, s->prog.globals.entries[i].key);
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		if (v->kind != SYM_GLOBAL && map_get(&p->scope, v->name) != v)
			continue;
		add_written(&near, &p->scope, v);
		for (const struct probe_local *l = p->sites.v[0]->locals; l && l->name; l++)
			nearest_add(&near, l->name);
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (v->kind == SYM_GLOBAL || map_get(&s->prog.function_list.v[i]->scope, v->name) == v)
			add_written(&near, &s->prog.function_list.v[i]->scope, v);
	return nearest_text(&near, &s->arena);
}

/* Is it a local of the handler of a system call? */
static bool is_of_call(const struct session *s, const struct symbol *v)
{
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];

		for (size_t k = 0; p->sites.v[0]->is_call && k < p->locals.n; k++)
			if (p->locals.v[k] == v)
				return true;
	}
	return false;
}

/* The probe in whose handler the local is, or NULL. */
static const struct probe *probe_of(const struct session *s, const struct symbol *v)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		if (map_get(&s->prog.probes.v[i]->scope, v->name) == v)
			return s->prog.probes.v[i];
	return NULL;
}

void hints_open(struct session *s, struct diag *d, const struct symbol *v)
{
	const struct symbol *other;
	const char *text;

	if (v->is_param || v->written)
		return;
	if (v->kind == SYM_LOCAL && hints_word(s, d, probe_of(s, v), v->name))
		return;
	other = v->kind == SYM_LOCAL ? namesake(s, v) : NULL;
	if (other) {
		diag_note(&s->diags, d, other->decl->loc, "this \"%s\" is another variable", v->name);
		diag_hint(&s->diags, d, "a variable that several probes or functions share is declared: global %s", v->name);
		return;
	}
	text = nearest_variables(s, v);
	if (!text && v->kind == SYM_LOCAL && is_of_call(s, v)) {
		diag_hint(&s->diags, d, "it is never assigned; -L lists the variables of a system call, and its arguments are $arg1 to $arg6");
		return;
	}
	diag_hint(&s->diags, d, text ? "it is never assigned; did you mean %s?" : "it is never assigned%s", text ? text : "");
}
