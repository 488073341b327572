// SPDX-License-Identifier: GPL-2.0-or-later
/* Tree -> script.  What is printed parses back to an equal tree; parentheses stand only where they are
 * needed. */
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "parser/ast.h"

/* How tight an expression binds, as in grammar.y. */
enum level {
	L_ASSIGN = 1,
	L_TERNARY,
	L_LOR,
	L_LAND,
	L_OR,
	L_XOR,
	L_AND,
	L_IN,
	L_COMPARE,
	L_SHIFT,
	L_CAT,
	L_ADD,
	L_MUL,
	L_SIGN,
	L_INCDEC,
	L_ADDRESS,
	L_POSTFIX,
	L_PRIMARY,
};

struct unparse {
	struct sb *out;
	unsigned indent;
};

static void expr(struct unparse *u, const struct node *n, enum level least);
static void statement(struct unparse *u, const struct node *n);

static void put(struct unparse *u, const char *s)
{
	sb_puts(u->out, s);
}

/* ---- expressions ---- */

static enum level op_level(enum op op)
{
	switch (op) {
	case OP_MUL:
	case OP_DIV:
	case OP_MOD:
		return L_MUL;
	case OP_ADD:
	case OP_SUB:
		return L_ADD;
	case OP_CAT:
		return L_CAT;
	case OP_SHL:
	case OP_SHR:
	case OP_USHR:
		return L_SHIFT;
	case OP_AND:
		return L_AND;
	case OP_XOR:
		return L_XOR;
	case OP_OR:
		return L_OR;
	case OP_LAND:
		return L_LAND;
	case OP_LOR:
		return L_LOR;
	default:
		return L_COMPARE;
	}
}

static enum level level_of(const struct node *n)
{
	switch ((int)n->kind) {
	case N_ASSIGN:
		return L_ASSIGN;
	case N_TERNARY:
		return L_TERNARY;
	case N_BINARY:
		return op_level(n->op);
	case N_REGEX:
		return L_COMPARE;
	case N_IN:
		return L_IN;
	case N_UNARY:
		return L_SIGN;
	case N_INCDEC:
		return L_INCDEC;
	case N_ADDRESS:
		return L_ADDRESS;
	case N_MEMBER:
	case N_INDEX:
	case N_PRETTY:
		return L_POSTFIX;
	}
	return L_PRIMARY;
}

/* What the lexer takes back: quotes, backslashes and what is not printable as octal. */
static void put_string(struct unparse *u, const char *s)
{
	size_t len = intern_len(s);

	sb_putc(u->out, '"');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '\n')
			put(u, "\\n");
		else if (c == '\t')
			put(u, "\\t");
		else if (c == '"' || c == '\\')
			sb_printf(u->out, "\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			sb_printf(u->out, "\\%03o", c);
		else
			sb_putc(u->out, (char)c);
	}
	sb_putc(u->out, '"');
}

static void put_literal(struct unparse *u, const struct node *n)
{
	if (n->kind == N_STRING)
		put_string(u, n->text);
	else
		sb_printf(u->out, "%" PRId64, n->num);
}

/* A negative number can only stand where literals do; elsewhere "-1" would be an operator and a number. */
static void put_number(struct unparse *u, int64_t num)
{
	sb_printf(u->out, num < 0 ? "0x%" PRIx64 : "%" PRId64, num);
}

static void exprs(struct unparse *u, const struct node *n, unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++) {
		if (!n->k[i])
			continue;
		if (i > first)
			put(u, ", ");
		expr(u, n->k[i], L_ASSIGN);
	}
}

static void call(struct unparse *u, const char *name, const struct node *n)
{
	sb_printf(u->out, "%s(", name);
	exprs(u, n, 0, n->nk);
	put(u, ")");
}

static void unary(struct unparse *u, const char *op, const struct node *kid)
{
	put(u, op);
	/* "- -x" and "+ ++x" must not become other operators. */
	if (*op != '!' && *op != '~') {
		const struct node *k = kid;

		if ((k->kind == N_UNARY && op_text(k->op)[0] == *op) ||
		    (k->kind == N_INCDEC && k->flags & NF_PREFIX && op_text(k->op)[0] == *op))
			put(u, " ");
	}
	expr(u, kid, L_SIGN);
}

