/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtype_path(): follows ->member, .member, [index] and dereferences from one fetch to another. */
#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/dtype.h"
#include "translator/debuginfo/types.h"

enum { MAX_NESTING = 16, MAX_VISITS = 20000 };

struct search {
	struct arena *a;
	const char *name;
	size_t visits;             /* members looked at: damaged information can nest endlessly */
	struct dtype_member found; /* bit_off from the start of the outermost */
};

/* Depth first through anonymous members. */
static bool find_member(struct search *s, const struct dtype *t, uint64_t base, unsigned depth)
{
	const struct dtype_member *v;
	size_t n = dtype_members(s->a, t, &v), i;

	s->visits += n + 1;
	for (i = 0; i < n; i++)
		if (strcmp(v[i].name, s->name) == 0) {
			s->found = v[i];
			s->found.bit_off += base;
			return true;
		}
	for (i = 0; i < n && depth < MAX_NESTING && s->visits < MAX_VISITS; i++)
		if (!v[i].name[0] && find_member(s, v[i].type, base + v[i].bit_off, depth + 1))
			return true;
	return false;
}

enum { FEW_MEMBERS = 20 }; /* that a message lists */

/* All of them if they are few, or else, if none is near, those in whose names the word is, as in "i_blkbits" for "blk"; NULL: none. */
static const char *listed(struct arena *a, const struct dtype_member *v, size_t n, const char *word, bool any_near)
{
	size_t named = 0, found = 0;
	struct sb list = {0};
	const char *text;
	bool all;

	for (size_t i = 0; i < n; i++)
		named += !!v[i].name[0];
	all = named <= FEW_MEMBERS;
	for (size_t i = 0; i < n && found < FEW_MEMBERS; i++)
		if (v[i].name[0] && (all || (!any_near && strlen(word) > 2 && strcasestr(v[i].name, word))))
			sb_printf(&list, "%s%s", found++ ? ", " : "", v[i].name);
	text = !found ? NULL : all ? arena_printf(a, "its members: %s", list.s) :
				     arena_printf(a, "members with \"%s\" in their names: %s", word, list.s);
	sb_free(&list);
	return text;
}

/* Another name of the member, which the type has. */
static const char *now_called(struct arena *a, const struct dtype *t, const char *type, const char *name)
{
	static const struct {
		const char *type, *old, *now;
	} renamed[] = {
#define RENAMED(old, now)
#define REPLACED(old, now)
#define MEMBER(type, old, now) {type, old, now},
#include "translator/debuginfo/renamed.def"
#undef RENAMED
#undef REPLACED
#undef MEMBER
	};

	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
		struct search s = {.a = a, .name = renamed[i].now};

		if (!strcmp(renamed[i].type, type) && !strcmp(renamed[i].old, name) && find_member(&s, t, 0, 0))
			return renamed[i].now;
	}
	return NULL;
}

static int no_member(struct arena *a, const struct dtype *t, const char *name, struct problem *why)
{
	const struct dtype_member *v;
	struct dtype_node plain;
	struct nearest near;
	uint64_t at;
	size_t n, i;

	dtype_strip(t, &plain, &at, NULL);
	problem_set(why, a, PROBLEM_NO_MEMBER, "\"%s\" has no member \"%s\"",
		    dtype_text(a, plain.name[0] ? dtype_new(t->source, at) : t), name);
	if (!why)
		return -1;
	why->now = now_called(a, t, plain.name, name);
	nearest_init(&near, name);
	n = dtype_members_flat(a, t, &v);
	for (i = 0; i < n; i++)
		if (v[i].name[0])
			nearest_add(&near, v[i].name);
	why->near = nearest_text(&near, a);
	why->hint = listed(a, v, n, name, why->near);
	return -1;
}

/* To the object that a pointer value points to. */
static int follow(struct arena *a, const struct fetch *from, struct fetch *to, struct problem *why)
{
	struct dtype_node n;
	bool user;

	if (fetch_value(a, from, to, why) < 0)
		return -1;
	dtype_strip(from->type, &n, NULL, NULL);
	to->type = dtype_new(from->type->source, n.target);
	to->where = FETCH_IN_MEMORY;
	to->is_pointer = to->is_object = false;
	dtype_strip(to->type, &n, NULL, &user);
	if (user)
		to->space = FETCH_USER;
	return 0;
}

/* The word of a struct that has the bit, with what follows it in .high; the result is the word's first bit. */
static uint64_t word_of_value(const struct fetch *from, uint64_t bit, struct fetch *word)
{
	*word = *from;
	word->third = NULL;
	word->nthird = 0;
	if (bit >= 128 && from->nthird) {
		word->ops = from->third;
		word->nops = from->nthird;
		word->nhigh = 0;
		return 128;
	}
	if (bit < 64 || !from->nhigh)
		return 0;
	word->ops = from->high;
	word->nops = from->nhigh;
	word->high = from->third;
	word->nhigh = from->nthird;
	return 64;
}

/* A member of a small struct in a few registers. */
static int member_of_value(struct arena *a, const struct fetch *from, const struct dtype_member *m,
			   struct fetch *to, struct problem *why)
{
	uint64_t size = m->bit_width ? m->bit_width : 8 * dtype_size(m->type), off = m->bit_off;
	enum dtype_kind kind = dtype_kind(m->type);
	struct fetch word;

