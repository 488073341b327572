/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers from BTF.  libbpf reads it and checks its structure; this file checks each reference that it follows. */
#include "translator/debuginfo/btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/map.h"

struct btf_image {
	struct dtypes dtypes; /* first */
	const struct btf_image *base;
	struct btf *btf;
	uint32_t first, end; /* type ids of this image; those before are the base's */
	unsigned asked;      /* times that a function was looked for by name */
	uint32_t *functions; /* after some: hash table of ids of functions, 0 = free */
	uint32_t mask;
	struct map *named; /* types that were looked for, by keyword and name: uint64_t, 0 = there is none */
};

/* NULL for void and for an id that does not exist. */
static const struct btf_type *type_of(const struct btf_image *b, uint64_t id)
{
	return id == 0 || id >= b->end ? NULL : btf__type_by_id(b->btf, (uint32_t)id);
}

static const char *string_of(const struct btf_image *b, uint32_t off)
{
	const char *s = btf__name_by_offset(b->btf, off);

	return s ? s : "";
}

/*
 * Refuses what libbpf does not refuse: it ignores the version, reads types at odd addresses when the header's length is odd
 * (undefined behaviour), and converts BTF of the other byte order, which is of no target of ours.
 */
static int check_header(struct arena *a, const void *data, size_t size, struct problem *why)
{
	struct btf_header h;

	if (size < sizeof h || size > UINT32_MAX)
		return problem_set(why, a, PROBLEM_BAD_FORMAT, "%zu bytes cannot be BTF", size);
	memcpy(&h, data, sizeof h);
	if (h.magic != BTF_MAGIC)
		return problem_set(why, a, PROBLEM_BAD_FORMAT,
				   "this is not BTF of this machine's byte order");
	if (h.version != BTF_VERSION)
		return problem_set(why, a, PROBLEM_BAD_FORMAT, "BTF of version %u is not known", h.version);
	if (h.hdr_len < sizeof h || h.hdr_len % 4)
		return problem_set(why, a, PROBLEM_BAD_FORMAT, "the BTF header is damaged");
	return 0;
}

/* btf__new_split() is declared by libbpf 1.1 but missing in its library, so the bytes go through a file in memory. */
static struct btf *new_split(const void *data, size_t size, struct btf *base)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	struct btf *btf = NULL;
	char path[64];

	if (fd < 0)
		return NULL;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		btf = btf__parse_raw_split(path, base);
	close(fd);
	return btf;
}

static const struct dtypes_ops btf_ops;

struct btf_image *btf_open(struct arena *a, const void *data, size_t size, const struct btf_image *base,
			   struct problem *why)
{
	struct btf_image *b;
	struct btf *btf;

	if (check_header(a, data, size, why) < 0)
		return NULL;
	libbpf_set_print(NULL); /* it writes to stderr what is wrong with the bytes */
	btf = base ? new_split(data, size, base->btf) : btf__new(data, (uint32_t)size);
	if (!btf) {
		problem_set(why, a, PROBLEM_BAD_FORMAT, "the BTF cannot be read: %s",
			    errno == EINVAL ? "it is damaged or cut short" : strerror(errno));
		return NULL;
	}
	b = arena_new(a, struct btf_image);
	b->dtypes.ops = &btf_ops;
	b->dtypes.arena = a;
	b->named = arena_new(a, struct map);
	b->base = base;
	b->btf = btf;
	b->first = base ? base->end : 1;
	b->end = btf__type_cnt(btf);
	return b;
}

void btf_close(struct btf_image *b)
{
	if (!b)
		return;
	btf__free(b->btf);
	b->btf = NULL;
	b->base = NULL;
	b->functions = NULL;
	b->first = b->end = 1;
}

struct dtypes *btf_dtypes(struct btf_image *b)
{
	return &b->dtypes;
}

/* --- nodes --- */

static void int_node(const struct btf_type *t, struct dtype_node *out)
{
	out->kind = btf_int_encoding(t) & BTF_INT_BOOL ? NODE_BOOL : NODE_INT;
	out->is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
	out->size = t->size;
	/* pahole does not set BTF_INT_CHAR; a byte is a character unless it is a _Bool */
	out->is_char = t->size == 1 && out->kind == NODE_INT;
	if (strcmp(out->name, "char") == 0)
		out->is_signed = true;
}