static void binary(struct unparse *u, const struct node *n, const char *op, enum level left, enum level right)
{
	expr(u, n->k[0], left);
	sb_printf(u->out, " %s ", op);
	expr(u, n->k[1], right);
}

static void assign(struct unparse *u, const struct node *n)
{
	expr(u, n->k[0], L_TERNARY);
	if (op_kind(n->op) == OPK_ASG)
		sb_printf(u->out, " %s ", op_text(n->op));
	else
		sb_printf(u->out, " %s= ", op_text(n->op));
	expr(u, n->k[1], L_ASSIGN);
}

static void incdec(struct unparse *u, const struct node *n)
{
	const char *op = n->op == OP_ADD ? "++" : "--";

	if (n->flags & NF_PREFIX)
		put(u, op);
	expr(u, n->k[0], L_ADDRESS);
	if (!(n->flags & NF_PREFIX))
		put(u, op);
}

static void in(struct unparse *u, const struct node *n)
{
	if (n->nk == 2 && n->k[1]->kind != N_STAR) {
		expr(u, n->k[1], L_COMPARE);
	} else {
		put(u, "[");
		exprs(u, n, 1, n->nk);
		put(u, "]");
	}
	put(u, " in ");
	expr(u, n->k[0], L_POSTFIX);
}

static void print(struct unparse *u, const struct node *n)
{
	bool has_literal = n->text && strcmp(n->name, "print_char") != 0;

	sb_printf(u->out, "%s(", n->name);
	if (has_literal) {
		put_string(u, n->text);
		if (n->nk)
			put(u, ", ");
	}
	exprs(u, n, 0, n->nk);
	put(u, ")");
}

static void stat(struct unparse *u, const struct node *n)
{
	sb_printf(u->out, "%s(", op_text(n->op));
	expr(u, n->k[0], L_ASSIGN);
	for (unsigned i = 1; i < n->nk; i++) {
		put(u, ", ");
		if (n->op == OP_QUANTILE)
			expr(u, n->k[i], L_ASSIGN);
		else
			put_literal(u, n->k[i]);
	}
	if (n->op == OP_VARIANCE && n->num)
		sb_printf(u->out, ", %" PRId64, n->num);
	put(u, ")");
}

static void with_text(struct unparse *u, const char *name, const struct node *expression, const char *text,
		      const struct node *module)
{
	sb_printf(u->out, "@%s(", name);
	if (expression) {
		expr(u, expression, L_ASSIGN);
		put(u, ", ");
	}
	put_string(u, text);
	if (module) {
		put(u, ", ");
		put_string(u, module->text);
	}
	put(u, ")");
}

/* The operators of one child between other text. */
static void postfix(struct unparse *u, const struct node *n)
{
	expr(u, n->k[0], L_POSTFIX);
	if (n->kind == N_MEMBER) {
		sb_printf(u->out, "->%s", n->name);
	} else if (n->kind == N_PRETTY) {
		put(u, n->num == 1 ? "$" : "$$");
	} else {
		put(u, "[");
		exprs(u, n, 1, n->nk);
		put(u, "]");
	}
}

static void at_operator(struct unparse *u, const struct node *n)
{
	switch ((int)n->kind) {
	case N_CAST:
		with_text(u, "cast", n->k[0], n->text, n->k[1]);
		return;
	case N_ATVAR:
		with_text(u, "var", NULL, n->text, n->k[0]);
		return;
	case N_PERF:
		with_text(u, "perf", NULL, n->text, NULL);
		return;
	case N_DEFINED:
		call(u, "@defined", n);
		return;
	case N_PROBEWRITE:
		call(u, "@probewrite", n);
		return;
	case N_ENTRY:
		call(u, "@entry", n);
		return;
	case N_ATOP:
		put(u, "@");
		call(u, n->name, n);
		return;
	}
}

