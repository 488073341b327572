// SPDX-License-Identifier: GPL-2.0-or-later
/* What must be true of every tree between two passes: node.def, checked. */
#include <string.h>

#include "parser/ast.h"

/* What may stand in a slot. */
enum slot {
	S_NONE, /* no more children */
	S_EXPR,
	S_EXPR_0, /* or NULL */
	S_STATEMENT,
	S_STATEMENT_0,
	S_BLOCK,
	S_BLOCK_0,
	S_BODY, /* block or embedded C */
	S_NAME,
	S_NAME_0,
	S_STRING,
	S_STRING_0,
	S_NUMBER,
	S_LITERAL_0, /* N_NUMBER, N_STRING or NULL */
	S_LVALUE,
	S_ARRAY, /* name, element or slice, histogram */
	S_KEY,   /* expression or N_STAR */
	S_PARAM,
	S_POINT,
	S_COMPONENT,
	S_LIST,
	S_DECLARATION,
};

struct shape {
	unsigned fixed; /* children that are always there; slots has one for each */
	enum slot slots[4];
	enum slot more;  /* any number after these; S_NONE: there are none */
	bool name, text; /* must be set */
};

static const struct shape shapes[NODE_KINDS] = {
	[N_FILE] = {0, {0}, S_DECLARATION, false, false},
	[N_GLOBAL] = {1, {S_LITERAL_0}, S_NONE, true, false},
	[N_FUNCTION] = {1, {S_BODY}, S_PARAM, true, false},
	[N_PARAM] = {0, {0}, S_NONE, true, false},
	[N_PROBE] = {1, {S_BLOCK}, S_POINT, false, false},
	[N_ALIAS] = {4, {S_LIST, S_LIST, S_BLOCK_0, S_BLOCK_0}, S_NONE, false, false},
	[N_POINT] = {1, {S_EXPR_0}, S_COMPONENT, false, false},
	[N_COMPONENT] = {1, {S_LITERAL_0}, S_POINT, false, false},
	[N_LIST] = {0, {0}, S_POINT, false, false},
	[N_BLOCK] = {0, {0}, S_STATEMENT, false, false},
	[N_EXPR] = {1, {S_EXPR}, S_NONE, false, false},
	[N_IF] = {3, {S_EXPR, S_STATEMENT, S_STATEMENT_0}, S_NONE, false, false},
	[N_FOR] = {4, {S_EXPR_0, S_EXPR_0, S_EXPR_0, S_STATEMENT}, S_NONE, false, false},
	[N_FOREACH] = {4, {S_ARRAY, S_NAME_0, S_EXPR_0, S_STATEMENT}, S_NAME, false, false},
	[N_RETURN] = {1, {S_EXPR_0}, S_NONE, false, false},
	[N_DELETE] = {1, {S_ARRAY}, S_NONE, false, false},
	[N_TRY] = {3, {S_BLOCK, S_NAME_0, S_BLOCK}, S_NONE, false, false},
	[N_EMBEDDED] = {0, {0}, S_NONE, false, true},
	[N_STRING] = {0, {0}, S_NONE, false, true},
	[N_NAME] = {0, {0}, S_NONE, true, false},
	[N_INDEX] = {1, {S_EXPR}, S_KEY, false, false},
	[N_TARGET] = {0, {0}, S_NONE, true, false},
	[N_MEMBER] = {1, {S_EXPR}, S_NONE, true, false},
	[N_ADDRESS] = {1, {S_EXPR}, S_NONE, false, false},
	[N_PRETTY] = {1, {S_EXPR}, S_NONE, false, false},
	[N_UNARY] = {1, {S_EXPR}, S_NONE, false, false},
	[N_BINARY] = {2, {S_EXPR, S_EXPR}, S_NONE, false, false},
	[N_REGEX] = {2, {S_EXPR, S_STRING}, S_NONE, false, false},
	[N_TERNARY] = {3, {S_EXPR, S_EXPR, S_EXPR}, S_NONE, false, false},
	[N_ASSIGN] = {2, {S_LVALUE, S_EXPR}, S_NONE, false, false},
	[N_INCDEC] = {1, {S_LVALUE}, S_NONE, false, false},
	[N_IN] = {1, {S_ARRAY}, S_KEY, false, false},
	[N_CALL] = {0, {0}, S_EXPR, true, false},
	[N_PRINT] = {0, {0}, S_EXPR, true, false},
	[N_STAT] = {1, {S_EXPR}, S_EXPR, false, false},
	[N_CAST] = {2, {S_EXPR, S_STRING_0}, S_NONE, false, true},
	[N_DEFINED] = {1, {S_EXPR}, S_NONE, false, false},
	[N_PROBEWRITE] = {1, {S_EXPR}, S_NONE, false, false},
	[N_ENTRY] = {1, {S_EXPR}, S_NONE, false, false},
	[N_ATVAR] = {1, {S_STRING_0}, S_NONE, false, true},
	[N_PERF] = {0, {0}, S_NONE, false, true},
	[N_ATOP] = {0, {0}, S_EXPR, true, false},
	[N_FETCH] = {0, {0}, S_EXPR, false, false},
	[N_SHOW] = {0, {0}, S_EXPR, false, false},
	[N_ENUM_NAME] = {1, {S_EXPR}, S_NONE, false, false},
	[N_STORE] = {0, {0}, S_EXPR, false, false},
};

