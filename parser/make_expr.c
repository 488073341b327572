// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes of operators, subscripts, calls and @operators. */
#include <string.h>

#include "base/intern.h"
#include "parser/grammar.h"
#include "parser/stages.h"

static const char *const c_types[] = {
	"int",    "char",     "short",    "long",    "unsigned", "signed", "float", "double", "void",
	"bool",   "struct",   "union",    "const",   "static",   "auto",   "var",   "let",    "string",
	"size_t", "uint32_t", "uint64_t", "int32_t", "int64_t",  "u32",    "u64",   "local",
};

bool make_is_c_type(const char *name)
{
	for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
		if (!strcmp(c_types[i], name))
			return true;
	return false;
}

static struct node *new_node(struct parser *p, enum node_kind kind, enum op op, struct token t, unsigned children)
{
	struct node *n = ast_new(p->arena, kind, t.loc, children);

	n->op = op;
	return n;
}

static bool is_lvalue(const struct node *n)
{
	if (n->kind == N_ATOP)
		return strstr(n->name, "register") || strstr(n->name, "deref");
	return n->kind == N_NAME || n->kind == N_INDEX || n->kind == N_TARGET || n->kind == N_MEMBER || n->kind == N_ATVAR;
}

/* For messages. */
static const char *what_is(const struct node *n)
{
	static const char *const names[NODE_KINDS] = {
		[N_NUMBER] = "a number",
		[N_STRING] = "a string",
		[N_CALL] = "the value of a function",
		[N_PRINT] = "the value of a function",
		[N_STAT] = "a statistic",
		[N_ASSIGN] = "an assignment",
	};

	if (n->kind == N_INCDEC)
		return n->op == OP_ADD ? "\"++\"" : "\"--\"";
	return names[n->kind] ? names[n->kind] : "a computed value";
}

/* n, or after a message something in its place that can be assigned to: by "=" (OP_SET), or by another operator. */
static struct node *lvalue(struct parser *p, struct node *n, enum op op, const char *doing)
{
	if (is_lvalue(n))
		return n;
	if (p->mending)
		return ast_name(p->arena, n->loc, "?");

	struct diag *d = diag_report(p->env->diags, ast_span(n), E_NOT_ASSIGNABLE,
				     "%s needs a variable, not %s", doing, what_is(n));
	const struct node *left = n;

	while (left->kind == N_BINARY)
		left = BINARY_LEFT(left);
	if (left->kind == N_NAME && make_is_c_type(left->name))
		diag_hint(p->env->diags, d, "variables are not declared: their types are inferred");
	else if (op == OP_SET)
		diag_hint(p->env->diags, d, "did you mean \"==\"? \"=\" assigns");
	return ast_name(p->arena, n->loc, "?");
}

struct node *make_unary(struct parser *p, enum op op, struct token t, struct node *operand)
{
	struct node *n = new_node(p, op ? N_UNARY : N_ADDRESS, op, t, 1);

	if (op)
		UNARY_OPERAND(n) = operand;
	else
		ADDRESS_OF(n) = operand;
	return n;
}

/* "1.5" reads as 1 and 5 joined to a string, which numbers cannot be; "2 * 1.5 + x" as 2 * 1 and 5 + x.  Where it is, or nowhere. */
static struct loc fraction(enum op op, struct token t, const struct node *left, const struct node *right)
{
	while (left->kind == N_BINARY)
		left = BINARY_RIGHT(left);
	while (right->kind == N_BINARY)
		right = BINARY_LEFT(right);
	bool is = op == OP_CAT && left->kind == N_NUMBER && right->kind == N_NUMBER && t.glued && left->loc.source == t.loc.source &&
		  right->loc.source == t.loc.source && left->loc.off + left->loc.len == t.loc.off && right->loc.off == t.loc.off + 1;
	return is ? loc_span(left->loc, right->loc) : (struct loc){0};
}

struct node *make_binary(struct parser *p, enum op op, struct token t, struct node *left, struct node *right)
{
	struct loc at = fraction(op, t, left, right);

