// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tree -> script.  What is printed parses back to an equal tree; parentheses are printed only where they are needed.
 * Long, since each switch has a line for each kind.
 */
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
	static const enum level levels[OPS] = {
		[OP_MUL] = L_MUL, [OP_DIV] = L_MUL, [OP_MOD] = L_MUL, [OP_ADD] = L_ADD, [OP_SUB] = L_ADD, [OP_CAT] = L_CAT,
		[OP_SHL] = L_SHIFT, [OP_SHR] = L_SHIFT, [OP_USHR] = L_SHIFT,
		[OP_AND] = L_AND, [OP_XOR] = L_XOR, [OP_OR] = L_OR, [OP_LAND] = L_LAND, [OP_LOR] = L_LOR,
	};

	return levels[op] ? levels[op] : L_COMPARE;
}

static enum level level_of(const struct node *n)
{
	switch (n->kind) {
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
	case N_NUMBER:
	case N_STRING:
	case N_NAME:
	case N_STAR:
	case N_TARGET:
	case N_CALL:
	case N_PRINT:
	case N_STAT:
	case N_CAST:
	case N_DEFINED:
	case N_PROBEWRITE:
	case N_ENTRY:
	case N_ATVAR:
	case N_PERF:
	case N_ATOP:
	case N_FETCH:
	case N_STORE:
	case N_SHOW:
	case N_ENUM_NAME:
	case N_ENTRY_VALUE:
	CASES_OF_DECLARATIONS:
	CASES_OF_STATEMENTS:
	CASES_LOWERED:
	case NODE_KINDS:
		return L_PRIMARY;
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

/* A negative number can only be written where literals are; elsewhere "-1" would be an operator and a number. */
static void put_number(struct unparse *u, int64_t num)
{
	sb_printf(u->out, num < 0 ? "0x%" PRIx64 : "%" PRId64, num);
}

/* The children of n, except that one (NULL: all). */
static void exprs(struct unparse *u, const struct node *n, struct node *const *but)
{
	const char *comma = "";

	AST_EACH(child, n) {
		if (child == but)
			continue;
		put(u, comma);
		comma = ", ";
		expr(u, *child, L_ASSIGN);
	}
}

static void call(struct unparse *u, const char *name, const struct node *n)
{
	sb_printf(u->out, "%s(", name);
	exprs(u, n, NULL);
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

static void binary(struct unparse *u, const struct node *n)
{
	expr(u, BINARY_LEFT(n), level_of(n));
	sb_printf(u->out, " %s ", op_text(n->op));
	expr(u, BINARY_RIGHT(n), level_of(n) + 1);
}

static void regex(struct unparse *u, const struct node *n)
{
	expr(u, REGEX_SUBJECT(n), L_COMPARE);
	sb_printf(u->out, " %s ", op_text(n->op));
	expr(u, REGEX_PATTERN(n), L_SHIFT);
}

static void ternary(struct unparse *u, const struct node *n)
{
	expr(u, TERNARY_CONDITION(n), L_LOR);
	put(u, " ? ");
	expr(u, TERNARY_THEN(n), L_ASSIGN);
	put(u, " : ");
	expr(u, TERNARY_ELSE(n), L_TERNARY);
}

static void assign(struct unparse *u, const struct node *n)
{
	expr(u, ASSIGN_TO(n), L_TERNARY);
	if (op_kind(n->op) == OPK_ASG)
		sb_printf(u->out, " %s ", op_text(n->op));
	else
		sb_printf(u->out, " %s= ", op_text(n->op));
	expr(u, ASSIGN_VALUE(n), L_ASSIGN);
}

static void incdec(struct unparse *u, const struct node *n)
{
	const char *op = n->op == OP_ADD ? "++" : "--";

	if (n->flags & NF_PREFIX)
		put(u, op);
	expr(u, INCDEC_OF(n), L_ADDRESS);
	if (!(n->flags & NF_PREFIX))
		put(u, op);
}

static void in(struct unparse *u, const struct node *n)
{
	if (IN_KEYS(n) == 1 && IN_KEY(n, 0)->kind != N_STAR) {
		expr(u, IN_KEY(n, 0), L_COMPARE);
	} else {
		put(u, "[");
		exprs(u, n, &IN_ARRAY(n));
		put(u, "]");
	}
	put(u, " in ");
	expr(u, IN_ARRAY(n), L_POSTFIX);
}

static void print(struct unparse *u, const struct node *n)
{
	bool has_literal = n->text && strcmp(n->name, "print_char") != 0;

	sb_printf(u->out, "%s(", n->name);
	if (has_literal) {
		put_string(u, n->text);
		if (PRINT_VALUES(n))
			put(u, ", ");
	}
	exprs(u, n, NULL);
	put(u, ")");
}

static void stat(struct unparse *u, const struct node *n)
{
	sb_printf(u->out, "%s(", op_text(n->op));
	expr(u, STAT_OF(n), L_ASSIGN);
	for (unsigned i = 0; i < STAT_PARAMETERS(n); i++) {
		put(u, ", ");
		if (n->op == OP_QUANTILE)
			expr(u, STAT_PARAMETER(n, i), L_ASSIGN);
		else
			put_literal(u, STAT_PARAMETER(n, i));
	}
	if (n->op == OP_VARIANCE && n->num)
		sb_printf(u->out, ", %" PRId64, n->num);
	put(u, ")");
}

static void with_text(struct unparse *u, const char *name, const struct node *expression, const char *text,
		      const struct node *module, const struct node *cpu)
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
	if (cpu) {
		put(u, ", ");
		expr(u, cpu, L_ASSIGN);
	}
	put(u, ")");
}

static void index_of(struct unparse *u, const struct node *n)
{
	expr(u, INDEX_BASE(n), L_POSTFIX);
	put(u, "[");
	exprs(u, n, &INDEX_BASE(n));
	put(u, "]");
}

/* What is written as a call of this name; NULL: another name or form.  The last ones, which bind makes of $x, are for people only. */
static const char *const called[] = {
	[N_DEFINED] = "@defined", [N_PROBEWRITE] = "@probewrite", [N_ENTRY] = "@entry", [N_FETCH] = "$fetch", [N_STORE] = "$store",
	[N_SHOW] = "$show", [N_ENUM_NAME] = "$enumname", [N_ENTRY_VALUE] = "$entry",
};

static void embedded(struct unparse *u, const struct node *n)
{
	sb_puts(u->out, "%{");
	sb_putn(u->out, n->text, intern_len(n->text));
	sb_puts(u->out, "%}");
}

/* Long, since each kind has its line. */
static void bare_expr(struct unparse *u, const struct node *n)
{
	if (n->kind == N_EMBEDDED) { /* a statement, too */
		embedded(u, n);
		return;
	}
	switch (n->kind) {
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
	case N_INDEX:
		index_of(u, n);
		return;
	case N_MEMBER:
		expr(u, MEMBER_BASE(n), L_POSTFIX);
		sb_printf(u->out, "->%s", n->name);
		return;
	case N_PRETTY:
		expr(u, PRETTY_OF(n), L_POSTFIX);
		put(u, n->num == 1 ? "$" : "$$");
		return;
	case N_ADDRESS:
		put(u, "&");
		expr(u, ADDRESS_OF(n), L_POSTFIX); /* "&&" is another operator */
		return;
	case N_UNARY:
		unary(u, op_text(n->op), UNARY_OPERAND(n));
		return;
	case N_BINARY:
		binary(u, n);
		return;
	case N_REGEX:
		regex(u, n);
		return;
	case N_TERNARY:
		ternary(u, n);
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
		with_text(u, "cast", CAST_VALUE(n), n->text, CAST_MODULE(n), NULL);
		return;
	case N_ATVAR:
		with_text(u, "var", NULL, n->text, ATVAR_MODULE(n), ATVAR_CPU(n));
		return;
	case N_PERF:
		with_text(u, "perf", NULL, n->text, NULL, NULL);
		return;
	case N_DEFINED: case N_PROBEWRITE: case N_ENTRY:
	case N_FETCH: case N_STORE: case N_SHOW: case N_ENUM_NAME: case N_ENTRY_VALUE:
		call(u, called[n->kind], n);
		return;
	case N_ATOP:
		put(u, "@");
		call(u, n->name, n);
		return;
	CASES_OF_DECLARATIONS:
	CASES_OF_STATEMENTS:
	CASES_LOWERED:
	case NODE_KINDS:
		return;
	}
}

/* Inner operators of the same level are to the left, so only a prefix ++ after a sign needs care. */
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
	for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++) {
		new_line(u);
		statement(u, BLOCK_STATEMENT(n, i));
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
	if (n->kind == N_IF)
		return !IF_ELSE(n) || takes_else(IF_ELSE(n));
	if (n->kind == N_FOR)
		return takes_else(FOR_BODY(n));
	return n->kind == N_FOREACH && takes_else(FOREACH_BODY(n));
}

static void if_statement(struct unparse *u, const struct node *n)
{
	const struct node *otherwise = IF_ELSE(n);

	put(u, "if (");
	expr(u, IF_CONDITION(n), L_ASSIGN);
	put(u, ")");
	if (otherwise && takes_else(IF_THEN(n))) { /* cannot come from a script */
		struct node only = {.kind = N_BLOCK, .k = &IF_THEN(n), .nk = 1};

		body(u, &only);
	} else {
		body(u, IF_THEN(n));
	}
	if (!otherwise)
		return;
	if (IF_THEN(n)->kind == N_BLOCK)
		put(u, " else");
	else {
		new_line(u);
		put(u, "else");
	}
	if (otherwise->kind == N_IF) {
		put(u, " ");
		if_statement(u, otherwise);
	} else {
		body(u, otherwise);
	}
}

static void expr_if_any(struct unparse *u, const struct node *n)
{
	if (n)
		expr(u, n, L_ASSIGN);
}

static void for_statement(struct unparse *u, const struct node *n)
{
	if (n->flags & NF_WHILE) {
		put(u, "while (");
		expr(u, FOR_CONDITION(n), L_ASSIGN);
	} else {
		put(u, "for (");
		expr_if_any(u, FOR_INIT(n));
		put(u, "; ");
		expr_if_any(u, FOR_CONDITION(n));
		put(u, "; ");
		expr_if_any(u, FOR_STEP(n));
	}
	put(u, ")");
	body(u, FOR_BODY(n));
}

static const char *order_text(const struct node *n, int64_t what)
{
	return n->op && n->num == what ? op_text(n->op) : "";
}

static void foreach_statement(struct unparse *u, const struct node *n)
{
	bool by_array = n->op && n->num == 0, several = FOREACH_KEYS(n) > 1;

	put(u, "foreach (");
	if (FOREACH_VALUE(n))
		sb_printf(u->out, "%s = ", FOREACH_VALUE(n)->name);
	if (several)
		put(u, "[");
	for (unsigned i = 0; i < FOREACH_KEYS(n); i++)
		sb_printf(u->out, "%s%s%s", i ? ", " : "", FOREACH_KEY(n, i)->name, order_text(n, i + 1));
	if (several)
		put(u, "]");
	put(u, " in ");
	expr(u, FOREACH_ARRAY(n), L_POSTFIX);
	if (by_array && n->sort_stat != OP_COUNT)
		sb_printf(u->out, " %s ", op_text(n->sort_stat));
	put(u, order_text(n, 0));
	if (FOREACH_LIMIT(n)) {
		put(u, " limit ");
		expr(u, FOREACH_LIMIT(n), L_ASSIGN);
	}
	put(u, ")");
	body(u, FOREACH_BODY(n));
}

static void try_statement(struct unparse *u, const struct node *n)
{
	put(u, "try ");
	block(u, TRY_BODY(n));
	put(u, " catch ");
	if (TRY_VARIABLE(n))
		sb_printf(u->out, "(%s) ", TRY_VARIABLE(n)->name);
	block(u, TRY_HANDLER(n));
}

/* "delete" and the like, and the expression that may follow. */
static void simple_statement(struct unparse *u, const struct node *n)
{
	put(u, node_text(n->kind));
	AST_EACH(child, n) {
		put(u, " ");
		expr(u, *child, L_ASSIGN);
	}
	put(u, ";");
}

static void statement(struct unparse *u, const struct node *n)
{
	switch (n->kind) {
	case N_BLOCK:
		block(u, n);
		return;
	case N_EMPTY:
		put(u, ";");
		return;
	case N_EXPR:
		expr(u, EXPR_VALUE(n), L_ASSIGN);
		put(u, ";");
		return;
	case N_RETURN:
	case N_DELETE:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
		simple_statement(u, n);
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
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
		expr(u, n, L_ASSIGN);
		return;
	CASES_OF_DECLARATIONS:
	case NODE_KINDS:
		return;
	}
}

/* ---- declarations ---- */

static void components(struct unparse *u, const struct node *point);

static const char *suffix(const struct node *point)
{
	return point->flags & NF_OPTIONAL ? " ?" : point->flags & NF_SUFFICIENT ? " !" : "";
}

static void component(struct unparse *u, const struct node *n)
{
	if (COMPONENT_ALTERNATIVES(n)) {
		put(u, "{");
		for (unsigned i = 0; i < COMPONENT_ALTERNATIVES(n); i++) {
			put(u, i ? ", " : "");
			components(u, COMPONENT_ALTERNATIVE(n, i));
			put(u, suffix(COMPONENT_ALTERNATIVE(n, i)));
		}
		put(u, "}");
		return;
	}
	put(u, n->name);
	if (COMPONENT_LITERAL(n)) {
		put(u, "(");
		put_literal(u, COMPONENT_LITERAL(n));
		put(u, ")");
	}
}

static void components(struct unparse *u, const struct node *point)
{
	for (unsigned i = 0; i < POINT_COMPONENTS(point); i++) {
		put(u, i ? "." : "");
		component(u, POINT_COMPONENT(point, i));
	}
}

static void point(struct unparse *u, const struct node *n)
{
	components(u, n);
	if (POINT_CONDITION(n)) {
		put(u, " if (");
		expr(u, POINT_CONDITION(n), L_ASSIGN);
		put(u, ")");
	}
	put(u, suffix(n));
}

/* Those of a probe, or of a list. */
static void points(struct unparse *u, const struct node *n)
{
	const char *comma = "";

	AST_EACH(child, n) {
		if (ast_role(n, child) == ROLE_BODY)
			continue;
		put(u, comma);
		comma = ", ";
		point(u, *child);
	}
}

static void alias(struct unparse *u, const struct node *n)
{
	const struct node *names = ALIAS_NAME_LIST(n), *prologue = ALIAS_PROLOGUE(n), *epilogue = ALIAS_EPILOGUE(n);

	put(u, "probe ");
	for (unsigned i = 0; i < LIST_ITEMS(names); i++) {
		components(u, LIST_ITEM(names, i));
		put(u, n->flags & NF_EPILOGUE && i + 1 == LIST_ITEMS(names) ? " += " : " = ");
	}
	points(u, ALIAS_POINT_LIST(n));
	put(u, " ");
	if (prologue)
		block(u, prologue);
	if (prologue && epilogue)
		put(u, ", ");
	if (epilogue)
		block(u, epilogue);
}

static void global(struct unparse *u, const struct node *n)
{
	sb_printf(u->out, "global %s%s", n->name, n->flags & NF_WRAP ? "%" : "");
	if (n->flags & NF_SIZED)
		sb_printf(u->out, "[%" PRId64 "]", n->num);
	if (GLOBAL_VALUE(n)) {
		put(u, " = ");
		put_literal(u, GLOBAL_VALUE(n));
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
	for (unsigned i = 0; i < FUNCTION_PARAMS(n); i++) {
		sb_printf(u->out, "%s%s", i ? ", " : "", FUNCTION_PARAM(n, i)->name);
		type_suffix(u, FUNCTION_PARAM(n, i));
	}
	put(u, ")");
	if (n->num >= 0)
		sb_printf(u->out, ":%" PRId64, n->num);
	put(u, " ");
	statement(u, FUNCTION_BODY(n));
}

static void any(struct unparse *u, const struct node *n)
{
	if (n->flags & NF_PRIVATE)
		put(u, "private ");
	switch (n->kind) {
	case N_FILE:
		for (unsigned i = 0; i < FILE_DECLARATIONS(n); i++) {
			any(u, FILE_DECLARATION(n, i));
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
		points(u, n);
		put(u, " ");
		block(u, PROBE_BODY(n));
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
		exprs(u, n, NULL);
		return;
	case N_PARAM:
		put(u, n->name);
		type_suffix(u, n);
		return;
	CASES_OF_STATEMENTS:
	CASES_OF_EXPRESSIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
		statement(u, n);
		return;
	case NODE_KINDS:
		return;
	}
}

void ast_unparse(const struct node *n, struct sb *out)
{
	struct unparse u = {.out = out};

	any(&u, n);
}

void ast_unparse_short(const struct node *n, struct sb *out)
{
	struct unparse u = {.out = out};

	switch (n->kind) {
	case N_FILE:
	case N_BLOCK:
	case N_IF:
	case N_FOR:
	case N_FOREACH:
	case N_TRY:
		sb_puts(out, node_text(n->kind));
		return;
	case N_EXPR:
		expr(&u, EXPR_VALUE(n), L_ASSIGN);
		return;
	case N_FUNCTION:
		sb_printf(out, "function %s", n->name);
		return;
	case N_PROBE:
		sb_puts(out, "probe ");
		points(&u, n);
		return;
	case N_ALIAS:
		sb_puts(out, "probe ");
		components(&u, LIST_ITEM(ALIAS_NAME_LIST(n), 0));
		return;
	case N_GLOBAL:
	case N_PARAM:
	case N_POINT:
	case N_COMPONENT:
	case N_LIST:
	case N_EMPTY:
	case N_RETURN:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
	case N_DELETE:
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
		any(&u, n);
		return;
	case NODE_KINDS:
		return;
	}
}
