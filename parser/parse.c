// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drives the push parser: looks at each token before the grammar does, words the messages, and goes on after
 * errors: a forgotten bracket is put in, a broken statement is skipped to its end, a broken declaration to
 * the next one.
 */
#include <string.h>

#include "parser/complain.h"
#include "parser/grammar.h"

/* Tokens after a reported error for which nothing more is reported: it would follow from that error. */
#define QUIET 3

struct drive {
	struct parser *p;
	grammar_pstate *ps;
	struct token tok, prev;
	int start; /* TK_WHOLE_FILE or TK_WHOLE_POINT */
	unsigned quiet;
	bool skipping; /* to the next declaration */
	int parens;    /* open in the broken statement that is being skipped */
	bool in_for;   /* the outermost of these is that of a "for", in which a ";" ends nothing */
	struct token switch_word; /* "switch (", which may be the name of a function */
	bool lone_try;   /* a "try" without brace was reported */
	unsigned put_in; /* "}" put in before a declaration, whose own may still come */
};

static void restart(struct drive *d)
{
	struct token first = {.kind = d->start};

	grammar_pstate_delete(d->ps);
	d->ps = grammar_pstate_new();
	d->p->open.n = 0;
	d->quiet = 0;
	grammar_push_parse(d->ps, first.kind, &(GRAMMAR_STYPE){.token = first}, d->p);
}

static bool is_opening(int kind)
{
	return kind == '(' || kind == '[' || kind == '{';
}

static int closing(int kind)
{
	return kind == '(' ? ')' : kind == '[' ? ']' : '}';
}

/* The "(" of a "for" gets that word as its text; brackets have no text otherwise. */
static void follow_brackets(struct parser *p, const struct token *prev, const struct token *t)
{
	struct token open = *t;
	const struct token *top = p->open.n ? &p->open.v[p->open.n - 1] : NULL;

	if (t->kind == '(' && prev->kind == TK_FOR)
		open.text = prev->text;
	if (is_opening(t->kind))
		vec_push(p->arena, &p->open, open);
	else if (top && closing(top->kind) == t->kind) {
		if (t->kind == '}' && !p->odd_close.kind &&
		    complain_is_odd(p, p->open.n == 1 && p->declaration.kind ? &p->declaration : top, t)) {
			p->odd_open = *top;
			p->odd_close = *t;
		}
		p->open.n--;
	}
}

/* Gives a token to the grammar; false when it gave up on the declaration (2: its stack is full). */
static bool push(struct drive *d, struct token t)
{
	int status = grammar_push_parse(d->ps, t.kind, &(GRAMMAR_STYPE){.token = t}, d->p);

	if (status == YYPUSH_MORE || !status) {
		follow_brackets(d->p, &d->prev, &t);
		d->quiet -= d->quiet > 0;
		return true;
	}
	if (status == 2)
		complain_too_deep(d->p, &t);
	return false;
}

static bool reported(const struct drive *d)
{
	return d->quiet || grammar_error_status(d->ps);
}

/* Words after which a statement cannot go on, so that a bracket must have been forgotten before them. */
static bool ends_everything(const struct drive *d)
{
	switch (d->tok.kind) {
	case 0:
	case ';':
	case '{':
	case '}':
	case TK_IF:
	case TK_FOR:
	case TK_FOREACH:
	case TK_WHILE:
	case TK_RETURN:
	case TK_RETURN_NOTHING:
	case TK_DELETE:
	case TK_BREAK:
	case TK_CONTINUE:
	case TK_NEXT:
	case TK_TRY:
	case TK_CATCH:
	case TK_ELSE:
		return true;
	}
	return feed_is_declaration(d->tok.kind) || complain_on_new_line(d->p, &d->prev, &d->tok);
}

