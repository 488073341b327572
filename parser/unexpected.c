// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice about a word that the grammar does not accept.  Looks at the words before and after it, and at what the grammar would
 * have taken, which shows what the writer was about to write.
 */
#include "parser/unexpected.h"

#include <string.h>

#include "parser/complain.h"
#include "parser/grammar.h"
#include "parser/habit.h"

struct place {
	struct parser *p;
	struct grammar_pstate *ps;
	struct diag *d;
	const struct token *prev, *t, *next;
};

static bool accepts(const struct place *at, int kind)
{
	return grammar_accepts(at->ps, &kind, 1);
}

bool unexpected_wants_literal(struct grammar_pstate *ps)
{
	static const int yes[] = {TK_STRING, TK_NUMBER, '-'}, no[] = {'('};

	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		if (!grammar_accepts(ps, &yes[i], 1))
			return false;
	return !grammar_accepts(ps, &no[0], 1);
}

static bool hint(const struct place *at, const char *text)
{
	diag_hint(at->p->env->diags, at->d, "%s", text);
	return true;
}

/* ---- operators of other languages ---- */

static const struct pair {
	int first, second;
	const char *text;
} pairs[] = {
	{TK_USHR, '=', "there is no operator \">>>=\""},
	{'*', '*', "there is no operator \"**\""},
	{'<', '>', "\"not equal\" is written \"!=\""},
	{'=', '>', "\"greater or equal\" is written \">=\""},
	{'=', '<', "\"less or equal\" is written \"<=\""},
	{TK_EQ, '=', "there is no operator \"===\"; comparing is \"==\""},
	{TK_NE, '=', "there is no operator \"!==\"; comparing is \"!=\""},
	{TK_LAND, '=', "there is no operator \"&&=\""},
	{TK_LOR, '=', "there is no operator \"||=\""},
};

static const struct word {
	const char *word, *text;
} words[] = {
	{"and", "\"and\" is written \"&&\""},      {"or", "\"or\" is written \"||\""},
	{"not", "\"not\" is written: !(a in b)"},  {"is", "comparing is \"==\""},
	{"eq", "comparing is \"==\""},             {"ne", "\"not equal\" is written \"!=\""},
	{"lt", "\"less\" is written \"<\""},       {"gt", "\"greater\" is written \">\""},
	{"le", "\"less or equal\" is \"<=\""},     {"ge", "\"greater or equal\" is \">=\""},
	{"mod", "the remainder is written \"%\""}, {"xor", "\"xor\" is written \"^\""},
};

/* "probe kprobe:f", "probe begin /pid == 1/", "(struct sock *)p". */
static bool tracer_advice(const struct place *at)
{
	struct diags *ds = at->p->env->diags;
	bool in_header = at->p->feed.header || at->prev->kind == TK_WORD;

	if (in_header && at->prev->kind == TK_WORD && (at->t->kind == ':' || at->t->kind == '-'))
		return habit_hint(ds, at->d, HABIT_POINT, at->prev->text);
	if (in_header && at->t->kind == '/' && accepts(at, '{'))
		return habit_hint(ds, at->d, HABIT_SIGN, "/");
	if (at->t->kind == TK_IDENT && at->prev->kind == TK_IDENT && !strcmp(at->prev->text, "struct") && accepts(at, ')'))
		return habit_hint(ds, at->d, HABIT_SIGN, "struct");
	return false;
}