	if (at.source) {
		struct diag *d = diag_report(p->env->diags, at, E_BAD_NUMBER, "there are no numbers with fractions");

		diag_hint(p->env->diags, d, "count in smaller units, 1500 ms instead of 1.5 s, or multiply first: x * 3 / 2; else compute with "
			  "string_to_fp(\"1.5\"), fp_mul() ...");
		return left;
	}

	struct node *n = new_node(p, N_BINARY, op, t, 2);

	BINARY_LEFT(n) = left;
	BINARY_RIGHT(n) = right;
	return n;
}

struct node *make_regex(struct parser *p, enum op op, struct token t, struct node *subject, struct node *pattern)
{
	struct node *n = new_node(p, N_REGEX, op, t, 2);

	if (pattern->kind != N_STRING) {
		diag_report(p->env->diags, ast_span(pattern), E_REGEX_LITERAL,
			    "the regular expression after \"%s\" must be a string in quotes", op_text(op));
		pattern = ast_string(p->arena, pattern->loc, "", 0);
	}
	REGEX_SUBJECT(n) = subject;
	REGEX_PATTERN(n) = pattern;
	return n;
}

struct node *make_assign(struct parser *p, enum op op, struct token t, struct node *to, struct node *value)
{
	struct node *n = new_node(p, N_ASSIGN, op, t, 2);

	ASSIGN_TO(n) = lvalue(p, to, op, "an assignment");
	ASSIGN_VALUE(n) = value;
	return n;
}

struct node *make_incdec(struct parser *p, enum op op, struct token t, struct node *of, bool prefix)
{
	struct node *n = new_node(p, N_INCDEC, op, t, 1);

	INCDEC_OF(n) = lvalue(p, of, op, op == OP_ADD ? "\"++\"" : "\"--\"");
	n->flags = prefix ? NF_PREFIX : 0;
	return n;
}

struct node *make_delete(struct parser *p, struct token t, struct node *what)
{
	struct node *n = new_node(p, N_DELETE, OP_NONE, t, 1);

	if (what->kind != N_NAME && !(what->kind == N_INDEX && INDEX_BASE(what)->kind == N_NAME)) {
		diag_report(p->env->diags, ast_span(what), E_DELETE,
			    "\"delete\" needs a variable, an array or an element of it");
		what = ast_name(p->arena, what->loc, "?");
	}
	DELETE_WHAT(n) = what;
	return n;
}

struct node *make_ternary(struct parser *p, struct token t, struct node *cond, struct node *then,
			  struct node *otherwise)
{
	struct node *n = ast_new(p->arena, N_TERNARY, t.loc, 3);

	TERNARY_CONDITION(n) = cond;
	TERNARY_THEN(n) = then;
	TERNARY_ELSE(n) = otherwise;
	return n;
}

static void check_keys(struct parser *p, const struct node *keys)
{
	if (LIST_ITEMS(keys) > MAX_KEYS)
		diag_report(p->env->diags, LIST_ITEM(keys, MAX_KEYS)->loc, E_TOO_MANY_KEYS,
			    "an array has at most %d keys", MAX_KEYS);
}

struct node *make_key(struct parser *p, struct token in, struct node *key)
{
	if (key->kind == N_IN && key != p->closed) {
		struct diag *d = diag_report(p->env->diags, in.loc, E_SYNTAX, "\"in\" does not chain");

		diag_hint(p->env->diags, d, "write (k in a) in b to look up the answer, or k in a && k in b to ask both arrays");
	}
	return make_list(p, NULL, key);
}

struct node *make_in(struct parser *p, struct token t, struct node *keys, struct node *array)
{
	struct node *n = ast_new(p->arena, N_IN, t.loc, 1);

	check_keys(p, keys);
	IN_ARRAY(n) = array;
	ast_add_items(p->arena, n, keys);
	return n;
}