	off -= word_of_value(from, off, &word);
	if (!off && size > 64 && word.nhigh && (kind == DTYPE_STRUCT || kind == DTYPE_UNION)) {
		*to = m->bit_off ? word : *from; /* a struct in this one, which may contain only that */
		to->type = m->type;
		to->unknown = from->unknown >> m->bit_off / 8;
		return 0;
	}
	if (kind == DTYPE_ARRAY || size == 0 || off >= 64 || size > 64 - off)
		return problem_set(why, a, PROBLEM_NO_ADDRESS,
				   "member \"%s\" of a struct in a register cannot be reached", m->name);
	word.high = NULL;
	word.nhigh = 0;
	word.unknown = from->unknown >> m->bit_off / 8;
	if (kind != DTYPE_STRUCT && kind != DTYPE_UNION && (word.unknown & ((1u << (size + m->bit_off % 8 + 7) / 8) - 1)))
		return problem_set(why, a, PROBLEM_NOT_PLACED, "member \"%s\" is nowhere at this instruction: the compiler does not keep it there",
				   m->name);
	*to = word;
	to->type = m->type;
	if (size < 64)
		*to = fetch_append(a, to,
				   (struct fetch_op){.code = FETCH_BITS,
						     .n = (int64_t)off,
						     .width = (unsigned)size,
						     .is_signed = dtype_is_signed(m->type)});
	return 0;
}

static int to_member(struct arena *a, const struct fetch *from, const char *name, struct fetch *to,
		     struct problem *why)
{
	struct search s = {.a = a, .name = name};
	struct fetch at = *from;
	enum dtype_kind kind = dtype_kind(at.type);

	if (kind == DTYPE_POINTER || kind == DTYPE_ARRAY) {
		if (follow(a, from, &at, why) < 0)
			return -1;
		kind = dtype_kind(at.type);
	}
	if (kind == DTYPE_INCOMPLETE)
		return problem_set(why, a, PROBLEM_INCOMPLETE,
				   "\"%s\" is declared but not defined in the debug information",
				   dtype_text(a, at.type));
	if (kind != DTYPE_STRUCT && kind != DTYPE_UNION)
		return problem_set(why, a, PROBLEM_NOT_STRUCT, "\"%s\" has no members, so no \"%s\"",
				   dtype_text(a, from->type), name);
	if (!name[0] || !find_member(&s, at.type, 0, 0))
		return no_member(a, at.type, name, why);
	if (at.where == FETCH_AS_VALUE)
		return member_of_value(a, &at, &s.found, to, why);
	*to = fetch_append(a, &at, (struct fetch_op){.code = FETCH_ADD, .n = (int64_t)(s.found.bit_off / 8)});
	to->type = s.found.type;
	to->bit_width = s.found.bit_width;
	to->bit_off = s.found.bit_off % 8;
	return 0;
}

static int to_element(struct arena *a, const struct fetch *from, const struct dtype_step *step,
		      struct fetch *to, struct problem *why)
{
	enum dtype_kind kind = dtype_kind(from->type);
	uint64_t size, off;

	if (kind != DTYPE_POINTER && kind != DTYPE_ARRAY)
		return problem_set(why, a, PROBLEM_NOT_POINTER,
				   "\"%s\" is neither array nor pointer, so it cannot be %s",
				   dtype_text(a, from->type),
				   step->kind == DTYPE_STEP_DEREF ? "dereferenced" : "indexed");
	if (follow(a, from, to, why) < 0)
		return -1;
	if (step->kind == DTYPE_STEP_DEREF)
		return 0;
	size = dtype_size(to->type);
	if (size == 0)
		return problem_set(why, a, PROBLEM_INCOMPLETE, "elements of \"%s\" have no known size",
				   dtype_text(a, from->type));
	if (step->kind == DTYPE_STEP_INPUT) {
		*to = fetch_append(a, to,
				   (struct fetch_op){.code = FETCH_INDEX, .n = step->index, .size = size});
		return 0;
	}
	off = (uint64_t)step->index * size;
	*to = fetch_append(a, to, (struct fetch_op){.code = FETCH_ADD, .n = (int64_t)off});
	return 0;
}

/* A number of the size of an address may be one. */
static void hint_address(const struct dtype *t, struct problem why[static 1])
{
	bool asked = why->code == PROBLEM_NOT_STRUCT || why->code == PROBLEM_NOT_POINTER;

	if (asked && dtype_kind(t) == DTYPE_INT && dtype_size(t) == 8)
		why->hint = "if it is an address, say of what: @cast(..., \"struct NAME\"), with it for the dots";
}

int dtype_path(struct arena *a, const struct fetch *from, const struct dtype_step *steps, size_t n,
	       struct fetch *to, struct problem *why)
{
	struct fetch at = *from;
	size_t i;

	for (i = 0; i < n; i++) {
		struct fetch next = at;
		int r = steps[i].kind == DTYPE_STEP_MEMBER ? to_member(a, &at, steps[i].name, &next, why)
							   : to_element(a, &at, &steps[i], &next, why);

		if (r == 0 && next.nops > FETCH_MAX_OPS / 2)
			r = problem_set(why, a, PROBLEM_NOT_PLACED, "the path is too long");
		if (r < 0) {
			if (why) {
				why->step = (unsigned)i;
				hint_address(at.type, why);
			}
			return -1;
		}
		at = next;
	}
	*to = at;
	return 0;
}
