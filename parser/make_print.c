// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes of print and its family: formats and numbers of arguments are checked here. */
#include <string.h>

#include "base/intern.h"
#include "parser/format.h"
#include "parser/literal.h"
#include "parser/grammar.h"
#include "parser/stages.h"

#define MAX_VALUES 32

static const struct print {
	const char *name;
	unsigned flags;
	unsigned min; /* values */
} prints[] = {
	{"print", 0, 1},
	{"println", NF_FMT_NEWLINE, 0},
	{"printf", NF_FMT_FORMAT, 0},
	{"printd", NF_FMT_DELIM, 2},
	{"printdln", NF_FMT_DELIM | NF_FMT_NEWLINE, 2},
	{"sprint", NF_FMT_STRING, 1},
	{"sprintln", NF_FMT_STRING | NF_FMT_NEWLINE, 0},
	{"sprintf", NF_FMT_STRING | NF_FMT_FORMAT, 0},
	{"sprintd", NF_FMT_STRING | NF_FMT_DELIM, 2},
	{"sprintdln", NF_FMT_STRING | NF_FMT_DELIM | NF_FMT_NEWLINE, 2},
	{"print_char", NF_FMT_FORMAT, 1},
};

static const struct print *find(const char *name)
{
	for (size_t i = 0; i < sizeof prints / sizeof *prints; i++)
		if (!strcmp(prints[i].name, name))
			return &prints[i];
	return NULL;
}

bool make_is_print(const char *name)
{
	return find(name) != NULL;
}

static void report_conversion(struct parser *p, const struct node *literal, const struct format_error *e)
{
	struct loc loc = literal_place(p->env, literal, e->off, e->size);
	struct sb quoted = {0};
	struct diag *d;

	sb_put_c_string(&quoted, literal->text + e->off, e->size);
	if (!e->conversion) {
		d = diag_report(p->env->diags, loc, E_FORMAT, "the format ends within %s", quoted.s);
	} else {
		d = diag_report(p->env->diags, loc, E_FORMAT, "%s is not a conversion", quoted.s);
		if (strchr("eEfFgGaA", e->conversion))
			diag_hint(p->env->diags, d, "print %%s of fp_to_string(a, 2), for the result of string_to_fp() and the like");
		else if (strchr("hqjzt", e->conversion))
			diag_hint(p->env->diags, d, "numbers need no length: %%d prints all 64 bits");
		else
			diag_hint(p->env->diags, d,
				  "the conversions are %%d %%i %%u %%o %%x %%X %%p %%c %%s %%b %%m %%M; a "
				  "percent "
				  "sign is printed by %%%%");
	}
	sb_free(&quoted);
}

/* The place of the piece of the format that takes argument i. */
static struct loc piece_loc(struct parser *p, const struct node *literal, const struct format *f, unsigned i)
{
	const struct format_piece *found = NULL;

	for (size_t k = 0; k < f->n; k++)
		if (f->v[k].conversion && f->v[k].arg <= i)
			found = &f->v[k];
	return found ? literal_place(p->env, literal, found->off, found->size) : literal->loc;
}

static void check_format(struct parser *p, struct token name, const struct node *literal, const struct node *print)
{
	struct format f;
	struct format_error error;
	unsigned n = PRINT_VALUES(print);

	if (format_parse(p->arena, literal->text, intern_len(literal->text), &f, &error)) {
		report_conversion(p, literal, &error);
		return;
	}
	if (n < f.nargs)
		diag_report(p->env->diags, piece_loc(p, literal, &f, n), E_FORMAT_ARGS,
			    "the format wants %u value%s, and %s has %u", f.nargs, f.nargs == 1 ? "" : "s",
			    name.text, n);
	else if (n > f.nargs)
		diag_report(p->env->diags, ast_span(PRINT_VALUE(print, f.nargs)), E_FORMAT_ARGS,
			    "the format uses only %u of the %u values", f.nargs, n);
}

