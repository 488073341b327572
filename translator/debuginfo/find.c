/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds types by the text that a script gives for them: "struct sock", "u64", "unsigned long", "char *". */
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dtype.h"

const char *dtypes_integer_name(const char *name)
{
	unsigned n_long = 0, n_unsigned = 0, n_signed = 0, n_short = 0, n_int = 0, n_char = 0;
	char copy[64], *word, *rest = copy;

	if (strlen(name) >= sizeof copy)
		return NULL;
	strcpy(copy, name);
	while ((word = strsep(&rest, " ")) != NULL) {
		unsigned *n = strcmp(word, "long") == 0       ? &n_long
			      : strcmp(word, "unsigned") == 0 ? &n_unsigned
			      : strcmp(word, "signed") == 0   ? &n_signed
			      : strcmp(word, "short") == 0    ? &n_short
			      : strcmp(word, "int") == 0      ? &n_int
			      : strcmp(word, "char") == 0     ? &n_char
							      : NULL;

		if (!n)
			return NULL;
		++*n;
	}
	if (n_char)
		return n_unsigned ? "unsigned char" : n_signed ? "signed char" : "char";
	if (n_short)
		return n_unsigned ? "short unsigned int" : "short int";
	if (n_long >= 2)
		return n_unsigned ? "long long unsigned int" : "long long int";
	if (n_long)
		return n_unsigned ? "long unsigned int" : "long int";
	return n_unsigned ? "unsigned int" : "int";
}

/* clang's names of the same types. */
static const char *other_integer_name(const char *name)
{
	static const char *const pairs[][2] = {
		{"short unsigned int", "unsigned short"},         {"short int", "short"},
		{"long long unsigned int", "unsigned long long"}, {"long long int", "long long"},
		{"long unsigned int", "unsigned long"},           {"long int", "long"},
	};
	size_t i;

	for (i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (strcmp(pairs[i][0], name) == 0)
			return pairs[i][1];
	return NULL;
}

/* Blanks to one space each, "const" dropped, stars at the end counted. */
static char *normalise(struct arena *a, const char *text, unsigned *stars)
{
	struct sb out = {0};
	const char *s = text;
	char *result;

	*stars = 0;
	while (*s) {
		size_t n = strcspn(s, " \t\n*");

		if (n && !(n == 5 && strncmp(s, "const", 5) == 0)) {
			if (out.n)
				sb_putc(&out, ' ');
			sb_putn(&out, s, n);
		}
		s += n;
		if (*s == '*')
			++*stars;
		if (*s)
			s++;
	}
	result = arena_strdup(a, out.s ? out.s : "");
	sb_free(&out);
	return result;
}

static const struct dtype *missing(struct dtypes *ts, const char *keyword, const char *name,
				   struct problem *why)
{
	struct nearest near;

	problem_set(why, ts->arena, PROBLEM_NO_TYPE, "there is no type \"%s%s\"", keyword, name);
	if (why) {
		nearest_init(&near, name);
		ts->ops->nearest(ts, keyword, &near);
		why->near = nearest_text(&near, ts->arena);
	}
	return NULL;
}

const struct dtype *dtypes_find(struct dtypes *ts, const char *text, struct problem *why)
{
	static const char *const keywords[] = {"struct ", "union ", "enum ", "class "};
	const char *name, *keyword = "", *integer;
	unsigned stars;
	uint64_t ref = 0;
	size_t i;

	name = normalise(ts->arena, text, &stars);
	for (i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (strncmp(name, keywords[i], strlen(keywords[i])) == 0) {
			keyword = keywords[i];
			name += strlen(keyword);
			break;
		}
	integer = keyword[0] ? NULL : dtypes_integer_name(name);
	if (!name[0] || stars > 15)
		return missing(ts, keyword, text, why);
	if (!(strcmp(name, "void") == 0 && stars) && !(integer && ts->ops->find(ts, "", integer, &ref)) &&
	    !(integer && other_integer_name(integer) &&
	      ts->ops->find(ts, "", other_integer_name(integer), &ref)) &&
	    !ts->ops->find(ts, keyword, name, &ref))
		return missing(ts, keyword, name, why);
	return dtype_new(ts, ref + stars * DTYPE_STAR);
}

bool dtypes_enumerator(struct dtypes *ts, const char *name, int64_t *value)
{
	return name[0] && ts->ops->find_enumerator(ts, name, value);
}

void dtypes_nearest_enumerators(struct dtypes *ts, struct nearest *near)
{
	ts->ops->nearest_enumerators(ts, near);
}