struct node *make_index(struct parser *p, struct token t, struct node *base, struct node *subscripts)
{
	struct node *n = ast_new(p->arena, N_INDEX, base->kind == N_NAME ? base->loc : t.loc, 1);

	check_keys(p, subscripts);
	INDEX_BASE(n) = base;
	ast_add_items(p->arena, n, subscripts);
	return n;
}

struct node *make_member(struct parser *p, struct token name, struct node *base)
{
	struct node *n = new_node(p, N_MEMBER, OP_NONE, name, 1);

	MEMBER_BASE(n) = base;
	n->name = name.text;
	return n;
}

struct node *make_pretty(struct parser *p, struct token t, struct node *of)
{
	struct node *n = new_node(p, N_PRETTY, OP_NONE, t, 1);

	PRETTY_OF(n) = of;
	n->num = intern_len(t.text) == 1 ? 1 : 2;
	return n;
}

struct node *make_call(struct parser *p, struct token name, struct node *args)
{
	if (make_is_print(name.text))
		return make_print(p, name, args);

	struct node *n = make_list_node(p, N_CALL, name.loc, args);

	n->name = name.text;
	return n;
}

/* ---- operators with @ ---- */

static bool count_args(struct parser *p, struct token t, const struct node *args, unsigned min, unsigned max)
{
	unsigned n = args ? LIST_ITEMS(args) : 0;

	if (n >= min && n <= max)
		return true;
	if (min == max)
		diag_report(p->env->diags, t.loc, E_OPERATOR_ARGS, "%s takes %u argument%s, not %u", t.text,
			    min, min == 1 ? "" : "s", n);
	else
		diag_report(p->env->diags, t.loc, E_OPERATOR_ARGS, "%s takes %u to %u arguments, not %u",
			    t.text, min, max, n);
	return false;
}

/* arg, which an operator asks for as a string; after a message an empty one. */
static struct node *literal_string(struct parser *p, struct token t, struct node *arg, const char *what)
{
	if (arg->kind == N_STRING)
		return arg;
	diag_report(p->env->diags, ast_span(arg), E_LITERAL, "%s needs %s as a string in quotes", t.text,
		    what);
	return ast_string(p->arena, arg->loc, "", 0);
}

static struct node *literal_number(struct parser *p, struct token t, const struct node *arg)
{
	const struct node *n = arg;
	bool negative = false;

	if (n->kind == N_UNARY && (n->op == OP_NEG || n->op == OP_PLUS)) {
		negative = n->op == OP_NEG;
		n = UNARY_OPERAND(n);
	}
	if (n->kind != N_NUMBER) {
		diag_report(p->env->diags, ast_span(arg), E_LITERAL, "%s needs a plain number here", t.text);
		return ast_number(p->arena, arg->loc, 0);
	}
	return ast_number(p->arena, arg->loc, negative ? (int64_t)(0 - (uint64_t)n->num) : n->num);
}

/* Something harmless in the place of what was refused: it fits also where only an array is accepted. */
static struct node *refused(struct parser *p, struct token t)
{
	return ast_name(p->arena, t.loc, "?");
}

struct node *make_stat(struct parser *p, struct token t, struct node *args)
{
	enum op op = OP_COUNT;

	while (strcmp(op_text(op), t.text) != 0)
		op++;

	unsigned kids = op == OP_HIST_LINEAR ? 4 : op == OP_QUANTILE ? 2 : 1;

	if (!count_args(p, t, args, kids, op == OP_VARIANCE ? 2 : kids))
		return refused(p, t);

	struct node *n = ast_new(p->arena, N_STAT, t.loc, kids);

	n->op = op;
	STAT_OF(n) = LIST_ITEM(args, 0);
	if (op == OP_VARIANCE && LIST_ITEMS(args) == 2) {
		n->num = literal_number(p, t, LIST_ITEM(args, 1))->num;
		if (n->num < 0 || n->num > 62)
			diag_report(p->env->diags, ast_span(LIST_ITEM(args, 1)), E_OPERATOR_ARGS,
				    "the shift of @variance is from 0 to 62");
	}
	for (unsigned i = 0; i < STAT_PARAMETERS(n); i++) {
		struct node *arg = LIST_ITEM(args, 1 + i);

		STAT_PARAMETER(n, i) = op == OP_QUANTILE ? arg : literal_number(p, t, arg);
	}
	return n;
}

