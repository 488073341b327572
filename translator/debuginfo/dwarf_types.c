/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C and C++ types from DWARF, as nodes for types.c. */
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "base/vec.h"
#include "translator/debuginfo/dwarf_private.h"

enum { MAX_CHILDREN = 65536 };

uint64_t dwarf_ref(const struct dwarf_file *d, Dwarf_Die *die)
{
	uint64_t ref = dwarf_dieoffset(die) & REF_OFFSET, split;
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	Dwarf_Half version;
	uint8_t unit;

	if (dwarf != d->dwarf) {
		split = d->splits.n ? (uintptr_t)map_get(&d->split_numbers, (const char *)dwarf) : 0;
		if (!split)
			return ref | REF_ALT;
		ref |= REF_SPLIT | (split - 1) << REF_SPLIT_SHIFT;
	}
	if (dwarf_cu_info(die->cu, &version, &unit, NULL, NULL, NULL, NULL, NULL) == 0 && version < 5 &&
	    (unit == DW_UT_type || unit == DW_UT_split_type))
		ref |= REF_TYPES;
	return ref;
}

bool dwarf_die(const struct dwarf_file *d, uint64_t ref, Dwarf_Die *die)
{
	Dwarf *dwarf = ref & REF_ALT ? dwarf_getalt(d->dwarf) : d->dwarf;
	size_t split = (ref & REF_OFFSET) >> REF_SPLIT_SHIFT;

	if (ref & REF_SPLIT) {
		if (split >= d->splits.n)
			return false;
		dwarf = d->splits.v[split];
		ref &= ~(REF_OFFSET ^ (((uint64_t)1 << REF_SPLIT_SHIFT) - 1));
	}
	if (!dwarf || !(ref & REF_OFFSET))
		return false;
	return (ref & REF_TYPES ? dwarf_offdie_types : dwarf_offdie)(dwarf, ref & REF_OFFSET, die) != NULL;
}

const char *dwarf_file_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word i;
	Dwarf_Die unit;
	size_t n;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &i) != 0 || !i)
		return NULL;
	if (!dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &n) != 0 || i >= n)
		return NULL;
	return dwarf_filesrc(files, i, NULL, NULL);
}

bool dwarf_first(Dwarf_Die *parent, Dwarf_Die *child)
{
	Dwarf_Off at = dwarf_dieoffset(parent);

	return dwarf_child(parent, child) == 0 && dwarf_dieoffset(child) > at;
}

bool dwarf_next(Dwarf_Die *die)
{
	Dwarf_Off at = dwarf_dieoffset(die);

	return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > at;
}

uint64_t dwarf_type_ref(const struct dwarf_file *d, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type))
		return 0;
	return dwarf_ref(d, &type);
}

static uint64_t number(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &value) != 0)
		return otherwise;
	return value;
}

/* A flag of the DIE itself: a definition that refers to a declaration is not one. */
static bool flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr(die, name, &attr) && dwarf_formflag(&attr, &value) == 0 && value;
}

/* --- nodes --- */

static void base_node(Dwarf_Die *die, struct dtype_node *out)
{
	uint64_t encoding = number(die, DW_AT_encoding, 0);

	out->kind = NODE_INT;
	out->size = number(die, DW_AT_byte_size, 0);
	switch (encoding) {
	case DW_ATE_boolean:
		out->kind = NODE_BOOL;
		break;
	case DW_ATE_signed_char:
		out->is_char = true;
		out->is_signed = true;
		break;
	case DW_ATE_unsigned_char:
		out->is_char = true;
		break;
	case DW_ATE_signed:
		out->is_signed = true;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_address:
	case DW_ATE_UTF:
		break;
	default:
		out->kind = NODE_FLOAT;
		break;
	}
}

static bool enumerator_value(Dwarf_Die *die, int64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Sword s;

	if (!dwarf_attr(die, DW_AT_const_value, &attr) || dwarf_formsdata(&attr, &s) != 0)
		return false;
	*value = s;
	return true;
}

static void enum_node(const struct dwarf_file *d, Dwarf_Die *die, struct dtype_node *out)
{
	uint64_t below = dwarf_type_ref(d, die);
	struct dtype_node base = {0};
	Dwarf_Die child;
	int64_t value;

	out->kind = NODE_ENUM;
	out->keyword = "enum ";
	out->size = number(die, DW_AT_byte_size, 4);
	if (below && dwarf_die(d, below, &child) && dwarf_tag(&child) == DW_TAG_base_type) {
		base_node(&child, &base);
		out->is_signed = base.is_signed;
		return;
	}
	if (dwarf_first(die, &child))
		do {
			if (enumerator_value(&child, &value) && value < 0)
				out->is_signed = true;
		} while (!out->is_signed && dwarf_next(&child));
}

