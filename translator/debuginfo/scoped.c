/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares names that have scopes.  See scoped.h. */
#include "translator/debuginfo/scoped.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { DEEPEST = 32 }; /* of names with more parts only the innermost count */

/* "operator<<", "operator std::string": all of it is one part. */
static bool is_operator(const char *s)
{
	return strncmp(s, "operator", 8) == 0 && !isalnum((unsigned char)s[8]) && s[8] != '_';
}

/* The end of the part that begins at s: "::", or the end of the text. */
static const char *end_of_part(const char *s)
{
	unsigned depth = 0;

	if (is_operator(s))
		return s + strlen(s);
	for (; *s; s++) {
		if (strchr("<({", *s))
			depth++;
		else if (strchr(">)}", *s) && depth && s[-1] != '-')
			depth--;
		else if (!depth && s[0] == ':' && s[1] == ':')
			break;
	}
	return s;
}

/* Cuts the text into its parts. */
static size_t split(char *s, char *v[DEEPEST])
{
	size_t n = 0;

	for (;;) {
		char *end = (char *)end_of_part(s);

		if (n == DEEPEST)
			memmove(v, v + 1, --n * sizeof *v);
		v[n++] = s;
		if (!*end)
			return n;
		*end = 0;
		s = end + 2;
	}
}

static bool part_is(const char *pattern, const char *part)
{
	return strcmp(pattern, part) == 0 || (str_has_glob(pattern) && str_glob(pattern, part));
}

/* The arguments of a template, or the end. */
static char *arguments(const char *part)
{
	return (char *)(is_operator(part) || part[0] == '<' ? part + strlen(part) : part + strcspn(part, "<"));
}

static bool part_matches(const char *pattern, char *part)
{
	if (part_is(pattern, part))
		return true;
	if (strchr(pattern, '<'))
		return false;
	*arguments(part) = 0;
	return part_is(pattern, part);
}

static bool is_anonymous(const char *part)
{
	return strcmp(part, "(anonymous namespace)") == 0;
}

/* From the innermost parts outwards.  What the name has outside of the pattern's outermost part does not matter. */
static bool parts_match(char *pattern, char *name)
{
	char *p[DEEPEST], *q[DEEPEST];
	size_t np = split(pattern, p), nq = split(name, q), n = np;

	while (np && nq) {
		/* the part that has just matched, which is inside of this one, is no pattern */
		bool in_plain = np < n && !str_has_glob(p[np]);

		if (part_matches(p[np - 1], q[nq - 1]))
			np--;
		else if (!in_plain || !is_anonymous(q[nq - 1]))
			return false;
		nq--;
	}
	while (nq && is_anonymous(q[nq - 1]))
		nq--;
	/* "::f" has an empty part before f, which means that nothing of the name is left */
	return np == 0 || (np == 1 && n > 1 && !p[0][0] && !nq);
}

const char *scoped_last(const char *name)
{
	const char *end;

	while (*(end = end_of_part(name)))
		name = end + 2;
	return name;
}

bool scoped_is(const char *name)
{
	return *end_of_part(name) == ':';
}

bool scoped_matches(const char *pattern, const char *name)
{
	char *p, *q;
	bool yes;

	if (!strpbrk(name, ":<") && !strchr(pattern, ':'))
		return part_is(pattern, name);
	p = strdup(pattern);
	q = strdup(name);
	if (!p || !q)
		abort();
	yes = parts_match(p, q);
	free(p);
	free(q);
	return yes;
}

const char *scoped_plain(struct arena *a, const char *name)
{
	const char *end = arguments(name);

	return *end ? arena_strndup(a, name, (size_t)(end - name)) : name;
}

const char *scoped_mangled(struct arena *a, const char *name)
{
	struct sb out = {0};
	const char *text = NULL;
	size_t n;

	sb_puts(&out, "_Z*");
	for (;; name += 2) {
		n = strcspn(name, ":");
		if (n && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") < n)
			break;
		if (n)
			sb_printf(&out, "%zu%.*s", n, (int)n, name);
		name += n;
		if (!*name) {
			sb_putc(&out, '*');
			text = arena_strdup(a, out.s);
			break;
		}
		if (name[1] != ':')
			break;
	}
	sb_free(&out);
	return text;
}
