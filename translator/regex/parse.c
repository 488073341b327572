/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a POSIX extended regular expression -> its tree.  What the standard leaves open is done as in libc's regcomp(), or
 * refused where that would surprise: `)' without `(', and letters after a backslash that mean something in other languages.  Bytes
 * match themselves, as in the C locale.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "translator/regex/tree.h"

struct parser {
	struct arena *arena;
	const unsigned char *s;
	size_t n, at;
	unsigned depth;
	unsigned ngroups;
	VEC(uint16_t) last;
	struct regex_problem *problem;
};

static struct regex_node *alternatives(struct parser *p);

static void *fail(struct parser *p, size_t off, size_t len, const char *text, const char *hint)
{
	*p->problem = (struct regex_problem){.off = off, .len = len, .text = text, .hint = hint};
	return NULL;
}

static struct regex_node *new_node(struct parser *p, enum regex_kind kind, size_t off)
{
	struct regex_node *n = arena_new(p->arena, struct regex_node);

	n->kind = kind;
	n->off = off;
	return n;
}

static bool more(const struct parser *p)
{
	return p->at < p->n;
}

static int peek(const struct parser *p)
{
	return more(p) ? p->s[p->at] : -1;
}

static void set_add(struct regex_set *s, unsigned byte)
{
	s->bits[byte / 64] |= 1ull << byte % 64;
}

static struct regex_node *one_byte(struct parser *p, size_t off, unsigned byte)
{
	struct regex_node *n = new_node(p, RX_SET, off);

	set_add(&n->set, byte);
	return n;
}

/* ---- backslashes ---- */

/* A number of at most max digits to the base 8 or 16. */
static unsigned digits(struct parser *p, unsigned base, unsigned max)
{
	unsigned v = 0;

	for (; max && more(p); max--, p->at++) {
		int c = peek(p);
		unsigned d = c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
			     : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10)
								  : 99;
		if (d >= base)
			break;
		v = v * base + d;
	}
	return v;
}

static bool is_octal(const struct parser *p, size_t at)
{
	return at < p->n && p->s[at] >= '0' && p->s[at] <= '7';
}

/* What a letter after a backslash means in other languages. */
static const char *instead(int c)
{
	static const struct {
		const char *letters, *text;
	} others[] = {
		{"d", "digits are [0-9] or [[:digit:]]"},
		{"D", "anything but a digit is [^0-9]"},
		{"w", "letters, digits and _ are [[:alnum:]_]"},
		{"W", "anything but a letter, digit or _ is [^[:alnum:]_]"},
		{"s", "white space is [[:space:]]"},
		{"S", "anything but white space is [^[:space:]]"},
		{"A", "the beginning of the text is ^"},
		{"zZ", "the end of the text is $"},
		{"<>B", "the edge of a word can be written as (^|[^[:alnum:]_]) and ([^[:alnum:]_]|$)"},
	};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strchr(others[i].letters, c))
			return others[i].text;
	return "letters mean themselves, without a backslash";
}

static struct regex_node *escape(struct parser *p)
{
	static const char names[] = "abtnvfr", bytes[] = "\a\b\t\n\v\f\r";
	size_t off = p->at++;
	int c = peek(p);
	const char *name = c > 0 ? memchr(names, c, sizeof names - 1) : NULL;
	unsigned byte;