/* Puts in the closing brackets that must come before the token; false when that does not help. */
static bool insert_brackets(struct drive *d)
{
	enum { MOST = 16 };
	struct parser *p = d->p;
	int kinds[MOST + 1];
	unsigned n = 0;

	if (!ends_everything(d))
		return false;
	while (n < MOST && n < p->open.n) {
		kinds[n] = closing(p->open.v[p->open.n - 1 - n].kind);
		kinds[++n] = d->tok.kind;
		if (grammar_accepts(d->ps, kinds, n + 1))
			break;
		if (n == MOST || n == p->open.n)
			return false;
	}
	if (!n)
		return false;
	if (!reported(d))
		complain_unclosed(p, &p->open.v[p->open.n - 1], &d->prev, &d->tok);
	d->quiet = QUIET;
	p->mending = true;
	for (unsigned i = 0; i < n; i++) {
		struct token t = {.kind = kinds[i], .loc = d->tok.loc};

		d->put_in += t.kind == '}' && feed_is_declaration(d->tok.kind);
		push(d, t);
	}
	p->mending = false;
	return true;
}

/* Passes over "{ ... }" within what is skipped anyway; tok is then what comes instead. */
static void skip_group(struct drive *d)
{
	unsigned depth = 1;

	while (depth) {
		d->tok = feed_next(&d->p->feed);
		if (!d->tok.kind || feed_is_declaration(d->tok.kind))
			return;
		depth += d->tok.kind == '{';
		depth -= d->tok.kind == '}';
	}
	d->tok.kind = ';';
}

/* The grammar looks for the end of a statement; brackets opened in it are only counted from here on. */
static void enter_recovery(struct drive *d)
{
	struct parser *p = d->p;

	d->parens = 0;
	d->in_for = false;
	while (p->open.n && p->open.v[p->open.n - 1].kind != '{') {
		d->in_for = p->open.v[--p->open.n].text;
		d->parens++;
	}
}

/* One token of a broken statement.  True when it, or a ";" that was put in, ended the statement and is to be
 * pushed. */
static bool recover(struct drive *d)
{
	static const struct token semicolon = {.kind = ';'};
	int kind;

	if (d->tok.kind == '{')
		skip_group(d);
	kind = d->tok.kind;
	if (feed_is_declaration(kind)) {
		restart(d);
		return true;
	}
	if (d->parens <= 0 && complain_on_new_line(d->p, &d->prev, &d->tok) && kind != ';' && kind != '}') {
		push(d, semicolon);
		d->quiet = 0;
		return true;
	}
	d->parens += (kind == '(' || kind == '[') - (kind == ')' || kind == ']');
	if (kind == ';' && d->in_for && d->parens > 0)
		return false;
	if (kind == ';' || kind == '}' || !kind) {
		d->quiet = 0;
		return true;
	}
	return false;
}

/* "global = 1": a declaration keyword before something that cannot follow it: it is meant as a name, and parsed as one. */
static bool is_meant_as_name(struct drive *d)
{
	int next = d->p->feed.look.kind;
	bool names_follow = (d->prev.kind == TK_GLOBAL || d->prev.kind == TK_FUNCTION) &&
			    !complain_on_new_line(d->p, &d->prev, &d->tok);

	if (!feed_is_declaration(d->tok.kind))
		return false;
	if (!names_follow && (!d->p->open.n || next == TK_IDENT || next == '*' || next == '{' || !next))
		return false;
	if (!reported(d))
		complain(d->p, d->ps, &d->prev, &d->tok);
	d->quiet = QUIET;
	d->tok.kind = TK_IDENT;
	feed_correct(&d->p->feed, TK_IDENT);
	return grammar_accepts(d->ps, &d->tok.kind, 1);
}

/* "probe kernel function(...)": the dot is put in. */
static bool insert_dot(struct drive *d)
{
	static const int dot[] = {'.', TK_WORD};
	struct token t = {.kind = '.', .loc = d->tok.loc};

	if (d->tok.kind != TK_FUNCTION || d->prev.kind != TK_WORD || d->p->feed.look.kind != '(' ||
	    !grammar_accepts(d->ps, dot, 2) || reported(d))
		return false;
	complain(d->p, d->ps, &d->prev, &d->tok);
	d->quiet = QUIET;
	push(d, t);
	d->tok.kind = TK_WORD;
	feed_correct(&d->p->feed, TK_WORD);
	return true;
}

