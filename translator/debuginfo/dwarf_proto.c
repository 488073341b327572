/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters and return value of a function.  DWARF says where a parameter is.  Where it does not, the calling convention does, but
 * only if the compiler kept to it.  A value whose place is not certain has none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/dwarf_private.h"

enum { MAX_PARAMS = 256 };
/* The first releases that mark a function whose interface they changed (DW_CC_nocall), with one to spare. */
enum { CLANG_MARKS = 16, RUSTC_MARKS = 70 };

/* --- the parameters --- */

struct parameter {
	Dwarf_Die die;   /* the DIE with its name and type */
	Dwarf_Die place; /* the DIE with its location */
	bool has_place;
};

struct parameters {
	struct parameter v[MAX_PARAMS];
	size_t n;
	bool variadic;
};

static void collect(Dwarf_Die *function, struct parameters *all)
{
	Dwarf_Die die;

	if (!dwarf_first(function, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_unspecified_parameters)
			all->variadic = true;
		else if (dwarf_tag(&die) == DW_TAG_formal_parameter && all->n < MAX_PARAMS)
			all->v[all->n++] = (struct parameter){.die = die, .place = die, .has_place = true};
	} while (dwarf_next(&die));
}

static bool origin_of(Dwarf_Die *die, Dwarf_Die *origin)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, origin);
}

/* Leaves out hidden parameters that this copy of the function does not get: its origin has those of all copies. */
static void leave_out_hidden(struct parameters *all)
{
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		if (all->v[i].has_place || !dwarf_is_hidden(&all->v[i].die))
			all->v[n++] = all->v[i];
	all->n = n;
}

/*
 * An out-of-line copy of an inlined function, or a clone, may lack parameters; its origin has all of them in the order of the source,
 * which the calling convention needs.
 */
static void collect_all(Dwarf_Die *function, struct parameters *all)
{
	struct parameters *here = calloc(1, sizeof *here);
	Dwarf_Die origin, of;
	size_t i, k;

	if (!here)
		abort();
	collect(function, here);
	if (origin_of(function, &origin))
		collect(&origin, all);
	if (all->n == 0) {
		*all = *here;
		free(here);
		return;
	}
	for (i = 0; i < all->n; i++) {
		all->v[i].has_place = false;
		for (k = 0; k < here->n && !all->v[i].has_place; k++)
			if (origin_of(&here->v[k].die, &of) && of.addr == all->v[i].die.addr) {
				all->v[i].place = here->v[k].die;
				all->v[i].has_place = true;
			}
	}
	leave_out_hidden(all);
	free(here);
}

/* --- what the calling convention can say --- */

enum language { LANGUAGE_C, LANGUAGE_RUST, LANGUAGE_OTHER };

struct convention {
	bool params;      /* it gives places to parameters that have none in DWARF */
	bool scalars;     /* but only to those before the first aggregate */
	bool optimised;
	const char *why;  /* why it does not give places */
	const char *no_return; /* why the return value is not certain, or NULL */
};

/* The convention is that of C compilers; other languages have their own, above all for aggregates. */
static enum language language_of(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	switch (language) {
	case -1:
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_ObjC:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_Mips_Assembler:
	case 0x2a: /* C++17 */
	case 0x2b: /* C++20 */
	case 0x2c: /* C17 */
	case 0x3a: /* C++23 */
	case 0x3e: /* C23 */
		return LANGUAGE_C;
	case DW_LANG_Rust:
		return LANGUAGE_RUST;
	default:
		return LANGUAGE_OTHER;
	}
}

static const char *producer_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *text = dwarf_attr(unit, DW_AT_producer, &attr) ? dwarf_formstring(&attr) : NULL;

	return text ? text : "";
}

