/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches of regular expressions: the tables that runtime/rt/regex.c reads, and the call. */
#include "translator/regex/regex.h"
#include "translator/emit/emit.h"
#include "translator/types/pattern.h"

static const char *words(struct emit *e, const char *prefix, const uint16_t *v, size_t n)
{
	struct sb b = {0};
	const char *name;

	sb_putc(&b, '{');
	for (size_t i = 0; i < n; i++)
		sb_printf(&b, "%u,", v[i]);
	sb_putc(&b, '}');
	name = emit_table(e, prefix, "rt_u16", "[]", b.s);
	sb_free(&b);
	return name;
}

static const char *classes(struct emit *e, const struct regex *re)
{
	struct sb b = {0};
	const char *name;

	sb_putc(&b, '{');
	for (unsigned i = 0; i < 256; i++)
		sb_printf(&b, "%u,", re->classes[i]);
	sb_putc(&b, '}');
	name = emit_table(e, "re_classes", "rt_u8", "[256]", b.s);
	sb_free(&b);
	return name;
}

static const char *steps(struct emit *e, const struct regex *re)
{
	struct sb b = {0};
	const char *name;

	sb_putc(&b, '{');
	for (size_t i = 0; i < re->nsteps; i++)
		sb_printf(&b, "{%u,%u},", re->steps[i].from, re->steps[i].marks);
	sb_putc(&b, '}');
	name = emit_table(e, "re_steps", "struct rt_regex_step", "[]", b.s);
	sb_free(&b);
	return name;
}

static const char *tags(struct emit *e, const struct regex *re)
{
	size_t n = (size_t)re->nstates * re->nclasses;
	const char *last = words(e, "re_last", re->last, re->ngroups),
		   *moves = words(e, "re_moves", re->moves, n);
	const char *list = steps(e, re), *ends = words(e, "re_ends", re->ends, 2 * (size_t)re->nstates);
	const char *marks = words(e, "re_marks", re->marks, re->nmarks);

	return emit_text(e, "&%s",
			 emit_table(e, "re_tags", "struct rt_regex_tags", "",
				    emit_text(e, "{%u, %s, %s, %s, %s, %s}", re->ngroups, last, moves, list,
					      ends, marks)));
}

void emit_regex(struct emit *e, struct node *n, bool wanted)
{
	const struct regex *re = n->regex;
	bool captures = re->captures && pattern_groups_wanted(e->s);
	const char *next = words(e, "re_next", re->next, (size_t)re->nstates * re->nclasses), *table;

	table = emit_table(e, "re", "struct rt_regex", "",
			   emit_text(e, "{%s, %s, %u, %u, %u, %u, %s}", classes(e, re), next, re->nclasses,
				     re->start, re->found, re->at_end, captures ? tags(e, re) : "0"));
	emit_whole(e, n->k[0]);
	if (captures) {
		n->value = emit_text(e, "rt_regex_match(c, &%s, %s)", table, n->k[0]->value);
		e->max_groups = re->ngroups > e->max_groups ? re->ngroups : e->max_groups;
	} else {
		n->value = emit_text(e, "rt_regex_test(&%s, %s)", table, n->k[0]->value);
	}
	if (n->op == OP_NOMATCH)
		n->value = emit_text(e, "!%s", n->value);
	if (wanted) {
		n->value = emit_value(e, T_LONG, n->value);
	} else {
		emit_line(e, "(void)%s;", n->value);
		n->value = "";
	}
}
