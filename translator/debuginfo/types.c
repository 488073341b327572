/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers about C types, on top of the nodes that a source describes (dtype.h).
 * Every walk over references has a limit: information with cycles, or of extreme depth, ends as an incomplete type.
 */
#include "translator/debuginfo/types.h"

#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "translator/debuginfo/dtype.h"

enum { MAX_LINKS = 64, MAX_NESTING = 16, MAX_VISITS = 20000 };

const struct dtype *dtype_new(const struct dtypes *source, uint64_t ref)
{
	struct dtype *t = arena_new(source->arena, struct dtype);

	t->source = source;
	t->ref = ref;
	return t;
}

static void node_of(const struct dtypes *source, uint64_t ref, struct dtype_node *out)
{
	memset(out, 0, sizeof *out);
	out->name = "";
	out->keyword = "";
	if (ref >= DTYPE_STAR) {
		out->kind = NODE_POINTER;
		out->target = ref - DTYPE_STAR;
		return;
	}
	source->ops->node(source, ref, out);
}

static bool is_link(enum node_kind kind)
{
	return kind >= NODE_TYPEDEF;
}

static void strip(const struct dtypes *source, uint64_t ref, struct dtype_node *out, uint64_t *at, bool *user)
{
	unsigned links;

	if (user)
		*user = false;
	for (links = 0; links < MAX_LINKS; links++) {
		node_of(source, ref, out);
		if (at)
			*at = ref;
		if (!is_link(out->kind))
			return;
		if (user && out->user)
			*user = true;
		ref = out->target;
	}
	memset(out, 0, sizeof *out);
	out->kind = NODE_INCOMPLETE;
	out->name = out->keyword = "";
}

void dtype_strip(const struct dtype *t, struct dtype_node *out, uint64_t *at, bool *user)
{
	strip(t->source, t->ref, out, at, user);
}

enum dtype_kind dtype_kind(const struct dtype *t)
{
	static const enum dtype_kind kinds[] = {
		[NODE_VOID] = DTYPE_VOID, [NODE_INT] = DTYPE_INT, [NODE_BOOL] = DTYPE_BOOL, [NODE_ENUM] = DTYPE_ENUM,
		[NODE_FLOAT] = DTYPE_FLOAT, [NODE_POINTER] = DTYPE_POINTER, [NODE_REFERENCE] = DTYPE_POINTER,
		[NODE_ARRAY] = DTYPE_ARRAY, [NODE_STRUCT] = DTYPE_STRUCT, [NODE_UNION] = DTYPE_UNION,
		[NODE_FUNCTION] = DTYPE_FUNCTION, [NODE_INCOMPLETE] = DTYPE_INCOMPLETE, /* dtype_strip() leaves no other */
	};
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	return kinds[n.kind];
}

uint64_t dtype_size(const struct dtype *t)
{
	struct dtypes const *source = t->source;
	uint64_t ref = t->ref, count = 1, total;
	struct dtype_node n;
	unsigned depth;

	for (depth = 0; depth < MAX_NESTING; depth++) {
		strip(source, ref, &n, NULL, NULL);
		if (n.kind == NODE_POINTER || n.kind == NODE_REFERENCE)
			n.size = 8;
		if (n.kind != NODE_ARRAY)
			return n.kind == NODE_FUNCTION || __builtin_mul_overflow(count, n.size, &total)
				       ? 0
				       : total;
		if (__builtin_mul_overflow(count, n.count, &count))
			return 0;
		ref = n.target;
	}
	return 0;
}

bool dtype_is_signed(const struct dtype *t)
{
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	return n.is_signed;
}

bool dtype_is_string(const struct dtype *t)
{
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	if (n.kind != NODE_POINTER && n.kind != NODE_ARRAY)
		return false;
	strip(t->source, n.target, &n, NULL, NULL);
	return n.kind == NODE_INT && n.size == 1 && n.is_char;
}

const struct dtype *dtype_target(const struct dtype *t)
{
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	switch (n.kind) {
	case NODE_POINTER:
	case NODE_REFERENCE:
	case NODE_ARRAY:
	case NODE_FUNCTION:
		return dtype_new(t->source, n.target);
	default:
		return NULL;
	}
}