static bool foreign_operator(const struct place *at)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (at->t->glued && at->prev->kind == pairs[i].first && at->t->kind == pairs[i].second)
			return hint(at, pairs[i].text);
	for (size_t i = 0; at->t->kind == TK_IDENT && accepts(at, TK_LAND) && i < sizeof words / sizeof *words; i++)
		if (!strcmp(at->t->text, words[i].word))
			return hint(at, words[i].text);
	if (at->prev->kind == TK_IDENT && !strcmp(at->prev->text, "not") && accepts(at, TK_LAND))
		return hint(at, "\"not\" is written \"!\"");
	if (at->t->kind == ':' && at->next->kind == '=')
		return hint(at, "assignment is written \"=\"");
	if (at->t->kind == ':' && at->next->kind == ':')
		return hint(at, "there is no operator \"::\"; a member is taken by \"->\"");
	if (at->t->kind == '~' && at->next->kind == '=')
		return hint(at, "matching is written \"=~\", and \"not equal\" is \"!=\"");
	if (at->t->kind == '*' && at->next->kind == '/' && at->next->glued)
		return hint(at, "comments do not nest: the one that should end here has ended before");
	if (at->t->kind == '.' && at->next->kind == TK_NUMBER && at->next->glued)
		return hint(at, at->p->feed.header ? "there are no numbers with fractions: timer.ms(1500) instead of timer.s(1.5)" :
			    "there are no numbers with fractions: count in smaller units, or compute with string_to_fp(\"1.5\") and the like");
	if (at->t->kind == TK_NUMBER && (at->prev->kind == TK_INC || at->prev->kind == TK_DEC))
		return hint(at, at->prev->kind == TK_INC ? "\"++\" counts a variable; a sum of signs needs blanks: a + +1" :
							   "\"--\" counts a variable; a difference needs blanks: a - -1");
	return false;
}

/* ---- declarations ---- */

const char *unexpected_declaration(const char *word)
{
	static const struct word others[] = {
		{"def", "function"},  {"func", "function"},     {"fn", "function"},   {"fun", "function"},
		{"sub", "function"},  {"proc", "function"},     {"void", "function"},
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(others[i].word, word))
			return others[i].text;
	return NULL;
}

static bool is_operator(int kind)
{
	return kind == '+' || kind == '-' || kind == '*' || kind == '/' || kind == '.' || kind == '|' || kind == TK_SHL;
}

static bool global_advice(const struct place *at)
{
	int kind = at->t->kind;

	if (!accepts(at, TK_GLOBAL) || !accepts(at, ','))
		return false;
	if ((at->prev->kind == TK_NUMBER || at->prev->kind == TK_STRING) && is_operator(kind))
		return hint(at, "an initial value is one number or string; compute others in a begin probe");
	if (kind == '%' || kind == '[')
		return hint(at, "after the name of a global come first %, then [size], then = value");
	return false;
}

static bool function_advice(const struct place *at)
{
	struct diags *ds = at->p->env->diags;

	if (at->t->kind == '{' && accepts(at, '(') && accepts(at, ':') && at->prev->kind == TK_IDENT)
		diag_hint(ds, at->d, "a function has parentheses even without parameters: %s()", at->prev->text);
	else if (at->t->kind == ';' && accepts(at, TK_EMBEDDED) && accepts(at, ':'))
		diag_hint(ds, at->d, "functions are not declared before they are defined");
	else if (at->prev->kind == TK_IDENT && at->t->kind == TK_IDENT && make_is_c_type(at->prev->text) && accepts(at, ':'))
		diag_hint(ds, at->d, "types are left out, or follow the name: %s:long", at->t->text);
	else
		return false;
	return true;
}

static bool literal_advice(const struct place *at)
{
	struct diags *ds = at->p->env->diags;

	if (!unexpected_wants_literal(at->ps))
		return false;
	if (!at->p->feed.header || at->prev->kind == '=')
		return hint(at, "an initial value is one number or string; compute others in a begin probe");
	if (at->t->kind == ')')
		return hint(at, "write in the parentheses what is meant, or leave them out");
	if (at->t->kind == TK_IDENT ||
	    (at->t->text && feed_is_keyword(at->t->text) && !feed_is_declaration(at->t->kind))) {
		diag_hint(ds, at->d, "text is written in quotes: \"%s\"", at->t->text);
		return true;
	}
	return false;
}

static bool brace_advice(const struct place *at)
{
	if (!at->p->feed.header && at->prev->kind != TK_WORD)
		return false;
	if (at->t->kind == '}' && at->prev->kind == '{' && accepts(at, TK_WORD))
		return hint(at, "a probe needs a probe point: probe begin { ... }");
	if (!at->p->feed.comma_brace.source)
		return false;
	diag_note(at->p->env->diags, at->d, at->p->feed.comma_brace,
		  "if this is the body, a probe point is missing before it, or the \",\" is one too many");
	return true;
}