static bool enum_is_signed(const struct btf_type *t)
{
	const struct btf_enum *e = btf_enum(t);
	uint32_t n = btf_vlen(t), i;

	if (btf_kflag(t) || btf_is_enum64(t))
		return btf_kflag(t);
	for (i = 0; i < n; i++)
		if (e[i].val < 0)
			return true;
	return false;
}

static void array_node(const struct btf_type *t, struct dtype_node *out)
{
	const struct btf_array *array = btf_array(t);

	out->kind = NODE_ARRAY;
	out->target = array->type;
	out->count = array->nelems;
}

/*
 * Types that are made of one other: a reference as 0 = void, one that leads nowhere becomes an id that never exists.  Functions, variables,
 * sections and tags are not types.
 */
static void link_node(const struct btf_type *t, struct dtype_node *out)
{
	static const enum node_kind kinds[NR_BTF_KINDS] = {
		[BTF_KIND_PTR] = NODE_POINTER, [BTF_KIND_FUNC_PROTO] = NODE_FUNCTION, [BTF_KIND_TYPEDEF] = NODE_TYPEDEF,
		[BTF_KIND_CONST] = NODE_CONST, [BTF_KIND_VOLATILE] = NODE_VOLATILE, [BTF_KIND_RESTRICT] = NODE_RESTRICT,
		[BTF_KIND_TYPE_TAG] = NODE_TRANSPARENT,
	};

	if (btf_kind(t) < NR_BTF_KINDS && kinds[btf_kind(t)]) {
		out->kind = kinds[btf_kind(t)];
		out->target = t->type;
	}
}

static void node_of(const struct dtypes *ts, uint64_t ref, struct dtype_node *out)
{
	const struct btf_image *b = (const struct btf_image *)ts;
	const struct btf_type *t = type_of(b, ref);

	out->kind = ref == 0 ? NODE_VOID : NODE_INCOMPLETE;
	if (!t)
		return;
	out->name = string_of(b, t->name_off);
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		int_node(t, out);
		break;
	case BTF_KIND_FLOAT:
		out->kind = NODE_FLOAT;
		out->size = t->size;
		break;
	case BTF_KIND_ARRAY:
		array_node(t, out);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		out->kind = btf_is_struct(t) ? NODE_STRUCT : NODE_UNION;
		out->keyword = out->kind == NODE_STRUCT ? "struct " : "union ";
		out->size = t->size;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		out->kind = NODE_ENUM;
		out->keyword = "enum ";
		out->size = t->size;
		out->is_signed = enum_is_signed(t);
		break;
	case BTF_KIND_FWD:
		out->keyword = btf_kflag(t) ? "union " : "struct ";
		break;
	case BTF_KIND_TYPE_TAG:
		out->user = strcmp(out->name, "user") == 0;
		/* fall through */
	default:
		link_node(t, out);
	}
}

static size_t members_of(const struct dtypes *ts, struct arena *a, uint64_t ref, const struct dtype_member **out)
{
	const struct btf_image *b = (const struct btf_image *)ts;
	const struct btf_type *t = type_of(b, ref);
	const struct btf_member *m;
	struct dtype_member *v;
	struct dtype *types;
	uint32_t n, i;

	if (!t || !btf_is_composite(t))
		return 0;
	n = btf_vlen(t);
	m = btf_members(t);
	v = arena_array(a, struct dtype_member, n);
	types = arena_array(a, struct dtype, n);
	for (i = 0; i < n; i++) {
		types[i] = (struct dtype){ts, m[i].type};
		v[i].name = string_of(b, m[i].name_off);
		v[i].type = &types[i];
		v[i].bit_off = btf_member_bit_offset(t, i);
		v[i].bit_width = btf_member_bitfield_size(t, i);
		if (v[i].bit_width > 64)
			v[i].bit_width = 64;
	}
	*out = v;
	return n;
}

static int64_t enumerator_at(const struct btf_image *b, const struct btf_type *t, uint32_t i, bool is_signed,
			     const char **name)
{
	if (btf_is_enum64(t)) {
		const struct btf_enum64 *e = btf_enum64(t) + i;

		*name = string_of(b, e->name_off);
		return (int64_t)btf_enum64_value(e);
	}
	const struct btf_enum *e = btf_enum(t) + i;

	*name = string_of(b, e->name_off);
	return is_signed ? e->val : (int64_t)(uint32_t)e->val;
}