static void bare_expr(struct unparse *u, const struct node *n)
{
	switch ((int)n->kind) {
	case N_NUMBER:
		put_number(u, n->num);
		return;
	case N_STRING:
		put_string(u, n->text);
		return;
	case N_NAME:
	case N_TARGET:
		put(u, n->name);
		return;
	case N_STAR:
		put(u, "*");
		return;
	case N_EMBEDDED:
		sb_puts(u->out, "%{");
		sb_putn(u->out, n->text, intern_len(n->text));
		sb_puts(u->out, "%}");
		return;
	case N_INDEX:
	case N_MEMBER:
	case N_PRETTY:
		postfix(u, n);
		return;
	case N_ADDRESS:
		put(u, "&");
		expr(u, n->k[0], L_ADDRESS);
		return;
	case N_UNARY:
		unary(u, op_text(n->op), n->k[0]);
		return;
	case N_BINARY:
		binary(u, n, op_text(n->op), level_of(n), level_of(n) + 1);
		return;
	case N_REGEX:
		binary(u, n, op_text(n->op), L_COMPARE, L_SHIFT);
		return;
	case N_TERNARY:
		expr(u, n->k[0], L_LOR);
		put(u, " ? ");
		expr(u, n->k[1], L_ASSIGN);
		put(u, " : ");
		expr(u, n->k[2], L_TERNARY);
		return;
	case N_ASSIGN:
		assign(u, n);
		return;
	case N_INCDEC:
		incdec(u, n);
		return;
	case N_IN:
		in(u, n);
		return;
	case N_CALL:
		call(u, n->name, n);
		return;
	case N_PRINT:
		print(u, n);
		return;
	case N_STAT:
		stat(u, n);
		return;
	case N_CAST:
	case N_ATVAR:
	case N_PERF:
	case N_DEFINED:
	case N_PROBEWRITE:
	case N_ENTRY:
	case N_ATOP:
		at_operator(u, n);
		return;
	case N_FETCH: /* what bind puts in the place of $x: for people only */
	case N_ENTRY_VALUE:
	case N_STORE:
	case N_SHOW:
	case N_ENUM_NAME:
		call(u, n->kind == N_FETCH ? "$fetch" : n->kind == N_STORE ? "$store" : n->kind == N_SHOW ? "$show"
		     : n->kind == N_ENUM_NAME ? "$enumname" : "$entry", n);
		return;
	}
}

/* Inner operators of the same level are to the left, so that a prefix ++ after a sign is what only needs
 * care. */
static void expr(struct unparse *u, const struct node *n, enum level least)
{
	bool parens = level_of(n) < least;

	if (parens)
		put(u, "(");
	bare_expr(u, n);
	if (parens)
		put(u, ")");
}

/* ---- statements ---- */

static void new_line(struct unparse *u)
{
	sb_putc(u->out, '\n');
	for (unsigned i = 0; i < u->indent; i++)
		sb_putc(u->out, '\t');
}

static void block(struct unparse *u, const struct node *n)
{
	put(u, "{");
	u->indent++;
	for (unsigned i = 0; i < n->nk; i++) {
		new_line(u);
		statement(u, n->k[i]);
	}
	u->indent--;
	new_line(u);
	put(u, "}");
}

/* Below if, for ...: a block on the same line, another statement on the next. */
static void body(struct unparse *u, const struct node *n)
{
	if (n->kind == N_BLOCK) {
		put(u, " ");
		block(u, n);
		return;
	}
	u->indent++;
	new_line(u);
	statement(u, n);
	u->indent--;
}

/* Would an "else" after this belong to an if within it? */
static bool takes_else(const struct node *n)
{
	switch ((int)n->kind) {
	case N_IF:
		return !n->k[2] || takes_else(n->k[2]);
	case N_FOR:
	case N_FOREACH:
		return takes_else(n->k[3]);
	}
	return false;
}

static void if_statement(struct unparse *u, const struct node *n)
{
	put(u, "if (");
	expr(u, n->k[0], L_ASSIGN);
	put(u, ")");
	if (n->k[2] && takes_else(n->k[1])) { /* cannot come from a script */
		struct node only = {.kind = N_BLOCK, .k = (struct node **)&n->k[1], .nk = 1};

		body(u, &only);
	} else {
		body(u, n->k[1]);
	}
	if (!n->k[2])
		return;
	if (n->k[1]->kind == N_BLOCK)
		put(u, " else");
	else {
		new_line(u);
		put(u, "else");
	}
	if (n->k[2]->kind == N_IF) {
		put(u, " ");
		if_statement(u, n->k[2]);
	} else {
		body(u, n->k[2]);
	}
}