/* After a declaration within another one, for which a "}" was put in: the rest of the outer one. */
static bool is_left_over(const struct drive *d)
{
	static const int declaration = TK_PRIVATE;

	return d->put_in && d->tok.kind && d->tok.kind != '}' && !feed_is_declaration(d->tok.kind) &&
	       grammar_accepts(d->ps, &declaration, 1);
}

/* Is the word a function that the script has declared? */
static bool is_own_function(const struct drive *d)
{
	for (unsigned i = 0; d->p->file && i < FILE_DECLARATIONS(d->p->file); i++) {
		const struct node *n = FILE_DECLARATION(d->p->file, i);

		if (n->kind == N_FUNCTION && n->name == d->tok.text)
			return true;
	}
	return false;
}

/* "elif (": two words. */
static void split_elif(struct drive *d)
{
	static const char *const words[] = {"elif", "elsif", "elseif"};
	static const int otherwise = TK_ELSE;
	struct token t = {.kind = TK_ELSE, .loc = d->tok.loc};

	if (d->tok.kind != TK_IDENT || d->p->feed.look.kind != '(')
		return;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(d->tok.text, words[i]) && grammar_accepts(d->ps, &otherwise, 1) && !is_own_function(d)) {
			complain_word(d->p, &d->tok, "write: else if (...)");
			push(d, t);
			d->tok.kind = TK_IF;
			feed_correct(&d->p->feed, TK_IF);
		}
}

/* The ":" after "case" or "default" shows that "switch (x) {" is no call. */
static bool is_of_switch(struct drive *d)
{
	if (d->tok.kind != ':' || !d->switch_word.kind)
		return false;
	if (!reported(d) && !d->p->reported_switch)
		complain_word(d->p, &d->switch_word, "write: if (x == 1) { ... } else if (x == 2) { ... } else { ... }");
	d->p->reported_switch = true;
	return true;
}

/* Each declaration begins anew. */
static void begin_declaration(struct drive *d)
{
	d->p->declaration = d->tok;
	d->p->odd_close.kind = 0;
	d->p->reported_switch = false;
	d->p->feed.unclosed_string = false;
	d->switch_word.kind = 0;
}

/* The grammar does not accept the token here.  True when this was mended and the token can now be pushed. */
static bool repair(struct drive *d)
{
	struct parser *p = d->p;
	bool declaration;

	if (is_meant_as_name(d) || insert_dot(d))
		return true;
	if (is_left_over(d)) {
		d->put_in--;
		d->skipping = true;
		return false;
	}
	if (!reported(d) && complain_c_declaration(p, d->ps, &d->prev, &d->tok))
		return false;
	if (!reported(d) && complain_nested(p, &d->tok)) {
		d->quiet = QUIET;
		if (push(d, d->tok))
			enter_recovery(d);
		return false;
	}
	if (insert_brackets(d))
		return true;
	if (d->tok.kind == '}' && d->put_in && complain_is_extra(p, &d->tok)) {
		d->put_in--;
		return false;
	}
	declaration = feed_is_declaration(d->tok.kind);
	if (is_of_switch(d))
		d->quiet = QUIET;
	if (d->tok.kind == TK_CATCH && d->lone_try) {
		d->lone_try = false; /* "try x; catch": the missing brace was reported */
		d->quiet = QUIET;
	}
	if (!reported(d)) {
		int kind = complain(p, d->ps, &d->prev, &d->tok);

		if (kind) { /* a misspelt keyword, taken for what is meant */
			d->tok.kind = kind;
			feed_correct(&p->feed, kind);
			d->quiet = QUIET;
			return true;
		}
	}
	d->lone_try |= d->prev.kind == TK_TRY;
	d->quiet = QUIET;
	if (declaration) {
		restart(d);
		return true;
	}
	if (complain_is_extra(p, &d->tok))
		return false;
	if (!push(d, d->tok)) {
		restart(d);
		d->skipping = true;
		return false;
	}
	enter_recovery(d);
	return d->tok.kind == '{' && grammar_error_status(d->ps) == 3 && recover(d);
}