/* Takes the literal that comes first; NULL after an error. */
static const struct node *first_literal(struct parser *p, struct token name, const struct print *kind,
					const struct node *args)
{
	const char *what = kind->flags & NF_FMT_FORMAT ? "format" : "delimiter";
	const struct node *first = args ? LIST_ITEM(args, 0) : NULL;
	struct diag *d;

	if (first && first->kind == N_STRING)
		return first;
	if (p->feed.unclosed_string)
		return NULL;
	d = diag_report(p->env->diags, first ? ast_span(first) : name.loc, E_LITERAL,
			"%s needs its %s first, as a string in quotes", name.text, what);
	if (first && first->kind == N_BINARY && first->op == OP_CAT)
		diag_hint(p->env->diags, d, "strings in quotes that follow each other are one: leave the \".\" out");
	else if (first && kind->flags & NF_FMT_FORMAT)
		diag_hint(p->env->diags, d, "to print values as they are, use %s",
			  kind->flags & NF_FMT_STRING ? "sprint" : "print");
	return NULL;
}

static void check_count(struct parser *p, struct token name, const struct print *kind, const struct node *print)
{
	unsigned n = PRINT_VALUES(print);

	if (n < kind->min || (kind->min == 1 && kind->flags & NF_FMT_FORMAT && n != 1))
		diag_report(p->env->diags, name.loc, E_PRINT_ARGS, "%s takes %s%u value%s, not %u", name.text,
			    kind->flags & NF_FMT_FORMAT ? "" : "at least ", kind->min,
			    kind->min == 1 ? "" : "s", n);
	else if (n > MAX_VALUES)
		diag_report(p->env->diags, ast_span(PRINT_VALUE(print, MAX_VALUES)), E_PRINT_ARGS,
			    "%s prints at most %d values", name.text, MAX_VALUES);
}

/* println("%d", x): as many conversions as values follow. */
static void check_no_format(struct parser *p, const struct node *print)
{
	const struct node *first = PRINT_VALUES(print) > 1 ? PRINT_VALUE(print, 0) : NULL;
	struct format f;
	struct diag *d;

	if (print->flags & (NF_FMT_FORMAT | NF_FMT_DELIM) || !first || first->kind != N_STRING || strstr(first->text, "% ") ||
	    format_parse(p->arena, first->text, intern_len(first->text), &f, NULL) || f.nargs != PRINT_VALUES(print) - 1)
		return;
	d = diag_report(p->env->diags, piece_loc(p, first, &f, 0), W_FORMAT_PRINTED, "%s prints this as it is: it has no format", print->name);
	if (print->flags & NF_FMT_NEWLINE)
		diag_hint(p->env->diags, d, "did you mean %s(\"...\\n\", ...)?", print->flags & NF_FMT_STRING ? "sprintf" : "printf");
	else
		diag_hint(p->env->diags, d, "did you mean %s?", print->flags & NF_FMT_STRING ? "sprintf" : "printf");
}

struct node *make_print(struct parser *p, struct token name, struct node *args)
{
	const struct print *kind = find(name.text);
	bool has_literal =
		kind->flags & (NF_FMT_FORMAT | NF_FMT_DELIM) && !(kind->flags & NF_FMT_FORMAT && kind->min);
	const struct node *literal = has_literal ? first_literal(p, name, kind, args) : NULL;
	struct node *n = ast_new(p->arena, N_PRINT, name.loc, 0);

	for (unsigned i = literal ? 1 : 0; args && i < LIST_ITEMS(args); i++)
		ast_add(p->arena, n, LIST_ITEM(args, i));
	n->name = name.text;
	n->flags = kind->flags;
	if (literal) {
		n->text = literal->text;
		if (kind->flags & NF_FMT_FORMAT && !p->feed.unclosed_string)
			check_format(p, name, literal, n);
	} else if (kind->flags & NF_FMT_FORMAT) {
		n->text = intern(kind->min ? "%c" : "");
	} else if (kind->flags & NF_FMT_DELIM) {
		n->text = intern("");
	}
	if ((literal || !has_literal) && !p->feed.unclosed_string)
		check_count(p, name, kind, n);
	check_no_format(p, n);
	return n;
}