static void for_statement(struct unparse *u, const struct node *n)
{
	if (n->flags & NF_WHILE) {
		put(u, "while (");
		expr(u, n->k[1], L_ASSIGN);
	} else {
		put(u, "for (");
		for (unsigned i = 0; i < 3; i++) {
			if (n->k[i])
				expr(u, n->k[i], L_ASSIGN);
			if (i < 2)
				put(u, "; ");
		}
	}
	put(u, ")");
	body(u, n->k[3]);
}

static const char *order_text(const struct node *n, int64_t what)
{
	return n->op && n->num == what ? op_text(n->op) : "";
}

static void foreach_statement(struct unparse *u, const struct node *n)
{
	bool by_array = n->op && n->num == 0;

	put(u, "foreach (");
	if (n->k[1])
		sb_printf(u->out, "%s = ", n->k[1]->name);
	if (n->nk > 5)
		put(u, "[");
	for (unsigned i = 4; i < n->nk; i++)
		sb_printf(u->out, "%s%s%s", i > 4 ? ", " : "", n->k[i]->name, order_text(n, i - 3));
	if (n->nk > 5)
		put(u, "]");
	put(u, " in ");
	expr(u, n->k[0], L_POSTFIX);
	if (by_array && n->sort_stat != OP_COUNT)
		sb_printf(u->out, " %s ", op_text(n->sort_stat));
	put(u, order_text(n, 0));
	if (n->k[2]) {
		put(u, " limit ");
		expr(u, n->k[2], L_ASSIGN);
	}
	put(u, ")");
	body(u, n->k[3]);
}

static void try_statement(struct unparse *u, const struct node *n)
{
	put(u, "try ");
	block(u, n->k[0]);
	put(u, " catch ");
	if (n->k[1])
		sb_printf(u->out, "(%s) ", n->k[1]->name);
	block(u, n->k[2]);
}

static void simple_statement(struct unparse *u, const char *word, const struct node *n)
{
	put(u, word);
	if (n->nk && n->k[0]) {
		if (*word)
			put(u, " ");
		expr(u, n->k[0], L_ASSIGN);
	}
	put(u, ";");
}

static void statement(struct unparse *u, const struct node *n)
{
	switch ((int)n->kind) {
	case N_BLOCK:
		block(u, n);
		return;
	case N_EMPTY:
		put(u, ";");
		return;
	case N_EXPR:
		simple_statement(u, "", n);
		return;
	case N_RETURN:
	case N_DELETE:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
		simple_statement(u, node_text(n->kind), n);
		return;
	case N_IF:
		if_statement(u, n);
		return;
	case N_FOR:
		for_statement(u, n);
		return;
	case N_FOREACH:
		foreach_statement(u, n);
		return;
	case N_TRY:
		try_statement(u, n);
		return;
	}
	expr(u, n, L_ASSIGN);
}

/* ---- declarations ---- */

static void components(struct unparse *u, const struct node *point);

static const char *suffix(const struct node *point)
{
	return point->flags & NF_OPTIONAL ? " ?" : point->flags & NF_SUFFICIENT ? " !" : "";
}

static void component(struct unparse *u, const struct node *n)
{
	if (n->nk > 1) {
		put(u, "{");
		for (unsigned i = 1; i < n->nk; i++) {
			put(u, i > 1 ? ", " : "");
			components(u, n->k[i]);
			put(u, suffix(n->k[i]));
		}
		put(u, "}");
		return;
	}
	put(u, n->name);
	if (n->k[0]) {
		put(u, "(");
		put_literal(u, n->k[0]);
		put(u, ")");
	}
}

static void components(struct unparse *u, const struct node *point)
{
	for (unsigned i = 1; i < point->nk; i++) {
		put(u, i > 1 ? "." : "");
		component(u, point->k[i]);
	}
}

