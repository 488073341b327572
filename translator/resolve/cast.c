/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types by name in expressions: where @cast starts, and numbers and addresses that are known without a hit. */

#include <string.h>

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

/* An object of these is read whole. */
static bool is_read(enum dtype_kind kind)
{
	return kind == DTYPE_INT || kind == DTYPE_BOOL || kind == DTYPE_FLOAT;
}

/* Is the name that of a pointer because of its star, "struct x *", and not a typedef of one? */
static bool has_star(const char *name)
{
	const char *star = strrchr(name, '*'), *argument = strrchr(name, '>');

	return star && (!argument || star > argument);
}

/*
 * The operand is the address of an object of the type.  Of a number, pointer or array it is the object that the path starts at, so that
 * without a path it is read; but a subscript of a number's type counts numbers from there, and a constant of an enumeration is converted.
 * Of others, the structures, the operand is a pointer to them, and so it is where the name of the type has a star: the pointer that it says.
 * &@cast(0, "type")[1] is the size of any type, as the macros of the library have it.
 */
bool cast_start(struct session *s, struct diags *ds, struct probe *p, const struct node *cast, unsigned input,
		const struct dtype_step *first, bool address, struct fetch *out)
{
	struct arena *a = &s->arena;
	enum fetch_space space;
	const struct dtype *t = find_type(s, ds, p, cast, cast->text, CAST_MODULE(cast), &space), *at;
	enum dtype_kind kind;
	bool indexed = first && first->kind != DTYPE_STEP_MEMBER, is_size = address && indexed && CAST_VALUE(cast)->kind == N_NUMBER;

	if (!t)
		return false;
	kind = dtype_kind(t);
	if (kind == DTYPE_POINTER && has_star(cast->text) && !is_size) {
		*out = fetch_input(a, input, t, space);
		return true;
	}
	if (kind == DTYPE_ENUM && !indexed && !address) {
		*out = fetch_input(a, input, t, space);
		if (dtype_size(t) < 8)
			*out = fetch_append(a, out, (struct fetch_op){.code = FETCH_EXT, .size = dtype_size(t),
								     .is_signed = dtype_is_signed(t)});
		return true;
	}
	if (!is_size && (kind == DTYPE_POINTER || kind == DTYPE_ARRAY || (is_read(kind) && !indexed))) {
		*out = fetch_object_at_input(a, input, t, space);
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
