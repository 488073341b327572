/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches of regular expressions: the tables that runtime/rt/regex.c reads. */
#include "translator/regex/regex.h"
#include "translator/emit/emit.h"

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

static const char *table(struct emit *e, const struct regex *re, const struct regex_table *t)
{
	return emit_text(e, "{%s, %u, %u, %u}",
			 words(e, "re_next", t->next, (size_t)t->nstates * re->nclasses), t->start, t->found,
			 t->at_end);
}

static const char *groups(struct emit *e, const struct regex *re)
{
	const struct regex_table *way = &re->way;
	struct sb b = {0};
	const char *name;

	sb_printf(&b, "{%u, %s, ", re->ngroups, words(e, "re_last", re->last, re->ngroups));
	sb_printf(&b, "%s, ", table(e, re, &re->back));
	sb_printf(&b, "%s, %u, ", table(e, re, way), way->start_at_begin);
	sb_printf(&b, "%s, ", words(e, "re_moves", way->moves, (size_t)way->nstates * re->nclasses));
	sb_printf(&b, "%s, ", words(e, "re_ends", way->ends, 2 * (size_t)way->nstates));
	sb_printf(&b, "%s, ", steps(e, re));
	sb_printf(&b, "%s}", words(e, "re_marks", re->marks, re->nmarks));
	name = emit_table(e, "re_groups", "struct rt_regex_groups", "", b.s);
	sb_free(&b);
	return emit_text(e, "&%s", name);
}

const char *emit_regex(struct emit *e, const struct node *of)
{
	const struct regex *re = of->regex;
	/* One after the other: tables are numbered, and compilers differ in the order of what stands in one call. */
	const char *captures = of->flags & NF_CAPTURES ? groups(e, re) : "0";
	const char *test = table(e, re, &re->test);
	const char *name = emit_table(e, "re", "struct rt_regex", "",
				      emit_text(e, "{%s, %u, %s, %s}", classes(e, re), re->nclasses, test, captures));

	return emit_text(e, "&%s", name);
}
