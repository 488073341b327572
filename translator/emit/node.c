/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lowered nodes as C: each is a piece of text, made from the templates in ops.def and fetch.def. */
#include <string.h>

#include "translator/debuginfo/fetch.h"
#include "translator/emit/emit.h"

/* ---- expressions ---- */

static const char *stat_op(enum op op)
{
	static const char *const names[] = {
		[OP_COUNT] = "RT_COUNT", [OP_SUM] = "RT_SUM", [OP_MIN] = "RT_MIN",
		[OP_MAX] = "RT_MAX",	 [OP_AVG] = "RT_AVG", [OP_VARIANCE] = "RT_VARIANCE",
	};

	return op == OP_NONE ? "RT_COUNT" : op >= OP_P50 ? "RT_QUANTILE" : names[op];
}

static const char *permille(enum op op)
{
	return op == OP_P50 ? "500" : op == OP_P90 ? "900" : op == OP_P99 ? "990" : "0";
}

/* The C text for a letter of ops.def. */
static const char *op_letter(struct emit *e, const struct node *n, char letter)
{
	if (letter >= 'a' && letter <= 'd')
		return emit_expr(e, OP_ARG(n, letter - 'a'));
	if (letter >= 'A' && letter <= 'D')
		return emit_text(e, "%lld", (long long)OP_ARG(n, letter - 'A')->num);
	switch (letter) {
	case 'n':
		return emit_text(e, "%lld", (long long)n->num);
	case 'i':
		return emit_text(e, "%u", n->sym->index);
	case 'v':
		return emit_global(e, n->sym);
	case 'l':
		return emit_local(e, n->sym);
	case 'u':
		return emit_text(e, "b_%s", n->sym->name);
	case 'o':
		return op_text(n->op);
	case 's':
		return stat_op(n->op);
	case 'q':
		return permille(n->op);
	default:
		return "%";
	}
}

/* The same of fetch.def. */
static const char *step_letter(struct emit *e, const struct node *n, char letter)
{
	const struct fetch_op *op = n->fetch->ops;

	switch (letter) {
	case 'a':
	case 'b':
		return emit_expr(e, FETCH_INPUT(n, letter - 'a'));
	case 'n':
		return emit_text(e, "%lld", (long long)op->n);
	case 'N':
		return emit_number(e, op->n);
	case 'z':
		return emit_text(e, "%llu", (unsigned long long)op->size);
	case 'w':
		return emit_text(e, "%u", op->width);
	case 'p':
		return op->space == FETCH_USER ? "RT_USER" : "RT_KERNEL";
	case 'x':
		return op->is_signed ? "s" : "z";
	case 'g':
		return op->is_signed ? "_signed" : "";
	default:
		return "%";
	}
}

static const char *filled(struct emit *e, const struct node *n, const char *text,
			  const char *(*letter)(struct emit *e, const struct node *n, char letter))
{
	struct sb b = {0};
	const char *done;

	for (; *text; text++) {
		if (*text == '%')
			sb_puts(&b, letter(e, n, *++text));
		else
			sb_putc(&b, *text);
	}
	done = arena_strndup(&e->s->arena, b.s ? b.s : "", b.n);
	sb_free(&b);
	return done;
}

static const char *member(const struct node *n)
{
	return n->type == T_STRING || n->kind == N_STRING ? "s" : "l";
}

static const char *keys(struct emit *e, const struct node *n)
{
	struct sb b = {0};

	for (unsigned i = 0; i < TABLE_ROWS(n); i++)
		sb_printf(&b, "%s{.%s = %s}", i ? ", " : "{", member(TABLE_ROW(n, i)), emit_expr(e, TABLE_ROW(n, i)));
	sb_putc(&b, '}');
	const char *name = emit_table(e, "keys", "union rt_val", "[]", b.s);
	sb_free(&b);
	return name;
}

static const char *locks(struct emit *e, const struct node *n)
{
	struct sb b = {0};

	for (unsigned i = 0; i < TABLE_ROWS(n); i++)
		sb_printf(&b, "%s%u", i ? ", " : "{", TABLE_ROW(n, i)->sym->index);
	sb_putc(&b, '}');
	const char *name = emit_table(e, "locks", "rt_u32", "[]", b.s);
	sb_free(&b);
	return emit_text(e, "%s, %u", name, TABLE_ROWS(n));
}

