// SPDX-License-Identifier: GPL-2.0-or-later
/* Making, copying and comparing nodes, and the names of kinds, operators and types. */
#include "parser/ast.h"

#include <string.h>

#include "base/intern.h"

/* The rows of node.def: one for each kind and, after it, one for each of its slots. */
enum row {
#define NODE(id, text, last, set) ROW_##id,
#define SLOT(kind, slot, fits, role) ROW_##kind##_##slot,
#define MORE(kind, slot, fits, role) ROW_##kind##_##slot,
#include "parser/node.def"
#undef NODE
#undef SLOT
#undef MORE
	ROWS
};

const struct ast_slot *ast_slot(enum node_kind kind, unsigned i)
{
	static const struct ast_slot rows[ROWS] = {
#define NODE(id, text, last, set)
#define SLOT(kind, slot, fits, role) [ROW_##kind##_##slot] = {false, FITS_##fits, ROLE_##role},
#define MORE(kind, slot, fits, role) [ROW_##kind##_##slot] = {true, FITS_##fits, ROLE_##role},
#include "parser/node.def"
#undef NODE
#undef SLOT
#undef MORE
	};
	static const enum row first[NODE_KINDS + 1] = {
#define NODE(id, text, last, set) [id] = ROW_##id + 1,
#define SLOT(kind, slot, fits, role)
#define MORE(kind, slot, fits, role)
#include "parser/node.def"
#undef NODE
#undef SLOT
#undef MORE
		[NODE_KINDS] = ROWS + 1,
	};
	/* A kind has one row for itself and after it those of its slots, up to the next kind's own. */
	unsigned end = first[kind + 1] - 1, slots = end - first[kind];
	const struct ast_slot *last = &rows[end - 1];

	if (i < slots)
		return &rows[first[kind] + i];
	return slots && last->more ? last : NULL;
}

enum ast_role ast_role(const struct node *n, struct node *const *slot)
{
	enum ast_role role = ast_slot(n->kind, (unsigned)(slot - n->k))->role;

	return role == ROLE_CHANGED && n->op == OP_SET ? ROLE_WRITTEN : role;
}

bool ast_sets(const struct node *n, struct node *const *slot)
{
	enum ast_role role = ast_role(n, slot);

	return role == ROLE_WRITTEN || role == ROLE_CHANGED || role == ROLE_DROPPED;
}

bool ast_discards(const struct node *n, struct node *const *slot)
{
	return n->kind == N_EXPR || (n->kind == N_FOR && (slot == &FOR_INIT(n) || slot == &FOR_STEP(n)));
}

struct node *ast_changed(const struct node *n)
{
	if (n->kind == N_ASSIGN)
		return ASSIGN_TO(n);
	if (n->kind == N_INCDEC)
		return INCDEC_OF(n);
	return n->kind == N_DELETE ? DELETE_WHAT(n) : NULL;
}

const struct node *ast_variable(const struct node *place)
{
	return place->kind == N_INDEX ? INDEX_BASE(place) : place;
}

unsigned ast_keys(const struct node *n)
{
	return n->kind == N_IN ? IN_KEYS(n) : INDEX_KEYS(n);
}

struct node *ast_key(const struct node *n, unsigned i)
{
	return n->kind == N_IN ? IN_KEY(n, i) : INDEX_KEY(n, i);
}

struct node *ast_new(struct arena *a, enum node_kind kind, struct loc loc, unsigned n)
{
	struct node *node = arena_new(a, struct node);

	node->kind = kind;
	node->loc = loc;
	node->nk = n;
	if (n)
		node->k = arena_array(a, struct node *, n);
	return node;
}

struct node *ast_number(struct arena *a, struct loc loc, int64_t num)
{
	struct node *n = ast_new(a, N_NUMBER, loc, 0);

	n->num = num;
	return n;
}

struct node *ast_string(struct arena *a, struct loc loc, const char *s, size_t len)
{
	struct node *n = ast_new(a, N_STRING, loc, 0);

	n->text = intern_n(s, len);
	return n;
}

struct node *ast_name(struct arena *a, struct loc loc, const char *name)
{
	struct node *n = ast_new(a, N_NAME, loc, 0);

	n->name = intern(name);
	return n;
}