const struct dtype *dtype_pointer(const struct dtype *t)
{
	enum { MAX_STARS = 15 };

	return t->ref / DTYPE_STAR < MAX_STARS ? dtype_new(t->source, t->ref + DTYPE_STAR) : NULL;
}

bool dtype_same(struct arena *a, const struct dtype *x, const struct dtype *y)
{
	if (x->source == y->source && x->ref == y->ref)
		return true;
	return dtype_kind(x) == dtype_kind(y) && dtype_size(x) == dtype_size(y) &&
	       strcmp(dtype_text(a, x), dtype_text(a, y)) == 0;
}

uint64_t dtype_count(const struct dtype *t)
{
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	return n.kind == NODE_ARRAY ? n.count : 0;
}

static bool has_members(enum node_kind kind)
{
	return kind == NODE_STRUCT || kind == NODE_UNION;
}

size_t dtype_members(struct arena *a, const struct dtype *t, const struct dtype_member **out)
{
	struct dtype_node n;
	uint64_t at;

	dtype_strip(t, &n, &at, NULL);
	*out = NULL;
	return has_members(n.kind) ? t->source->ops->members(t->source, a, at, out) : 0;
}

struct flat {
	VEC(struct dtype_member) all;
	size_t visits; /* members looked at: damaged information can nest without end */
};

static void flatten(struct arena *a, const struct dtype *t, uint64_t base, unsigned depth, struct flat *flat)
{
	const struct dtype_member *v;
	size_t n = dtype_members(a, t, &v), i;

	flat->visits += n + 1;
	for (i = 0; i < n; i++) {
		enum dtype_kind kind = v[i].name[0] ? DTYPE_VOID : dtype_kind(v[i].type);
		struct dtype_member m = v[i];

		m.bit_off += base;
		if (kind != DTYPE_STRUCT && kind != DTYPE_UNION)
			vec_push(a, &flat->all, m);
		else if (depth < MAX_NESTING && flat->visits < MAX_VISITS)
			flatten(a, m.type, m.bit_off, depth + 1, flat);
	}
}

size_t dtype_members_flat(struct arena *a, const struct dtype *t, const struct dtype_member **out)
{
	struct flat flat = {0};

	flatten(a, t, 0, 0, &flat);
	*out = flat.all.v;
	return flat.all.n;
}

size_t dtype_enumerators(struct arena *a, const struct dtype *t, const struct dtype_enumerator **out)
{
	struct dtype_node n;
	uint64_t at;

	dtype_strip(t, &n, &at, NULL);
	*out = NULL;
	return n.kind == NODE_ENUM ? t->source->ops->enumerators(t->source, a, at, out) : 0;
}

/* --- text --- */

struct text {
	struct arena *a;
	const struct dtypes *source;
	unsigned budget; /* nodes: function types can fan out */
};

static const char *declare(struct text *x, uint64_t ref, const char *inner, unsigned depth);

static const char *params_text(struct text *x, uint64_t ref, unsigned depth)
{
	struct dtype_param *v = NULL;
	bool variadic = false;
	size_t n = x->source->ops->params(x->source, x->a, ref, &v, &variadic), i;
	struct sb out = {0};
	const char *text;

	for (i = 0; i < n && i < MAX_LINKS; i++)
		sb_printf(&out, "%s%s", i ? ", " : "", declare(x, v[i].type, "", depth + 1));
	if (variadic)
		sb_puts(&out, n ? ", ..." : "...");
	text = arena_strdup(x->a, out.s ? out.s : "void");
	sb_free(&out);
	return text;
}

static const char *named(struct text *x, const struct dtype_node *n, const char *inner)
{
	const char *name = n->name[0] ? n->name : n->keyword[0] ? "{...}" : "?";

	return arena_printf(x->a, "%s%s%s%s", n->keyword, name, inner[0] ? " " : "", inner);
}

static const char *declare_pointer(struct text *x, const struct dtype_node *n, const char *inner,
				   unsigned depth)
{
	const char *mark = n->kind == NODE_REFERENCE ? "&" : "*";
	struct dtype_node to;

	node_of(x->source, n->target, &to);
	if (to.kind == NODE_ARRAY || to.kind == NODE_FUNCTION)
		inner = arena_printf(x->a, "(%s%s)", mark, inner);
	else
		inner = arena_printf(x->a, "%s%s", mark, inner);
	return declare(x, n->target, inner, depth + 1);
}

