/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may not happen under a lock: calls, prints, accesses to the probed code's memory, statistics being fed, walks over arrays. */
#include <string.h>

#include "base/intern.h"
#include "parser/format.h"
#include "translator/debuginfo/fetch.h"
#include "translator/emit/emit.h"
#include "translator/resolve/embedded.h"

/* ---- calls ---- */

/* An error is left in the context.  C of our own tapset has none if it does not know it, by any of its names. */
static bool can_fail(const struct function *f)
{
	const char *text = f->body->text;

	if (f->body->kind != N_EMBEDDED || !f->embedded->is_own || f->gives_way)
		return true;
	if (strstr(text, "CONTEXT") || strstr(text, "stap_ctx"))
		return true;
	for (const char *p = text; (p = strstr(p, "STAP_")); p++)
		if (strncmp(p, "STAP_RET", 8) && strncmp(p, "STAP_ARG_", 9))
			return true;
	return false;
}

static void call(struct emit *e, struct node *n, bool wanted)
{
	struct function *f = n->sym->function;
	bool fails = can_fail(f);
	struct sb args = {0};
	const char *text;

	emit_children(e, n);
	for (unsigned i = 0; i < CALL_ARGS(n); i++)
		sb_printf(&args, ", %s", CALL_ARG(n, i)->value);
	text = emit_text(e, "%s(c%s)", emit_function_name(e, f), args.s ? args.s : "");
	sb_free(&args);
	if (fails)
		emit_loc(e, n);
	if (wanted && n->sym->type != T_VOID) {
		n->value = emit_value(e, n->sym->type, text);
		e->nstrings += n->sym->type == T_STRING;
	} else {
		emit_line(e, "%s;", text);
		n->value = "";
	}
	if (!fails)
		return;
	if (f->body->kind == N_EMBEDDED) { /* its errors are those of the call */
		emit_check(e);
		return;
	}
	e->error_used = true;
	emit_line(e, "if (RT_FAILED(c)) {");
	emit_line(e, "\trt_called_from(c, %zu);", emit_loc_index(e, n->loc));
	emit_line(e, "\tgoto %s;", e->error_label);
	emit_line(e, "}");
}

/* ---- the probed code ---- */

static const char *fetch_read(struct emit *e, const struct node *n, const struct fetch_op *op, const char *addr)
{
	const char *t = emit_tmp(e);

	emit_loc(e, n);
	emit_line(e, "rt_u64 %s = rt_read(c, %s, %s, %u);", t, op->space == FETCH_USER ? "RT_USER" : "RT_KERNEL", addr,
		  (unsigned)op->size);
	emit_check(e);
	if (op->size == 8)
		return t;
	return emit_text(e, "(rt_u64)rt_%cext(%s, %u)", op->is_signed ? 's' : 'z', t, (unsigned)op->size);
}

/* The address of a kernel symbol.  What a module had is gone when that is unloaded. */
static const char *fetch_symbol(struct emit *e, const struct node *n, int64_t i)
{
	const char *t;

	if (!e->s->prog.ksymbols.v[i].module)
		return emit_text(e, "ksymbols[%lld].address", (long long)i);
	t = emit_tmp(e);
	emit_loc(e, n);
	emit_line(e, "rt_u64 %s = rt_symbol(c, &ksymbols[%lld]);", t, (long long)i);
	emit_check(e);
	return t;
}

static const char *fetch_divide(struct emit *e, const struct node *n, enum fetch_opcode code, const char *a, const char *b)
{
	emit_loc(e, n);
	if (code == FETCH_DIV) {
		const char *t = emit_value(e, T_LONG, emit_text(e, "rt_div(c, %s, %s)", a, b));
		emit_check(e);
		return emit_text(e, "(rt_u64)%s", t);
	}
	emit_line(e, "if (!%s)", b);
	emit_line(e, "\trt_error(c, \"division by 0\");");
	emit_check(e);
	return emit_text(e, "(%s %% %s)", a, b);
}

