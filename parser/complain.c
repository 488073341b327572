// SPDX-License-Identifier: GPL-2.0-or-later
/* The words for what the grammar does not accept. */
#include "parser/complain.h"

#include <string.h>

#include "base/intern.h"
#include "parser/unexpected.h"
#include "parser/grammar.h"
#include "parser/habit.h"

/* What the user sees of a kind: a phrase, or the token itself in quotes. */
static void put_kind(struct sb *b, int kind)
{
	const char *name;

	if (kind > 0 && kind < 256) {
		sb_printf(b, "\"%c\"", kind);
		return;
	}
	name = grammar_token_name(kind);
	if (!strncmp(name, "a ", 2) || !strncmp(name, "an ", 3) || name[0] == '"')
		sb_puts(b, name);
	else
		sb_printf(b, "\"%s\"", name);
}

static void put_token(struct sb *b, const struct token *t)
{
	switch (t->kind) {
	case 0:
		sb_puts(b, "the end of the text");
		return;
	case TK_EMBEDDED:
		sb_puts(b, "embedded C code");
		return;
	case TK_STRING:
		sb_puts(b, "the string ");
		sb_put_c_string(b, t->text, intern_len(t->text) > 30 ? 30 : intern_len(t->text));
		return;
	case TK_RETURN_NOTHING:
		sb_puts(b, "\"return\"");
		return;
	case TK_PP_OPEN:
	case TK_PP_THEN:
	case TK_PP_ELSE:
	case TK_PP_CLOSE:
		put_kind(b, t->kind);
		return;
	}
	if (t->text)
		sb_printf(b, "\"%s\"", t->text);
	else
		put_kind(b, t->kind);
}

/* ---- what the grammar would accept here ---- */

enum { ANY_DECLARATION = -1, ANY_STATEMENT = -2, ANY_EXPRESSION = -3, ANY_LITERAL = -4, MOST_EXPECTED = 5 };

struct expected {
	struct grammar_pstate *ps;
	int kinds[MOST_EXPECTED]; /* or ANY_... */
	unsigned n;
};

static bool accepts(const struct expected *e, int kind)
{
	return grammar_accepts(e->ps, &kind, 1);
}

static void add_expected(struct expected *e, int kind)
{
	if (e->n < MOST_EXPECTED)
		e->kinds[e->n++] = kind;
}

static bool among(int kind, const int *kinds)
{
	while (*kinds && *kinds != kind)
		kinds++;
	return *kinds;
}

/* The likeliest first; not what any expression or statement begins or goes on with. */
static struct expected find_expected(struct grammar_pstate *ps)
{
	static const int kinds[] = {
		')',         ']',       '}',         '{',      ';',      ',',     '(',       '=',
		':',         '.',       TK_IN,       TK_CATCH, TK_IDENT, TK_WORD, TK_NUMBER, TK_STRING,
		TK_EMBEDDED, TK_GLOBAL, TK_FUNCTION, TK_PROBE, '+',      '-',     0};
	static const int of_declaration[] = {TK_GLOBAL, TK_FUNCTION, TK_PROBE, TK_EMBEDDED, 0};
	static const int of_statement[] = {';',       '{',         '(', TK_IDENT, TK_NUMBER,
					   TK_STRING, TK_EMBEDDED, '+', '-',      0};
	static const int of_expression[] = {'(', TK_IDENT, TK_NUMBER, TK_STRING, TK_EMBEDDED, '+', '-', 0};
	static const int of_operators[] = {'(', '=', '.', TK_IN, '+', '-', 0};
	static const int of_literal[] = {TK_NUMBER, TK_STRING, '+', '-', 0};
	struct expected e = {.ps = ps};
	bool declaration = accepts(&e, TK_PRIVATE), statement = accepts(&e, TK_WHILE);
	bool expression = !statement && accepts(&e, TK_STRING) && accepts(&e, TK_IDENT),
	     operators = accepts(&e, TK_LAND), literal = unexpected_wants_literal(ps);