static bool header_advice(const struct place *at)
{
	const struct token *t = at->t;

	if (!at->p->feed.header && at->prev->kind != TK_WORD)
		return false;
	if (!accepts(at, '.') || !accepts(at, ','))
		return false;
	if (t->kind == '(' && at->prev->kind == '}')
		return hint(at, "each alternative has its own argument: timer.{s(1), ms(10)}");
	if (t->kind == TK_ARROW || t->kind == ':' || t->kind == '/' || (t->kind == TK_FUNCTION && at->next->kind == '('))
		return hint(at, "the parts of a probe point are joined by dots");
	if (t->kind == '=' || t->kind == TK_ADD_SET)
		return hint(at, "the names of an alias are separated by \"=\": probe a = b = begin { ... }");
	if (accepts(at, '{') && t->kind != 0 && !feed_is_declaration(t->kind))
		return hint(at, "what the probe does is written in braces: probe begin { ... }");
	return false;
}

/* ---- statements ---- */

static bool foreach_advice(const struct place *at)
{
	const struct token *t = at->t;

	if (at->prev->kind == TK_STAT && accepts(at, '+')) {
		diag_hint(at->p->env->diags, at->d, "say the order: %s + is ascending, %s - descending", at->prev->text,
			  at->prev->text);
		return true;
	}
	if (accepts(at, TK_LIMIT) && !accepts(at, TK_LAND) && t->kind == TK_IDENT)
		return hint(at, "the number of turns is limited by: limit 10");
	if ((t->kind == '-' || t->kind == '+') && (at->prev->kind == '[' || at->prev->kind == ',' || at->prev->kind == '(') &&
	    accepts(at, TK_IDENT) && !accepts(at, TK_NUMBER))
		return hint(at, "the sign that sorts comes after the name");
	if (!accepts(at, TK_IN) || accepts(at, TK_LAND))
		return false;
	if (t->kind == ',' && !accepts(at, ']'))
		return hint(at, "several keys are written in brackets: foreach ([a, b] in array)");
	return hint(at, "the form is: foreach (key in array), or foreach (value = key in array)");
}

static bool statement_advice(const struct place *at)
{
	const struct token *t = at->t;

	if (accepts(at, ';') && !accepts(at, '}') && !accepts(at, TK_GLOBAL) && !accepts(at, TK_EMBEDDED))
		return hint(at, t->kind == ',' ? "each part of a for is one expression; put others before the loop or in it" :
						 "the form is: for (i = 0; i < 10; i++); foreach (key in array) walks over an array");
	if (t->kind == TK_ELSE && at->prev->kind == ';')
		return hint(at, "the \";\" before \"else\" has ended the \"if\"");
	if (t->kind == TK_ELSE)
		return hint(at, "an \"else\" comes right after the statement of its \"if\"");
	if (t->kind == ',' && accepts(at, TK_WHILE))
		return hint(at, "statements are separated by \";\", or by nothing");
	if (at->prev->kind == TK_RETURN && complain_on_new_line(at->p, at->prev, t))
		return hint(at, "a \"return\" without a value needs a \";\" after it");
	if (t->kind == ':' && at->p->feed.pp->opened.n)
		return hint(at, "within a conditional, the other arm begins with \"%:\"");
	if (t->kind == ';' && accepts(at, TK_PRIVATE))
		return hint(at, "a declaration needs no \";\" after it");
	return false;
}

static bool keyword_advice(const struct place *at)
{
	bool wants_name = accepts(at, TK_IDENT) || accepts(at, TK_WORD);

	if (at->prev->kind == ',' && wants_name && complain_on_new_line(at->p, at->prev, at->t))
		return hint(at, "the \",\" before it is one too many, or something is missing after it");
	if (!at->t->text || !wants_name || accepts(at, TK_PRIVATE) || !feed_is_keyword(at->t->text) ||
	    (feed_is_declaration(at->t->kind) && complain_on_new_line(at->p, at->prev, at->t)))
		return false;
	diag_hint(at->p->env->diags, at->d, "\"%s\" is a keyword and cannot be a name", at->t->text);
	return true;
}

void unexpected_add(struct parser *p, struct grammar_pstate *ps, struct diag *d, const struct token *prev,
		const struct token *t)
{
	const struct place at = {p, ps, d, prev, t, &p->feed.look};
	static bool (*const all[])(const struct place *) = {
		tracer_advice,   foreign_operator, global_advice, brace_advice,     literal_advice,
		function_advice, foreach_advice,   header_advice, statement_advice, keyword_advice,
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i](&at))
			return;
}