/* Without DW_CC_nocall this producer's function has the interface of the source. */
static bool marks_changes(const char *producer)
{
	const char *clang = strstr(producer, "clang version "), *rustc = strstr(producer, "rustc version ");
	unsigned major, minor;

	if (rustc)
		return sscanf(rustc, "rustc version %u.%u", &major, &minor) == 2 &&
		       (major > 1 || minor >= RUSTC_MARKS);
	return clang && sscanf(clang, "clang version %u", &major) == 1 && major >= CLANG_MARKS;
}

static bool is_nocall(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(function, DW_AT_calling_convention, &attr) &&
	       dwarf_formudata(&attr, &value) == 0 && value != DW_CC_normal;
}

static bool starts_in_frame(struct parameter *p)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return p->has_place && dwarf_attr(&p->place, DW_AT_location, &attr) &&
	       dwarf_getlocation(&attr, &ops, &n) == 0 && n > 0 && ops[0].atom == DW_OP_fbreg;
}

/*
 * Without optimisation every parameter has a slot in the frame, for all of the function, except those that are passed by reference; and
 * calls are not described.
 */
static bool is_optimised(Dwarf_Die *function, Dwarf_Die *unit, struct parameters *all, const struct proto *p)
{
	Dwarf_Half version = 0;

	if (dwarf_cu_info(unit->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) != 0 || version < 4)
		return true;
	if (dwarf_hasattr(function, DW_AT_call_all_calls) || dwarf_hasattr(function, DW_AT_GNU_all_call_sites))
		return true;
	for (size_t i = 0; i < all->n; i++)
		if (!starts_in_frame(&all->v[i]) && !abi_by_reference(p->params[i].type))
			return true;
	return false;
}

static bool is_scalar(const struct dtype *t)
{
	switch (dtype_kind(t)) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
	case DTYPE_FLOAT:
		return dtype_size(t) <= 8;
	default:
		return false;
	}
}

/* gcc gives functions whose interface it changed names of their own. */
static struct convention of_gnu(unsigned about)
{
	struct convention c = {.params = true};

	if (about & DWARF_CHANGED) {
		c.params = false;
		c.why = "the compiler specialised the function";
	}
	if (about & DWARF_MAY_RETURN_NOTHING)
		c.no_return = "the compiler specialised the function, and may have dropped its result";
	return c;
}

/*
 * LLVM drops unused parameters and results from every function that no other object can call.  In a function that others can call,
 * it may still pass rubbish for an unused parameter; such a parameter has no place in DWARF.
 */
static struct convention of_llvm(Dwarf_Die *function, Dwarf_Die *unit, struct parameters *all, const struct proto *p,
				 unsigned about)
{
	enum language language = language_of(unit);
	struct convention c = {.optimised = is_optimised(function, unit, all, p)};
	bool kept = !c.optimised || (about & DWARF_EXPORTED);

	if (is_nocall(function)) {
		c.why = c.no_return = "the compiler changed how the function is called";
		return c;
	}
	if (language == LANGUAGE_OTHER) {
		c.why = c.no_return = "how functions of its language are called is not known";
		return c;
	}
	c.why = "the compiler may have changed how the function is called";
	if (!kept && !marks_changes(producer_of(unit)))
		c.no_return = "the compiler may have dropped the result of a function that only its own file calls";
	c.params = kept;
	if (language == LANGUAGE_RUST) {
		c.scalars = true;
		c.params = !c.optimised && (!p->returns || is_scalar(p->ret.type));
		c.why = "how Rust passes it is not fixed";
		if (p->returns && !is_scalar(p->ret.type))
			c.no_return = "how Rust returns an aggregate is not fixed";
	}
	return c;
}

/* --- where it is --- */

struct fetch dwarf_extended(struct arena *a, const struct fetch *f, const struct dtype *t)
{
	enum dtype_kind kind = dtype_kind(t);
	uint64_t size = dtype_size(t);
	struct fetch to = *f;

	if (f->where == FETCH_AS_VALUE && kind != DTYPE_STRUCT && kind != DTYPE_UNION &&
	    (size == 1 || size == 2 || size == 4))
		to = fetch_append(
			a, f,
			(struct fetch_op){.code = FETCH_EXT, .size = size, .is_signed = dtype_is_signed(t)});
	to.type = t;
	return to;
}

