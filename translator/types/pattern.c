/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles the regular expressions of a script, each text once, and tells what is wrong with them at the very
 * character. */
#include <string.h>

#include "base/intern.h"
#include "parser/literal.h"
#include "translator/regex/regex.h"
#include "translator/types/pattern.h"

/* Characters that a backslash in the expression would make plain. */
static const char special[] = ".[]()*+?{}|^$";

bool pattern_groups_wanted(const struct session *s)
{
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct node *body = s->prog.function_list.v[i]->body;
		if (body->kind == N_EMBEDDED && strstr(body->text, "pragma:tagged_dfa"))
			return true;
	}
	return false;
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
	const struct node *literal = n->k[1];
	struct regex_problem problem;

	n->regex = map_get(&s->prog.regexes, literal->text);
	if (!n->regex)
		n->regex = regex_compile(&s->arena, literal->text, intern_len(literal->text),
					 pattern_groups_wanted(s), &problem);
	if (!n->regex) {
		report(s, literal, &problem);
		return;
	}
	map_set(&s->arena, &s->prog.regexes, literal->text, (void *)n->regex);
	lost_backslashes(s, literal);
}