static bool is_expression(enum node_kind kind)
{
	return (kind >= N_NUMBER && kind != N_STAR) || kind == N_EMBEDDED;
}

static bool is_statement(enum node_kind kind)
{
	return kind >= N_BLOCK && kind < N_EMBEDDED;
}

static bool fits(enum slot slot, const struct node *n)
{
	static const bool may_be_null[] = {
		[S_EXPR_0] = true,   [S_STATEMENT_0] = true, [S_BLOCK_0] = true,      [S_NAME_0] = true,
		[S_STRING_0] = true, [S_LITERAL_0] = true,   [S_DECLARATION] = false,
	};
	enum node_kind kind;

	if (!n)
		return may_be_null[slot];
	kind = n->kind;
	switch (slot) {
	case S_NONE:
		return false;
	case S_EXPR:
	case S_EXPR_0:
		return is_expression(kind);
	case S_STATEMENT:
	case S_STATEMENT_0:
		return is_statement(kind);
	case S_BLOCK:
	case S_BLOCK_0:
		return kind == N_BLOCK;
	case S_BODY:
		return kind == N_BLOCK || kind == N_EMBEDDED;
	case S_NAME:
	case S_NAME_0:
		return kind == N_NAME;
	case S_STRING:
	case S_STRING_0:
		return kind == N_STRING;
	case S_NUMBER:
		return kind == N_NUMBER;
	case S_LITERAL_0:
		return kind == N_NUMBER || kind == N_STRING;
	case S_LVALUE:
		return kind == N_NAME || kind == N_INDEX || kind == N_TARGET || kind == N_MEMBER ||
		       kind == N_ATVAR || kind == N_ATOP || kind == N_FETCH;
	case S_ARRAY:
		return kind == N_NAME || kind == N_INDEX || kind == N_STAT;
	case S_KEY:
		return is_expression(kind) || kind == N_STAR;
	case S_PARAM:
		return kind == N_PARAM;
	case S_POINT:
		return kind == N_POINT;
	case S_COMPONENT:
		return kind == N_COMPONENT;
	case S_LIST:
		return kind == N_LIST;
	case S_DECLARATION:
		return kind <= N_ALIAS ? kind != N_FILE && kind != N_PARAM : kind == N_EMBEDDED;
	}
	return false;
}

static bool op_fits(const struct node *n)
{
	switch ((int)n->kind) {
	case N_UNARY:
		return op_kind(n->op) == OPK_UN;
	case N_BINARY:
		return op_kind(n->op) == OPK_BIN || op_kind(n->op) == OPK_CMP || op_kind(n->op) == OPK_CAT ||
		       op_kind(n->op) == OPK_LOG;
	case N_REGEX:
		return op_kind(n->op) == OPK_RE;
	case N_ASSIGN:
		return op_kind(n->op) == OPK_ASG || op_kind(n->op) == OPK_BIN || op_kind(n->op) == OPK_CAT;
	case N_INCDEC:
		return n->op == OP_ADD || n->op == OP_SUB;
	case N_STAT:
		for (unsigned i = 1; i < n->nk; i++)
			if (n->op != OP_QUANTILE && (!n->k[i] || n->k[i]->kind != N_NUMBER))
				return false;
		return op_kind(n->op) == OPK_STAT;
	case N_FOREACH:
		return (!n->op || op_kind(n->op) == OPK_ITER) && op_kind(n->sort_stat) == OPK_STAT &&
		       n->num >= 0 && n->num <= (int64_t)n->nk - 4;
	}
	return true;
}

static enum ast_stage last_stage(enum node_kind kind)
{
	static const unsigned char last_stages[] = {
#define NODE(id, text, last) [id] = last,
#include "parser/node.def"
#undef NODE
	};

	return last_stages[kind];
}

static const char *offence(struct arena *a, const struct node *n, const char *what)
{
	struct sb b = {0};
	char *text;

	ast_dump(n, &b);
	text = arena_printf(a, "%s: %.*s", what, (int)strcspn(b.s, "\n"), b.s);
	sb_free(&b);
	return text;
}

const char *ast_verify(const struct node *n, enum ast_stage stage, struct arena *scratch)
{
	if ((unsigned)n->kind >= NODE_KINDS)
		return arena_printf(scratch, "no such kind: %d", (int)n->kind);

	const struct shape *shape = &shapes[n->kind];

	if (last_stage(n->kind) < stage)
		return offence(scratch, n, "this kind must not exist any more");
	if (n->nk < shape->fixed || (!shape->more && n->nk > shape->fixed))
		return offence(scratch, n, "wrong number of children");
	if ((shape->name && !n->name) || (shape->text && !n->text))
		return offence(scratch, n, "no name or text");
	if (!op_fits(n))
		return offence(scratch, n, "wrong operator or order");
	for (unsigned i = 0; i < n->nk; i++) {
		enum slot slot = i < shape->fixed ? shape->slots[i] : shape->more;

		if (!fits(slot, n->k[i]))
			return offence(scratch, n,
				       arena_printf(scratch, "child %u does not belong there", i));

		const char *bad = n->k[i] ? ast_verify(n->k[i], stage, scratch) : NULL;

		if (bad)
			return bad;
	}
	return NULL;
}