static const char *table(struct emit *e, const struct node *n)
{
	static const char *(*const write[])(struct emit *e, const struct node *n) = {
		[TABLE_FORMAT] = emit_format, [TABLE_REGEX] = emit_regex, [TABLE_SHOW] = emit_show,
		[TABLE_ENUM] = emit_enum,     [TABLE_KEYS] = keys,	  [TABLE_LOCKS] = locks,
	};

	return write[n->num](e, n);
}

static const char *call(struct emit *e, const struct node *n)
{
	struct sb b = {0};

	sb_printf(&b, "%s(c", emit_function_name(e, n->sym->function));
	for (unsigned i = 0; i < CALL_ARGS(n); i++)
		sb_printf(&b, ", %s", emit_expr(e, CALL_ARG(n, i)));
	const char *text = emit_text(e, "%s)", b.s);
	sb_free(&b);
	return text;
}

const char *emit_expr(struct emit *e, const struct node *n)
{
	switch (n->kind) {
	case N_NUMBER:
		return emit_number(e, n->num);
	case N_STRING:
		return emit_string(e, n->text);
	case N_NAME:
		return emit_local(e, n->sym);
	case N_TEMP:
		return emit_text(e, "t%lld", (long long)n->num);
	case N_OP:
		return filled(e, n, lower_ops[n->run].text, op_letter);
	case N_FETCH:
		return filled(e, n, fetch_op_text(n->fetch->ops[0].code), step_letter);
	case N_CALL:
		return call(e, n);
	case N_TABLE:
		return table(e, n);
	case N_LET: /* ast_verify() has checked that none of these is left */
	case N_PUT:
	case N_VALUES:
	case N_WORDS:
	case N_LOOP:
	case N_LABEL:
	case N_GOTO:
	case N_BLOCK:
	case N_EXPR:
	case N_IF:
	case N_EMBEDDED:
	case N_STAR:
	CASES_UNTIL_LOWER:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	case NODE_KINDS:
		break;
	}
	return "0";
}

/* ---- statements ---- */

static const char *label_name(struct emit *e, const struct label *label)
{
	return label->id < 0 ? label->stem : emit_text(e, "%s%d", label->stem, label->id);
}

/* The place at which errors are reported. */
static void place(struct emit *e, const struct node *n)
{
	if (n->flags & NF_PLACED)
		emit_line(e, "c->loc = %zu;", emit_loc_index(e, n->loc));
}

/* Leaves if it failed. */
static void check(struct emit *e, const struct node *n)
{
	if (!n->label)
		return;
	if (!(n->flags & NF_CALLS)) {
		emit_line(e, "if (RT_FAILED(c))");
		emit_line(e, "\tgoto %s;", label_name(e, n->label));
		return;
	}
	emit_line(e, "if (RT_FAILED(c)) {");
	emit_line(e, "\trt_called_from(c, %zu);", emit_loc_index(e, n->loc));
	emit_line(e, "\tgoto %s;", label_name(e, n->label));
	emit_line(e, "}");
}

static const char *ctype(const struct node *n)
{
	static const char *const results[] = {[R_LONG] = "rt_s64 ", [R_STRING] = "struct rt_str ", [R_WORD] = "rt_u64 ", [R_ELEMENT] = "rt_s64 *"};
	const struct node *value = LET_VALUE(n);

	if (value && value->kind == N_OP)
		return results[lower_ops[value->run].result];
	if (value && value->kind == N_FETCH)
		return results[R_WORD];
	return results[n->type == T_STRING ? R_STRING : R_LONG];
}

static void let(struct emit *e, const struct node *n)
{
	if (LET_VALUE(n))
		emit_line(e, "%st%lld = %s;", ctype(n), (long long)n->num, emit_expr(e, LET_VALUE(n)));
	else
		emit_line(e, "%st%lld;", ctype(n), (long long)n->num);
}

