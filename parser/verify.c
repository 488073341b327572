// SPDX-License-Identifier: GPL-2.0-or-later
/* What must be true of every tree between two passes: node.def, checked. */
#include <string.h>

#include "parser/ast.h"

/* ORDER node.def: of each group the first and the last. */
static bool is_expression(enum node_kind kind)
{
	return (kind >= N_NUMBER && kind < N_LET && kind != N_STAR) || kind >= N_TEMP || kind == N_EMBEDDED;
}

static bool is_statement(enum node_kind kind)
{
	return (kind >= N_BLOCK && kind < N_EMBEDDED) || (kind >= N_LET && kind < N_TEMP);
}

static bool may_be_null(enum ast_fits fits)
{
	return fits <= FITS_LITERAL_0; /* ORDER may_be_null */
}

static bool may_stand(enum ast_fits fits, enum node_kind kind)
{
	switch (fits) {
	case FITS_EXPR:
	case FITS_EXPR_0:
		return is_expression(kind);
	case FITS_STATEMENT:
	case FITS_STATEMENT_0:
		return is_statement(kind);
	case FITS_BLOCK:
	case FITS_BLOCK_0:
		return kind == N_BLOCK;
	case FITS_BODY:
		return kind == N_BLOCK || kind == N_EMBEDDED;
	case FITS_NAME:
	case FITS_NAME_0:
		return kind == N_NAME;
	case FITS_STRING:
	case FITS_STRING_0:
		return kind == N_STRING;
	case FITS_LITERAL_0:
		return kind == N_NUMBER || kind == N_STRING;
	case FITS_LVALUE:
		return kind == N_NAME || kind == N_INDEX || kind == N_TARGET || kind == N_MEMBER ||
		       kind == N_ATVAR || kind == N_ATOP || kind == N_FETCH;
	case FITS_ARRAY:
		return kind == N_NAME || kind == N_INDEX || kind == N_STAT;
	case FITS_KEY:
		return is_expression(kind) || kind == N_STAR;
	case FITS_PARAM:
		return kind == N_PARAM;
	case FITS_POINT:
		return kind == N_POINT;
	case FITS_COMPONENT:
		return kind == N_COMPONENT;
	case FITS_LIST:
		return kind == N_LIST;
	case FITS_DECLARATION:
		return kind <= N_ALIAS ? kind != N_FILE && kind != N_PARAM : kind == N_EMBEDDED;
	}
	return false;
}

static bool op_fits(const struct node *n)
{
	switch (n->kind) {
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
		for (unsigned i = 0; i < STAT_PARAMETERS(n); i++)
			if (n->op != OP_QUANTILE && (!STAT_PARAMETER(n, i) || STAT_PARAMETER(n, i)->kind != N_NUMBER))
				return false;
		return op_kind(n->op) == OPK_STAT;
	case N_FOREACH:
		return (!n->op || op_kind(n->op) == OPK_ITER) && op_kind(n->sort_stat) == OPK_STAT &&
		       n->num >= 0 && n->num <= (int64_t)FOREACH_KEYS(n);
	case N_STORE:
		return n->op == OP_SET || op_kind(n->op) == OPK_BIN;
	CASES_UNTIL_BIND:
	case N_BLOCK:
	case N_EMPTY:
	case N_EXPR:
	case N_IF:
	case N_FOR:
	case N_RETURN:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
	case N_DELETE:
	case N_TRY:
	case N_EMBEDDED:
	case N_NUMBER:
	case N_STRING:
	case N_NAME:
	case N_INDEX:
	case N_STAR:
	case N_TERNARY:
	case N_IN:
	case N_CALL:
	case N_PRINT:
	case N_PERF:
	case N_FETCH:
	case N_SHOW:
	case N_ENUM_NAME:
	case N_ENTRY_VALUE:
	CASES_OF_DECLARATIONS:
	CASES_LOWERED:
	case NODE_KINDS:
		return true;
	}
	return true;
}

/* What must be set. */
enum { NOTHING, NAME, TEXT };

static const struct {
	enum ast_stage last;
	unsigned char set;
} kinds[] = {
#define NODE(id, text, last, set) [id] = {last, set},
#define SLOT(kind, slot, fits, role)
#define MORE(kind, slot, fits, role)
#include "parser/node.def"
#undef NODE
#undef SLOT
#undef MORE
};

/* There are as many as node.def says. */
static bool count_fits(const struct node *n)
{
	const struct ast_slot *next = ast_slot(n->kind, n->nk);

	return (!next || next->more) && (!n->nk || ast_slot(n->kind, n->nk - 1));
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
	if (kinds[n->kind].last < stage)
		return offence(scratch, n, "this kind must not exist any more");
	if (n->kind >= N_LET && stage < STAGE_LOWER)
		return offence(scratch, n, "this kind must not exist yet");
	if (!count_fits(n))
		return offence(scratch, n, "wrong number of children");
	if ((kinds[n->kind].set == NAME && !n->name) || (kinds[n->kind].set == TEXT && !n->text))
		return offence(scratch, n, "no name or text");
	if (!op_fits(n))
		return offence(scratch, n, "wrong operator or order");
	for (unsigned i = 0; i < n->nk; i++) {
		enum ast_fits fits = ast_slot(n->kind, i)->fits;

		if (n->k[i] ? !may_stand(fits, n->k[i]->kind) : !may_be_null(fits))
			return offence(scratch, n,
				       arena_printf(scratch, "child %u does not belong there", i));

		const char *bad = n->k[i] ? ast_verify(n->k[i], stage, scratch) : NULL;

		if (bad)
			return bad;
	}
	return NULL;
}
