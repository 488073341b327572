/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fetch programs and prototypes as text, for tests and fuzzers. */
#ifndef TESTSUITE_SHOW_H
#define TESTSUITE_SHOW_H

#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/dtype.h"
#include "translator/debuginfo/proto.h"

static inline void show_op(const struct fetch_op *op, struct sb *out)
{
	const char *sign = op->is_signed ? " signed" : "";

	sb_puts(out, fetch_op_name(op->code));
	switch (op->code) {
	case FETCH_CONST:
	case FETCH_REG:
	case FETCH_UREG:
	case FETCH_ARG:
	case FETCH_GIVEN:
	case FETCH_SYMBOL:
	case FETCH_INPUT:
	case FETCH_ADD:
		sb_printf(out, " %" PRId64, op->n);
		break;
	case FETCH_INDEX:
		sb_printf(out, " %" PRId64 " size %" PRIu64, op->n, op->size);
		break;
	case FETCH_DEREF:
		sb_printf(out, " %" PRIu64 "%s %s", op->size, sign,
			  op->space == FETCH_USER ? "user" : "kernel");
		break;
	case FETCH_BITS:
		sb_printf(out, " %" PRId64 "..%" PRId64 "%s", op->n, op->n + (int64_t)op->width - 1, sign);
		break;
	case FETCH_EXT:
		sb_printf(out, " %" PRIu64 "%s", op->size, sign);
		break;
	default: /* the other operations have no operand */
		break;
	}
}

/* "arg 0; add 8; deref 8 kernel" */
static inline void show_fetch(const struct fetch *f, struct sb *out)
{
	unsigned i;

	for (i = 0; i < f->nops; i++) {
		if (i)
			sb_puts(out, "; ");
		show_op(&f->ops[i], out);
	}
	for (i = 0; i < f->nhigh; i++) {
		sb_puts(out, i ? "; " : " / ");
		show_op(&f->high[i], out);
	}
	if (f->where == FETCH_IN_MEMORY)
		sb_puts(out, "; -> object");
	if (f->bit_width)
		sb_printf(out, " bits %u..%u", f->bit_off, f->bit_off + f->bit_width - 1);
}

/* The parameter of that name, or NULL. */
static inline const struct proto_value *show_param(const struct proto *p, const char *name)
{
	for (size_t i = 0; i < p->nparams; i++)
		if (strcmp(p->params[i].name, name) == 0)
			return &p->params[i];
	return NULL;
}

/* "ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)" */
static inline const char *show_proto(struct arena *a, const struct proto *p, const char *function)
{
	struct sb out = {0};
	const char *text;
	size_t i;

	sb_printf(&out, "%s(", function);
	for (i = 0; i < p->nparams; i++)
		sb_printf(&out, "%s%s", i ? ", " : "",
			  dtype_declaration(a, p->params[i].type, p->params[i].name));
	if (p->variadic)
		sb_puts(&out, p->nparams ? ", ..." : "...");
	else if (!p->nparams)
		sb_puts(&out, "void");
	sb_putc(&out, ')');
	text = p->returns ? dtype_declaration(a, p->ret.type, out.s) : arena_printf(a, "void %s", out.s);
	sb_free(&out);
	return text;
}

#endif
