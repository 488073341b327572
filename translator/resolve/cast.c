/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types by name in expressions: where @cast starts, and numbers and addresses that are known without a hit. */

#include "translator/resolve/home.h"
#include "translator/resolve/resolve.h"

/* The type of the name, from the first place that has it; *space is that of its objects. */
static const struct dtype *find_type(struct session *s, struct diags *ds, struct probe *p, const struct node *n, const char *name,
				     const struct node *module, enum fetch_space *space)
{
	struct home_search x = home_begin(s, p, module);
	struct home home;

	while (home_next(&x, &home)) {
		struct problem why = {0};
		const struct dtype *t = dtypes_find(home.types, name, &why);
		*space = home.space;
		if (t)
			return t;
		home_problem(&x, &why);
	}
	target_problem(ds, n->loc, E_NO_TYPE, &x.why);
	return NULL;
}

const struct dtype *cast_type(struct session *s, struct diags *ds, struct probe *p, const struct node *n, const char *name,
			      const struct node *module)
{
	enum fetch_space ignored;

	return find_type(s, ds, p, n, name, module, &ignored);
}

static bool is_number(const struct dtype *t)
{
	enum dtype_kind kind = dtype_kind(t);

	return kind == DTYPE_INT || kind == DTYPE_BOOL || kind == DTYPE_ENUM;
}

/*
 * A pointer type makes the operand that pointer.  Any other makes it the address of an object of the type; but a number
 * without a subscript is converted, as in C.
 */
bool cast_start(struct session *s, struct diags *ds, struct probe *p, const struct node *cast, unsigned input,
		const struct dtype_step *first, bool address, struct fetch *out)
{
	struct arena *a = &s->arena;
	enum fetch_space space;
	const struct dtype *t = find_type(s, ds, p, cast, cast->text, CAST_MODULE(cast), &space), *at;
	bool indexed = first && first->kind != DTYPE_STEP_MEMBER;

	if (!t)
		return false;
	if (dtype_kind(t) == DTYPE_POINTER) {
		*out = fetch_input(a, input, t, space);
		return true;
	}
	if (is_number(t) && !indexed && !address) {
		*out = fetch_input(a, input, t, space);
		if (dtype_size(t) < 8)
			*out = fetch_append(a, out, (struct fetch_op){.code = FETCH_EXT, .size = dtype_size(t),
								     .is_signed = dtype_is_signed(t)});
		return true;
	}
	at = dtype_pointer(t);
	if (!at) {
		diag_report(ds, cast->loc, E_NO_TYPE, "the type \"%s\" has too many stars", cast->text);
		return false;
	}
	*out = address && !first ? fetch_object_at_input(a, input, t, space) : fetch_input(a, input, at, space);
	return true;
}

bool cast_fold(const struct fetch *f, const struct node *const *inputs, unsigned ninputs, int64_t *value)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < ninputs; i++)
		if (inputs[i]->kind != N_NUMBER)
			return false;
	for (unsigned i = 0; i < f->nops; i++) {
		const struct fetch_op *op = &f->ops[i];
		unsigned shift = op->size < 8 ? 64 - 8 * (unsigned)op->size : 0;
		if (op->code == FETCH_INPUT && i == 0)
			v = (uint64_t)inputs[op->n]->num;
		else if (op->code == FETCH_CONST && i == 0)
			v = (uint64_t)op->n;
		else if (op->code == FETCH_ADD)
			v += (uint64_t)op->n;
		else if (op->code == FETCH_INDEX)
			v += (uint64_t)inputs[op->n]->num * op->size;
		else if (op->code == FETCH_EXT)
			v = op->is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
		else
			return false;
	}
	*value = (int64_t)v;
	return f->nops > 0;
}