static uint64_t dimension_count(Dwarf_Die *range)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_attr(range, DW_AT_count, &attr))
		return dwarf_formudata(&attr, &value) == 0 ? value : 0;
	if (dwarf_attr(range, DW_AT_upper_bound, &attr) && dwarf_formudata(&attr, &value) == 0) {
		Dwarf_Word low = number(range, DW_AT_lower_bound, 0);

		return value - low + 1;
	}
	return 0;
}

static void array_node(const struct dwarf_file *d, uint64_t ref, Dwarf_Die *die, struct dtype_node *out)
{
	unsigned dimension = (ref & REF_DIMENSION) >> REF_DIMENSION_SHIFT, i = 0;
	Dwarf_Attribute attr;
	bool more = false;
	Dwarf_Die child;

	out->kind = NODE_ARRAY;
	if (dwarf_attr(die, DW_AT_GNU_vector, &attr)) {
		out->kind = NODE_FLOAT; /* it is in vector registers as a whole */
		out->size = number(die, DW_AT_byte_size, 16);
		return;
	}
	if (dwarf_first(die, &child))
		do {
			if (dwarf_tag(&child) != DW_TAG_subrange_type &&
			    dwarf_tag(&child) != DW_TAG_enumeration_type)
				continue;
			if (i == dimension)
				out->count = dimension_count(&child);
			more = i++ > dimension;
		} while (!more && dwarf_next(&child));
	out->target =
		more && dimension < 15 ? ref + ((uint64_t)1 << REF_DIMENSION_SHIFT) : dwarf_type_ref(d, die);
}

static const char *keyword_of(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	case DW_TAG_class_type:
		return "class ";
	default:
		return "";
	}
}

/* Types that are made of one other. */
static void link_node(const struct dwarf_file *d, Dwarf_Die *die, struct dtype_node *out)
{
	static const struct {
		unsigned char tag, kind;
	} links[] = {
		{DW_TAG_pointer_type, NODE_POINTER}, {DW_TAG_subroutine_type, NODE_FUNCTION},
		{DW_TAG_reference_type, NODE_REFERENCE}, {DW_TAG_rvalue_reference_type, NODE_REFERENCE},
		{DW_TAG_typedef, NODE_TYPEDEF}, {DW_TAG_template_alias, NODE_TYPEDEF},
		{DW_TAG_const_type, NODE_CONST}, {DW_TAG_volatile_type, NODE_VOLATILE},
		{DW_TAG_restrict_type, NODE_RESTRICT}, {DW_TAG_atomic_type, NODE_ATOMIC},
		{DW_TAG_subrange_type, NODE_TRANSPARENT}, {DW_TAG_packed_type, NODE_TRANSPARENT},
		{DW_TAG_immutable_type, NODE_TRANSPARENT}, {DW_TAG_shared_type, NODE_TRANSPARENT},
	};

	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		if (links[i].tag == dwarf_tag(die)) {
			out->kind = links[i].kind;
			out->target = dwarf_type_ref(d, die);
		}
}

/* Replaces a declaration, or a stub, by the definition in its type unit, or in another unit by name. */
static void declared_node(const struct dwarf_file *d, Dwarf_Die *die, struct dtype_node *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die other;
	uint64_t ref;

	out->keyword = keyword_of(dwarf_tag(die));
	if (dwarf_attr(die, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &other) &&
	    other.addr != die->addr) {
		out->kind = NODE_TRANSPARENT;
		out->target = dwarf_ref(d, &other);
	} else if (out->name[0] && dwarf_types_ops.find(&d->dtypes, out->keyword, out->name, &ref)) {
		out->kind = NODE_TYPEDEF;
		out->target = ref;
	}
}

static void aggregate_node(Dwarf_Die *die, enum node_kind kind, struct dtype_node *out)
{
	out->kind = kind;
	out->keyword = keyword_of(dwarf_tag(die));
	out->size = number(die, DW_AT_byte_size, 0);
}