/* The same register, or both in memory. */
static bool agrees(const struct fetch *dwarf, const struct fetch *abi)
{
	bool passed = dwarf->nops && dwarf->ops[0].code == FETCH_ARG;

	if (!passed || !abi->nops || abi->ops[0].code != FETCH_ARG)
		return passed == (abi->nops && abi->ops[0].code == FETCH_ARG);
	return dwarf->ops[0].n == abi->ops[0].n;
}

/* Is a part of the value nowhere? */
static bool lacks_part(const struct fetch *f, const struct dtype *t)
{
	uint64_t size = dtype_size(t);

	return f->unknown && (size >= 32 || (f->unknown & ((1u << size) - 1)));
}

/* DWARF's place of the parameter at the entry, when it can be used for its type. */
static enum location place_of(struct dwarf_file *d, Dwarf_Die *function, struct parameter *p, Dwarf_Addr pc,
			      unsigned about, const struct dtype *t, struct fetch *f)
{
	bool aggregate = dtype_kind(t) == DTYPE_STRUCT || dtype_kind(t) == DTYPE_UNION;
	enum location l = LOCATION_NONE;
	Dwarf_Attribute attr;

	if (!p->has_place)
		return l;
	if (dwarf_attr(&p->place, DW_AT_location, &attr)) {
		l = dwarf_location_at_entry(d, function, &attr, pc, about & DWARF_CHANGED, f);
	} else if ((about & DWARF_CHANGED) && dwarf_attr(&p->place, DW_AT_const_value, &attr)) {
		l = dwarf_constant(d, &attr, t, f);
		if (l != LOCATION_OK)
			l = LOCATION_NONE;
	}
	if (l == LOCATION_OK && !aggregate && lacks_part(f, t))
		return LOCATION_COMPLEX;
	if (l == LOCATION_OK && dtype_size(t) > 8 && (!aggregate || (f->where == FETCH_AS_VALUE && !f->nhigh)))
		return LOCATION_COMPLEX;
	return l;
}

static void not_certain(struct arena *a, struct proto_value *v, enum location l, const char *why)
{
	const char *what = l == LOCATION_COMPLEX ? "is in several parts"
			   : l == LOCATION_UNSET ? "is not in its place yet"
						 : "was optimised away";

	v->placed = false;
	problem_set(&v->why, a, PROBLEM_NOT_PLACED,
		    "\"%s\" %s at the entry of the function, and its value cannot be read from registers: %s", v->name, what, why);
	if (l == LOCATION_UNSET)
		v->why.hint = "where the lines of its body begin it is in its place: probe one, as statement(\"NAME@FILE+1\")";
}

/*
 * The values already have the places of the convention.  DWARF is better where the compiler changed the interface; but at -O0 it
 * describes the stack slot that the prologue is about to fill.
 */
static void refine(struct dwarf_file *d, Dwarf_Die *function, struct parameters *all, Dwarf_Addr pc, unsigned about,
		   struct convention c, struct proto_value *v)
{
	struct arena *a = d->dtypes.arena;
	enum location *l = arena_array(a, enum location, all->n);
	struct fetch *f = arena_array(a, struct fetch, all->n);
	size_t i;

	for (i = 0; i < all->n; i++) {
		l[i] = place_of(d, function, &all->v[i], pc, about, v[i].type, &f[i]);
		if (c.params && l[i] == LOCATION_OK && v[i].placed && !lacks_part(&f[i], v[i].type) && !agrees(&f[i], &v[i].fetch)) {
			c.params = false;
			c.why = "the parameters are not passed in the order of the debug information";
		}
	}
	for (i = 0; i < all->n; i++) {
		if (c.scalars && !is_scalar(v[i].type))
			c.params = false;
		if (l[i] == LOCATION_OK && c.params && v[i].placed && lacks_part(&f[i], v[i].type))
			continue; /* all of it is where the convention has it */
		if (l[i] == LOCATION_OK) {
			v[i].fetch = dwarf_extended(a, &f[i], v[i].type);
			v[i].placed = true;
			memset(&v[i].why, 0, sizeof v[i].why);
		} else if (!c.params || (c.optimised && l[i] == LOCATION_NONE)) {
			not_certain(a, &v[i], l[i], c.why);
		}
	}
}

