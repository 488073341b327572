/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probed code's registers and memory: fetch programs, a step at a time, and writes. */
#include "translator/debuginfo/destination.h"
#include "translator/lower/private.h"

/* ---- reading ---- */

/* One operation as a program of its own; up to two operands. */
static struct node *step(struct lower *l, const struct node *n, const struct fetch_op *op, struct node *a, struct node *b)
{
	struct fetch *one = arena_new(l->a, struct fetch);
	struct node *made = lower_new(l, N_FETCH, n, !!a + !!b);

	*one = (struct fetch){.ops = op, .nops = 1};
	made->fetch = one;
	made->type = T_LONG;
	if (a)
		FETCH_INPUT(made, 0) = a;
	if (b)
		FETCH_INPUT(made, 1) = b;
	return made;
}

static struct node *step_of(struct lower *l, const struct node *n, struct fetch_op op, struct node *a)
{
	struct fetch_op *copy = arena_new(l->a, struct fetch_op);

	*copy = op;
	return step(l, n, copy, a, NULL);
}

/* An input of a program of a N_FETCH or N_STORE. */
static struct node *input(const struct node *n, const struct fetch_op *op)
{
	return n->kind == N_STORE ? STORE_INPUT(n, op->n)->value : FETCH_INPUT(n, op->n)->value;
}

/* What is read is extended to 64 bits. */
static struct node *dereference(struct lower *l, const struct node *n, const struct fetch_op *op, struct node *address)
{
	struct node *read = lower_let(l, step(l, n, op, address, NULL));

	if (op->size == 8)
		return read;
	return lower_let(l, step_of(l, n, (struct fetch_op){.code = FETCH_EXT, .size = op->size, .is_signed = op->is_signed}, read));
}

static struct node *frame_address(struct lower *l, const struct node *n)
{
	const struct target *t = l->s->target;
	struct node *sp = lower_let(l, step_of(l, n, (struct fetch_op){.code = FETCH_REG, .n = t->stack_pointer}, NULL));

	return t->cfa ? lower_let(l, step_of(l, n, (struct fetch_op){.code = FETCH_ADD, .n = t->cfa}, sp)) : sp;
}

/* The address of a kernel symbol.  The memory of a module is gone when it is unloaded. */
static struct node *symbol_address(struct lower *l, const struct node *n, int64_t i)
{
	return lower_let(l, lower_op_num(l, n, l->s->prog.ksymbols.v[i].module ? L_MODULE_SYMBOL : L_SYMBOL, i, NULL));
}

/* One operation on operands a and b (b from the top). */
static struct node *operation(struct lower *l, struct node *n, const struct fetch_op *op, struct node *a, struct node *b)
{
	unsigned pops = fetch_op_pops(op->code);

	if (op->code == FETCH_CFA)
		return frame_address(l, n);
	if (op->code == FETCH_SYMBOL)
		return symbol_address(l, n, op->n);
	if (op->code == FETCH_DEREF)
		return dereference(l, n, op, b);
	if (op->code == FETCH_INPUT)
		return lower_let(l, step(l, n, op, input(n, op), NULL));
	if (op->code == FETCH_INDEX)
		return lower_let(l, step(l, n, op, b, input(n, op)));
	if (pops == 2)
		return lower_let(l, step(l, n, op, a, b));
	return lower_let(l, step(l, n, op, pops ? b : NULL, NULL));
}

/* Stack shuffles move what is there; true if op is one. */
static bool shuffle(const struct fetch_op *op, struct node **stack, unsigned *depth)
{
	struct node *top = *depth ? stack[*depth - 1] : NULL, *below = *depth > 1 ? stack[*depth - 2] : NULL;

	if (op->code == FETCH_DUP) {
		stack[(*depth)++] = top;
	} else if (op->code == FETCH_DROP) {
		--*depth;
	} else if (op->code == FETCH_SWAP) {
		stack[*depth - 1] = below;
		stack[*depth - 2] = top;
	} else if (op->code == FETCH_OVER) {
		stack[(*depth)++] = below;
	} else if (op->code == FETCH_ROT) {
		stack[*depth - 1] = below;
		stack[*depth - 2] = stack[*depth - 3];
		stack[*depth - 3] = top;
	} else {
		return false;
	}
	return true;
}