static struct node *make_cast(struct parser *p, struct token t, struct node *args)
{
	struct node *n = ast_new(p->arena, N_CAST, t.loc, 2);

	CAST_VALUE(n) = LIST_ITEM(args, 0);
	n->text = literal_string(p, t, LIST_ITEM(args, 1), "the type")->text;
	if (LIST_ITEMS(args) == 3)
		CAST_MODULE(n) = literal_string(p, t, LIST_ITEM(args, 2), "the module");
	return n;
}

static struct node *make_atvar(struct parser *p, struct token t, struct node *args)
{
	struct node *n = ast_new(p->arena, N_ATVAR, t.loc, 2);

	n->text = literal_string(p, t, LIST_ITEM(args, 0), "the name of the variable")->text;
	if (LIST_ITEMS(args) >= 2)
		ATVAR_MODULE(n) = literal_string(p, t, LIST_ITEM(args, 1), "the module");
	if (LIST_ITEMS(args) == 3)
		ATVAR_CPU(n) = LIST_ITEM(args, 2);
	return n;
}

static struct node *make_perf(struct parser *p, struct token t, struct node *args)
{
	struct node *n = ast_new(p->arena, N_PERF, t.loc, 0);

	n->text = literal_string(p, t, LIST_ITEM(args, 0), "the name of the counter")->text;
	return n;
}

static struct node *make_defined(struct parser *p, struct token t, struct node *args)
{
	return make_list_node(p, N_DEFINED, t.loc, args);
}

static struct node *make_probewrite(struct parser *p, struct token t, struct node *args)
{
	return make_list_node(p, N_PROBEWRITE, t.loc, args);
}

static struct node *make_entry(struct parser *p, struct token t, struct node *args)
{
	return make_list_node(p, N_ENTRY, t.loc, args);
}

/* @const("X"), @enum("X"), @enumname(v, "type", "module"): which arguments must be strings. */
static struct node *make_atop(struct parser *p, struct token t, struct node *args)
{
	struct node *n = make_list_node(p, N_ATOP, t.loc, args);
	unsigned first = !strcmp(t.text, "@enumname")                             ? 1
			 : !strncmp(t.text, "@k", 2) || !strncmp(t.text, "@u", 2) ? ATOP_ARGS(n)
										  : 0;

	n->name = intern(t.text + 1);
	for (unsigned i = first; i < ATOP_ARGS(n); i++)
		ATOP_ARG(n, i) = literal_string(p, t, ATOP_ARG(n, i), "a name");
	return n;
}

struct node *make_at(struct parser *p, struct token t, struct node *args)
{
	static const struct {
		const char *name;
		unsigned min, max;
		struct node *(*make)(struct parser *, struct token, struct node *);
	} operators[] = {
		{"@cast", 2, 3, make_cast},             {"@defined", 1, 1, make_defined},
		{"@probewrite", 1, 1, make_probewrite}, {"@entry", 1, 1, make_entry},
		{"@var", 1, 3, make_atvar},             {"@perf", 1, 1, make_perf},
		{"@const", 1, 1, make_atop},            {"@enum", 1, 2, make_atop},
		{"@enumname", 1, 3, make_atop},         {"@kregister", 1, 1, make_atop},
		{"@uregister", 1, 1, make_atop},        {"@kderef", 2, 2, make_atop},
		{"@uderef", 2, 2, make_atop},
	};

	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (!strcmp(operators[i].name, t.text))
			return count_args(p, t, args, operators[i].min, operators[i].max)
				       ? operators[i].make(p, t, args)
				       : refused(p, t);
	return refused(p, t);
}