void ast_add(struct arena *a, struct node *n, struct node *child)
{
	if (n->nk >= n->room) {
		unsigned room = n->nk < 4 ? 4 : 2 * n->nk;
		struct node **k = arena_array(a, struct node *, room);

		if (n->nk)
			memcpy(k, n->k, n->nk * sizeof *k);
		n->k = k;
		n->room = room;
	}
	n->k[n->nk++] = child;
}

void ast_splice(struct arena *a, struct node *block, unsigned from, unsigned to, struct node *const *with, unsigned n)
{
	struct node *made = ast_new(a, N_BLOCK, block->loc, 0);

	for (unsigned i = 0; i < from; i++)
		ast_add(a, made, BLOCK_STATEMENT(block, i));
	for (unsigned i = 0; i < n; i++)
		ast_add(a, made, with[i]);
	for (unsigned i = to; i < BLOCK_STATEMENTS(block); i++)
		ast_add(a, made, BLOCK_STATEMENT(block, i));
	block->k = made->k;
	block->nk = made->nk;
	block->room = made->room;
}

void ast_add_items(struct arena *a, struct node *n, const struct node *list)
{
	if (!list || !list->nk)
		return;

	struct node **k = arena_array(a, struct node *, n->nk + list->nk);

	if (n->nk)
		memcpy(k, n->k, n->nk * sizeof *k);
	memcpy(k + n->nk, list->k, list->nk * sizeof *k);
	n->k = k;
	n->nk += list->nk;
	n->room = n->nk;
}

struct node *ast_copy(struct arena *a, const struct node *n)
{
	if (!n)
		return NULL;

	struct node *copy = arena_memdup(a, n, sizeof *n);

	copy->k = n->nk ? arena_array(a, struct node *, n->nk) : NULL;
	copy->room = 0;
	for (unsigned i = 0; i < n->nk; i++)
		copy->k[i] = ast_copy(a, n->k[i]);
	return copy;
}

bool ast_equal(const struct node *a, const struct node *b)
{
	if (!a || !b)
		return a == b;
	if (a->kind != b->kind || a->op != b->op || a->sort_stat != b->sort_stat ||
	    (a->flags & ~(unsigned)NF_TAPSET) != (b->flags & ~(unsigned)NF_TAPSET) || a->name != b->name ||
	    a->text != b->text || a->num != b->num || a->nk != b->nk)
		return false;
	if ((a->kind == N_FUNCTION || a->kind == N_PARAM) && a->type != b->type)
		return false; /* declared, not inferred */
	for (unsigned i = 0; i < a->nk; i++)
		if (!ast_equal(a->k[i], b->k[i]))
			return false;
	return true;
}

/* Only so many levels: the ends of deeper ones hardly matter in a message. */
static struct loc span(const struct node *n, unsigned levels)
{
	struct loc loc = n->loc;

	for (unsigned i = 0; levels && i < n->nk; i++) {
		if (!n->k[i])
			continue;

		struct loc kid = span(n->k[i], levels - 1);

		loc = kid.source == loc.source && kid.off < loc.off ? loc_span(kid, loc) : loc_span(loc, kid);
	}
	return loc;
}

struct loc ast_span(const struct node *n)
{
	return span(n, 50);
}

const char *node_text(enum node_kind kind)
{
	static const char *const text[] = {
#define NODE(id, text, last, set) [id] = text,
#define SLOT(kind, slot, fits, role)
#define MORE(kind, slot, fits, role)
#include "parser/node.def"
#undef NODE
#undef SLOT
#undef MORE
	};

	return text[kind];
}

const char *op_text(enum op op)
{
	static const char *const text[] = {
#define OP(id, text, kind) [id] = text,
#include "parser/op.def"
#undef OP
	};

	return text[op];
}

bool op_compares(enum op op, int order)
{
	return op == OP_LT   ? order < 0
	       : op == OP_GT ? order > 0
	       : op == OP_LE ? order <= 0
	       : op == OP_GE ? order >= 0
	       : op == OP_EQ ? order == 0
			     : order != 0;
}

enum op_kind op_kind(enum op op)
{
	static const enum op_kind kinds[] = {
#define OP(id, text, kind) [id] = OPK_##kind,
#include "parser/op.def"
#undef OP
	};

	return kinds[op];
}

const char *type_text(enum type type)
{
	static const char *const text[] = {
		[T_UNKNOWN] = "unknown", [T_LONG] = "long", [T_STRING] = "string",
		[T_STATS] = "stats",     [T_VOID] = "void", [T_ERROR] = "error",
	};

	return text[type];
}