static void describe(const struct dwarf_file *d, uint64_t ref, Dwarf_Die *die, struct dtype_node *out)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		base_node(die, out);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		aggregate_node(die, NODE_STRUCT, out);
		break;
	case DW_TAG_union_type:
		aggregate_node(die, NODE_UNION, out);
		break;
	case DW_TAG_enumeration_type:
		enum_node(d, die, out);
		break;
	case DW_TAG_array_type:
		array_node(d, ref, die, out);
		break;
	case DW_TAG_unspecified_type:
		out->kind = NODE_VOID;
		break;
	default:
		link_node(d, die, out);
	}
}

static void dwarf_node(const struct dtypes *ts, uint64_t ref, struct dtype_node *out)
{
	const struct dwarf_file *d = (const struct dwarf_file *)ts;
	const char *name;
	Dwarf_Die die;

	out->kind = ref == 0 ? NODE_VOID : NODE_INCOMPLETE;
	if (ref == 0 || !dwarf_die(d, ref, &die))
		return;
	name = dwarf_diename(&die);
	out->name = name ? name : "";
	if (keyword_of(dwarf_tag(&die))[0] &&
	    (dwarf_hasattr(&die, DW_AT_signature) || flag(&die, DW_AT_declaration)))
		declared_node(d, &die, out);
	else
		describe(d, ref, &die, out);
}

/* --- members --- */

static uint64_t member_offset(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return 0;
	if (dwarf_formudata(&attr, &value) == 0)
		return value;
	if (dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_plus_uconst)
		return ops[0].number;
	return 0;
}

static void place_bits(const struct dwarf_file *d, Dwarf_Die *die, struct dtype_member *m)
{
	uint64_t width = number(die, DW_AT_bit_size, 0), off, storage;

	m->bit_off = 8 * member_offset(die);
	if (width == 0 || width > 64)
		return;
	m->bit_width = (unsigned)width;
	off = number(die, DW_AT_data_bit_offset, UINT64_MAX);
	if (off != UINT64_MAX) {
		m->bit_off = off;
		return;
	}
	/* DWARF 3: counted from the most significant bit of the storage unit */
	off = number(die, DW_AT_bit_offset, 0);
	storage = 8 * number(die, DW_AT_byte_size, dtype_size(dtype_new(&d->dtypes, dwarf_type_ref(d, die))));
	if (off + width <= storage)
		m->bit_off += storage - off - width;
}

static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !flag(die, DW_AT_declaration) && !flag(die, DW_AT_external));
}

typedef VEC(struct dtype_member) member_list;

static void add_member(const struct dwarf_file *d, struct arena *a, Dwarf_Die *die, const char *unnamed, member_list *all)
{
	struct dtype_member m = {0};

	m.name = dwarf_tag(die) == DW_TAG_inheritance ? NULL : dwarf_diename(die);
	m.name = m.name ? m.name : unnamed;
	m.type = dtype_new(&d->dtypes, dwarf_type_ref(d, die));
	place_bits(d, die, &m);
	vec_push(a, all, m);
}

/*
 * An enum of Rust has one of several contents, in the same place, and a number that says which, which has no name.  All are members, as of a
 * union.
 */
static void add_variants(const struct dwarf_file *d, struct arena *a, Dwarf_Die *part, member_list *all)
{
	Dwarf_Die child, content;

	if (!dwarf_first(part, &child))
		return;
	do {
		if (is_member(&child))
			add_member(d, a, &child, "discriminant", all);
		else if (dwarf_tag(&child) == DW_TAG_variant && dwarf_first(&child, &content) && is_member(&content))
			add_member(d, a, &content, "", all);
	} while (all->n < MAX_CHILDREN && dwarf_next(&child));
}

static size_t dwarf_members(const struct dtypes *ts, struct arena *a, uint64_t ref, const struct dtype_member **out)
{
	const struct dwarf_file *d = (const struct dwarf_file *)ts;
	member_list all = {0};
	Dwarf_Die die, child;

	if (!dwarf_die(d, ref, &die) || !dwarf_first(&die, &child))
		return 0;
	do {
		if (is_member(&child))
			add_member(d, a, &child, "", &all);
		else if (dwarf_tag(&child) == DW_TAG_variant_part)
			add_variants(d, a, &child, &all);
	} while (all.n < MAX_CHILDREN && dwarf_next(&child));
	*out = all.v;
	return all.n;
}