bool dwarf_callee_proto(struct dwarf_file *d, uint64_t ref, struct proto *p)
{
	Dwarf_Addr entry;
	Dwarf_Die die;
	uint64_t size;

	return dwarf_die(d, ref, &die) && dwarf_entry(&die, &entry, &size) && !dwarf_function_proto(d, ref, entry + d->shift, 0, p, NULL);
}

/* --- Go --- */

/* The result of a function is a parameter with this attribute. */
static bool is_result(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr_integrate(die, DW_AT_variable_parameter, &attr) && dwarf_formflag(&attr, &value) == 0 && value;
}

/* A parameter that the function moves to the heap is described as "&name", the pointer to it there.  What has no name is "~r0", "~p1" or "_". */
static struct proto_value go_value(struct dwarf_file *d, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct proto_value v = {.name = name ? name : "", .type = dtype_new(&d->dtypes, dwarf_type_ref(d, die))};

	if (v.name[0] == '&') {
		const struct dtype *target = dtype_target(v.type);

		v.name++;
		v.type = target ? target : dtype_new(&d->dtypes, 0); /* damaged: it is no pointer */
	} else if (v.name[0] == '~' || v.name[0] == '.' || !strcmp(v.name, "_")) { /* ".dict" */
		v.name = "";
	}
	return v;
}

/* In which register debug information has the value at the address; -1: in none, or not in one alone. */
static int64_t told_register(struct dwarf_file *d, Dwarf_Die *function, struct parameter *p, Dwarf_Addr pc)
{
	Dwarf_Attribute attr;
	struct fetch f;

	if (!p->has_place || !dwarf_attr(&p->place, DW_AT_location, &attr) || dwarf_location(d, function, &attr, pc, &f) != LOCATION_OK ||
	    f.where != FETCH_AS_VALUE || !f.nops)
		return -1;
	if (f.ops[0].code == FETCH_ARG)
		return d->target->arguments[f.ops[0].n];
	return f.ops[0].code == FETCH_REG ? f.ops[0].n : -1;
}

/*
 * A generic function gets a dictionary of its types before all else, which optimised code may leave out of its debug information.  So there
 * debug information must say the same of each value as the convention; of others it must not say that the value is in another register.
 */
static bool is_certain(struct dwarf_file *d, Dwarf_Die *function, struct parameter *p, Dwarf_Addr pc, bool generic, const struct fetch *f)
{
	bool in_register = f->where == FETCH_AS_VALUE && f->nops && f->ops[0].code == FETCH_REG;
	int64_t told = told_register(d, function, p, pc);

	return in_register && told >= 0 ? told == f->ops[0].n : !generic;
}

/* "main.sum[go.shape.int_0]", whose dictionary is not among the parameters. */
static bool lacks_dictionary(Dwarf_Die *function, const struct parameters *all)
{
	const char *name = dwarf_diename(function), *first;
	Dwarf_Die die;

	if (!name || !strchr(name, '['))
		return false;
	if (!all->n)
		return true;
	die = all->v[0].die;
	first = dwarf_diename(&die);
	return !first || strcmp(first, ".dict") != 0;
}