static void put(struct emit *e, const struct node *n)
{
	emit_line(e, n->flags & NF_TRUTH ? "t%lld = (%s) != 0;" : "t%lld = %s;", (long long)n->num, emit_expr(e, PUT_VALUE(n)));
}

static void effect(struct emit *e, const struct node *value)
{
	emit_line(e, "%s%s;", value->type == T_VOID || value->kind == N_CALL ? "" : "(void)", emit_expr(e, value));
}

static void values(struct emit *e, const struct node *n)
{
	emit_line(e, "union rt_val t%lld[%u];", (long long)n->num, VALUES_VALUES(n) ? VALUES_VALUES(n) : 1);
	for (unsigned i = 0; i < VALUES_VALUES(n); i++) {
		const struct node *value = VALUES_VALUE(n, i);
		if (value->kind != N_STAR)
			emit_line(e, "t%lld[%u].%s = %s;", (long long)n->num, i, member(value), emit_expr(e, value));
	}
}

static void words(struct emit *e, const struct node *n)
{
	emit_line(e, "rt_u64 t%lld[%u];", (long long)n->num, WORDS_VALUES(n) ? WORDS_VALUES(n) : 1);
	for (unsigned i = 0; i < WORDS_VALUES(n); i++)
		emit_line(e, "t%lld[%u] = (rt_u64)%s;", (long long)n->num, i, emit_expr(e, WORDS_VALUE(n, i)));
}

static void if_else(struct emit *e, const struct node *n)
{
	emit_line(e, "if (%s) {", emit_expr(e, IF_CONDITION(n)));
	e->indent++;
	emit_block(e, IF_THEN(n));
	if (IF_ELSE(n)) {
		e->indent--;
		emit_line(e, "} else {");
		e->indent++;
		emit_block(e, IF_ELSE(n));
	}
	emit_close(e);
}

static void jump(struct emit *e, const struct node *n)
{
	const char *label = label_name(e, n->label);

	if (!GOTO_CONDITION(n)) {
		emit_line(e, "goto %s;", label);
		return;
	}
	emit_line(e, "if (%s%s)", n->flags & NF_UNLESS ? "!" : "", emit_expr(e, GOTO_CONDITION(n)));
	emit_line(e, "\tgoto %s;", label);
}

static void statement(struct emit *e, const struct node *n)
{
	switch (n->kind) {
	case N_BLOCK:
		emit_open(e);
		emit_block(e, n);
		emit_close(e);
		return;
	case N_LET:
		let(e, n);
		return;
	case N_PUT:
		put(e, n);
		return;
	case N_EXPR:
		effect(e, EXPR_VALUE(n));
		return;
	case N_VALUES:
		values(e, n);
		return;
	case N_WORDS:
		words(e, n);
		return;
	case N_IF:
		if_else(e, n);
		return;
	case N_LOOP:
		emit_line(e, "for (;;) {");
		e->indent++;
		emit_block(e, LOOP_BODY(n));
		emit_close(e);
		return;
	case N_GOTO:
		jump(e, n);
		return;
	case N_LABEL: /* below */
	case N_NUMBER: /* ast_verify() has checked that none of the others is left */
	case N_STRING:
	case N_NAME:
	case N_TEMP:
	case N_OP:
	case N_TABLE:
	case N_CALL:
	case N_FETCH:
	case N_EMBEDDED:
	case N_STAR:
	CASES_UNTIL_LOWER:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	case NODE_KINDS:
		return;
	}
}

/* C wants a statement after a label. */
static bool is_last(const struct node *block, unsigned i)
{
	while (++i < BLOCK_STATEMENTS(block))
		if (BLOCK_STATEMENT(block, i)->kind != N_LABEL || BLOCK_STATEMENT(block, i)->label->used)
			return false;
	return true;
}

void emit_block(struct emit *e, const struct node *n)
{
	for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++) {
		const struct node *child = BLOCK_STATEMENT(n, i);
		if (child->kind == N_LABEL) {
			if (child->label->used)
				sb_printf(e->out, "%s:%s\n", label_name(e, child->label), is_last(n, i) ? ";" : "");
			continue;
		}
		place(e, child);
		statement(e, child);
		if (child->kind != N_GOTO)
			check(e, child);
	}
}