/* Runs a program whose inputs are n's children, which are computed; its result, a word. */
static struct node *run(struct lower *l, struct node *n, const struct fetch *f)
{
	struct node *stack[FETCH_MAX_DEPTH + 2] = {0}, *made;
	unsigned depth = 0;

	for (unsigned i = 0; i < f->nops; i++) {
		const struct fetch_op *op = &f->ops[i];
		if (shuffle(op, stack, &depth))
			continue;
		made = operation(l, n, op, depth > 1 ? stack[depth - 2] : NULL, depth ? stack[depth - 1] : NULL);
		depth -= fetch_op_pops(op->code);
		stack[depth++] = made;
	}
	return depth ? stack[depth - 1] : lower_op(l, n, L_NULL, NULL);
}

void lower_fetch(struct lower *l, struct node *n)
{
	lower_children(l, n);
	n->value = lower_op(l, n, L_SIGNED, run(l, n, n->fetch));
}

/* ---- writing ---- */

/* The value converted to its type. */
static struct node *typed(struct lower *l, const struct node *n, struct node *value)
{
	const struct destination *st = n->store;

	if (st->width == 64)
		return lower_let(l, value); /* a local may change before this is used */
	return lower_let(l, lower_op_num(l, n, st->is_signed ? L_TYPED_SIGNED : L_TYPED, st->width, value));
}

/* Values are in registers as compilers leave them: extended to 32 bits by the type, with the upper half 0. */
static void write_register(struct lower *l, struct node *n, struct node *value)
{
	const struct destination *st = n->store;
	struct fetch whole = {.ops = &st->reg, .nops = 1};
	struct node *bits = lower_op(l, n, L_WORD, value);
	enum lower_op op = st->reg.code == FETCH_RETVAL ? L_SET_RETVAL : st->reg.code == FETCH_ARG ? L_SET_ARG : L_SET_REG;

	if (!st->whole && st->width < 64)
		bits = lower_op(l, n, L_REPLACE_BITS, run(l, n, &whole), lower_number(l, n, st->off), lower_number(l, n, st->width), bits);
	else if (st->width < 64)
		bits = lower_op(l, n, L_LOW_HALF, bits);
	lower_do(l, lower_op_num(l, n, op, st->reg.n, bits));
}

static void write_memory(struct lower *l, struct node *n, struct node *value)
{
	const struct destination *st = n->store;
	struct node *address = run(l, n, &st->address), *bits = lower_op(l, n, L_WORD, value);
	bool user = st->address.space == FETCH_USER;

	if (st->whole)
		lower_do(l, lower_op_num(l, n, user ? L_WRITE_USER : L_WRITE_KERNEL, st->width / 8, address, bits));
	else
		lower_do(l, lower_op_num(l, n, user ? L_WRITE_BITS_USER : L_WRITE_BITS_KERNEL, st->width, address, bits,
					 lower_number(l, n, st->off)));
}

void lower_store(struct lower *l, struct node *n)
{
	const struct destination *st = n->store;
	struct node *old = NULL, *value;

	lower_children(l, n);
	value = STORE_INPUT(n, STORE_INPUTS(n) - 1)->value;
	if (n->op != OP_SET) {
		old = lower_let(l, lower_op(l, n, L_SIGNED, run(l, n, &st->old)));
		value = lower_let(l, lower_arithmetic(l, n, n->op, old, value));
	}
	value = typed(l, n, value);
	if (st->in_register)
		write_register(l, n, value);
	else
		write_memory(l, n, value);
	n->value = n->flags & NF_OLD_VALUE ? old : value;
}