static size_t enumerators_of(const struct dtypes *ts, struct arena *a, uint64_t ref,
			     const struct dtype_enumerator **out)
{
	const struct btf_image *b = (const struct btf_image *)ts;
	const struct btf_type *t = type_of(b, ref);
	struct dtype_enumerator *v;
	bool is_signed;
	uint32_t n, i;

	if (!t || !btf_is_any_enum(t))
		return 0;
	is_signed = enum_is_signed(t);
	n = btf_vlen(t);
	v = arena_array(a, struct dtype_enumerator, n);
	for (i = 0; i < n; i++)
		v[i].value = enumerator_at(b, t, i, is_signed, &v[i].name);
	*out = v;
	return n;
}

static size_t params_of(const struct dtypes *ts, struct arena *a, uint64_t ref, struct dtype_param **out,
			bool *variadic)
{
	const struct btf_image *b = (const struct btf_image *)ts;
	const struct btf_type *t = type_of(b, ref);
	const struct btf_param *p;
	struct dtype_param *v;
	uint32_t n, i;

	*variadic = false;
	if (!t || !btf_is_func_proto(t))
		return 0;
	n = btf_vlen(t);
	p = btf_params(t);
	*variadic = n && p[n - 1].type == 0;
	n -= *variadic;
	v = arena_array(a, struct dtype_param, n);
	for (i = 0; i < n; i++) {
		v[i].name = string_of(b, p[i].name_off);
		v[i].type = p[i].type;
	}
	*out = v;
	return n;
}

/* --- finding by name --- */

/* How well a kind answers a question with the keyword: 0 = not at all, 3 = exactly. */
static unsigned fits(uint32_t kind, const char *keyword)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
		return !keyword[0] ? 1 : strcmp(keyword, "struct ") == 0 ? 3 : 0;
	case BTF_KIND_UNION:
		return !keyword[0] ? 1 : strcmp(keyword, "union ") == 0 ? 3 : 0;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return !keyword[0] ? 1 : strcmp(keyword, "enum ") == 0 ? 3 : 0;
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return keyword[0] ? 0 : 3;
	case BTF_KIND_TYPEDEF:
		return keyword[0] ? 0 : 2;
	default:
		return 0;
	}
}

static uint64_t search(const struct btf_image *b, const char *keyword, const char *name)
{
	unsigned best = 0;
	uint64_t ref = 0;
	uint32_t id;

	for (; b && best < 2; b = b->base)
		for (id = b->first; id < b->end && best < 3; id++) {
			const struct btf_type *t = btf__type_by_id(b->btf, id);
			unsigned fit = fits(btf_kind(t), keyword);

			if (fit > best && strcmp(string_of(b, t->name_off), name) == 0) {
				best = fit;
				ref = id;
			}
		}
	return ref;
}

/* A search reads all types, and scripts name the same ones again and again. */
static bool find(const struct dtypes *ts, const char *keyword, const char *name, uint64_t *ref)
{
	const struct btf_image *b = (const struct btf_image *)ts;
	const char *key = intern(arena_printf(ts->arena, "%s %s", keyword, name));
	uint64_t *known = map_get(b->named, key);

	if (!known) {
		known = arena_new(ts->arena, uint64_t);
		*known = search(b, keyword, name);
		map_set(ts->arena, b->named, key, known);
	}
	if (*known)
		*ref = *known;
	return *known > 0;
}

static bool enumerator_of(const struct btf_image *b, const struct btf_type *t, const char *name,
			  int64_t *value)
{
	bool is_signed = enum_is_signed(t);
	const char *s;
	uint32_t i;

	for (i = 0; i < btf_vlen(t); i++) {
		*value = enumerator_at(b, t, i, is_signed, &s);
		if (strcmp(s, name) == 0)
			return true;
	}
	return false;
}

static bool find_enumerator(const struct dtypes *ts, const char *name, int64_t *value)
{
	const struct btf_image *b;
	uint32_t id;

	for (b = (const struct btf_image *)ts; b; b = b->base)
		for (id = b->first; id < b->end; id++) {
			const struct btf_type *t = btf__type_by_id(b->btf, id);

			if (btf_is_any_enum(t) && enumerator_of(b, t, name, value))
				return true;
		}
	return false;
}

