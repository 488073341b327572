/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the files that are needed.  A file is needed when it defines something whose name is among the words of the script or of a
 * needed file; an alias counts when all parts of its name are.  Definitions are found outside of all braces, without parsing.  A
 * file whose braces do not match is always needed.
 */
#include "translator/resolve/select.h"

#include <string.h>

#include "base/intern.h"
#include "base/str.h"

enum { MAX_PARTS = 16 };

struct definition {
	const char *const *names; /* all must be asked for; only an alias has several */
	unsigned file, n;
	unsigned stars; /* bit i: the part after so many names is a star */
	bool is_function, is_alias;
};

struct file {
	const struct source *src;
	bool needed;
};

struct select {
	struct arena *arena;
	VEC(struct file) files;
	VEC(struct definition) definitions;
	VEC(const char *) others, other_aliases;
	bool has_other_aliases;
	struct map words;          /* that are asked for */
	VEC(const char *) globs;   /* parts of probe points with wildcards */
};

struct select *select_new(struct arena *a)
{
	struct select *x = arena_new(a, struct select);

	x->arena = a;
	return x;
}

/* ---- scanning ---- */

struct scan {
	const char *begin, *p, *end;
	unsigned depth; /* of braces */
};

/* A run looks at each character of the tapset, so what a character can be is a table. */
enum { HIDES = 1 /* begins a text, see text_end() */, BRACE = 2, SPACE = 4, LETTER = 8, DIGIT = 16 };

static const unsigned char kinds[256] = {
	['"'] = HIDES, ['#'] = HIDES, ['/'] = HIDES, ['%'] = HIDES, ['{'] = BRACE, ['}'] = BRACE,
	[' '] = SPACE, ['\t' ... '\r'] = SPACE, ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER, ['0' ... '9'] = DIGIT,
};

static bool is_one_of(char c, unsigned kind)
{
	return kinds[(unsigned char)c] & kind;
}

static bool is_word(char c)
{
	return is_one_of(c, LETTER | DIGIT);
}

static const char *after(const char *p, const char *end, const char *what)
{
	size_t n = strlen(what);
	const char *at = memmem(p, (size_t)(end - p), what, n);

	return at ? at + n : end;
}

static const char *line_end(const char *p, const char *end)
{
	const char *at = memchr(p, '\n', (size_t)(end - p));

	return at ? at : end;
}

static const char *string_end(const char *p, const char *end)
{
	while (p < end && *p != '"' && *p != '\n')
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p < end ? p + 1 : end;
}

/* The end of the comment, string or C code that begins here, or p.  before: the character before p, or 0. */
static const char *text_end(const char *p, const char *end, char before)
{
	if (*p == '"')
		return string_end(p + 1, end);
	if (*p == '#')
		return before == '$' || before == '@' ? p : line_end(p, end);
	if (p + 1 >= end || (*p != '/' && *p != '%'))
		return p;
	if (p[0] == '/' && p[1] == '/')
		return line_end(p, end);
	if (p[0] == '/' && p[1] == '*')
		return after(p + 2, end, "*/");
	if (p[0] == '%' && p[1] == '{')
		return after(p + 2, end, "%}");
	return p;
}

static bool skip_text(struct scan *s)
{
	if (!is_one_of(*s->p, HIDES))
		return false;

	const char *to = text_end(s->p, s->end, s->p > s->begin ? s->p[-1] : 0);

	if (to == s->p)
		return false;
	s->p = to;
	return true;
}

/* Within braces: looks only for braces and for what may hide them. */
static void skip_plain(struct scan *s)
{
	while (s->depth && s->p < s->end && !is_one_of(*s->p, HIDES | BRACE))
		s->p++;
}

/* The next word outside of braces, or one other character there; 0 at the end. */
static int next(struct scan *s, const char **word, size_t *len)
{
	for (; s->p < s->end; skip_plain(s)) {
		char c = *s->p;
		if (skip_text(s))
			continue;
		if (!s->depth && is_one_of(c, LETTER)) {
			*word = s->p;
			while (s->p < s->end && is_word(*s->p))
				s->p++;
			*len = (size_t)(s->p - *word);
			return 'a';
		}
		s->p++;
		if (c == '{')
			s->depth++;
		else if (c == '}' && s->depth)
			s->depth--;
		else if (!s->depth && !is_one_of(c, SPACE))
			return c;
	}
	return 0;
}

static bool is(const char *word, size_t len, const char *text)
{
	return strlen(text) == len && !memcmp(word, text, len);
}

