/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles the regular expressions of a script, each text once, and reports errors in them at the exact character. */
#include <string.h>

#include "base/intern.h"
#include "parser/literal.h"
#include "translator/regex/regex.h"
#include "translator/resolve/embedded.h"
#include "translator/types/pattern.h"

/* Characters that a backslash in the expression would make plain. */
static const char special[] = ".[]()*+?{}|^$";

static int greater(int a, int b)
{
	return a > b ? a : b;
}

/* The value of a plain number; for anything else all groups may be needed. */
static int plain_number(const struct node *n)
{
	return n->kind == N_NUMBER && n->num >= 0 && n->num < REGEX_ALL_GROUPS ? (int)n->num : REGEX_ALL_GROUPS;
}

/* The greatest N of the calls of f(N) in the tree. */
static int greatest_argument(const struct node *n, const struct function *f)
{
	int asked = REGEX_NO_GROUPS;

	if (n->kind == N_CALL && n->sym && n->sym->function->first == f->first)
		asked = plain_number(CALL_ARG(n, 0));
	AST_EACH(child, n)
		asked = greater(asked, greatest_argument(*child, f));
	return asked;
}

static int asked_everywhere(const struct session *s, const struct function *f)
{
	int asked = REGEX_NO_GROUPS;

	for (size_t i = 0; i < s->prog.function_list.n; i++)
		asked = greater(asked, greatest_argument(s->prog.function_list.v[i]->body, f));
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		asked = greater(asked, greatest_argument(p->body, f));
		for (size_t k = 0; k < p->entries.n; k++)
			asked = greater(asked, greatest_argument(p->entries.v[k]->value, f));
	}
	return asked;
}

/* Our own functions are known: matched(N) needs a group, those without parameters the whole match. */
static int asked_by(const struct session *s, const struct function *f)
{
	if (!f->embedded->is_own || f->params.n > 1 || (f->params.n && strcmp(f->sym->name, "matched")))
		return REGEX_ALL_GROUPS;
	return f->params.n ? asked_everywhere(s, f) : 0;
}

int pattern_groups_asked(const struct session *s)
{
	int asked = REGEX_NO_GROUPS;

	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct function *f = s->prog.function_list.v[i];
		if (f->body->kind == N_EMBEDDED && strstr(f->body->text, "pragma:tagged_dfa"))
			asked = greater(asked, asked_by(s, f));
	}
	return asked;
}

static void report(struct session *s, const struct node *literal, const struct regex_problem *problem)
{
	struct loc loc = literal_place(&s->env, literal, problem->off, problem->len);
	struct diag *d = s_error(s, loc, problem->too_big ? E_REGEX_SIZE : E_REGEX, "%s", problem->text);

	if (problem->hint)
		diag_hint(&s->diags, d, "%s", problem->hint);
}

static void lost_backslashes(struct session *s, const struct node *literal)
{
	struct loc where;

	for (size_t at = 0; literal_lost_backslash(&s->env, literal, special, &at, &where);) {
		char c = source_by_id(&s->sources, where.source)->text[where.off + 1];
		struct diag *d =
			diag_report(&s->diags, where, W_REGEX_BACKSLASH,
				    "the string takes this backslash: the regular expression has only %c", c);
		diag_hint(&s->diags, d, "write \\\\%c for the character itself", c);
	}
}

void pattern_check(struct session *s, struct node *n)
{
	const struct node *literal = REGEX_PATTERN(n);
	struct regex_problem problem;

	n->regex = map_get(&s->prog.regexes, literal->text);
	if (!n->regex)
		n->regex = regex_compile(&s->arena, literal->text, intern_len(literal->text),
					 pattern_groups_asked(s), &problem);
	if (!n->regex) {
		report(s, literal, &problem);
		return;
	}
	map_set(&s->arena, &s->prog.regexes, literal->text, (void *)n->regex);
	lost_backslashes(s, literal);
}
