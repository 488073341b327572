/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach over the buckets of a histogram, rewritten as simpler statements, so that no later pass meets it.
 *
 *	foreach (v = i in @hist_log(a[k]) limit n) BODY
 *
 * becomes, where the names with a "$" are locals that no script can name,
 *
 *	{ k$ = k; n$ = n; @hist_log(a[k$])[0]
 *	  for (i$ = 0; i$ < 128 & i$ < n$; i$++) { i = i$; v = @hist_log(a[k$])[i$]; BODY } }
 *
 * The first reading makes the statement fail when the histogram is empty.
 */
#include "base/intern.h"
#include "translator/resolve/resolve.h"

struct maker {
	struct arena *arena;
	struct loc loc;
	unsigned serial;
};

static struct node *make(struct maker *m, enum node_kind kind, enum op op, unsigned children)
{
	struct node *n = ast_new(m->arena, kind, m->loc, children);

	n->op = op;
	return n;
}

static struct node *local(struct maker *m, const char *what, unsigned i)
{
	return ast_name(m->arena, m->loc, intern(arena_printf(m->arena, "%s%u$%u", what, i, m->serial)));
}

static struct node *statement(struct maker *m, struct node *value)
{
	struct node *n = make(m, N_EXPR, OP_NONE, 1);

	EXPR_VALUE(n) = value;
	return n;
}

static struct node *assignment(struct maker *m, struct node *to, struct node *value)
{
	struct node *n = make(m, N_ASSIGN, OP_SET, 2);

	ASSIGN_TO(n) = to;
	ASSIGN_VALUE(n) = value;
	return n;
}

static struct node *binary(struct maker *m, enum op op, struct node *left, struct node *right)
{
	struct node *n = make(m, N_BINARY, op, 2);

	BINARY_LEFT(n) = left;
	BINARY_RIGHT(n) = right;
	return n;
}

static struct node *increment(struct maker *m, struct node *of)
{
	struct node *n = make(m, N_INCDEC, OP_ADD, 1);

	INCDEC_OF(n) = of;
	return n;
}

static struct node *bucket(struct maker *m, const struct node *histogram, struct node *i)
{
	struct node *n = make(m, N_INDEX, OP_NONE, 1);

	INDEX_BASE(n) = ast_copy(m->arena, histogram);
	ast_add(m->arena, n, i);
	return n;
}

/* Replaces the keys of the element by locals. */
static void keep_keys(struct maker *m, struct node *histogram, struct node *block)
{
	struct node *element = STAT_OF(histogram);

	for (unsigned i = 0; element->kind == N_INDEX && i < INDEX_KEYS(element); i++) {
		ast_add(m->arena, block, statement(m, assignment(m, local(m, "key", i + 1), INDEX_KEY(element, i))));
		INDEX_KEY(element, i) = local(m, "key", i + 1);
	}
}

static struct node *condition(struct maker *m, const struct node *histogram, bool has_limit)
{
	struct node *all = ast_number(m->arena, m->loc, buckets_count(histogram));
	struct node *below = binary(m, OP_LT, local(m, "bucket", 0), all);

	if (!has_limit)
		return below;
	return binary(m, OP_AND, below, binary(m, OP_LT, local(m, "bucket", 0), local(m, "limit", 0)));
}

int64_t buckets_count(const struct node *histogram)
{
	int64_t low, high, step;

	if (histogram->op == OP_HIST_LOG)
		return 128;
	low = STAT_PARAMETER(histogram, 0)->num;
	high = STAT_PARAMETER(histogram, 1)->num;
	step = STAT_PARAMETER(histogram, 2)->num;
	return step > 0 && high > low ? (int64_t)(((uint64_t)high - (uint64_t)low) / (uint64_t)step) + 3 : 0;
}

struct node *buckets_loop(struct session *s, const struct node *foreach, unsigned serial)
{
	struct maker m = {&s->arena, foreach->loc, serial};
	struct node *histogram = ast_copy(m.arena, FOREACH_ARRAY(foreach)),
		    *block = ast_new(m.arena, N_BLOCK, m.loc, 0);
	struct node *loop = ast_new(m.arena, N_FOR, m.loc, 4),
		    *body = ast_new(m.arena, N_BLOCK, FOREACH_BODY(foreach)->loc, 0);

	keep_keys(&m, histogram, block);
	if (FOREACH_LIMIT(foreach))
		ast_add(m.arena, block, statement(&m, assignment(&m, local(&m, "limit", 0), FOREACH_LIMIT(foreach))));
	ast_add(m.arena, block, statement(&m, bucket(&m, histogram, ast_number(m.arena, m.loc, 0))));
	ast_add(m.arena, body, statement(&m, assignment(&m, FOREACH_KEY(foreach, 0), local(&m, "bucket", 0))));
	if (FOREACH_VALUE(foreach))
		ast_add(m.arena, body, statement(&m, assignment(&m, FOREACH_VALUE(foreach),
								bucket(&m, histogram, local(&m, "bucket", 0)))));
	ast_add(m.arena, body, FOREACH_BODY(foreach));
	FOR_INIT(loop) = assignment(&m, local(&m, "bucket", 0), ast_number(m.arena, m.loc, 0));
	FOR_CONDITION(loop) = condition(&m, histogram, FOREACH_LIMIT(foreach));
	FOR_STEP(loop) = increment(&m, local(&m, "bucket", 0));
	FOR_BODY(loop) = body;
	ast_add(m.arena, block, loop);
	return block;
}