/* One token; false at the end. */
static bool step(struct drive *d)
{
	unsigned errors = d->p->env->diags->errors;

	d->prev = d->tok;
	d->tok = feed_next(&d->p->feed);
	if (errors != d->p->env->diags->errors)
		d->quiet = QUIET; /* the token itself was wrong */
	if (d->skipping && !feed_is_declaration(d->tok.kind))
		return d->tok.kind != 0;
	d->skipping = false;
	if (grammar_error_status(d->ps) == 3 && !recover(d))
		return true;
	if (d->tok.kind == TK_IDENT && !strcmp(d->tok.text, "switch") && d->p->feed.look.kind == '(')
		d->switch_word = d->tok;
	split_elif(d);
	if (!grammar_accepts(d->ps, &d->tok.kind, 1)) {
		if (!repair(d))
			return d->tok.kind != 0;
	} else {
		complain_line_break(d->p, &d->prev, &d->tok);
	}
	if (!push(d, d->tok)) {
		restart(d);
		d->skipping = true;
	}
	if (feed_is_declaration(d->tok.kind))
		begin_declaration(d);
	if (feed_is_declaration(d->tok.kind) && errors == d->p->env->diags->errors) {
		d->quiet = 0; /* a fresh start */
		grammar_forget_error(d->ps);
	}
	return d->tok.kind != 0;
}

static void run(struct parser *p, struct parse_env *env, struct source *src, int start)
{
	struct tokens tokens = {0};
	struct macros macros;
	struct preproc pp;
	struct drive d = {.p = p, .start = start};
	unsigned errors = env->diags->errors;

	lex_source(env, src, &tokens);
	macro_init(&macros, env, &tokens);
	preproc_init(&pp, env, &macros);
	feed_init(&p->feed, env, &pp, &macros);
	if (start == TK_WHOLE_POINT)
		feed_correct(&p->feed, start);
	restart(&d);
	if (errors != env->diags->errors)
		d.quiet = QUIET; /* the first token was wrong */
	while (step(&d))
		;
	grammar_pstate_delete(d.ps);
}

static struct parser new_parser(struct parse_env *env, struct source *src)
{
	struct parser p = {.env = env, .arena = env->arena};

	p.file = ast_new(env->arena, N_FILE, (struct loc){(uint16_t)src->id, 1, 0, 0}, 0);
	return p;
}

struct node *parse_source(struct parse_env *env, struct source *src)
{
	struct parser p = new_parser(env, src);
	unsigned errors = env->diags->errors;

	run(&p, env, src, TK_WHOLE_FILE);
	if (!FILE_DECLARATIONS(p.file) && !src->is_tapset && errors == env->diags->errors)
		diag_report(env->diags, p.file->loc, E_EMPTY_SCRIPT, "there is nothing in the script%s",
			    src->len ? " but what is ignored" : "");
	return p.file;
}

struct node *parse_point(struct parse_env *env, struct source *src)
{
	struct parser p = new_parser(env, src);
	unsigned errors = env->diags->errors;

	run(&p, env, src, TK_WHOLE_POINT);
	return errors == env->diags->errors ? p.point : NULL;
}

void parse_macros(struct parse_env *env, struct source *src)
{
	struct tokens tokens = {0};
	struct macros macros;
	struct preproc pp;
	struct token t;

	lex_source(env, src, &tokens);
	macro_init(&macros, env, &tokens);
	macros.library = true;
	preproc_init(&pp, env, &macros);
	t = preproc_next(&pp);
	if (t.error)
		feed_report(env, &t);
	else if (t.kind)
		diag_report(env->diags, t.loc, E_MACRO_FILE, "a macro library holds nothing but \"@define\"");
}
