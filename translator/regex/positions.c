/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree -> its positions (Glushkov's automaton): each set of bytes in the expression, with all repetitions written out, and which
 * may follow which.  With captures, each arc has a path: the groups that begin and end on it, and brackets that only serve the
 * order of preference (order.c).  Of two paths between the same positions the better one is chosen here: what follows is the same
 * for both.
 *
 * Anchors need no state: between two bytes of the text neither holds, so only the first and the last step have variants.
 *
 * A repetition does not repeat the empty match, except where its least number requires it, and once at the start.
 */
#include <string.h>

#include "translator/regex/tree.h"

enum { MAX_EVENTS = 2000000, MAX_NODES = 50000, MAX_ARCS = 200000, MAX_BUILD = 20000000 };

/* A part of the expression as seen from outside; the paths end where the part does. */
struct part {
	const struct regex_path *null[4];    /* of an empty match; [begin + 2 * end] */
	struct regex_arcs first[2], last[2]; /* [1]: at the beginning, at the end of the text */
};

struct builder {
	struct arena *arena;
	struct regex_positions *out;
	bool captures;
	enum regex_copies copies;
	unsigned height, max_positions;
	size_t events, nodes, arcs, work;
	bool failed;
	size_t off, len; /* the repetition that made it too big */
	bool in_repeat;
};

static const struct regex_path no_path;

static void build(struct builder *b, const struct regex_node *n, struct part *part);

/* ---- paths ---- */

static const struct regex_path *join(struct builder *b, const struct regex_path *x,
				     const struct regex_path *y)
{
	struct regex_path *p;

	if (!x || !y)
		return NULL;
	if (!y->n)
		return x;
	if (!x->n)
		return y;
	b->events += x->n + y->n;
	if (b->events > MAX_EVENTS || x->n + y->n > 0xffff) {
		b->failed = true;
		return x;
	}
	p = arena_alloc(b->arena, sizeof *p + (x->n + y->n) * sizeof p->v[0]);
	p->n = x->n + y->n;
	memcpy(p->v, x->v, x->n * sizeof p->v[0]);
	memcpy(p->v + x->n, y->v, y->n * sizeof p->v[0]);
	return p;
}

static const struct regex_path *event(struct builder *b, enum regex_event_kind kind, unsigned number)
{
	struct regex_path *p;

	if (!b->captures)
		return &no_path;
	p = arena_alloc(b->arena, sizeof *p + sizeof p->v[0]);
	p->n = 1;
	p->v[0] = RX_EVENT(kind, number);
	return p;
}

/* ---- arcs ---- */

static bool spend(struct builder *b, size_t n)
{
	b->work += n;
	if (b->work > MAX_BUILD)
		b->failed = true;
	return !b->failed;
}

static void add_arcs(struct builder *b, struct regex_arcs *to, const struct regex_arcs *from,
		     const struct regex_path *before, const struct regex_path *after)
{
	if (!before || !after || !spend(b, from->n))
		return;
	for (size_t i = 0; i < from->n && !b->failed; i++) {
		struct regex_arc arc = {from->v[i].to, join(b, join(b, before, from->v[i].path), after)};
		vec_push(b->arena, to, arc);
	}
}

/* An arc between the same two positions is there already: the better path stays. */
static void choose(struct builder *b, struct regex_position *p, unsigned to, const struct regex_path *path)
{
	for (size_t i = 0; i < p->arcs.n; i++)
		if (p->arcs.v[i].to == to) {
			if (regex_order_fork(p->height, p->arcs.v[i].path, path).prefer > 0)
				p->arcs.v[i].path = path;
			b->work += i;
			return;
		}
}

/* The ends of one part may be followed by the beginnings of another. */
static void follow(struct builder *b, const struct regex_arcs *from, const struct regex_path *between,
		   const struct regex_arcs *to)
{
	if (!between || !spend(b, from->n * to->n))
		return;
	for (size_t i = 0; i < from->n; i++) {
		struct regex_position *p = &b->out->v[from->v[i].to];
		for (size_t k = 0; k < to->n && !b->failed; k++) {
			unsigned q = to->v[k].to;
			bool known = p->follow[q / 64] >> q % 64 & 1;
			p->follow[q / 64] |= 1ull << q % 64;
			if (!b->captures)
				continue;
			struct regex_arc arc = {q, join(b, join(b, from->v[i].path, between), to->v[k].path)};
			if (known) {
				choose(b, p, q, arc.path);
				continue;
			}
			vec_push(b->arena, &p->arcs, arc);
			b->failed |= ++b->arcs > MAX_ARCS;
		}
	}
}

/* ---- kinds of nodes ---- */

static void set(struct builder *b, const struct regex_node *n, struct part *part)
{
	struct regex_position p = {.set = &n->set, .height = b->height};
	struct regex_arc arc = {(unsigned)b->out->n, &no_path};

	if (b->out->n >= b->max_positions) {
		b->failed = true;
		return;
	}
	p.follow = arena_array(b->arena, uint64_t, b->out->words);
	vec_push(b->arena, b->out, p);
	for (int i = 0; i < 2; i++) {
		vec_push(b->arena, &part->first[i], arc);
		vec_push(b->arena, &part->last[i], arc);
	}
}

static void empty(struct part *part, bool at_begin, bool at_end)
{
	for (int i = 0; i < 4; i++)
		if ((!at_begin || i & 1) && (!at_end || i & 2))
			part->null[i] = &no_path;
}

/* x is followed by y: x becomes both.  What does not change stays in its list, because there may be thousands of copies. */
static void append(struct builder *b, struct part *x, const struct part *y)
{
	follow(b, &x->last[0], &no_path, &y->first[0]);
	for (int i = 0; i < 2; i++) {
		struct regex_arcs last = x->last[i];

		add_arcs(b, &x->first[i], &y->first[i], x->null[i], &no_path);
		if (!y->null[2 * i] || b->captures)
			x->last[i] = (struct regex_arcs){0};
		if (b->captures)
			add_arcs(b, &x->last[i], &last, &no_path, y->null[2 * i]);
		add_arcs(b, &x->last[i], &y->last[i], &no_path, &no_path);
	}
	for (int i = 0; i < 4; i++)
		x->null[i] = join(b, x->null[i], y->null[i]);
}

/* The same part with something before and after it. */
static void enclose(struct builder *b, struct part *x, const struct regex_path *before,
		    const struct regex_path *after)
{
	struct part z = {0};

	if (!b->captures)
		return;
	for (int i = 0; i < 4; i++)
		z.null[i] = join(b, join(b, before, x->null[i]), after);
	for (int i = 0; i < 2; i++) {
		add_arcs(b, &z.first[i], &x->first[i], before, &no_path);
		add_arcs(b, &z.last[i], &x->last[i], &no_path, after);
	}
	*x = z;
}

static void bracketed(struct builder *b, const struct regex_node *n, struct part *part)
{
	b->height++;
	build(b, n, part);
	b->height--;
	enclose(b, part, event(b, RX_PUSH, 0), event(b, RX_POP, 0));
}

/* A group that the script does not use is treated as its content. */
static bool is_group(const struct regex_node *n)
{
	return n->kind == RX_GROUP && n->group;
}

static bool has_groups(const struct regex_node *n)
{
	if (is_group(n))
		return true;
	for (size_t i = 0; i < n->k.n; i++)
		if (has_groups(n->k.v[i]))
			return true;
	return false;
}

/* Can the part only match texts of one length?  Then its end needs no choice. */
static bool is_fixed(const struct regex_node *n)
{
	if (n->kind == RX_ALT || (n->kind == RX_REPEAT && n->min != n->max))
		return false;
	for (size_t i = 0; i < n->k.n; i++)
		if (!is_fixed(n->k.v[i]))
			return false;
	return true;
}

/* Earlier parts are to be as long as possible: brackets around those whose length can vary, where groups depend on it. */
static void sequence(struct builder *b, const struct regex_node *n, struct part *part)
{
	bool groups = b->captures && has_groups(n);

	empty(part, false, false);
	for (size_t i = 0; i < n->k.n && !b->failed; i++) {
		const struct regex_node *k = n->k.v[i];
		struct part next = {0};
		if (groups && i + 1 < n->k.n && !is_group(k) && !is_fixed(k))
			bracketed(b, k, &next);
		else
			build(b, k, &next);
		append(b, part, &next);
	}
}

/* Which alternative matched matters only to the groups in them: the brackets around them have decided the length. */
static void alternatives(struct builder *b, const struct regex_node *n, struct part *part)
{
	bool groups = b->captures && has_groups(n);

	for (size_t i = 0; i < n->k.n && !b->failed; i++) {
		struct part next = {0};
		if (i > 0xfff) {
			b->failed = true;
			return;
		}
		build(b, n->k.v[i], &next);
		if (groups)
			enclose(b, &next, event(b, RX_CHOICE, (unsigned)i), &no_path);
		for (int k = 0; k < 4; k++)
			if (!part->null[k])
				part->null[k] = next.null[k];
		for (int k = 0; k < 2; k++) {
			add_arcs(b, &part->first[k], &next.first[k], &no_path, &no_path);
			add_arcs(b, &part->last[k], &next.last[k], &no_path, &no_path);
		}
	}
}

/*
 * An optional copy of what is repeated: the whole so far may end before it, and nothing else changes.  If it has no groups, this one may
 * follow any of the earlier turns, not only the last: that is the same language, and keeps the number of reachable sets of positions
 * small (x.{0,50}y would double them with each turn).
 */
static void add_optional(struct builder *b, struct part *whole, const struct part *before,
			 const struct part *copy)
{
	follow(b, &before->last[0], &no_path, &copy->first[0]);
	for (int i = 0; i < 2; i++) {
		add_arcs(b, &whole->first[i], &copy->first[i], before == whole ? whole->null[i] : NULL,
			 &no_path);
		add_arcs(b, &whole->last[i], &copy->last[i], &no_path, &no_path);
	}
}

static void repeat(struct builder *b, const struct regex_node *n, struct part *part)
{
	const struct regex_node *what = n->k.v[0];
	bool groups = b->captures && has_groups(what), outermost = !b->in_repeat;
	struct part before = {0};
	unsigned copies = n->max != REGEX_FOREVER ? n->max : n->min ? n->min : 1;

	if (outermost) {
		b->off = n->off;
		b->len = n->len;
		b->in_repeat = true;
	}
	empty(part, false, false);
	for (unsigned i = 0; i < copies && !b->failed; i++) {
		struct part copy = {0};
		if (groups && !is_group(what))
			bracketed(b, what, &copy);
		else
			build(b, what, &copy);
		if (n->max == REGEX_FOREVER && i + 1 == copies)
			follow(b, &copy.last[0], &no_path, &copy.first[0]);
		if (i == 0 && n->min == 0) { /* it can be skipped only if it cannot match the empty text */
			*part = copy;
			for (int k = 0; k < 4; k++)
				if (!part->null[k])
					part->null[k] = groups ? event(b, RX_SKIP, 0) : &no_path;
		} else if (i < n->min) {
			append(b, part, &copy);
		} else {
			bool last = i > n->min && (groups || (b->captures && b->copies == REGEX_COPIES_LAST));
			b->out->has_optional |= !groups && i > n->min;
			add_optional(b, part, last ? &before : part, &copy);
		}
		before = copy;
	}
	if (!copies && groups)
		enclose(b, part, event(b, RX_SKIP, 0), &no_path);
	b->in_repeat &= !(outermost && !b->failed);
}

static void build(struct builder *b, const struct regex_node *n, struct part *part)
{
	b->failed |= ++b->nodes > MAX_NODES;
	if (b->failed)
		return;
	switch (n->kind) {
	case RX_EMPTY:
		empty(part, false, false);
		return;
	case RX_BEGIN:
		empty(part, true, false);
		return;
	case RX_END:
		empty(part, false, true);
		return;
	case RX_SET:
		set(b, n, part);
		return;
	case RX_CAT:
		sequence(b, n, part);
		return;
	case RX_ALT:
		alternatives(b, n, part);
		return;
	case RX_REPEAT:
		repeat(b, n, part);
		return;
	case RX_GROUP:
		if (!is_group(n)) {
			build(b, n->k.v[0], part);
			return;
		}
		b->height++;
		build(b, n->k.v[0], part);
		b->height--;
		enclose(b, part, event(b, RX_OPEN, n->group), event(b, RX_CLOSE, n->group));
		return;
	}
}

int regex_positions(struct arena *a, const struct regex_tree *tree, bool captures, enum regex_copies copies,
		    struct regex_positions *out, struct regex_problem *problem)
{
	struct builder b = {.arena = a, .out = out, .captures = captures, .copies = copies, .height = 1};
	struct part whole = {0};

	b.max_positions = captures ? REGEX_MAX_TAGGED : REGEX_MAX_POSITIONS;
	out->words = b.max_positions / 64;
	build(&b, tree->root, &whole);
	if (b.failed) {
		*problem = (struct regex_problem){
			.too_big = true,
			.off = b.off,
			.len = b.len,
			.text = "the regular expression is too big when its repetitions are written out",
			.hint = "smaller numbers in {}, or *, make it smaller",
		};
		return -1;
	}
	for (int i = 0; i < 4; i++)
		out->null[i] = whole.null[i];
	for (int i = 0; i < 2; i++) {
		out->first[i] = whole.first[i];
		for (size_t k = 0; k < whole.last[i].n; k++)
			out->v[whole.last[i].v[k].to].end[i] = whole.last[i].v[k].path;
	}
	return 0;
}

void regex_reverse(struct arena *a, const struct regex_positions *in, struct regex_positions *out)
{
	out->words = in->words;
	for (size_t i = 0; i < in->n; i++) {
		struct regex_position p = {.set = in->v[i].set};
		p.follow = arena_array(a, uint64_t, out->words);
		vec_push(a, out, p);
	}
	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < in->n; k++)
			if (in->v[i].follow[k / 64] >> k % 64 & 1)
				out->v[k].follow[i / 64] |= 1ull << i % 64;
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < in->n; i++)
			if (in->v[i].end[side])
				vec_push(a, &out->first[side], ((struct regex_arc){(unsigned)i, &no_path}));
		for (size_t i = 0; i < in->first[side].n; i++)
			out->v[in->first[side].v[i].to].end[side] = &no_path;
		for (int other = 0; other < 2; other++)
			out->null[side + 2 * other] = in->null[other + 2 * side];
	}
}
