/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to registers and memory of the probed code. */
#include "translator/debuginfo/store.h"
#include "translator/emit/emit.h"

/* The value as its type holds it. */
static const char *converted(struct emit *e, const struct store *st, const char *value)
{
	if (st->width == 64)
		return value;
	return emit_value(e, T_LONG, emit_text(e, "rt_bits%s(%s, 0, %u)", st->is_signed ? "_signed" : "", value, st->width));
}

static const char *set_register(struct emit *e, const struct fetch_op *reg)
{
	if (reg->code == FETCH_RETVAL)
		return "rt_set_retval(c, ";
	return emit_text(e, "rt_set_%s(c, %lld, ", reg->code == FETCH_ARG ? "arg" : "reg", (long long)reg->n);
}

/* As compilers leave values in registers: extended to 32 bits by the type, the upper half 0. */
static void write_register(struct emit *e, struct node *n, const char *value)
{
	const struct store *st = n->store;
	struct fetch whole = {.ops = &st->reg, .nops = 1};
	const char *bits = emit_text(e, "(rt_u64)%s", value);

	if (!st->whole && st->width < 64)
		bits = emit_text(e, "rt_replace_bits(%s, %u, %u, %s)", emit_fetch(e, n, &whole), st->off, st->width, bits);
	else if (st->width < 64)
		bits = emit_text(e, "(rt_u32)%s", bits);
	emit_loc(e, n);
	emit_line(e, "%s%s);", set_register(e, &st->reg), bits);
	emit_check(e);
}

static void write_memory(struct emit *e, struct node *n, const char *value)
{
	const struct store *st = n->store;
	const char *address = emit_fetch(e, n, &st->address);
	const char *space = st->address.space == FETCH_USER ? "RT_USER" : "RT_KERNEL";

	emit_loc(e, n);
	if (st->whole)
		emit_line(e, "rt_write(c, %s, %s, (rt_u64)%s, %u);", space, address, value, st->width / 8);
	else
		emit_line(e, "rt_write_bits(c, %s, %s, (rt_u64)%s, %u, %u);", space, address, value, st->off, st->width);
	emit_check(e);
}

void emit_store(struct emit *e, struct node *n)
{
	const struct store *st = n->store;
	const char *old = NULL, *value;

	emit_children(e, n);
	value = STORE_INPUT(n, STORE_INPUTS(n) - 1)->value;
	if (n->op != OP_SET) {
		old = emit_value(e, T_LONG, emit_text(e, "(rt_s64)%s", emit_fetch(e, n, &st->old)));
		value = emit_value(e, T_LONG, emit_arithmetic(e, n, n->op, old, value));
	}
	value = converted(e, st, value);
	if (st->in_register)
		write_register(e, n, value);
	else
		write_memory(e, n, value);
	n->value = n->flags & NF_OLD_VALUE ? old : value;
}