static void go_proto(struct dwarf_file *d, Dwarf_Die *function, struct parameters *all, Dwarf_Addr pc, bool registers, struct proto *p)
{
	struct arena *a = d->dtypes.arena;
	struct proto_value *params = arena_array(a, struct proto_value, all->n), *results = arena_array(a, struct proto_value, all->n);
	struct parameter **of = arena_array(a, struct parameter *, all->n);
	bool generic = lacks_dictionary(function, all);

	for (size_t i = 0; i < all->n; i++) {
		struct proto_value v = go_value(d, &all->v[i].die);

		if (is_result(&all->v[i].die)) {
			if (!v.name[0] && p->nresults) /* the first one is $return */
				v.name = arena_printf(a, "r%zu", p->nresults);
			results[p->nresults++] = v;
			continue;
		}
		of[p->nparams] = &all->v[i];
		params[p->nparams++] = v;
	}
	abi_place_go(d->target, a, params, p->nparams, results, p->nresults, registers, generic, d->space);
	for (size_t i = 0; i < p->nparams; i++)
		if (params[i].placed && !is_certain(d, function, of[i], pc, generic, &params[i].fetch)) {
			params[i].placed = false;
			problem_set(&params[i].why, a, PROBLEM_NOT_PLACED,
				    generic ? "it is not certain where \"%s\" is in a generic function"
					    : "\"%s\" is not where functions of Go get it",
				    params[i].name);
		}
	p->params = params;
	p->results = results;
	p->returns = p->nresults > 0;
	p->ret = p->returns ? results[0] : (struct proto_value){.type = dtype_new(&d->dtypes, 0)};
	p->ret.name = "";
	if (!p->returns)
		problem_set(&p->ret.why, a, PROBLEM_NO_VALUE, "the function has no result");
}

bool dwarf_function_is_go(struct dwarf_file *d, uint64_t ref)
{
	Dwarf_Die die, unit;

	return dwarf_die(d, ref, &die) && dwarf_diecu(&die, &unit, NULL, NULL) && dwarf_srclang(&unit) == DW_LANG_Go;
}

int dwarf_function_proto(struct dwarf_file *d, uint64_t ref, uint64_t entry, unsigned about, struct proto *p,
			 struct problem *why)
{
	struct arena *a = d->dtypes.arena;
	struct parameters *all;
	struct proto_value *v;
	struct convention c;
	Dwarf_Die die, unit;
	size_t i;

	if (!dwarf_die(d, ref, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return problem_set(why, a, PROBLEM_BAD_FORMAT, "the DWARF of the function is damaged");
	all = calloc(1, sizeof *all);
	if (!all)
		abort();
	collect_all(&die, all);
	memset(p, 0, sizeof *p);
	if (dwarf_srclang(&unit) == DW_LANG_Go) {
		go_proto(d, &die, all, entry - d->shift, strstr(producer_of(&unit), "regabi") && !(about & DWARF_ON_STACK), p);
		free(all);
		return 0;
	}
	p->nparams = all->n;
	p->variadic = all->variadic;
	v = arena_array(a, struct proto_value, all->n);
	for (i = 0; i < all->n; i++) {
		const char *name = dwarf_is_hidden(&all->v[i].die) ? NULL : dwarf_diename(&all->v[i].die);

		v[i].name = name ? name : "";
		v[i].type = dtype_new(&d->dtypes, dwarf_type_ref(d, &all->v[i].die));
	}
	p->params = v;
	p->ret.name = "";
	p->ret.type = dtype_new(&d->dtypes, dwarf_type_ref(d, &die));
	p->returns = dtype_kind(p->ret.type) != DTYPE_VOID;
	abi_place(d->target, a, v, all->n, &p->ret, p->returns, d->space);
	c = strncmp(producer_of(&unit), "GNU ", 4) == 0 ? of_gnu(about) : of_llvm(&die, &unit, all, p, about);
	refine(d, &die, all, entry - d->shift, about, c, v);
	if (p->returns && c.no_return) {
		p->ret.placed = false;
		problem_set(&p->ret.why, a, PROBLEM_NOT_PLACED, "what the function returns is not certain: %s", c.no_return);
	}
	free(all);
	return 0;
}