	if (declaration)
		add_expected(&e, ANY_DECLARATION);
	if (statement)
		add_expected(&e, ANY_STATEMENT);
	if (expression)
		add_expected(&e, ANY_EXPRESSION);
	if (literal)
		add_expected(&e, ANY_LITERAL);
	for (const int *k = kinds; *k; k++) {
		if ((declaration && among(*k, of_declaration)) || (statement && among(*k, of_statement)) ||
		    (expression && among(*k, of_expression)) || (operators && among(*k, of_operators)) ||
		    (literal && among(*k, of_literal)))
			continue;
		if (accepts(&e, *k))
			add_expected(&e, *k);
	}
	return e;
}

static void put_expected(struct sb *b, const struct expected *e)
{
	for (unsigned i = 0; i < e->n; i++) {
		sb_puts(b, !i ? "" : i + 1 < e->n ? ", " : " or ");
		if (e->kinds[i] == ANY_DECLARATION)
			sb_puts(b, "a declaration (\"probe\", \"function\", \"global\" or \"private\")");
		else if (e->kinds[i] == ANY_STATEMENT)
			sb_puts(b, "a statement");
		else if (e->kinds[i] == ANY_EXPRESSION)
			sb_puts(b, "an expression");
		else if (e->kinds[i] == ANY_LITERAL)
			sb_puts(b, "a string or a number");
		else
			put_kind(b, e->kinds[i]);
	}
}

/* ---- messages ---- */

/* Is it the first word of a probe of another tracer, by what follows?  Some of them are a single letter. */
static bool is_probe_elsewhere(const struct parser *p, const struct token *t)
{
	int next = p->feed.look.kind;

	return next == ':' || (t->text[1] && (next == '{' || next == '/' || next == '-' || next == ',' || next == TK_IDENT));
}

static int complain_declaration(struct parser *p, struct grammar_pstate *ps, const struct token *prev,
				const struct token *t)
{
	static const int comma = ',';
	struct diag *d;
	struct nearest near;

	if (prev->kind == TK_IDENT && make_is_c_type(prev->text)) {
		d = diag_report(p->env->diags, prev->loc, E_C_DECLARATION, "\"%s\" does not declare anything here",
				prev->text);
		diag_hint(p->env->diags, d, "leave the type out; it is inferred");
		return 0;
	}
	if (grammar_accepts(ps, &comma, 1) && !complain_on_new_line(p, prev, t)) {
		d = diag_report(p->env->diags, t->loc, E_SYNTAX, "expected \",\" or a declaration, saw \"%s\"", t->text);
		diag_hint(p->env->diags, d, "several globals are separated by commas: global a, b");
		return 0;
	}
	d = diag_report(p->env->diags, t->loc, E_NOT_A_DECLARATION,
			"\"%s\" does not begin a declaration", t->text);
	if (unexpected_declaration(t->text)) {
		diag_hint(p->env->diags, d, "this is written: %s ...", unexpected_declaration(t->text));
		return feed_declaration_kind(unexpected_declaration(t->text));
	}
	if (is_probe_elsewhere(p, t) && habit_hint(p->env->diags, d, HABIT_POINT, t->text))
		return 0;
	if (make_is_c_type(t->text)) {
		diag_hint(p->env->diags, d, "types are left out: global NAME, function NAME(a, b) { ... }");
		return 0;
	}

	if (p->feed.look.kind == '=')
		diag_hint(p->env->diags, d, "a variable for the whole script is declared: global %s = ...", t->text);

	nearest_init(&near, t->text);
	feed_nearest_declaration(&near);
	if (near.n && nearest_text(&near, p->arena)) {
		diag_hint(p->env->diags, d, "did you mean \"%s\"?", near.best[0].s);
		return feed_declaration_kind(near.best[0].s);
	}
	diag_hint(p->env->diags, d,
		  "a script consists of \"probe\", \"function\" and \"global\"; statements belong within { } "
		  "of these");
	return 0;
}

/* The place just after a token. */
static struct loc after(const struct token *t)
{
	return (struct loc){t->loc.source, 1, t->loc.off + t->loc.len - 1, t->loc.expansion};
}

/* Is something missing at the end of prev, rather than t being wrong? */
static bool ends_before(struct parser *p, const struct token *prev, const struct token *t)
{
	if (!prev->kind || prev->loc.expansion != t->loc.expansion)
		return false;
	return !t->kind || (feed_is_declaration(t->kind) && complain_on_new_line(p, prev, t));
}