static bool is_keyword(const char *word, size_t len)
{
	return is(word, len, "probe") || is(word, len, "global") || is(word, len, "function") || is(word, len, "private");
}

/* ---- definitions ---- */

static void add(struct select *x, struct definition d, const char *const *names)
{
	d.file = (unsigned)x->files.n - 1;
	d.names = arena_memdup(x->arena, names, d.n * sizeof *names);
	vec_push(x->arena, &x->definitions, d);
}

static void define(struct select *x, const char *word, size_t len, bool is_function)
{
	add(x, (struct definition){.n = 1, .is_function = is_function}, &(const char *){intern_n(word, len)});
}

/* What is defined here cannot be known without parsing. */
static void unclear(struct select *x)
{
	x->files.v[x->files.n - 1].needed = true;
}

/* What follows a "probe": parts of a name up to "=", several names in turn.  Returns the last that next() gave. */
static int alias(struct select *x, struct scan *s, const char **word, size_t *len)
{
	struct definition d = {.is_alias = true};
	const char *names[MAX_PARTS];
	bool is_name = true, first = true;
	int t, before = 0;

	for (; (t = next(s, word, len)); before = t) {
		if (t == 'a' && before != '.' && is_keyword(*word, *len)) /* kernel.function has no keyword */
			break;
		if (first && (t == '%' || t == '@' || d.n == MAX_PARTS))
			unclear(x);
		if (t == 'a' && d.n < MAX_PARTS) {
			names[d.n++] = intern_n(*word, *len);
		} else if (t == '=') {
			if (is_name && d.n)
				add(x, d, names);
			first = false;
			d.n = d.stars = 0;
			d.is_alias = true;
		} else if (t == '*' && before == '.') {
			d.stars |= 1u << d.n;
		} else if (t == '*') {
			d.is_alias = false; /* its name is not known whole */
		} else if (t != '.' && t != '+') {
			is_name = false; /* points, and what belongs to them */
		}
	}
	return t;
}

static int globals(struct select *x, struct scan *s, const char **word, size_t *len)
{
	int t;

	while ((t = next(s, word, len)) && !(t == 'a' && is_keyword(*word, *len)))
		if (t == 'a')
			define(x, *word, *len, false);
	return t;
}

/* Over the body of a macro: %( .. %). */
static void skip_body(struct scan *s)
{
	unsigned depth = 0;

	while (s->p < s->end) {
		if (skip_text(s))
			continue;
		if (s->p[0] == '%' && s->p + 1 < s->end && (s->p[1] == '(' || s->p[1] == ')')) {
			depth += s->p[1] == '(' ? 1 : -1;
			s->p += 2;
			if (!depth)
				return;
		} else {
			s->p++;
		}
	}
}

/* A function, or a macro and its body; if it is not a word, a macro makes the name. */
static int named(struct select *x, struct scan *s, const char **word, size_t *len, bool is_function)
{
	if (next(s, word, len) == 'a')
		define(x, *word, *len, is_function);
	else
		unclear(x);
	if (!is_function)
		skip_body(s);
	return next(s, word, len);
}

static void definitions(struct select *x, const struct source *src)
{
	struct scan s = {.begin = src->text, .p = src->text, .end = src->text + src->len};
	const char *word = NULL;
	size_t len = 0;
	int t = next(&s, &word, &len), before = 0;

	while (t) {
		int now = t;
		if (t == 'a' && before == '@') {
			if (is(word, len, "define")) {
				t = named(x, &s, &word, &len, false);
			} else {
				unclear(x); /* a macro that may define something */
				t = next(&s, &word, &len);
			}
		} else if (t == 'a' && is(word, len, "probe")) {
			t = alias(x, &s, &word, &len);
		} else if (t == 'a' && (is(word, len, "global") || is(word, len, "private"))) {
			t = globals(x, &s, &word, &len);
		} else if (t == 'a' && is(word, len, "function")) {
			t = named(x, &s, &word, &len, true);
		} else {
			t = next(&s, &word, &len);
		}
		before = now;
	}
	if (s.depth)
		unclear(x);
}

void select_file(struct select *x, const struct source *src)
{
	struct file f = {.src = src};

	vec_push(x->arena, &x->files, f);
	definitions(x, src);
}

/* ---- words ---- */

static bool is_glob_char(char c)
{
	return is_word(c) || c == '*' || c == '?' || c == '[' || c == ']';
}

