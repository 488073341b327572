/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small handlers.  Where one is hit, the runtime need not prepare a context for it, nor be ready for its errors, for hits inside it, or
 * for a long run: "n++" is done in a fraction of the time.
 */
#include "translator/lower/private.h"

enum { SMALL_MOST = 16 }; /* operations */

static bool is_plain(const struct node *n)
{
	return n->kind == N_BLOCK || n->kind == N_EXPR || n->kind == N_IF || n->kind == N_LET || n->kind == N_PUT || n->kind == N_GOTO ||
	       n->kind == N_LABEL || n->kind == N_TEMP || n->kind == N_NAME || n->kind == N_NUMBER;
}

/* Without loops every jump goes forward. */
static bool is_small(const struct node *n, unsigned *left)
{
	if (n->kind == N_OP ? !(lower_ops[n->run].how & SMALL) || !(*left)-- : !is_plain(n))
		return false;
	AST_EACH(child, n)
		if (!is_small(*child, left))
			return false;
	return true;
}

bool lower_is_small(const struct probe *p)
{
	unsigned left = SMALL_MOST;

	return !p->entries.n && !p->arms && is_small(p->lowered, &left);
}