/* What a program of a N_FETCH or N_STORE gets from outside. */
static const char *input(const struct node *n, const struct fetch_op *op)
{
	return n->kind == N_STORE ? STORE_INPUT(n, op->n)->value : FETCH_INPUT(n, op->n)->value;
}

static const char *frame_address(struct emit *e)
{
	const struct target *t = e->s->target;

	if (!t->cfa)
		return emit_text(e, "rt_reg(c, %u)", t->stack_pointer);
	return emit_text(e, "(rt_reg(c, %u) + %u)", t->stack_pointer, t->cfa);
}

/* One operation on operands a and b (b from the top), as C text of an rt_u64.  Long, since each operation has its line. */
static const char *fetch_step(struct emit *e, struct node *n, const struct fetch_op *op, const char *a, const char *b)
{
	switch (op->code) {
	case FETCH_CONST:
		return emit_text(e, "(rt_u64)%s", emit_number(e, op->n));
	case FETCH_REG:
		return emit_text(e, "rt_reg(c, %lld)", (long long)op->n);
	case FETCH_UREG:
		return emit_text(e, "rt_user_reg(c, %lld)", (long long)op->n);
	case FETCH_ARG:
		return emit_text(e, "rt_arg(c, %lld)", (long long)op->n);
	case FETCH_RETVAL:
		return "rt_retval(c)";
	case FETCH_CFA:
		return frame_address(e);
	case FETCH_BIAS:
		return "rt_load_base(c)";
	case FETCH_SYMBOL:
		return fetch_symbol(e, n, op->n);
	case FETCH_PERCPU:
		return emit_text(e, "rt_this_cpu(%s)", b);
	case FETCH_INPUT:
		return emit_text(e, "(rt_u64)(%s)", input(n, op));
	case FETCH_ADD:
		return emit_text(e, "(%s + (rt_u64)%s)", b, emit_number(e, op->n));
	case FETCH_INDEX:
		return emit_text(e, "(%s + (rt_u64)(%s) * %lluu)", b, input(n, op), (unsigned long long)op->size);
	case FETCH_DEREF:
		return fetch_read(e, n, op, b);
	case FETCH_BITS:
		return emit_text(e, "(rt_u64)rt_bits%s(%s, %lld, %u)", op->is_signed ? "_signed" : "", b, (long long)op->n, op->width);
	case FETCH_EXT:
		return emit_text(e, "(rt_u64)rt_%cext(%s, %u)", op->is_signed ? 's' : 'z', b, (unsigned)op->size);
	case FETCH_NEG:
		return emit_text(e, "(-(%s))", b);
	case FETCH_NOT:
		return emit_text(e, "(~(%s))", b);
	case FETCH_ABS:
		return emit_text(e, "((rt_s64)%s < 0 ? -%s : %s)", b, b, b);
	case FETCH_PLUS:
		return emit_text(e, "(%s + %s)", a, b);
	case FETCH_MINUS:
		return emit_text(e, "(%s - %s)", a, b);
	case FETCH_MUL:
		return emit_text(e, "(%s * %s)", a, b);
	case FETCH_DIV:
	case FETCH_MOD:
		return fetch_divide(e, n, op->code, a, b);
	case FETCH_AND:
		return emit_text(e, "(%s & %s)", a, b);
	case FETCH_OR:
		return emit_text(e, "(%s | %s)", a, b);
	case FETCH_XOR:
		return emit_text(e, "(%s ^ %s)", a, b);
	case FETCH_SHL:
		return emit_text(e, "(%s > 63 ? 0 : %s << %s)", b, a, b);
	case FETCH_SHR:
		return emit_text(e, "(%s > 63 ? 0 : %s >> %s)", b, a, b);
	case FETCH_SHRA:
		return emit_text(e, "(rt_u64)((rt_s64)%s >> (%s > 63 ? 63 : %s))", a, b, b);
	case FETCH_EQ:
		return emit_text(e, "(rt_u64)((rt_s64)%s == (rt_s64)%s)", a, b);
	case FETCH_NE:
		return emit_text(e, "(rt_u64)((rt_s64)%s != (rt_s64)%s)", a, b);
	case FETCH_LT:
		return emit_text(e, "(rt_u64)((rt_s64)%s < (rt_s64)%s)", a, b);
	case FETCH_LE:
		return emit_text(e, "(rt_u64)((rt_s64)%s <= (rt_s64)%s)", a, b);
	case FETCH_GT:
		return emit_text(e, "(rt_u64)((rt_s64)%s > (rt_s64)%s)", a, b);
	case FETCH_GE:
		return emit_text(e, "(rt_u64)((rt_s64)%s >= (rt_s64)%s)", a, b);
	case FETCH_DUP:
	case FETCH_DROP:
	case FETCH_SWAP:
	case FETCH_OVER:
	case FETCH_ROT:
	case FETCH_OPCODES:
		break;
	}
	return b;
}