	if (c < 0)
		return fail(p, off, 1, "a backslash at the end",
			    "a backslash itself is written \"\\\\\\\\\" in a script");
	p->at++;
	if (name)
		return one_byte(p, off, (unsigned char)bytes[name - names]);
	if (c == 'x') {
		byte = digits(p, 16, 2);
		if (p->at == off + 2)
			return fail(p, off, 2, "\\x needs hexadecimal digits",
				    "the letter itself is x, without a backslash");
	} else if (c == '0' || (is_octal(p, off + 1) && is_octal(p, off + 2) && is_octal(p, off + 3))) {
		p->at--;
		byte = digits(p, 8, 3) & 255;
	} else if (c >= '1' && c <= '9') {
		return fail(p, off, 2, "references to groups are not possible",
			    "take the group out with matched() and compare it; a byte is written with three "
			    "octal digits: \\101");
	} else if ((c | 32) >= 'a' && (c | 32) <= 'z') {
		return fail(p, off, 2, arena_printf(p->arena, "\\%c has no meaning here", c), instead(c));
	} else if (c == '<' || c == '>') {
		return fail(p, off, 2, arena_printf(p->arena, "\\%c has no meaning here", c), instead(c));
	} else {
		return one_byte(p, off, (unsigned)c);
	}
	if (!byte)
		return fail(p, off, p->at - off, "a string never holds a byte 0", NULL);
	return one_byte(p, off, byte);
}

/* ---- brackets ---- */