/* A brace too many or too few is often found far after its place; the layout shows the place. */
static void note_odd_braces(struct parser *p, struct diag *d, bool missing)
{
	const struct token *at = missing ? &p->odd_open : &p->odd_close, *other = missing ? &p->odd_close : &p->odd_open;
	struct source *src = source_by_id(p->env->sources, other->loc.source);
	unsigned line, column;

	source_position(src, other->loc.off, &line, &column);
	if (missing)
		diag_note(p->env->diags, d, at->loc, "this one was closed by the \"}\" of line %u, which is indented differently",
			  line);
	else
		diag_note(p->env->diags, d, at->loc, "this one closes the \"{\" of line %u, which is indented differently", line);
}

int complain(struct parser *p, struct grammar_pstate *ps, const struct token *prev, const struct token *t)
{
	struct expected e = find_expected(ps);
	struct sb want = {0}, saw = {0};
	struct diag *d;

	if (t->kind == TK_IDENT && e.n && e.kinds[0] == ANY_DECLARATION)
		return complain_declaration(p, ps, prev, t);
	put_expected(&want, &e);
	put_token(&saw, t);
	if (complain_is_extra(p, t)) {
		d = diag_report(p->env->diags, t->loc, E_EXTRA_BRACKET,
				"there is no open bracket for this %s", saw.s);
		if (t->kind == '}' && p->odd_close.kind)
			note_odd_braces(p, d, false);
	} else
		d = diag_report(p->env->diags, ends_before(p, prev, t) ? after(prev) : t->loc, E_SYNTAX,
				"expected %s, saw %s", want.s ? want.s : "something else", saw.s);
	if (prev->loc.expansion && prev->loc.expansion != t->loc.expansion)
		diag_note(p->env->diags, d, prev->loc, "the text before it ends here");
	unexpected_add(p, ps, d, prev, t);
	sb_free(&want);
	sb_free(&saw);
	return 0;
}

void complain_unclosed(struct parser *p, const struct token *open, const struct token *prev,
		       const struct token *t)
{
	struct sb saw = {0};
	char close = open->kind == '(' ? ')' : open->kind == '[' ? ']' : '}';
	struct diag *d;

	put_token(&saw, t);
	d = diag_report(p->env->diags,
			(t->kind && !complain_on_new_line(p, prev, t)) || prev->loc.expansion != t->loc.expansion ? t->loc : after(prev),
			E_UNCLOSED_BRACKET, "expected \"%c\" before %s", close, saw.s);
	diag_note(p->env->diags, d, open->loc, "the \"%c\" is opened here", open->kind);
	if (open->kind == '{' && p->odd_close.kind)
		note_odd_braces(p, d, true);
	if (open->kind == '{' && feed_is_declaration(t->kind) && !complain_on_new_line(p, prev, t))
		diag_hint(p->env->diags, d, "a declaration cannot be within another");
	sb_free(&saw);
}

bool complain_c_declaration(struct parser *p, struct grammar_pstate *ps, const struct token *prev,
			    const struct token *t)
{
	struct expected e = {.ps = ps};
	struct diag *d;

	if (prev->kind != TK_IDENT || t->kind != TK_IDENT || !make_is_c_type(prev->text) || !accepts(&e, ';'))
		return false;
	d = diag_report(p->env->diags, prev->loc, E_C_DECLARATION, "\"%s\" does not declare anything here", prev->text);
	diag_hint(p->env->diags, d, "variables are not declared: leave the type out; it is inferred");
	return true;
}

bool complain_nested(struct parser *p, const struct token *t)
{
	struct source *src = source_by_id(p->env->sources, t->loc.source);
	unsigned line, column = 1;
	struct diag *d;

	if ((t->kind != TK_GLOBAL && t->kind != TK_PRIVATE) || !p->open.n || p->open.v[p->open.n - 1].kind != '{')
		return false;
	if (src)
		source_position(src, t->loc.off, &line, &column);
	if (column == 1) /* more likely that a brace is missing before it */
		return false;
	d = diag_report(p->env->diags, t->loc, E_SYNTAX,
			"\"%s\" cannot be within a probe or a function", t->text);
	diag_hint(p->env->diags, d, "declare it before them; names that are not declared are local");
	return true;
}