static size_t dwarf_enumerators(const struct dtypes *ts, struct arena *a, uint64_t ref,
				const struct dtype_enumerator **out)
{
	const struct dwarf_file *d = (const struct dwarf_file *)ts;
	VEC(struct dtype_enumerator) all = {0};
	Dwarf_Die die, child;

	if (!dwarf_die(d, ref, &die) || !dwarf_first(&die, &child))
		return 0;
	do {
		struct dtype_enumerator e = {0};

		e.name = dwarf_diename(&child);
		if (dwarf_tag(&child) == DW_TAG_enumerator && e.name && enumerator_value(&child, &e.value))
			vec_push(a, &all, e);
	} while (all.n < MAX_CHILDREN && dwarf_next(&child));
	*out = all.v;
	return all.n;
}

static size_t dwarf_params(const struct dtypes *ts, struct arena *a, uint64_t ref, struct dtype_param **out,
			   bool *variadic)
{
	const struct dwarf_file *d = (const struct dwarf_file *)ts;
	VEC(struct dtype_param) all = {0};
	Dwarf_Die die, child;

	*variadic = false;
	if (!dwarf_die(d, ref, &die) || !dwarf_first(&die, &child))
		return 0;
	do {
		const char *name = dwarf_diename(&child);

		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			*variadic = true;
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		vec_push(a, &all, ((struct dtype_param){name ? name : "", dwarf_type_ref(d, &child)}));
	} while (all.n < MAX_CHILDREN && dwarf_next(&child));
	*out = all.v;
	return all.n;
}

/* --- C++ classes that cannot be copied as bytes --- */

static bool is_own_reference(Dwarf_Die *param, Dwarf_Die *of)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	unsigned links;
	int tag;

	for (links = 0; links < 4; links++, param = &type) {
		if (!dwarf_attr(param, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type))
			return false;
		tag = dwarf_tag(&type);
		if (type.addr == of->addr)
			return links > 0;
		if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type &&
		    tag != DW_TAG_const_type)
			return false;
	}
	return false;
}

/* A destructor, or a constructor from another of the class, that the source has. */
static bool is_special(Dwarf_Die *method, Dwarf_Die *of)
{
	const char *name = dwarf_diename(method), *class = dwarf_diename(of);
	size_t len = class ? strcspn(class, "<") : 0;
	Dwarf_Die param;

	if (dwarf_tag(method) != DW_TAG_subprogram || !name || flag(method, DW_AT_artificial) ||
	    dwarf_hasattr(method, DW_AT_defaulted))
		return false;
	if (name[0] == '~' || number(method, DW_AT_virtuality, 0))
		return true;
	if (!len || strncmp(name, class, len) != 0 || name[len] || !dwarf_first(method, &param))
		return false;
	while (flag(&param, DW_AT_artificial))
		if (!dwarf_next(&param))
			return false;
	return is_own_reference(&param, of);
}

static bool is_nontrivial(const struct dwarf_file *d, Dwarf_Die *die, unsigned depth)
{
	uint64_t convention = number(die, DW_AT_calling_convention, 0);
	struct dtype_node below;
	Dwarf_Die child, type;
	uint64_t at;

	if (convention == DW_CC_pass_by_reference || convention == DW_CC_pass_by_value)
		return convention == DW_CC_pass_by_reference;
	if (depth > 4 || !dwarf_first(die, &child))
		return false;
	do {
		if (is_special(&child, die))
			return true;
		if (!is_member(&child))
			continue;
		dtype_strip(dtype_new(&d->dtypes, dwarf_type_ref(d, &child)), &below, &at, NULL);
		if ((below.kind == NODE_STRUCT || below.kind == NODE_UNION) && dwarf_die(d, at, &type) &&
		    is_nontrivial(d, &type, depth + 1))
			return true;
	} while (dwarf_next(&child));
	return false;
}

/*
 * clang says how classes are passed; gcc does so from about version 14 on.  Without that, the rule of the C++ ABI: a class is passed by
 * reference if it, or a base or member, has a copy or move constructor or a destructor of its own.
 */