/* No program of Spile's sets a locale: these know ASCII only. */
static const struct {
	const char *name;
	int (*has)(int c);
} classes[] = {
	{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl}, {"digit", isdigit}, {"graph", isgraph},
	{"lower", islower}, {"print", isprint}, {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};
enum { NCLASSES = sizeof classes / sizeof classes[0] };

/* [: name :], [. x .] or [= x =] at the place; where its text ends, or 0 after a message. */
static size_t special_end(struct parser *p, char kind)
{
	for (size_t i = p->at + 2; i + 1 < p->n; i++)
		if (p->s[i] == (unsigned char)kind && p->s[i + 1] == ']')
			return i;
	fail(p, p->at, 2, arena_printf(p->arena, "[%c has no %c] after it", kind, kind),
	     kind == ':' ? "a class of bytes is written [[:alpha:]]" : "in a list, put the [ last");
	return 0;
}

static bool named_class(struct parser *p, struct regex_set *set)
{
	size_t off = p->at, end = special_end(p, ':');
	struct nearest near;
	const char *name, *text;

	if (!end)
		return false;
	name = arena_strndup(p->arena, (const char *)p->s + off + 2, end - off - 2);
	p->at = end + 2;
	for (unsigned i = 0; i < NCLASSES; i++) {
		if (strcmp(name, classes[i].name))
			continue;
		for (unsigned c = 0; c < 256; c++)
			if (classes[i].has((int)c))
				set_add(set, c);
		return true;
	}
	nearest_init(&near, name);
	for (unsigned i = 0; i < NCLASSES; i++)
		nearest_add(&near, classes[i].name);
	text = nearest_text(&near, p->arena);
	fail(p, off, p->at - off, arena_printf(p->arena, "there is no class of bytes \"%s\"", name),
	     text ? arena_printf(p->arena, "did you mean %s?", text)
		  : "the classes are alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, "
		    "upper, xdigit");
	return false;
}

/* One byte, which may be written [.x.]; -1 after a message. */
static int element(struct parser *p)
{
	size_t off = p->at, end;
	char kind = p->at + 1 < p->n ? (char)p->s[p->at + 1] : 0;

	if (peek(p) != '[' || (kind != '.' && kind != '='))
		return p->s[p->at++];
	end = special_end(p, kind);
	if (!end)
		return -1;
	p->at = end + 2;
	if (end != off + 3) {
		fail(p, off, p->at - off, arena_printf(p->arena, "[%c%c] takes one byte", kind, kind), NULL);
		return -1;
	}
	return p->s[off + 2];
}

/* a, a-z or [:alpha:]; first: right after [ or [^. */
static bool item(struct parser *p, struct regex_set *set, bool first)
{
	size_t off = p->at;
	int from, to;

	if (peek(p) == '[' && p->at + 1 < p->n && p->s[p->at + 1] == ':')
		return named_class(p, set);
	if (peek(p) == '-' && !first && p->at + 1 < p->n && p->s[p->at + 1] != ']')
		return fail(p, off, 1, "the - is not between two bytes",
			    "a - itself goes to the end of the list: [a-z-]");
	bool is_class = peek(p) == '[' && p->at + 1 < p->n && p->s[p->at + 1] == '=';
	from = to = element(p);
	if (from < 0)
		return false;
	if (peek(p) == '-' && p->at + 1 < p->n && p->s[p->at + 1] != ']') {
		p->at++;
		if (is_class || (peek(p) == '[' && p->at + 1 < p->n &&
				 (p->s[p->at + 1] == ':' || p->s[p->at + 1] == '=')))
			return fail(p, off, p->at - off, "a range goes from one byte to another",
				    "a - itself goes to the end of the list: [a-z-]");
		to = element(p);
		if (to < 0)
			return false;
		if (to < from)
			return fail(
				p, off, p->at - off, "the range is empty: it ends before it begins",
				"the smaller byte goes first: [a-z]; a - itself goes to the end of the list");
	}
	for (int c = from; c <= to; c++)
		set_add(set, (unsigned)c);
	return true;
}

static struct regex_node *bracket(struct parser *p)
{
	size_t off = p->at++;
	struct regex_node *n = new_node(p, RX_SET, off);
	bool invert = peek(p) == '^';

	p->at += invert;
	for (bool first = true; first || peek(p) != ']'; first = false) {
		if (!more(p))
			return fail(p, off, 1, "the [ is not closed",
				    "a [ itself is written \\\\[ in a script; a ] that is meant goes first: "
				    "[]a]");
		if (!item(p, &n->set, first))
			return NULL;
	}
	p->at++;
	for (unsigned i = 0; invert && i < 4; i++)
		n->set.bits[i] = ~n->set.bits[i];
	return n;
}

/* ---- repetition ---- */

/* Digits, -1 if there are none; REGEX_MAX_REPEAT + 1 if they are too many. */
static int count(struct parser *p)
{
	int v = -1;

	for (; more(p) && peek(p) >= '0' && peek(p) <= '9'; p->at++) {
		v = (v < 0 ? 0 : v) * 10 + (peek(p) - '0');
		if (v > REGEX_MAX_REPEAT)
			v = REGEX_MAX_REPEAT + 1;
	}
	return v;
}

static bool interval(struct parser *p, struct regex_node *n)
{
	size_t off = p->at++;
	int min = count(p), max = min;
	bool comma = peek(p) == ',';

	if (comma) {
		p->at++;
		max = count(p);
	}
	if (peek(p) != '}' || (min < 0 && max < 0))
		return fail(p, off, p->at - off + more(p), "this is not a number of repetitions",
			    "they are written {3}, {3,} or {3,5}; a { itself is \\\\{ in a script");
	p->at++;
	if (min > REGEX_MAX_REPEAT || max > REGEX_MAX_REPEAT)
		return fail(p, off, p->at - off, "the number of repetitions is too great",
			    "it can be up to 12344");
	if (max >= 0 && max < min)
		return fail(p, off, p->at - off, "the least number of repetitions is above the greatest",
			    NULL);
	n->min = min < 0 ? 0 : (unsigned)min;
	n->max = max < 0 ? REGEX_FOREVER : (unsigned)max;
	return true;
}

static bool is_repeat(int c)
{
	return c == '*' || c == '+' || c == '?' || c == '{';
}

/* The repetitions after the atom. */
static struct regex_node *repeated(struct parser *p, struct regex_node *atom)
{
	for (unsigned times = 0; is_repeat(peek(p)); times++) {
		struct regex_node *n = new_node(p, RX_REPEAT, atom->off);
		int c = peek(p);

		if (times == REGEX_MAX_DEPTH)
			return fail(p, p->at, 1, "too many repetitions of repetitions", NULL);
		vec_push(p->arena, &n->k, atom);
		if (c == '{') {
			if (!interval(p, n))
				return NULL;
		} else {
			n->min = c == '+';
			n->max = c == '?' ? 1 : REGEX_FOREVER;
			p->at++;
		}
		n->len = p->at - n->off;
		atom = n;
	}
	return atom;
}

/* ---- the whole ---- */

static struct regex_node *group(struct parser *p)
{
	size_t off = p->at++;
	struct regex_node *n = new_node(p, RX_GROUP, off), *inside;

	if (++p->depth > REGEX_MAX_DEPTH)
		return fail(p, off, 1, "groups are nested too deeply", "100 within each other are possible");
	if (p->ngroups >= REGEX_MAX_GROUPS)
		return fail(p, off, 1, "there are too many groups", "1000 are possible");
	n->group = p->ngroups++;
	vec_push(p->arena, &p->last, 0);
	if (peek(p) == '?')
		return fail(p, off, 2, "\"(?\" has no meaning here",
			    "groups are written (...)");
	inside = alternatives(p);
	if (!inside)
		return NULL;
	if (peek(p) != ')')
		return fail(p, off, 1, "the ( is not closed", "a ( itself is written \\\\( in a script");
	p->at++;
	p->depth--;
	p->last.v[n->group] = (uint16_t)(p->ngroups - 1);
	vec_push(p->arena, &n->k, inside);
	return n;
}

static struct regex_node *atom(struct parser *p)
{
	size_t off = p->at;
	int c = peek(p);
	struct regex_node *n;

	switch (c) {
	case '(':
		return group(p);
	case '[':
		return bracket(p);
	case '\\':
		return escape(p);
	case '*':
	case '+':
	case '?':
	case '{':
		return fail(p, off, 1,
			    arena_printf(p->arena, "there is nothing before the %c that it could repeat", c),
			    arena_printf(p->arena, "the character itself is written \\\\%c in a script", c));
	case ')':
		return fail(p, off, 1, "there is no ( to this )", "a ) itself is written \\\\) in a script");
	case 0:
		return fail(p, off, 1, "a string never holds a byte 0", NULL);
	case '^':
	case '$':
		p->at++;
		return new_node(p, c == '^' ? RX_BEGIN : RX_END, off);
	case '.':
		p->at++;
		n = new_node(p, RX_SET, off);
		memset(&n->set, 0xff, sizeof n->set);
		return n;
	}
	p->at++;
	return one_byte(p, off, (unsigned)c);
}

static struct regex_node *branch(struct parser *p)
{
	struct regex_node *n = new_node(p, RX_CAT, p->at);

	while (more(p) && peek(p) != '|' && !(peek(p) == ')' && p->depth)) {
		struct regex_node *k = atom(p);

		if (!k)
			return NULL;
		k->len = p->at - k->off;
		if (k->kind != RX_BEGIN && k->kind != RX_END)
			k = repeated(p, k);
		if (!k)
			return NULL;
		vec_push(p->arena, &n->k, k);
	}
	n->len = p->at - n->off;
	if (!n->k.n)
		n->kind = RX_EMPTY;
	return n->k.n == 1 ? n->k.v[0] : n;
}

static struct regex_node *alternatives(struct parser *p)
{
	struct regex_node *n = new_node(p, RX_ALT, p->at), *k;

	for (;;) {
		if (!(k = branch(p)))
			return NULL;
		vec_push(p->arena, &n->k, k);
		if (peek(p) != '|')
			break;
		p->at++;
	}
	n->len = p->at - n->off;
	return n->k.n == 1 ? n->k.v[0] : n;
}

int regex_parse(struct arena *a, const char *text, size_t len, struct regex_tree *tree,
		struct regex_problem *problem)
{
	struct parser p = {
		.arena = a, .s = (const unsigned char *)text, .n = len, .ngroups = 1, .problem = problem};

	vec_push(a, &p.last, 0);
	tree->root = alternatives(&p);
	if (!tree->root)
		return -1;
	p.last.v[0] = (uint16_t)(p.ngroups - 1);
	tree->ngroups = p.ngroups;
	tree->last = p.last.v;
	return 0;
}
