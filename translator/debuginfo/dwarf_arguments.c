/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of a function's parameters as its source names them, which tell overloads apart: "int, space::pair const&". */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"

enum { DEEPEST = 16 };

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

/* What is written after the type that it is made of; NULL: it is a type with a name. */
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

static void add_type(struct dwarf_file *d, Dwarf_Die *die, struct sb *out, unsigned depth)
{
	const char *mark;
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type)) {
		sb_puts(out, "void");
		return;
	}
	mark = mark_of(dwarf_tag(&type));
	if (mark && depth < DEEPEST) {
		add_type(d, &type, out, depth + 1);
		sb_puts(out, mark);
	} else if (!mark && dwarf_diename(&type)) {
		sb_puts(out, dwarf_variable_name(d, &type));
	} else {
		sb_puts(out, dtype_text_short(d->dtypes.arena, dtype_new(&d->dtypes, dwarf_ref(d, &type))));
	}
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
	Dwarf_Die function, die;
	struct sb out = {0};
	const char *text;

	if (!dwarf_die(d, ref, &function))
		return NULL;
	function = source_of(function);
	if (dwarf_first(&function, &die))
		do {
			bool more = dwarf_tag(&die) == DW_TAG_unspecified_parameters;

			if (!more && (dwarf_tag(&die) != DW_TAG_formal_parameter || is_artificial(&die)))
				continue;
			sb_puts(&out, out.n ? ", " : "");
			if (more)
				sb_puts(&out, "...");
			else
				add_type(d, &die, &out, 0);
		} while (dwarf_next(&die));
	text = arena_strdup(d->dtypes.arena, out.s ? out.s : "");
	sb_free(&out);
	return text;
}