/* Stack shuffles move texts; everything else leaves one result in a temporary. */
const char *emit_fetch(struct emit *e, struct node *n, const struct fetch *f)
{
	const char *stack[FETCH_MAX_DEPTH + 2] = {0};
	unsigned depth = 0;

	for (unsigned i = 0; i < f->nops; i++) {
		const struct fetch_op *op = &f->ops[i];
		const char *top = depth ? stack[depth - 1] : "0", *below = depth > 1 ? stack[depth - 2] : "0";
		switch (op->code) {
		case FETCH_DUP:
			stack[depth++] = top;
			continue;
		case FETCH_DROP:
			depth--;
			continue;
		case FETCH_SWAP:
			stack[depth - 1] = below;
			stack[depth - 2] = top;
			continue;
		case FETCH_OVER:
			stack[depth++] = below;
			continue;
		case FETCH_ROT:
			stack[depth - 1] = below;
			stack[depth - 2] = stack[depth - 3];
			stack[depth - 3] = top;
			continue;
		default:
			break;
		}
		const char *text = fetch_step(e, n, op, below, top), *t = emit_tmp(e);
		emit_line(e, "rt_u64 %s = %s;", t, text);
		depth -= fetch_op_pops(op->code);
		stack[depth++] = t;
	}
	return depth ? stack[depth - 1] : "0";
}

static void fetch(struct emit *e, struct node *n)
{
	emit_children(e, n);
	n->value = emit_text(e, "(rt_s64)%s", emit_fetch(e, n, n->fetch));
}

/* ---- statistics ---- */

static void feed(struct emit *e, struct node *n, bool wanted)
{
	const struct node *to = ASSIGN_TO(n);
	struct node *value = ASSIGN_VALUE(n);
	const char *array = emit_global(e, ast_variable(to)->sym);
	expr_list operands = {0};

	emit_add_keys(e, to, &operands);
	vec_push(&e->s->arena, &operands, value);
	emit_group(e, operands.v, operands.n);
	emit_loc(e, n);
	if (to->kind == N_INDEX) {
		const char *keys = emit_keys(e, to, NULL);
		emit_line(e, "rt_map_stat_add(c, %s, %s, %s);", array, keys, value->value);
		emit_check(e);
	} else {
		emit_line(e, "rt_stat_add(c, %s, %s);", array, value->value);
	}
	n->value = wanted ? emit_value(e, T_LONG, value->value) : "";
}

/* What rt_print_hist() and its like take to find the statistics: "s, NULL, NULL" or "NULL, m, keys". */
static const char *statistics(struct emit *e, const struct node *base)
{
	const char *keys;

	if (base->kind != N_INDEX)
		return emit_text(e, "%s, 0, 0", emit_global(e, base->sym));
	emit_keys_ahead(e, base);
	keys = emit_keys(e, base, NULL);
	return emit_text(e, "0, %s, %s", emit_global(e, INDEX_BASE(base)->sym), keys);
}

static void bucket(struct emit *e, struct node *n, bool wanted)
{
	const char *number = emit_whole(e, INDEX_KEY(n, 0)), *which = statistics(e, STAT_OF(INDEX_BASE(n)));

	emit_loc(e, n);
	which = emit_text(e, "rt_hist_bucket(c, %s, %s)", which, number);
	if (wanted) {
		n->value = emit_value(e, T_LONG, which);
	} else { /* it may fail */
		emit_line(e, "%s;", which);
		n->value = "";
	}
	emit_check(e);
}

