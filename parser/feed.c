// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tokens as the grammar wants them: keywords, @operators, pasted strings, and, in the header of a probe,
 * names glued from words and stars (sys*open), where keywords are names (kernel.function).  Reports what the
 * lexer found wrong with a token, since only here it is known that the token is used.
 */
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "parser/grammar.h"
#include "parser/habit.h"
#include "parser/stages.h"

struct word {
	const char *name;
	int kind;
	const char *since; /* unknown to scripts for older versions; NULL = always there */
};

static const struct word keywords[] = {
	{"probe", TK_PROBE, NULL},       {"global", TK_GLOBAL, NULL},   {"private", TK_PRIVATE, "3.0"},
	{"function", TK_FUNCTION, NULL}, {"if", TK_IF, NULL},           {"else", TK_ELSE, NULL},
	{"for", TK_FOR, NULL},           {"foreach", TK_FOREACH, NULL}, {"in", TK_IN, NULL},
	{"limit", TK_LIMIT, NULL},       {"return", TK_RETURN, NULL},   {"delete", TK_DELETE, NULL},
	{"while", TK_WHILE, NULL},       {"break", TK_BREAK, NULL},     {"continue", TK_CONTINUE, NULL},
	{"next", TK_NEXT, NULL},         {"try", TK_TRY, NULL},         {"catch", TK_CATCH, NULL},
};

static const struct word at_words[] = {
	{"@count", TK_STAT, NULL},
	{"@sum", TK_STAT, NULL},
	{"@min", TK_STAT, NULL},
	{"@max", TK_STAT, NULL},
	{"@avg", TK_STAT, NULL},
	{"@variance", TK_STAT, "3.1"},
	{"@p50", TK_STAT, NULL},
	{"@p90", TK_STAT, NULL},
	{"@p99", TK_STAT, NULL},
	{"@quantile", TK_STAT, NULL},
	{"@hist_log", TK_HIST, NULL},
	{"@hist_linear", TK_HIST, NULL},
	{"@cast", TK_AT_OPERATOR, NULL},
	{"@defined", TK_AT_OPERATOR, NULL},
	{"@entry", TK_AT_OPERATOR, NULL},
	{"@perf", TK_AT_OPERATOR, NULL},
	{"@var", TK_AT_OPERATOR, NULL},
	{"@probewrite", TK_AT_OPERATOR, NULL},
	{"@const", TK_AT_OPERATOR, "3.1"},
	{"@kregister", TK_AT_OPERATOR, "4.0"},
	{"@uregister", TK_AT_OPERATOR, "4.0"},
	{"@kderef", TK_AT_OPERATOR, "4.0"},
	{"@uderef", TK_AT_OPERATOR, "4.0"},
	{"@enum", TK_AT_OPERATOR, "5.5"},
	{"@enumname", TK_AT_OPERATOR, "5.6"},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

bool feed_compatible(const struct parse_env *env, const char *version)
{
	return !env->compatible || strverscmp(env->compatible, version) >= 0;
}

/* NULL when it is none, or not yet in the version asked for; the tapset may use all. */
static const struct word *find_word(const struct parse_env *env, const struct word *words, size_t n,
				    const struct token *t)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i].name, t->text) != 0)
			continue;
		if (!words[i].since || feed_compatible(env, words[i].since))
			return &words[i];

		const struct source *src = source_by_id(env->sources, t->loc.source);

		return src && src->is_tapset ? &words[i] : NULL;
	}
	return NULL;
}

bool feed_is_at_word(const char *name)
{
	for (size_t i = 0; i < COUNT(at_words); i++)
		if (!strcmp(at_words[i].name, name))
			return true;
	return false;
}

bool feed_is_keyword(const char *name)
{
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (!strcmp(keywords[i].name, name))
			return true;
	return false;
}

bool feed_is_declaration(int kind)
{
	return kind == TK_PROBE || kind == TK_FUNCTION || kind == TK_GLOBAL || kind == TK_PRIVATE;
}

void feed_nearest_declaration(struct nearest *near)
{
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (feed_is_declaration(keywords[i].kind))
			nearest_add(near, keywords[i].name);
}