static void add_nearest(const struct dtypes *ts, const char *keyword, struct nearest *near)
{
	const struct btf_image *b;
	uint32_t id;

	for (b = (const struct btf_image *)ts; b; b = b->base)
		for (id = b->first; id < b->end; id++) {
			const struct btf_type *t = btf__type_by_id(b->btf, id);
			const char *name = fits(btf_kind(t), keyword) ? string_of(b, t->name_off) : "";

			if (name[0])
				nearest_add(near, name);
		}
}

static void nearest_enumerators(const struct dtypes *ts, struct nearest *near)
{
	const struct btf_image *b;
	const char *name;
	uint32_t id, i;

	for (b = (const struct btf_image *)ts; b; b = b->base)
		for (id = b->first; id < b->end; id++) {
			const struct btf_type *t = btf__type_by_id(b->btf, id);

			for (i = 0; btf_is_any_enum(t) && i < btf_vlen(t); i++) {
				enumerator_at(b, t, i, false, &name);
				nearest_add(near, name);
			}
		}
}

static const struct dtypes_ops btf_ops = {
	.node = node_of,
	.members = members_of,
	.enumerators = enumerators_of,
	.params = params_of,
	.find = find,
	.find_enumerator = find_enumerator,
	.nearest = add_nearest,
	.nearest_enumerators = nearest_enumerators,
};

/* --- functions --- */

void btf_functions(const struct btf_image *b, void (*cb)(void *ctx, const char *name), void *ctx)
{
	uint32_t id;

	for (id = b->first; id < b->end; id++) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (btf_is_func(t))
			cb(ctx, string_of(b, t->name_off));
	}
}

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

static void index_functions(struct btf_image *b)
{
	uint32_t id, n = 0, at;

	for (id = b->first; id < b->end; id++)
		n += btf_is_func(btf__type_by_id(b->btf, id));
	for (b->mask = 63; b->mask < 2 * n; b->mask = 2 * b->mask + 1)
		;
	b->functions = arena_array(b->dtypes.arena, uint32_t, (size_t)b->mask + 1);
	for (id = b->first; id < b->end; id++) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (!btf_is_func(t))
			continue;
		at = hash(string_of(b, t->name_off)) & b->mask;
		while (b->functions[at])
			at = (at + 1) & b->mask;
		b->functions[at] = id;
	}
}

static size_t add_proto(const struct btf_image *b, uint32_t id, const char *name, uint64_t *protos, size_t n)
{
	const struct btf_type *t = btf__type_by_id(b->btf, id);
	size_t i;

	if (!btf_is_func(t) || strcmp(string_of(b, t->name_off), name) != 0)
		return n;
	for (i = 0; i < n; i++)
		if (protos[i] == t->type)
			return n;
	protos[n] = t->type;
	return n + 1;
}

/* One walk over all types takes half a millisecond, an index four: it is made when a script needs more than a few. */
size_t btf_function(struct btf_image *b, const char *name, uint64_t *protos, size_t cap)
{
	enum { FEW = 6 };
	uint32_t id, at;
	size_t n = 0;

	if (++b->asked == FEW)
		index_functions(b);
	if (b->functions) {
		for (at = hash(name) & b->mask; b->functions[at] && n < cap; at = (at + 1) & b->mask)
			n = add_proto(b, b->functions[at], name, protos, n);
		return n;
	}
	for (id = b->first; id < b->end && n < cap; id++)
		n = add_proto(b, id, name, protos, n);
	return n;
}

/* --- variables --- */

bool btf_variable(const struct btf_image *b, const char *name, uint64_t *type)
{
	uint32_t id;

	for (id = b->first; id < b->end; id++) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (btf_is_var(t) && strcmp(string_of(b, t->name_off), name) == 0) {
			*type = t->type;
			return true;
		}
	}
	return false;
}

void btf_variables(const struct btf_image *b, void (*cb)(void *ctx, const char *name), void *ctx)
{
	uint32_t id;

	for (id = b->first; id < b->end; id++) {
		const struct btf_type *t = btf__type_by_id(b->btf, id);

		if (btf_is_var(t))
			cb(ctx, string_of(b, t->name_off));
	}
}