static void histogram(struct emit *e, struct node *n)
{
	const char *which = statistics(e, STAT_OF(PRINT_VALUE(n, 0)));

	emit_loc(e, n);
	n->value = "";
	if (n->flags & NF_FMT_STRING) {
		n->value = emit_value(e, T_STRING, emit_text(e, "rt_sprint_hist(c, %s)", which));
		e->nstrings++;
	} else {
		emit_line(e, "rt_print_hist(c, %s);", which);
	}
	emit_check(e);
}

/* ---- slices ---- */

static void slice(struct emit *e, struct node *n)
{
	unsigned fixed;
	const char *array = emit_global(e, IN_ARRAY(n)->sym), *keys;

	emit_keys_ahead(e, n);
	keys = emit_keys(e, n, &fixed);
	emit_loc(e, n);
	n->value = emit_value(e, T_LONG, emit_text(e, "rt_map_has_slice(c, %s, %s, %u)", array, keys, fixed));
	emit_check(e);
}

/* Looks at the values of all CPUs. */
static void percentile(struct emit *e, struct node *n)
{
	expr_list operands = {0};

	emit_add_keys(e, STAT_OF(n), &operands);
	if (n->op == OP_QUANTILE)
		vec_push(&e->s->arena, &operands, STAT_PARAMETER(n, 0));
	emit_group(e, operands.v, operands.n);
	n->value = emit_statistic(e, n);
}

/* ---- prints ---- */

/* Of a piece with a conversion. */
static void put_flags(struct sb *b, unsigned flags)
{
	static const char *const name[] = {
#define FLAG(flag) [flag] = #flag
		FLAG(RT_FMT_MINUS), FLAG(RT_FMT_PLUS),      FLAG(RT_FMT_SPACE),         FLAG(RT_FMT_ALT),
		FLAG(RT_FMT_ZERO),  FLAG(RT_FMT_WIDTH_ARG), FLAG(RT_FMT_PRECISION_ARG),
#undef FLAG
	};
	const char *before = ", .flags = ";

	for (unsigned bit = 1; bit < sizeof name / sizeof *name; bit <<= 1) {
		if (!(flags & bit))
			continue;
		sb_printf(b, "%s%s", before, name[bit]);
		before = " | ";
	}
}

static void piece(struct sb *b, const char *text, size_t n, char conv, unsigned flags, int width, int precision)
{
	sb_puts(b, "\t{.text = RT_TEXT(");
	sb_put_c_string(b, text, n);
	sb_putc(b, ')');
	if (conv)
		sb_printf(b, ", .conv = '%c'", conv);
	if (flags)
		put_flags(b, flags);
	if (width < 0 && precision < 0)
		sb_puts(b, ", RT_FMT_PLAIN},\n");
	else
		sb_printf(b, ", .width = %d, .precision = %d},\n", width, precision);
}

/* The pieces of printf's own format. */
static unsigned format_pieces(struct emit *e, struct node *n, struct sb *b)
{
	static const struct {
		unsigned from, to;
	} flags[] = {
		{FORMAT_MINUS, RT_FMT_MINUS}, {FORMAT_PLUS, RT_FMT_PLUS}, {FORMAT_SPACE, RT_FMT_SPACE},
		{FORMAT_HASH, RT_FMT_ALT},    {FORMAT_ZERO, RT_FMT_ZERO},
	};
	struct format f;
	unsigned count = 0;

	if (format_parse(&e->s->arena, n->text, intern_len(n->text), &f, NULL))
		return 0;
	for (size_t i = 0; i < f.n; i++) {
		const struct format_piece *p = &f.v[i], *literal = p;
		unsigned to = 0;
		if (!p->conversion && i + 1 < f.n && f.v[i + 1].conversion)
			p = &f.v[++i]; /* a text and the conversion behind it are one piece */
		for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++)
			to |= p->flags & flags[k].from ? flags[k].to : 0;
		to |= (p->width_arg ? RT_FMT_WIDTH_ARG : 0u) | (p->precision_arg ? RT_FMT_PRECISION_ARG : 0u);
		piece(b, literal->conversion ? "" : literal->text, literal->conversion ? 0 : literal->len, p->conversion, to, p->width,
		      p->precision);
		count++;
	}
	return count;
}

