/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of a function's parameters as its source names them, which tell overloads apart: "int, space::pair const&". */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"

enum { DEEPEST = 16, MOST = 1024 }; /* types in types, and all of them: those of damaged debug information contain themselves */

struct writer {
	struct dwarf_file *d;
	unsigned types;
};

static bool is_artificial(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr_integrate(die, DW_AT_artificial, &attr) && dwarf_formflag(&attr, &value) == 0 && value;
}

bool dwarf_is_hidden(Dwarf_Die *die)
{
	const char *name = is_artificial(die) ? dwarf_diename(die) : NULL;

	return name && (!strcmp(name, "__in_chrg") || !strcmp(name, "__vtt_parm") || !strcmp(name, "vtt"));
}

/* What is written after the type that it is made of; NULL: it is a type with a name, a function or an array. */
static const char *mark_of(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return " const";
	case DW_TAG_volatile_type:
		return " volatile";
	case DW_TAG_restrict_type:
		return "";
	case DW_TAG_pointer_type:
		return "*";
	case DW_TAG_reference_type:
		return "&";
	case DW_TAG_rvalue_reference_type:
		return "&&";
	default:
		return NULL;
	}
}

static bool type_of(Dwarf_Die *die, unsigned which, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, which, &attr) && dwarf_formref_die(&attr, type);
}

/* Of a function or an array what comes after its name follows all marks, which are in parentheses then: "int (*)(char)". */
static bool has_end(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_subroutine_type || tag == DW_TAG_array_type;
}

static const char *type_text(struct writer *w, Dwarf_Die *die, const char *after, unsigned depth);

/* The types of the parameters that a function has in its source. */
static const char *parameters(struct writer *w, Dwarf_Die *function, unsigned depth)
{
	struct sb out = {0};
	const char *text;
	Dwarf_Die die;

	if (dwarf_first(function, &die))
		do {
			bool more = dwarf_tag(&die) == DW_TAG_unspecified_parameters;

			if (!more && (dwarf_tag(&die) != DW_TAG_formal_parameter || is_artificial(&die)))
				continue;
			sb_printf(&out, "%s%s", out.n ? ", " : "", more ? "..." : type_text(w, &die, "", depth));
		} while (dwarf_next(&die));
	text = arena_strdup(w->d->dtypes.arena, out.s ? out.s : "");
	sb_free(&out);
	return text;
}

/* " const" if a member function is, which its hidden first parameter says. */
static const char *constness(Dwarf_Die *function)
{
	Dwarf_Die self, pointer, object;

	if (!dwarf_first(function, &self) || !is_artificial(&self) || !type_of(&self, DW_AT_type, &pointer))
		return "";
	if (dwarf_tag(&pointer) == DW_TAG_const_type && !type_of(&pointer, DW_AT_type, &pointer))
		return "";
	return type_of(&pointer, DW_AT_type, &object) && dwarf_tag(&object) == DW_TAG_const_type ? " const" : "";
}

/* "[4]", "[]", one after another. */
static const char *bounds(struct dwarf_file *d, Dwarf_Die *array)
{
	const char *text = "";
	Dwarf_Attribute attr;
	Dwarf_Word n;
	Dwarf_Die die;

	if (dwarf_first(array, &die))
		do {
			if (dwarf_tag(&die) != DW_TAG_subrange_type)
				continue;
			if (dwarf_attr(&die, DW_AT_upper_bound, &attr) && dwarf_formudata(&attr, &n) == 0)
				text = arena_printf(d->dtypes.arena, "%s[%" PRIu64 "]", text, n + 1);
			else if (dwarf_attr(&die, DW_AT_count, &attr) && dwarf_formudata(&attr, &n) == 0)
				text = arena_printf(d->dtypes.arena, "%s[%" PRIu64 "]", text, n);
			else
				text = arena_printf(d->dtypes.arena, "%s[]", text);
		} while (dwarf_next(&die));
	return text;
}

/* The type of the DIE, as C++ writes it, with what comes after its name, or in the middle of it. */
static const char *type_text(struct writer *w, Dwarf_Die *die, const char *after, unsigned depth)
{
	struct dwarf_file *d = w->d;
	struct arena *a = d->dtypes.arena;
	const char *mark, *name;
	Dwarf_Die type, target;
	int tag;

	if (depth > DEEPEST || w->types++ > MOST)
		return "?";
	if (!type_of(die, DW_AT_type, &type))
		return arena_printf(a, "void%s%s", *after == '(' ? " " : "", after);
	tag = dwarf_tag(&type);
	mark = mark_of(tag);
	if (tag == DW_TAG_ptr_to_member_type && type_of(&type, DW_AT_containing_type, &target))
		mark = arena_printf(a, "%s::*", dwarf_variable_name(d, &target));
	if (mark) {
		bool encloses = type_of(&type, DW_AT_type, &target) && has_end(&target);

		after = arena_printf(a, "%s%s%s", mark, *mark == ' ' && *after == '(' ? " " : "", after);
		if (encloses)
			after = arena_printf(a, "(%s)", after);
		else if (tag == DW_TAG_ptr_to_member_type)
			after = arena_printf(a, " %s", after);
		return type_text(w, &type, after, depth + 1);
	}
	if (tag == DW_TAG_subroutine_type)
		return type_text(w, &type, arena_printf(a, "%s(%s)%s", after, parameters(w, &type, depth + 1), constness(&type)), depth + 1);
	if (tag == DW_TAG_array_type)
		return type_text(w, &type, arena_printf(a, "%s%s", after, bounds(d, &type)), depth + 1);
	name = dwarf_diename(&type) ? dwarf_variable_name(d, &type) : dtype_text_short(a, dtype_new(&d->dtypes, dwarf_ref(d, &type)));
	return arena_printf(a, "%s%s%s", name, *after == '(' ? " " : "", after);
}

/* A copy of the function may lack parameters that its source has. */
static Dwarf_Die source_of(Dwarf_Die die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(&die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin) ? origin : die;
}

const char *dwarf_arguments(struct dwarf_file *d, uint64_t ref)
{
	struct writer w = {.d = d};
	Dwarf_Die function;

	if (!dwarf_die(d, ref, &function))
		return NULL;
	function = source_of(function);
	return parameters(&w, &function, 0);
}