int feed_declaration_kind(const char *name)
{
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (feed_is_declaration(keywords[i].kind) && !strcmp(keywords[i].name, name))
			return keywords[i].kind;
	return 0;
}

void feed_init(struct feed *f, struct parse_env *env, struct preproc *pp, struct macros *macros)
{
	*f = (struct feed){.env = env, .pp = pp, .macros = macros};
	f->look = preproc_next(pp);
}

/* ---- reporting what is wrong with a token ---- */

/* 'text', `text` or a text in typographic quotes. */
static void report_quotes(struct parse_env *env, const struct token *t)
{
	const struct source *src = source_by_id(env->sources, t->loc.source);
	char c = src->text[t->loc.off];
	struct sb text = {0};
	struct diag *d;

	sb_put_c_string(&text, t->text, intern_len(t->text));
	if (c == '`') {
		d = diag_report(env->diags, t->loc, E_BAD_CHARACTER, "back quotes mean nothing here");
		diag_hint(env->diags, d, "there is no way to run a command here; see the function system()");
	} else if (c == '\'') {
		d = diag_report(env->diags, t->loc, E_BAD_CHARACTER, "single quotes mean nothing here");
		diag_hint(env->diags, d, "strings are written with double quotes: %s", text.n <= 40 ? text.s : "\"text\"");
	} else {
		d = diag_report(env->diags, t->loc, E_BAD_CHARACTER, "typographic quotes mean nothing here");
		diag_hint(env->diags, d, "strings are written with the plain quote: %s", text.n <= 40 ? text.s : "\"text\"");
	}
	sb_free(&text);
}

