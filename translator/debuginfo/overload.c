/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the arguments of overloads.  See overload.h. */
#include "translator/debuginfo/overload.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dtype.h"
#include "translator/debuginfo/scoped.h"

enum { LONGEST = 512, DEEPEST = 16 }; /* of a type that is compared; longer ones are cut, both in the same way */

/* The parenthesis that the last one closes; NULL: the text does not end with one. */
static const char *last_opened(const char *text, size_t n)
{
	unsigned depth = 0;

	if (!n || text[n - 1] != ')')
		return NULL;
	while (n--) {
		depth += text[n] == ')';
		if (text[n] == '(' && !--depth)
			return text + n;
	}
	return NULL;
}

const char *overload_arguments(struct arena *a, const char **name)
{
	static const char constant[] = " const", operator[] = "operator";
	const char *text = *name, *open;
	size_t n = strlen(text);

	if (n >= sizeof constant && !strcmp(text + n - strlen(constant), constant) && text[n - sizeof constant] == ')')
		n -= strlen(constant);
	open = last_opened(text, n);
	if (!open || open == text || ((size_t)(open - text) >= strlen(operator) && !strncmp(open - strlen(operator), operator, strlen(operator))))
		return NULL;
	*name = arena_strndup(a, text, (size_t)(open - text));
	return arena_strndup(a, open + 1, n - (size_t)(open - text) - 2);
}

/* ---- one type ---- */

struct type {
	char base[LONGEST]; /* "unsigned int", "space::list<char*>" */
	bool is_const, is_volatile;
	char rest[LONGEST]; /* "const*&" */
};

static void add(char *to, const char *from, size_t n)
{
	size_t have = strlen(to);

	n = n < LONGEST - 1 - have ? n : LONGEST - 1 - have;
	memcpy(to + have, from, n);
	to[have + n] = 0;
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(s, word, n);
}

static bool is_keyword(const char *s, size_t n)
{
	return is_word(s, n, "struct") || is_word(s, n, "class") || is_word(s, n, "union") || is_word(s, n, "enum") || is_word(s, n, "typename");
}

/* How long a word is: a name with its scopes and the arguments of templates. */
static size_t word_length(const char *s, const char *end)
{
	const char *at = s;
	unsigned depth = 0;

	for (; at < end; at++) {
		depth += *at == '<' || (*at == '(' && depth);
		depth -= depth && (*at == '>' || *at == ')');
		if (!depth && !isalnum((unsigned char)*at) && !strchr("_:>", *at))
			break;
	}
	return (size_t)(at - s);
}

static void add_word(struct type *t, const char *s, size_t n)
{
	if (is_word(s, n, "const")) {
		t->is_const = true;
	} else if (is_word(s, n, "volatile")) {
		t->is_volatile = true;
	} else if (!is_keyword(s, n)) {
		add(t->base, " ", t->base[0] != 0);
		for (; n--; s++) /* the blanks of template arguments */
			add(t->base, s, *s != ' ');
	}
}

static const char *end_of_argument(const char *s, const char *end);
static void read_type(const char *s, const char *end, struct type *t, unsigned depth);

/* The parenthesis that closes the one at s; end if there is none. */
static const char *closing(const char *s, const char *end)
{
	unsigned depth = 0;

	for (; s < end; s++) {
		depth += *s == '(';
		if (*s == ')' && !--depth)
			return s;
	}
	return end;
}

/* "*", "&", "space::pair::*" in parentheses are marks, others are the parameters of a function. */
static bool are_marks(const char *s, const char *end)
{
	size_t n;

	while (s < end && *s == ' ')
		s++;
	n = word_length(s, end);
	return s + n < end && (s[n] == '*' || s[n] == '&') && (!n || s[n - 1] == ':');
}

/* Of a function that the type points to. */
static void add_parameters(char *to, const char *s, const char *end, unsigned depth)
{
	struct type t;

	while (s < end) {
		const char *next = end_of_argument(s, end);

		read_type(s, next, &t, depth);
		if (strcmp(t.base, "void") || t.rest[0]) { /* "(void)" has none */
			add(to, t.base, strlen(t.base));
			add(to, " const", t.is_const ? strlen(" const") : 0);
			add(to, " volatile", t.is_volatile ? strlen(" volatile") : 0);
			add(to, t.rest, strlen(t.rest));
		}
		add(to, next, next < end);
		s = next + (next < end);
	}
}

/* What comes after the name of a type, without blanks. */
static void add_rest(char *to, const char *s, const char *end, unsigned depth)
{
	for (; s < end; s++) {
		const char *close = *s == '(' && depth < DEEPEST ? closing(s, end) : end;
		bool is_group = close < end;

		add(to, s, *s != ' ');
		if (!is_group)
			continue;
		if (are_marks(s + 1, close))
			add_rest(to, s + 1, close, depth + 1);
		else
			add_parameters(to, s + 1, close, depth + 1);
		add(to, ")", 1);
		s = close;
	}
}

static void read_type(const char *s, const char *end, struct type *t, unsigned depth)
{
	const char *name;
	size_t n = 0;

	memset(t, 0, sizeof *t);
	for (; s < end && (*s == ' ' || (n = word_length(s, end))); s += *s == ' ' ? 1 : n)
		if (*s != ' ')
			add_word(t, s, n);
	add_rest(t->rest, s, end, depth);
	name = dtypes_integer_name(t->base);
	if (name) {
		t->base[0] = 0;
		add(t->base, name, strlen(name));
	}
}

static bool same_type(const char *s, const char *s_end, const char *f, const char *f_end)
{
	struct type x, y;

	while (s < s_end && *s == ' ')
		s++;
	while (s < s_end && s_end[-1] == ' ')
		s_end--;
	if (s_end - s == 1 && *s == '*')
		return true;
	read_type(s, s_end, &x, 0);
	read_type(f, f_end, &y, 0);
	return scoped_matches(x.base, y.base) && x.is_const == y.is_const && x.is_volatile == y.is_volatile && !strcmp(x.rest, y.rest);
}

/* ---- all of them ---- */

static const char *end_of_argument(const char *s, const char *end)
{
	unsigned depth = 0;

	for (; s < end && (depth || *s != ','); s++) {
		depth += *s == '<' || *s == '(';
		depth -= depth && (*s == '>' || *s == ')');
	}
	return s;
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

bool overload_matches(const char *s, const char *f)
{
	s = skip_blanks(s);
	if (!strcmp(s, "void"))
		s = "";
	while (*s && *f) {
		const char *s_end = end_of_argument(s, s + strlen(s)), *f_end = end_of_argument(f, f + strlen(f));

		if (!same_type(s, s_end, f, f_end))
			return false;
		s = skip_blanks(s_end + (*s_end == ','));
		f = skip_blanks(f_end + (*f_end == ','));
	}
	return !*s && !*f;
}
