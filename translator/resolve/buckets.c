/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach over the buckets of a histogram, said in simpler words, so that no later pass meets it.
 *
 *	foreach (v = i in @hist_log(a[k]) limit n) BODY
 *
 * becomes, where the names with a "$" are locals that no script can name,
 *
 *	{ k$ = k; n$ = n; @hist_log(a[k$])[0]
 *	  for (i$ = 0; i$ < 128 & i$ < n$; i$++) { i = i$; v = @hist_log(a[k$])[i$]; BODY } }
 *
 * The first reading is there to fail when there is nothing in the histogram.
 */
#include "base/intern.h"
#include "translator/resolve/resolve.h"

struct maker {
	struct arena *arena;
	struct loc loc;
	unsigned serial;
};

static struct node *make(struct maker *m, enum node_kind kind, enum op op, struct node *k0, struct node *k1)
{
	struct node *n = ast_new(m->arena, kind, m->loc, k1 ? 2 : 1);

	n->op = op;
	n->k[0] = k0;
	if (k1)
		n->k[1] = k1;
	return n;
}

static struct node *local(struct maker *m, const char *what, unsigned i)
{
	return ast_name(m->arena, m->loc, intern(arena_printf(m->arena, "%s%u$%u", what, i, m->serial)));
}

static struct node *assignment(struct maker *m, struct node *to, struct node *value)
{
	return make(m, N_EXPR, OP_NONE, make(m, N_ASSIGN, OP_SET, to, value), NULL);
}

static struct node *bucket(struct maker *m, const struct node *histogram, struct node *i)
{
	return make(m, N_INDEX, OP_NONE, ast_copy(m->arena, histogram), i);
}

/* Puts locals in the place of the keys of the element. */
static void keep_keys(struct maker *m, struct node *histogram, struct node *block)
{
	struct node *element = histogram->k[0];

	for (unsigned i = 1; element->kind == N_INDEX && i < element->nk; i++) {
		ast_add(m->arena, block, assignment(m, local(m, "key", i), element->k[i]));
		element->k[i] = local(m, "key", i);
	}
}

static struct node *condition(struct maker *m, const struct node *histogram, bool has_limit)
{
	struct node *all = ast_number(m->arena, m->loc, buckets_count(histogram));
	struct node *below = make(m, N_BINARY, OP_LT, local(m, "bucket", 0), all);

	if (!has_limit)
		return below;
	return make(m, N_BINARY, OP_AND, below,
		    make(m, N_BINARY, OP_LT, local(m, "bucket", 0), local(m, "limit", 0)));
}

int64_t buckets_count(const struct node *histogram)
{
	int64_t low, high, step;

	if (histogram->op == OP_HIST_LOG)
		return 128;
	low = histogram->k[1]->num;
	high = histogram->k[2]->num;
	step = histogram->k[3]->num;
	return step > 0 && high > low ? (int64_t)(((uint64_t)high - (uint64_t)low) / (uint64_t)step) + 3 : 0;
}

struct node *buckets_loop(struct session *s, const struct node *foreach, unsigned serial)
{
	struct maker m = {&s->arena, foreach->loc, serial};
	struct node *histogram = ast_copy(m.arena, foreach->k[0]),
		    *block = ast_new(m.arena, N_BLOCK, m.loc, 0);
	struct node *loop = ast_new(m.arena, N_FOR, m.loc, 4),
		    *body = ast_new(m.arena, N_BLOCK, foreach->k[3]->loc, 0);

	keep_keys(&m, histogram, block);
	if (foreach->k[2])
		ast_add(m.arena, block, assignment(&m, local(&m, "limit", 0), foreach->k[2]));
	ast_add(m.arena, block,
		make(&m, N_EXPR, OP_NONE, bucket(&m, histogram, ast_number(m.arena, m.loc, 0)), NULL));
	ast_add(m.arena, body, assignment(&m, foreach->k[4], local(&m, "bucket", 0)));
	if (foreach->k[1])
		ast_add(m.arena, body,
			assignment(&m, foreach->k[1], bucket(&m, histogram, local(&m, "bucket", 0))));
	ast_add(m.arena, body, foreach->k[3]);
	loop->k[0] = make(&m, N_ASSIGN, OP_SET, local(&m, "bucket", 0), ast_number(m.arena, m.loc, 0));
	loop->k[1] = condition(&m, histogram, foreach->k[2]);
	loop->k[2] = make(&m, N_INCDEC, OP_ADD, local(&m, "bucket", 0), NULL);
	loop->k[3] = body;
	ast_add(m.arena, block, loop);
	return block;
}