/* The others print each value as it is, with a delimiter between and perhaps a newline at the end. */
static unsigned plain_pieces(struct node *n, struct sb *b)
{
	const char *delim = n->flags & NF_FMT_DELIM ? n->text : "";
	size_t len = n->flags & NF_FMT_DELIM ? intern_len(delim) : 0;

	for (unsigned i = 0; i < PRINT_VALUES(n); i++)
		piece(b, i ? delim : "", i ? len : 0, PRINT_VALUE(n, i)->type == T_STRING ? 's' : 'd', 0, -1, -1);
	if (!(n->flags & NF_FMT_NEWLINE))
		return PRINT_VALUES(n);
	piece(b, "\n", 1, 0, 0, -1, -1);
	return PRINT_VALUES(n) + 1;
}

void emit_print_values(struct emit *e, struct node *n)
{
	AST_EACH(value, n)
		if ((*value)->kind == N_STRING) /* it goes to the output as it is, however long a string may be */
			(*value)->value = emit_string(e, (*value)->text, SIZE_MAX);
	emit_children(e, n);
}

static void print(struct emit *e, struct node *n)
{
	struct sb b = {0};
	const char *args, *fmt, *pieces;
	unsigned count, values = PRINT_VALUES(n);

	if (values == 1 && PRINT_VALUE(n, 0)->kind == N_STAT && PRINT_VALUE(n, 0)->type == T_STATS) {
		histogram(e, n);
		return;
	}
	emit_print_values(e, n);
	sb_puts(&b, "{\n");
	count = n->flags & NF_FMT_FORMAT ? format_pieces(e, n, &b) : plain_pieces(n, &b);
	sb_putc(&b, '}');
	pieces = count ? emit_table(e, "pieces", "struct rt_fmt_piece", "[]", b.s) : "0";
	fmt = emit_table(e, "fmt", "struct rt_fmt", "", emit_text(e, "{.pieces = %s, .n = %u}", pieces, count));
	sb_free(&b);
	args = emit_tmp(e);
	emit_line(e, "union rt_val %s[%u];", args, values ? values : 1);
	for (unsigned i = 0; i < values; i++)
		emit_line(e, "%s[%u].%s = %s;", args, i, emit_union_member(PRINT_VALUE(n, i)), PRINT_VALUE(n, i)->value);
	emit_loc(e, n);
	n->value = "";
	if (n->flags & NF_FMT_STRING) {
		n->value = emit_value(e, T_STRING, emit_text(e, "rt_sprintf(c, &%s, %s)", fmt, args));
		e->nstrings++;
	} else {
		emit_line(e, "rt_printf(c, &%s, %s);", fmt, args);
	}
	emit_check(e);
}

void emit_barrier(struct emit *e, struct node *n, bool wanted)
{
	if (n->value)
		return;
	if (n->kind == N_CALL)
		call(e, n, wanted);
	else if (n->kind == N_FETCH)
		fetch(e, n);
	else if (n->kind == N_ENUM_NAME)
		emit_enum_name(e, n);
	else if (n->kind == N_STORE)
		emit_store(e, n);
	else if (n->kind == N_SHOW)
		emit_show(e, n);
	else if (n->kind == N_ASSIGN)
		feed(e, n, wanted);
	else if (n->kind == N_REGEX)
		emit_regex(e, n, wanted);
	else if (n->kind == N_IN)
		slice(e, n);
	else if (n->kind == N_STAT)
		percentile(e, n);
	else if (n->kind == N_INDEX)
		bucket(e, n, wanted);
	else
		print(e, n);
}