/* Is the "*" a part of a probe point, and not a product? */
static bool is_lone_part(const char *text, const char *star, const char *end)
{
	const char *p = star;

	if (star + 1 < end && star[1] == '.')
		return true;
	while (p > text && is_one_of(p[-1], SPACE))
		p--;
	return p == text || strchr(".{,", p[-1]) || (p - text >= 5 && !memcmp(p - 5, "probe", 5));
}

/* A part of a probe point with a wildcard: "sys*", "*". */
static void glob(struct select *x, const char *text, const char *p, const char *end)
{
	const char *from = p, *to = p;

	while (from > text && is_glob_char(from[-1]))
		from--;
	while (to < end && is_glob_char(*to))
		to++;
	if (to - from == 1 && !is_lone_part(text, from, end))
		return;
	vec_push(x->arena, &x->globs, arena_strndup(x->arena, from, (size_t)(to - from)));
}

void select_asked(struct select *x, const char *text, size_t len)
{
	const char *end = text + len, *c_end = text; /* of the C code that p is in: it may use what the tapset defines, and hides nothing */

	for (const char *p = text; p < end;) {
		const char *from = p, *to = p >= c_end && is_one_of(*p, HIDES) ? text_end(p, end, p > text ? p[-1] : 0) : p;
		if (*p == '%' && to > p)
			c_end = to;
		else if (to > p) {
			p = to;
			continue;
		}
		if (*p == '*' && p >= c_end)
			glob(x, text, p, end);
		if (!is_word(*p)) {
			p++;
			continue;
		}
		while (p < end && is_word(*p))
			p++;
		const char *word = intern_n(from, (size_t)(p - from));
		map_set(x->arena, &x->words, word, (void *)word);
		if (from > text && from[-1] == '@') { /* an operator that is a function of the tapset */
			word = intern(arena_printf(x->arena, "__at_%s", word));
			map_set(x->arena, &x->words, word, (void *)word);
		}
	}
}

/* ---- what is needed ---- */

static bool is_asked(const struct select *x, const struct definition *d, unsigned i)
{
	if (map_get(&x->words, d->names[i]))
		return true;
	if (d->n == 1 && d->is_function)
		return false;
	for (size_t k = 0; k < x->globs.n; k++)
		if (strstr(x->globs.v[k], "**") || str_glob(x->globs.v[k], d->names[i]))
			return true;
	return false;
}

static const char *alias_text(const struct definition *d)
{
	struct sb b = {0};

	for (unsigned i = 0; i < d->n; i++) {
		if (d->stars & 1u << i)
			sb_puts(&b, i ? ".*" : "*");
		sb_printf(&b, "%s%s", b.n ? "." : "", d->names[i]);
	}
	sb_puts(&b, d->stars & 1u << d->n ? ".*" : "");
	const char *text = intern(b.s);
	sb_free(&b);
	return text;
}

void select_run(struct select *x, bool all)
{
	bool more = !all;

	for (size_t i = 0; i < x->files.n; i++)
		x->files.v[i].needed |= all;
	for (size_t i = 0; i < x->files.n && !all; i++)
		if (x->files.v[i].needed)
			select_asked(x, x->files.v[i].src->text, x->files.v[i].src->len);
	while (more) {
		more = false;
		for (size_t i = 0; i < x->definitions.n; i++) {
			const struct definition *d = &x->definitions.v[i];
			struct file *f = &x->files.v[d->file];
			unsigned k = 0;
			if (f->needed)
				continue;
			while (k < d->n && is_asked(x, d, k))
				k++;
			if (k < d->n)
				continue;
			f->needed = more = true;
			select_asked(x, f->src->text, f->src->len);
		}
	}
	for (size_t i = 0; i < x->definitions.n; i++) {
		const struct definition *d = &x->definitions.v[i];

		if (x->files.v[d->file].needed)
			continue;
		if (d->is_function)
			vec_push(x->arena, &x->others, d->names[0]);
	}
}

bool select_is_needed(const struct select *x, size_t i)
{
	return x->files.v[i].needed;
}

size_t select_others(const struct select *x, const char *const **names)
{
	*names = x->others.v;
	return x->others.n;
}

/* Only messages have them, so they are made when they are asked for. */
size_t select_other_aliases(struct select *x, const char *const **names)
{
	for (size_t i = 0; i < x->definitions.n && !x->has_other_aliases; i++) {
		const struct definition *d = &x->definitions.v[i];

		if (d->is_alias && !x->files.v[d->file].needed)
			vec_push(x->arena, &x->other_aliases, alias_text(d));
	}
	x->has_other_aliases = true;
	*names = x->other_aliases.v;
	return x->other_aliases.n;
}
