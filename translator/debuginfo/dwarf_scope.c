/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be named at an instruction within a function, and where it is: the parameters and locals of the function, inlined or not, in
 * the blocks around the instruction.  A variable of an inner block hides one of an outer block.  At a call: what the callee gets.
 */
#include <string.h>

#include "translator/debuginfo/dwarf_private.h"

enum { DEEPEST = 64 }; /* blocks within each other */

struct scope {
	struct dwarf_file *d;
	Dwarf_Die code;  /* the function that has the code, and so the frame */
	Dwarf_Addr pc;
	bool entry;      /* pc is its first instruction */
	struct statement_variables *out;
};

static void unplaced(struct scope *s, struct proto_value *v, enum location l)
{
	const char *why = s->entry ? "has no value yet where the function begins" :
			  l == LOCATION_AT_ENTRY ? "is not kept there: only where the function begins is its value known" :
			  l == LOCATION_COMPLEX ? "is there in parts, in registers or as a computation that cannot be read" :
			  l == LOCATION_NO_OBJECT ? "points there to something that the compiler did not make" :
						  "is nowhere at this instruction: the compiler does not keep it there";

	problem_set(&v->why, s->d->dtypes.arena, PROBLEM_NOT_PLACED, "\"%s\" %s", v->name, why);
}

static enum location locate(struct scope *s, Dwarf_Die *die, const struct dtype *t, struct fetch *f)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_location, &attr))
		return s->entry ? dwarf_location(s->d, &s->code, &attr, s->pc, f) : dwarf_location_within(s->d, &s->code, &attr, s->pc, f);
	return dwarf_attr_integrate(die, DW_AT_const_value, &attr) ? dwarf_constant(s->d, &attr, t, f) : LOCATION_NONE;
}

/* Can a value of the type be in registers? */
static bool holds(const struct fetch *f, const struct dtype *t, unsigned word)
{
	bool aggregate = dtype_kind(t) == DTYPE_STRUCT || dtype_kind(t) == DTYPE_UNION;

	return dtype_kind(t) != DTYPE_ARRAY && dtype_size(t) <= (aggregate && f->nhigh ? 2 : 1) * word;
}

static void place(struct scope *s, Dwarf_Die *die, struct proto_value *v)
{
	enum dtype_kind kind = dtype_kind(v->type);
	struct fetch f = {0};
	enum location l = locate(s, die, v->type, &f);

	if (l == LOCATION_OK && f.where == FETCH_AS_VALUE && !holds(&f, v->type, s->d->target->word))
		l = LOCATION_COMPLEX;
	if (l == LOCATION_OK && f.unknown && kind != DTYPE_STRUCT && kind != DTYPE_UNION && (f.unknown & ((1u << dtype_size(v->type)) - 1)))
		l = LOCATION_NONE;
	if (l != LOCATION_OK) {
		unplaced(s, v, l);
		return;
	}
	v->placed = true;
	v->fetch = dwarf_extended(s->d->dtypes.arena, &f, v->type);
}

/* The variable of this name, or a new one. */
static struct statement_variable *named(struct scope *s, const char *name, bool again)
{
	for (size_t i = 0; i < s->out->v.n; i++)
		if (!strcmp(s->out->v.v[i].value.name, name))
			return again ? &s->out->v.v[i] : NULL;
	vec_push(s->d->dtypes.arena, &s->out->v, ((struct statement_variable){.value.name = name}));
	return &s->out->v.v[s->out->v.n - 1];
}

static bool is_declaration(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr(die, DW_AT_declaration, &attr) && dwarf_formflag(&attr, &value) == 0 && value;
}

/* abstract: what the source has, without places, of which the compiler left nothing here. */
static void add(struct scope *s, Dwarf_Die *die, bool abstract)
{
	const char *name = dwarf_diename(die);
	bool parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	struct statement_variable *v;

	if (!name || is_declaration(die) || dwarf_is_hidden(die) || (parameter && s->entry) || !(v = named(s, name, !abstract)))
		return;
	*v = (struct statement_variable){.parameter = parameter, .value = {.name = name}};
	v->value.type = dtype_new(&s->d->dtypes, dwarf_type_ref(s->d, die));
	place(s, die, &v->value);
}

static void add_all(struct scope *s, Dwarf_Die *parent, bool abstract, unsigned depth)
{
	Dwarf_Die die;
	int tag;

	if (depth > DEEPEST || !dwarf_first(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable)
			add(s, &die, abstract);
	} while (dwarf_next(&die));
	if (abstract || !dwarf_first(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_lexical_block && dwarf_haspc(&die, s->pc) > 0)
			add_all(s, &die, false, depth + 1);
	} while (dwarf_next(&die));
}

void dwarf_statement_variables(struct dwarf_file *d, const struct statement *t, struct statement_variables *out)
{
	struct scope s = {.d = d, .pc = t->address - d->shift, .entry = t->address == t->entry && !t->inlined, .out = out};
	Dwarf_Die scope, origin;
	Dwarf_Attribute attr;

	if (!dwarf_die(d, t->code, &s.code) || !dwarf_die(d, t->scope, &scope))
		return;
	add_all(&s, &scope, false, 0);
	if (dwarf_attr(&scope, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
		add_all(&s, &origin, true, 0);
}

/* There is no return address on the stack yet: so what is found by the stack is elsewhere than at the entry. */
void dwarf_call_variables(struct dwarf_file *d, const struct statement *t, const struct proto *p, struct statement_variables *out)
{
	struct arena *a = d->dtypes.arena;
	bool clone = dwarf_has_clone(d, t->function);

	for (size_t i = 0; i < p->nparams; i++) {
		struct proto_value v = p->params[i];

		if (!v.name[0])
			continue;
		if (clone || (v.placed && fetch_is_on_stack(&v.fetch))) {
			v.placed = false;
			problem_set(&v.why, a, PROBLEM_NOT_PLACED, "where \"%s\" is when the function is called is not certain", v.name);
		}
		vec_push(a, &out->v, ((struct statement_variable){.parameter = true, .value = v}));
	}
}