static bool is_invisible(const char *s)
{
	static const char *const begins[] = {"\302\240", "\302\255", "\357\273\277"};
	unsigned char last = strlen(s) > 2 ? (unsigned char)s[2] : 0;

	if (!strncmp(s, "\342\200", 2)) /* blanks and marks; then line separators and a narrow blank */
		return (last >= 0x80 && last <= 0x8f) || (last >= 0xa8 && last <= 0xaf);
	if (!strncmp(s, "\342\201", 2))
		return last >= 0x9f && last <= 0xaf;
	for (size_t i = 0; i < COUNT(begins); i++)
		if (!strncmp(s, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static void report_character(struct parse_env *env, const struct token *t)
{
	const char *s = t->text;
	unsigned char c = (unsigned char)s[0];
	struct diag *d;

	if (t->kind == TK_STRING) {
		report_quotes(env, t);
		return;
	}
	if (intern_len(s) == 1 && (c < ' ' || c >= 0x7f))
		d = diag_report(env->diags, t->loc, E_BAD_CHARACTER, "a byte 0x%02x is not allowed here", c);
	else
		d = diag_report(env->diags, t->loc, E_BAD_CHARACTER, "\"%s\" is not allowed here", s);
	if (c == '\'')
		diag_hint(env->diags, d, "strings are written with double quotes: \"text\"");
	else if (strstr(s, "\342\200\234") || strstr(s, "\342\200\235"))
		diag_hint(env->diags, d, "these are typographic quotes; use the plain \"");
	else if ((!strncmp(s, "\342\200", 2) && (unsigned char)s[2] >= 0x90 && (unsigned char)s[2] <= 0x95) ||
		 !strcmp(s, "\342\210\222"))
		diag_hint(env->diags, d, "this is a typographic dash; use the plain -");
	else if (is_invisible(s))
		diag_hint(env->diags, d, "this is a special character that looks like a blank or cannot be seen; delete it");
	else if (c == '\\')
		diag_hint(env->diags, d, "nothing is needed to go on with a statement on the next line");
	else if (c == '`')
		diag_hint(env->diags, d, "there is no way to run a command here; see the function system()");
	else if (c == '@')
		diag_hint(env->diags, d, "an @ is followed at once by the name of an operator or a macro");
}

static void report_argument(struct parse_env *env, const struct token *t)
{
	const struct source *src = source_by_id(env->sources, t->loc.source);
	int len = (int)t->loc.len;
	const char *text = src->text + t->loc.off;
	struct diag *d;

	if (t->error == E_NESTED_ARGUMENT) {
		diag_report(env->diags, t->loc, E_NESTED_ARGUMENT,
			    "an argument of the script refers to an argument: %.*s", len, text);
		return;
	}
	if (strspn(text + 1, "0") == (size_t)len - 1) {
		diag_report(env->diags, t->loc, E_ARGUMENT_RANGE, "there is no argument %.*s: they are counted from 1", len, text);
		return;
	}
	if (env->call) { /* of an example: its text is not what the user wrote */
		diag_report(env->diags, (struct loc){0}, E_ARGUMENT_RANGE, "an argument is missing. %s", env->call);
		return;
	}
	if (!env->nargs)
		d = diag_report(env->diags, t->loc, E_ARGUMENT_RANGE,
				"the script needs an argument for %.*s, and none was given", len, text);
	else
		d = diag_report(env->diags, t->loc, E_ARGUMENT_RANGE,
				"there is no argument %.*s: %u %s given", len, text, env->nargs,
				env->nargs == 1 ? "was" : "were");
	if (env->call_shown)
		return;
	env->call_shown = true;
	diag_hint(env->diags, d, "arguments are given after the script: spile script.stp ARGUMENT...");
}

/* "#include <x.h>", "#define NAME 5". */
static void report_c_line(struct parse_env *env, const struct token *t)
{
	bool defines = t->text[1] == 'd';
	const char *word = defines ? "#define" : "#include", *name = t->text + strlen(word);
	struct loc loc = t->loc;
	struct diag *d;

	name += strspn(name, " \t");
	loc.len = (uint16_t)strlen(word);
	d = diag_report(env->diags, loc, W_C_LINE, "\"%s\" begins a comment here", word);
	if (defines)
		diag_hint(env->diags, d, "a constant is made by @define %.*s %%( ... %%), and used as @%.*s", (int)strcspn(name, " \t("), name,
			  (int)strcspn(name, " \t("), name);
	else
		diag_hint(env->diags, d, "it belongs into C code: a line %%{, this line, and a line %%}, with the option -g; types of the kernel "
			  "are known without it: @cast(p, \"task_struct\")->pid");
}

void feed_report(struct parse_env *env, const struct token *t)
{
	struct diag *d;

	switch (t->error) {
	case E_BAD_CHARACTER:
		report_character(env, t);
		break;
	case E_NESTED_ARGUMENT:
	case E_ARGUMENT_RANGE:
		report_argument(env, t);
		break;
	case E_UNCLOSED_STRING:
		d = diag_report(env->diags, t->loc, E_UNCLOSED_STRING,
				"the string has no closing quote on its line");
		diag_hint(env->diags, d,
			  "write \\n for a line break; strings that follow each other are joined");
		break;
	case E_UNCLOSED_EMBEDDED:
		diag_report(env->diags, (struct loc){t->loc.source, 2, t->loc.off, t->loc.expansion},
			    E_UNCLOSED_EMBEDDED, "there is no \"%%}\" for this \"%%{\"");
		break;
	case W_EMBEDDED_CLOSE:
		diag_report(
			env->diags, (struct loc){t->loc.source, 2, t->loc.off, t->loc.expansion},
			W_EMBEDDED_CLOSE,
			"the embedded code that begins here contains \"}%%\"; its end is written \"%%}\"");
		break;
	case W_UNCLOSED_COMMENT:
		diag_report(env->diags, (struct loc){t->loc.source, 2, t->loc.off, t->loc.expansion},
			    W_UNCLOSED_COMMENT,
			    "the comment that begins here has no end: the rest of the text is ignored");
		break;
	case W_C_LINE:
		report_c_line(env, t);
		break;
	case E_TOO_BIG:
		diag_report(env->diags, t->loc, E_TOO_BIG, "the argument %s is too big", t->text);
		break;
	}
}

/* Hints for names that scripts use as macros, but that are not defined here. */
static const struct {
	const char *name, *hint;
} macro_hints[] = {
	{"@define", "a macro is defined as: @define NAME %( ... %)"},
};

static const char *macro_hint(const char *name)
{
	for (size_t i = 0; i < COUNT(macro_hints); i++)
		if (!strcmp(macro_hints[i].name, name))
			return macro_hints[i].hint;
	return NULL;
}

/* "@reads[x]++", "@ = count()": a map of bpftrace or an aggregation of DTrace. */
static bool is_used_as_variable(const struct feed *f)
{
	int next = f->look.kind;

	return next == '[' || next == '=' || next == TK_INC || next == TK_DEC || next == TK_ADD_SET || next == TK_SUB_SET ||
	       next == TK_STAT_ADD || f->prev == TK_INC || f->prev == TK_DEC;
}

/* Is it where a value may be, and nothing follows that operators with @ have? */
static bool is_value(const struct feed *f)
{
	int prev = f->prev, next = f->look.kind;

	return prev != TK_IDENT && prev != TK_NUMBER && prev != TK_STRING && prev != ')' && prev != ']' && next != '(' && next != TK_IDENT;
}

static void report_unknown_at(struct feed *f, const struct token *t)
{
	struct diag *d = diag_report(f->env->diags, t->loc, E_UNKNOWN_OPERATOR,
				     "there is no operator or macro %s", t->text);
	struct nearest near;

	if (f->env->diags->errors > 100) /* more would not be read */
		return;
	nearest_init(&near, t->text);
	for (size_t i = 0; i < COUNT(at_words); i++)
		nearest_add(&near, at_words[i].name);
	macro_nearest(f->macros, &near);

	const char *names = nearest_text(&near, f->env->arena);

	if (macro_comes_later(f->macros, t->text))
		diag_hint(f->env->diags, d, "it is defined further down; a macro must be defined before its uses");
	else if (is_used_as_variable(f))
		habit_hint(f->env->diags, d, HABIT_SIGN, "@x");
	else if (f->look.kind == '(' && habit_hint(f->env->diags, d, HABIT_CALL, t->text + 1))
		return;
	else if (names)
		diag_hint(f->env->diags, d, "did you mean %s?", names);
	else if (macro_hint(t->text))
		diag_hint(f->env->diags, d, "%s", macro_hint(t->text));
	else if (is_value(f))
		habit_hint(f->env->diags, d, HABIT_SIGN, "@x");
}

/* "@[comm] = count()": reported, and true; the rest is parsed as if it had a name. */
static bool is_nameless(struct feed *f, struct token *t)
{
	struct diag *d;

	if (t->error != E_BAD_CHARACTER || strcmp(t->text, "@") != 0 || !is_used_as_variable(f))
		return false;
	d = diag_report(f->env->diags, t->loc, E_BAD_CHARACTER, "an array needs a name, which has no \"@\"");
	habit_hint(f->env->diags, d, HABIT_SIGN, "@");
	t->kind = TK_IDENT;
	return true;
}

/* ---- tokens ---- */

/* The next token that is more than an error; moves on. */
static struct token take(struct feed *f)
{
	for (;;) {
		struct token t = f->look;

		if (t.kind)
			f->look = preproc_next(f->pp);
		if (is_nameless(f, &t))
			return t;
		if (t.error)
			feed_report(f->env, &t);
		f->unclosed_string |= t.error == E_UNCLOSED_STRING;
		if (t.kind != TK_JUNK)
			return t;
	}
}

static struct token paste_strings(struct feed *f, struct token t)
{
	struct sb b = {0};

	if (f->look.kind != TK_STRING)
		return t;
	sb_putn(&b, t.text, intern_len(t.text));
	while (f->look.kind == TK_STRING) {
		struct token more = take(f);

		sb_putn(&b, more.text, intern_len(more.text));
		t.loc = loc_span(t.loc, more.loc);
	}
	t.text = intern_n(b.s ? b.s : "", b.n);
	sb_free(&b);
	return t;
}

/* Is a name or a brace of a probe point expected? */
static bool at_component(const struct feed *f)
{
	return f->header && !f->parens &&
	       (f->prev == TK_PROBE || f->prev == ',' || f->prev == '.' || f->prev == '{' || f->prev == '=' ||
		f->prev == TK_ADD_SET || f->prev == TK_WHOLE_POINT);
}

static bool is_word_part(const struct token *t)
{
	return t->kind == TK_IDENT || t->kind == '*' || t->kind == TK_NUMBER;
}

static struct token glue_word(struct feed *f, struct token t)
{
	struct sb b = {0};

	sb_puts(&b, t.kind == '*' ? "*" : t.text);
	while (f->look.glued && is_word_part(&f->look)) {
		struct token more = take(f);

		sb_puts(&b, more.kind == '*' ? "*" : more.text);
		t.loc = loc_span(t.loc, more.loc);
	}
	t.kind = TK_WORD;
	t.text = intern_n(b.s, b.n);
	sb_free(&b);
	return t;
}

/* Cuts the "$" or "$$" of pretty printing from the end of a name; it comes next. */
static struct token cut_pretty(struct feed *f, struct token t)
{
	size_t len = intern_len(t.text), n = 0;

	while (n < len && t.text[len - 1 - n] == '$')
		n++;
	if (!n)
		return t;
	if (n > 2) {
		diag_report(f->env->diags, t.loc, E_BAD_CHARACTER, "at most two \"$\" can follow a name");
		n = n == len ? len : 2;
	}
	if (n == len) {
		t.kind = TK_PRETTY;
		return t;
	}
	f->split = t;
	f->split.kind = TK_PRETTY;
	f->split.text = n == 1 ? intern("$") : intern("$$");
	if (t.loc.len == len) {
		f->split.loc.off += (uint32_t)(len - n);
		f->split.loc.len = (uint16_t)n;
		t.loc.len = (uint16_t)(len - n);
	}
	t.text = intern_n(t.text, len - n);
	return t;
}

static struct token name_token(struct feed *f, struct token t)
{
	const struct word *w = f->prev == TK_ARROW ? NULL : find_word(f->env, keywords, COUNT(keywords), &t);

	if (!w)
		return cut_pretty(f, t);
	t.kind = w->kind;
	if (w->kind == TK_RETURN && (f->look.kind == ';' || f->look.kind == '}' || !f->look.kind))
		t.kind = TK_RETURN_NOTHING;
	return t;
}

static struct token at_token(struct feed *f, struct token t)
{
	const struct word *w = find_word(f->env, at_words, COUNT(at_words), &t);

	if (!w)
		report_unknown_at(f, &t);
	t.kind = w ? w->kind : TK_IDENT;
	return t;
}

/* Follows where the header of a probe begins and ends. */
static void follow_header(struct feed *f, int kind, struct loc loc)
{
	bool component = at_component(f);

	if (feed_is_declaration(kind)) {
		f->header = kind == TK_PROBE;
		f->parens = f->braces = 0;
		f->comma_brace = (struct loc){0};
	}
	if (!f->header)
		return;
	if (kind == '(')
		f->parens++;
	else if (kind == ')' && f->parens)
		f->parens--;
	else if (kind == '{' && !f->parens && component) {
		f->braces++;
		if (f->prev == ',' || f->prev == TK_PROBE)
			f->comma_brace = loc;
	}
	else if (kind == '{' && !f->parens)
		f->header = false;
	else if (kind == '}' && f->braces)
		f->braces--;
}

static struct token give(struct feed *f, struct token t)
{
	follow_header(f, t.kind, t.loc);
	f->prev = t.kind;
	return t;
}

struct token feed_next(struct feed *f)
{
	struct token t;

	if (f->split.kind) {
		t = f->split;
		f->split.kind = 0;
		return give(f, t);
	}
	t = take(f);
	if (at_component(f) && (t.kind == TK_IDENT || t.kind == '*'))
		t = glue_word(f, t);
	else if (t.kind == TK_IDENT)
		t = name_token(f, t);
	else if (t.kind == TK_TARGET)
		t = cut_pretty(f, t);
	else if (t.kind == TK_AT)
		t = at_token(f, t);
	else if (t.kind == TK_STRING)
		t = paste_strings(f, t);
	return give(f, t);
}

void feed_correct(struct feed *f, int kind)
{
	follow_header(f, kind, (struct loc){0});
	f->prev = kind;
	if (kind == TK_WHOLE_POINT || kind == TK_WORD)
		f->header = true;
	else if (kind == TK_IDENT)
		f->header = false;
}