static void point(struct unparse *u, const struct node *n)
{
	components(u, n);
	if (n->k[0]) {
		put(u, " if (");
		expr(u, n->k[0], L_ASSIGN);
		put(u, ")");
	}
	put(u, suffix(n));
}

static void points(struct unparse *u, const struct node *n, unsigned first)
{
	for (unsigned i = first; i < n->nk; i++) {
		put(u, i > first ? ", " : "");
		point(u, n->k[i]);
	}
}

static void alias(struct unparse *u, const struct node *n)
{
	const struct node *names = n->k[0];

	put(u, "probe ");
	for (unsigned i = 0; i < names->nk; i++) {
		components(u, names->k[i]);
		put(u, n->flags & NF_EPILOGUE && i + 1 == names->nk ? " += " : " = ");
	}
	points(u, n->k[1], 0);
	put(u, " ");
	if (n->k[2])
		block(u, n->k[2]);
	if (n->k[2] && n->k[3])
		put(u, ", ");
	if (n->k[3])
		block(u, n->k[3]);
}

static void global(struct unparse *u, const struct node *n)
{
	sb_printf(u->out, "global %s%s", n->name, n->flags & NF_WRAP ? "%" : "");
	if (n->flags & NF_SIZED)
		sb_printf(u->out, "[%" PRId64 "]", n->num);
	if (n->k[0]) {
		put(u, " = ");
		put_literal(u, n->k[0]);
	}
}

static void type_suffix(struct unparse *u, const struct node *n)
{
	if (n->type == T_LONG || n->type == T_STRING)
		sb_printf(u->out, ":%s", type_text(n->type));
}

static void function(struct unparse *u, const struct node *n)
{
	sb_printf(u->out, "function %s", n->name);
	type_suffix(u, n);
	put(u, "(");
	for (unsigned i = 1; i < n->nk; i++) {
		sb_printf(u->out, "%s%s", i > 1 ? ", " : "", n->k[i]->name);
		type_suffix(u, n->k[i]);
	}
	put(u, ")");
	if (n->num >= 0)
		sb_printf(u->out, ":%" PRId64, n->num);
	put(u, " ");
	statement(u, n->k[0]);
}

static void any(struct unparse *u, const struct node *n)
{
	if (n->flags & NF_PRIVATE)
		put(u, "private ");
	switch ((int)n->kind) {
	case N_FILE:
		for (unsigned i = 0; i < n->nk; i++) {
			any(u, n->k[i]);
			put(u, "\n");
		}
		return;
	case N_GLOBAL:
		global(u, n);
		return;
	case N_FUNCTION:
		function(u, n);
		return;
	case N_PROBE:
		put(u, "probe ");
		points(u, n, 1);
		put(u, " ");
		block(u, n->k[0]);
		return;
	case N_ALIAS:
		alias(u, n);
		return;
	case N_POINT:
		point(u, n);
		return;
	case N_COMPONENT:
		component(u, n);
		return;
	case N_LIST:
		exprs(u, n, 0, n->nk);
		return;
	case N_PARAM:
		put(u, n->name);
		type_suffix(u, n);
		return;
	}
	statement(u, n);
}

void ast_unparse(const struct node *n, struct sb *out)
{
	struct unparse u = {.out = out};

	any(&u, n);
}

void ast_unparse_short(const struct node *n, struct sb *out)
{
	struct unparse u = {.out = out};

	switch ((int)n->kind) {
	case N_FILE:
	case N_BLOCK:
	case N_IF:
	case N_FOR:
	case N_FOREACH:
	case N_TRY:
		sb_puts(out, node_text(n->kind));
		return;
	case N_EXPR:
		expr(&u, n->k[0], L_ASSIGN);
		return;
	case N_FUNCTION:
		sb_printf(out, "function %s", n->name);
		return;
	case N_PROBE:
		sb_puts(out, "probe ");
		points(&u, n, 1);
		return;
	case N_ALIAS:
		sb_puts(out, "probe ");
		components(&u, n->k[0]->k[0]);
		return;
	}
	any(&u, n);
}