/* The blanks that a line begins with. */
static size_t indent(const struct parser *p, struct loc loc, const char **text)
{
	struct source *src = source_by_id(p->env->sources, loc.source);
	unsigned line, column;
	size_t len;

	source_position(src, loc.off, &line, &column);
	*text = source_line(src, line, &len);
	for (size_t i = 0; i < len; i++)
		if ((*text)[i] != ' ' && (*text)[i] != '\t')
			return i;
	return len;
}

bool complain_is_odd(struct parser *p, const struct token *open, const struct token *close)
{
	const char *before, *text, *at_close;
	size_t n, m;

	if (!source_by_id(p->env->sources, close->loc.source) || open->loc.source != close->loc.source ||
	    open->loc.expansion || close->loc.expansion || !complain_on_new_line(p, open, close))
		return false;
	n = indent(p, open->loc, &text);
	m = indent(p, close->loc, &before);
	at_close = source_by_id(p->env->sources, close->loc.source)->text + close->loc.off;
	return before + m == at_close && (n != m || memcmp(text, before, n) != 0);
}

void complain_word(struct parser *p, const struct token *t, const char *instead)
{
	struct diag *d = diag_report(p->env->diags, t->loc, E_SYNTAX, "there is no \"%s\"", t->text);

	diag_hint(p->env->diags, d, "%s", instead);
}

void complain_too_deep(struct parser *p, const struct token *t)
{
	diag_report(p->env->diags, t->loc, E_TOO_DEEP, "this nests more than %d levels deep",
		    PARSE_MAX_DEPTH);
}

/* "return" and a value on the next line; "a" and "++b" on the next, which is "a++" and "b". */
void complain_line_break(struct parser *p, const struct token *prev, const struct token *t)
{
	const struct token *next = &p->feed.look;
	bool counts = t->kind == TK_INC || t->kind == TK_DEC;
	struct diag *d;

	if (!(prev->kind == TK_RETURN || (counts && (next->kind == TK_IDENT || next->kind == TK_TARGET))) ||
	    !complain_on_new_line(p, prev, t))
		return;
	if (prev->kind == TK_RETURN) {
		d = diag_report(p->env->diags, t->loc, W_LINE_BREAK,
				"this is the value that \"return\" gives");
		diag_hint(p->env->diags, d, "if it is not meant so, put a \";\" after \"return\"");
	} else if (!complain_on_new_line(p, t, next) &&
		   (prev->kind == TK_IDENT || prev->kind == TK_TARGET || prev->kind == ']')) {
		d = diag_report(p->env->diags, t->loc, W_LINE_BREAK,
				"this counts the variable on the line before");
		diag_hint(p->env->diags, d, "if it is not meant so, put a \";\" at the end of that line");
	}
}

bool complain_is_extra(const struct parser *p, const struct token *t)
{
	const struct token *top = p->open.n ? &p->open.v[p->open.n - 1] : NULL;

	if (t->kind == ')')
		return !top || top->kind != '(';
	if (t->kind == ']')
		return !top || top->kind != '[';
	return t->kind == '}' && !top;
}

/* Where t is; if it and the other token come from different expansions of macros: where its macro was called. */
static struct loc written_at(struct parser *p, const struct token *t, const struct token *other)
{
	uint32_t outermost = source_outermost(p->env->sources, t->loc.expansion);

	return !outermost || t->loc.expansion == other->loc.expansion ? t->loc : p->env->sources->expansions[outermost - 1].at;
}

bool complain_on_new_line(struct parser *p, const struct token *prev, const struct token *t)
{
	struct loc from = written_at(p, prev, t), to = written_at(p, t, prev);
	struct source *src = source_by_id(p->env->sources, to.source);
	unsigned line, prev_line, column;

	if (!src || from.source != to.source)
		return false;
	source_position(src, from.off, &prev_line, &column);
	source_position(src, to.off, &line, &column);
	return line > prev_line;
}
