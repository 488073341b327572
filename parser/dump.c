// SPDX-License-Identifier: GPL-2.0-or-later
/* One node per line, children indented below: stable, for tests and for people. */
#include <inttypes.h>

#include "base/intern.h"
#include "parser/ast.h"

static void put_flags(const struct node *n, struct sb *out)
{
	static const struct {
		unsigned flag;
		const char *text;
	} flags[] = {
		{NF_PRIVATE, "private"},       {NF_WRAP, "wrap"},
		{NF_SIZED, "sized"},           {NF_OPTIONAL, "optional"},
		{NF_SUFFICIENT, "sufficient"}, {NF_EPILOGUE, "epilogue"},
		{NF_WHILE, "while"},           {NF_PREFIX, "prefix"},
		{NF_FMT_STRING, "string"},     {NF_FMT_FORMAT, "format"},
		{NF_FMT_NEWLINE, "newline"},   {NF_FMT_DELIM, "delimiter"},
		{NF_TAPSET, "tapset"},
	};

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (n->flags & flags[i].flag)
			sb_printf(out, " +%s", flags[i].text);
}

static bool has_number(const struct node *n)
{
	return n->kind == N_NUMBER || n->num != 0;
}

static void put_node(const struct node *n, struct sb *out)
{
	sb_puts(out, node_text(n->kind));
	if (n->op)
		sb_printf(out, " %s", op_text(n->op));
	if (n->kind == N_FOREACH && n->op)
		sb_printf(out, " %s", op_text(n->sort_stat));
	if (n->name)
		sb_printf(out, " %s", n->name);
	if (n->text) {
		sb_putc(out, ' ');
		sb_put_c_string(out, n->text, intern_len(n->text));
	}
	if (has_number(n))
		sb_printf(out, " %" PRId64, n->num);
	put_flags(n, out);
	if (n->type != T_UNKNOWN)
		sb_printf(out, " :%s", type_text(n->type));
	if (n->sym)
		sb_puts(out, " *");
}

static void dump(const struct node *n, struct sb *out, unsigned indent)
{
	sb_printf(out, "%*s", (int)(2 * indent), "");
	if (!n) {
		sb_puts(out, "-\n");
		return;
	}
	put_node(n, out);
	sb_putc(out, '\n');
	AST_EACH_SLOT(child, n)
		dump(*child, out, indent + 1);
}

void ast_dump(const struct node *n, struct sb *out)
{
	dump(n, out, 0);
}
