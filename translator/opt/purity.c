/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which expressions do anything besides their value.  Any that is not known to have no effect counts as having one.  A soft error is an
 * effect, unless it is not asked for.
 */
#include <string.h>

#include "translator/debuginfo/fetch.h"
#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"

enum { PURITY_UNKNOWN = 0, PURITY_ASKED, PURITY_CLEAN, PURITY_DIRTY };
enum { MAX_CALLS = 100 }; /* functions within functions that are looked into */

/* How it is looked at. */
struct look {
	unsigned depth;
	bool inside; /* of a function */
	bool errors; /* count as an effect */
};

static bool effect(const struct node *n, struct look l);

/* Of what has no parameters an error says that there is nothing to ask, which is none where nobody asks. */
static bool embedded_effect(const struct function *f, struct look l)
{
	return !(f->embedded->tags & (EMBEDDED_PURE | EMBEDDED_STABLE)) || (l.errors && f->params.n && embedded_can_fail(f));
}

static bool function_effect(struct function *f, struct look l)
{
	uint8_t *purity = &f->purity[l.errors];
	bool dirty;

	if (*purity == PURITY_CLEAN || *purity == PURITY_DIRTY)
		return *purity == PURITY_DIRTY;
	if (*purity == PURITY_ASKED || l.depth > MAX_CALLS || f->first->gives_way)
		return true; /* recursion may exceed MAXNESTING, overloads may be exhausted */
	*purity = PURITY_ASKED;
	l.depth++;
	l.inside = true;
	dirty = f->body->kind == N_EMBEDDED ? embedded_effect(f, l) : effect(f->body, l);
	*purity = dirty ? PURITY_DIRTY : PURITY_CLEAN;
	return dirty;
}

static bool kids_effect(const struct node *n, struct look l)
{
	AST_EACH(child, n)
		if (effect(*child, l))
			return true;
	return false;
}

/* Within a function, assigning to its own locals is no effect: they end with it. */
static bool assign_effect(const struct node *n, struct look l)
{
	const struct node *to = ast_changed(n);
	const struct symbol *v = to->kind == N_NAME ? to->sym : NULL;

	if (!l.inside || !v || v->kind != SYM_LOCAL || (l.errors && (n->op == OP_DIV || n->op == OP_MOD)))
		return true;
	return kids_effect(n, l);
}

static bool effect(const struct node *n, struct look l)
{
	switch (n->kind) {
	case N_NUMBER:
	case N_STRING:
	case N_NAME:
	case N_STAR:
	case N_ENTRY_VALUE:
	case N_EMPTY:
		return false;
	case N_UNARY:
	case N_TERNARY:
	case N_SHOW: /* unreadable memory is shown as unreadable, it is no error */
	case N_IN:
	case N_ENUM_NAME:
		return kids_effect(n, l);
	case N_BINARY:
		if (l.errors && (n->op == OP_DIV || n->op == OP_MOD) && !(BINARY_RIGHT(n)->kind == N_NUMBER && BINARY_RIGHT(n)->num))
			return true;
		return kids_effect(n, l);
	case N_INDEX: /* a bucket may be out of range */
		return INDEX_BASE(n)->kind != N_NAME || kids_effect(n, l);
	case N_STAT: /* the others fail when the statistic is empty */
		return (n->op != OP_COUNT && n->op != OP_SUM) || kids_effect(n, l);
	case N_PRINT: /* %m and %M read memory */
		return !(n->flags & NF_FMT_STRING) || (l.errors && (n->flags & NF_FMT_FORMAT) && strpbrk(n->text, "mM")) || kids_effect(n, l);
	case N_CALL:
		return !n->sym || function_effect(n->sym->function, l) || kids_effect(n, l);
	case N_FETCH:
		/* reading registers cannot fail; reading memory and dividing can */
		return !n->fetch || (l.errors && !fetch_is_in_registers(n->fetch)) || kids_effect(n, l);
	case N_ASSIGN:
	case N_INCDEC:
		return assign_effect(n, l);
	case N_BLOCK:
	case N_EXPR:
	case N_IF:
	case N_RETURN:
		return kids_effect(n, l);
	case N_FOR: /* it may use up the budget, which is an error */
	case N_BREAK:
	case N_CONTINUE:
	case N_TRY:
		return l.errors || !l.inside || kids_effect(n, l);
	case N_FOREACH:
	case N_NEXT:
	case N_DELETE:
	case N_EMBEDDED:
	case N_REGEX: /* it sets what matched() reads */
	case N_PERF:
	case N_STORE:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		return true;
	}
	return true;
}

bool opt_has_effect(const struct node *n)
{
	return effect(n, (struct look){.errors = true});
}

bool opt_has_effect_besides_errors(const struct node *n)
{
	return effect(n, (struct look){.errors = false});
}
