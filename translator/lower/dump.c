/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lowered program as text: what is done, one thing a line, in order.  "t1 = div(t0, 2) else err" is an operation of ops.def in
 * small letters, with its variable first and its number last, and where it goes when it fails.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "translator/debuginfo/fetch.h"
#include "translator/lower/lower.h"

static void expr(const struct node *n, struct sb *out);

/* "add" of L_ADD. */
static void put_name(const char *name, struct sb *out)
{
	for (name += strlen("L_"); *name; name++)
		sb_putc(out, (char)tolower((unsigned char)*name));
}

static void put_list(const struct node *n, const char *comma, struct sb *out)
{
	AST_EACH(child, n) {
		sb_puts(out, comma);
		expr(*child, out);
		comma = ", ";
	}
}

static void operation(const struct node *n, struct sb *out)
{
	const struct lower_op_row *row = &lower_ops[n->run];
	const char *comma = "";

	put_name(row->name, out);
	if (strstr(row->text, "%o"))
		sb_printf(out, " %s", op_text(n->op));
	if (!strchr(row->text, '%'))
		return;
	sb_putc(out, '(');
	if (n->sym) {
		sb_puts(out, n->sym->name);
		comma = ", ";
	}
	put_list(n, comma, out);
	comma = n->sym || OP_ARGS(n) ? ", " : "";
	if (strstr(row->text, "%n"))
		sb_printf(out, "%s%" PRId64, comma, n->num);
	if (strstr(row->text, "%s"))
		sb_printf(out, "%s%s", comma, n->op ? op_text(n->op) : "@count");
	sb_putc(out, ')');
}

/* A step of a fetch program, with what it is about. */
static void step(const struct node *n, struct sb *out)
{
	const struct fetch_op *op = n->fetch->ops;
	const char *comma = FETCH_INPUTS(n) ? ", " : "";

	sb_printf(out, "%s(", fetch_op_name(op->code));
	put_list(n, "", out);
	if (strstr(fetch_op_text(op->code), "%n") || strstr(fetch_op_text(op->code), "%N"))
		sb_printf(out, "%s%" PRId64, comma, op->n);
	if (op->size)
		sb_printf(out, ", %" PRIu64, op->size);
	sb_putc(out, ')');
}

static void table(const struct node *n, struct sb *out)
{
	static const char *const names[] = {
		[TABLE_FORMAT] = "format", [TABLE_REGEX] = "regex", [TABLE_SHOW] = "show", [TABLE_ENUM] = "enum",
		[TABLE_KEYS] = "keys",	   [TABLE_LOCKS] = "",
	};

	sb_puts(out, names[n->num]);
	if (n->text) {
		sb_putc(out, ' ');
		sb_put_c_string(out, n->text, intern_len(n->text));
	}
	if (TABLE_ROWS(n)) {
		sb_putc(out, '[');
		put_list(n, "", out);
		sb_putc(out, ']');
	}
}

static void expr(const struct node *n, struct sb *out)
{
	if (n->kind == N_TEMP) {
		sb_printf(out, "t%" PRId64, n->num);
	} else if (n->kind == N_OP) {
		operation(n, out);
	} else if (n->kind == N_FETCH) {
		step(n, out);
	} else if (n->kind == N_TABLE) {
		table(n, out);
	} else if (n->kind == N_NUMBER) {
		sb_printf(out, "%" PRId64, n->num);
	} else if (n->kind == N_CALL) {
		sb_printf(out, "%s(", n->sym->name);
		put_list(n, "", out);
		sb_putc(out, ')');
	} else {
		ast_unparse_short(n, out);
	}
}

static void put_label(const struct label *label, struct sb *out)
{
	sb_puts(out, label->stem);
	if (label->id >= 0)
		sb_printf(out, "%d", label->id);
}

/* ---- statements ---- */

static void block(const struct node *n, unsigned indent, struct sb *out);

static void begin_line(unsigned indent, struct sb *out)
{
	for (unsigned i = 0; i < indent; i++)
		sb_putc(out, '\t');
}

static void assigned(const struct node *n, const struct node *value, struct sb *out)
{
	sb_printf(out, "t%" PRId64, n->num);
	if (!value)
		return;
	sb_puts(out, " = ");
	expr(value, out);
}

static void jump(const struct node *n, struct sb *out)
{
	if (GOTO_CONDITION(n)) {
		sb_puts(out, n->flags & NF_UNLESS ? "unless " : "if ");
		expr(GOTO_CONDITION(n), out);
		sb_puts(out, " ");
	}
	sb_puts(out, "goto ");
	put_label(n->label, out);
}

static void inside(const char *head, const struct node *body, unsigned indent, struct sb *out)
{
	sb_printf(out, "%s{\n", head);
	block(body, indent + 1, out);
	begin_line(indent, out);
	sb_puts(out, "}");
}

static void statement(const struct node *n, unsigned indent, struct sb *out)
{
	if (n->kind == N_LABEL && !n->label->used)
		return;
	begin_line(indent, out);
	if (n->kind == N_LET) {
		assigned(n, LET_VALUE(n), out);
	} else if (n->kind == N_PUT) {
		assigned(n, PUT_VALUE(n), out);
	} else if (n->kind == N_VALUES || n->kind == N_WORDS) {
		sb_printf(out, "t%" PRId64 " = [", n->num);
		put_list(n, "", out);
		sb_putc(out, ']');
	} else if (n->kind == N_EXPR) {
		expr(EXPR_VALUE(n), out);
	} else if (n->kind == N_GOTO) {
		jump(n, out);
	} else if (n->kind == N_LABEL) {
		put_label(n->label, out);
		sb_putc(out, ':');
	} else if (n->kind == N_LOOP) {
		inside("loop ", LOOP_BODY(n), indent, out);
	} else if (n->kind == N_IF) {
		sb_puts(out, "if ");
		expr(IF_CONDITION(n), out);
		inside(" ", IF_THEN(n), indent, out);
		if (IF_ELSE(n))
			inside(" else ", IF_ELSE(n), indent, out);
	} else {
		inside("", n, indent, out);
	}
	if (n->label && n->kind != N_GOTO && n->kind != N_LABEL) {
		sb_puts(out, " else ");
		put_label(n->label, out);
	}
	sb_putc(out, '\n');
}

static void block(const struct node *n, unsigned indent, struct sb *out)
{
	for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++)
		statement(BLOCK_STATEMENT(n, i), indent, out);
}

static void body(const char *what, const struct node *n, struct sb *out)
{
	if (!n)
		return;
	sb_puts(out, what);
	block(n, 1, out);
}

void lower_dump(struct session *s, struct sb *out)
{
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct function *f = s->prog.function_list.v[i];
		if (f->lowered)
			sb_printf(out, "function %s\n", f->sym->name);
		body("", f->lowered, out);
	}
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		sb_printf(out, "probe %s%s\n", p->sites.v[0]->point, p->sites.n > 1 ? ", ..." : "");
		body("", p->lowered, out);
		body("at the entry\n", p->entry_body, out);
		body("armed if\n", p->arming, out);
	}
}