static bool dwarf_by_reference(const struct dtypes *ts, uint64_t ref)
{
	const struct dwarf_file *d = (const struct dwarf_file *)ts;
	Dwarf_Die die, unit;
	int language;

	if (!dwarf_die(d, ref, &die) ||
	    (dwarf_tag(&die) != DW_TAG_structure_type && dwarf_tag(&die) != DW_TAG_class_type &&
	     dwarf_tag(&die) != DW_TAG_union_type))
		return false;
	language = dwarf_diecu(&die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
	if (language == DW_LANG_C89 || language == DW_LANG_C99 || language == DW_LANG_C11 ||
	    language == DW_LANG_C)
		return false;
	return is_nontrivial(d, &die, 0);
}

/* --- finding by name --- */

struct found {
	uint64_t ref; /* 0: looked for, not there */
};

struct search {
	struct dwarf_file *d;
	const char *keyword, *name;
	unsigned fit; /* of the best so far */
	uint64_t ref;
	int64_t value;
	struct nearest *near;
};

/* As for BTF: exact keyword 3, without keyword base type 3, typedef 2, others 1. */
static unsigned fits(int tag, const char *keyword)
{
	const char *own = keyword_of(tag);

	if (keyword[0])
		return strcmp(own, keyword) == 0 || (own[0] == 'c' && keyword[0] == 's') ||
				       (own[0] == 's' && keyword[0] == 'c')
			       ? 3
			       : 0;
	if (own[0])
		return 1;
	return tag == DW_TAG_base_type ? 3 : tag == DW_TAG_typedef || tag == DW_TAG_template_alias ? 2 : 0;
}

static bool match_type(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;
	unsigned fit = fits(dwarf_tag(die), s->keyword);
	const char *name;

	if (fit <= s->fit)
		return true;
	name = dwarf_diename(die);
	if (!name || strcmp(name, s->name) != 0 || flag(die, DW_AT_declaration))
		return true;
	s->fit = fit;
	s->ref = dwarf_ref(s->d, die);
	return fit < 2;
}

static bool dwarf_find(const struct dtypes *ts, const char *keyword, const char *name, uint64_t *ref)
{
	struct dwarf_file *d = (struct dwarf_file *)ts;
	struct search s = {.d = d, .keyword = keyword, .name = name};
	const char *key = intern(arena_printf(ts->arena, "%s%s", keyword, name));
	struct found *f = map_get(&d->defined, key);

	if (!f) {
		f = arena_new(ts->arena, struct found);
		map_set(ts->arena, &d->defined, key, f);
		dwarf_walk_for(d, name, match_type, &s);
		f->ref = s.ref;
	}
	*ref = f->ref;
	return f->ref != 0;
}

static bool match_enumerator(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;
	Dwarf_Die child;

	if (dwarf_tag(die) != DW_TAG_enumeration_type || !dwarf_first(die, &child))
		return true;
	do {
		const char *name = dwarf_diename(&child);

		if (name && strcmp(name, s->name) == 0 && enumerator_value(&child, &s->value)) {
			s->fit = 1;
			return false;
		}
	} while (dwarf_next(&child));
	return true;
}

static bool dwarf_find_enumerator(const struct dtypes *ts, const char *name, int64_t *value)
{
	struct search s = {.d = (struct dwarf_file *)ts, .name = name};

	dwarf_walk(s.d, match_enumerator, &s);
	*value = s.value;
	return s.fit;
}

static bool add_nearest(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;
	const char *name;

	if (fits(dwarf_tag(die), s->keyword) && (name = dwarf_diename(die)) != NULL)
		nearest_add(s->near, name);
	return true;
}

static void dwarf_nearest(const struct dtypes *ts, const char *keyword, struct nearest *near)
{
	struct search s = {.d = (struct dwarf_file *)ts, .keyword = keyword, .near = near};

	dwarf_walk(s.d, add_nearest, &s);
}

static bool add_enumerators(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;
	const char *name;
	Dwarf_Die child;

	if (dwarf_tag(die) != DW_TAG_enumeration_type || !dwarf_first(die, &child))
		return true;
	do {
		if ((name = dwarf_diename(&child)) != NULL)
			nearest_add(s->near, name);
	} while (dwarf_next(&child));
	return true;
}

static void dwarf_nearest_enumerators(const struct dtypes *ts, struct nearest *near)
{
	struct search s = {.d = (struct dwarf_file *)ts, .near = near};

	dwarf_walk(s.d, add_enumerators, &s);
}

const struct dtypes_ops dwarf_types_ops = {
	.node = dwarf_node,
	.members = dwarf_members,
	.enumerators = dwarf_enumerators,
	.params = dwarf_params,
	.find = dwarf_find,
	.find_enumerator = dwarf_find_enumerator,
	.nearest = dwarf_nearest,
	.nearest_enumerators = dwarf_nearest_enumerators,
	.by_reference = dwarf_by_reference,
};