static const char *const qualifiers[] = {
	[NODE_CONST] = "const", [NODE_VOLATILE] = "volatile", [NODE_RESTRICT] = "restrict", [NODE_ATOMIC] = "_Atomic",
};

static const char *declare_qualified(struct text *x, const struct dtype_node *n, const char *inner, unsigned depth)
{
	const char *qualifier = qualifiers[n->kind];
	struct dtype_node to;

	node_of(x->source, n->target, &to);
	if (to.kind == NODE_POINTER)
		return declare(x, n->target,
			       arena_printf(x->a, "%s%s%s", qualifier, inner[0] ? " " : "", inner),
			       depth + 1);
	return arena_printf(x->a, "%s %s", qualifier, declare(x, n->target, inner, depth + 1));
}

/* C's inside-out declarator: inner is what was already built around the name. */
static const char *declare(struct text *x, uint64_t ref, const char *inner, unsigned depth)
{
	struct dtype_node n;

	if (depth > MAX_NESTING || x->budget == 0)
		return "...";
	x->budget--;
	node_of(x->source, ref, &n);
	switch (n.kind) {
	case NODE_VOID:
		return arena_printf(x->a, "void%s%s", inner[0] ? " " : "", inner);
	case NODE_INT:
	case NODE_BOOL:
	case NODE_ENUM:
	case NODE_FLOAT:
	case NODE_STRUCT:
	case NODE_UNION:
	case NODE_INCOMPLETE:
	case NODE_TYPEDEF:
		return named(x, &n, inner);
	case NODE_POINTER:
	case NODE_REFERENCE:
		return declare_pointer(x, &n, inner, depth);
	case NODE_ARRAY:
		inner = n.count ? arena_printf(x->a, "%s[%" PRIu64 "]", inner, n.count)
				: arena_printf(x->a, "%s[]", inner);
		return declare(x, n.target, inner, depth + 1);
	case NODE_FUNCTION:
		inner = arena_printf(x->a, "%s(%s)", inner, params_text(x, ref, depth));
		return declare(x, n.target, inner, depth + 1);
	case NODE_CONST:
	case NODE_VOLATILE:
	case NODE_RESTRICT:
	case NODE_ATOMIC:
		return declare_qualified(x, &n, inner, depth);
	case NODE_TRANSPARENT:
		return declare(x, n.target, inner, depth + 1);
	}
	return "?";
}

const char *dtype_declaration(struct arena *a, const struct dtype *t, const char *name)
{
	struct text x = {a, t->source, 256};

	return declare(&x, t->ref, name, 0);
}

const char *dtype_text(struct arena *a, const struct dtype *t)
{
	return dtype_declaration(a, t, "");
}

static const char *short_text(struct text *x, uint64_t ref, unsigned depth)
{
	const char *after = NULL;
	struct dtype_node n;

	if (depth > MAX_NESTING)
		return "...";
	node_of(x->source, ref, &n);
	switch (n.kind) {
	case NODE_POINTER:
		after = "*";
		break;
	case NODE_REFERENCE:
		after = "&";
		break;
	case NODE_CONST:
	case NODE_VOLATILE:
	case NODE_RESTRICT:
	case NODE_ATOMIC:
		after = arena_printf(x->a, " %s", qualifiers[n.kind]);
		break;
	case NODE_TRANSPARENT:
		after = "";
		break;
	case NODE_ARRAY:
		after = n.count ? arena_printf(x->a, "[%" PRIu64 "]", n.count) : "[]";
		break;
	case NODE_FUNCTION:
		after = arena_printf(x->a, "(%s)", params_text(x, ref, depth));
		break;
	case NODE_VOID:
	case NODE_INT:
	case NODE_BOOL:
	case NODE_ENUM:
	case NODE_FLOAT:
	case NODE_STRUCT:
	case NODE_UNION:
	case NODE_INCOMPLETE:
	case NODE_TYPEDEF:
		return declare(x, ref, "", depth);
	}
	return arena_printf(x->a, "%s%s", short_text(x, n.target, depth + 1), after);
}

const char *dtype_text_short(struct arena *a, const struct dtype *t)
{
	struct text x = {a, t->source, 256};

	return short_text(&x, t->ref, 0);
}
