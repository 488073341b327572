// SPDX-License-Identifier: GPL-2.0-or-later
/* Mistakes on the command line: see usage.h. */
#include "base/usage.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/str.h"

static bool is_option(const char *letters, int c)
{
	return c && c != ':' && c != '-' && c != '+' && strchr(letters, c);
}

/* The other case of a letter is another option, which may have been meant. */
static const char *near_letter(struct arena *a, const char *letters, int c)
{
	int other = islower(c) ? toupper(c) : tolower(c);

	return other != c && is_option(letters, other) ? arena_printf(a, "did you mean -%c?", other) : NULL;
}

/* The nearest long option; -NAME is a row of letters to getopt(), which may well have been meant as --NAME. */
static const char *near_word(struct arena *a, const char *word, const struct option *longs)
{
	struct nearest near;

	word += strspn(word, "-");
	nearest_init(&near, arena_printf(a, "--%.*s", (int)strcspn(word, "="), word));
	for (; longs->name; longs++)
		nearest_add(&near, arena_printf(a, "--%s", longs->name));
	return nearest_text(&near, a) ? arena_printf(a, "did you mean %s?", nearest_text(&near, a)) : NULL;
}

/*
 * The word that has the unknown letter optopt.  When getopt() takes the last letter of a word it goes on to the next word;
 * until then optind is at this one.
 */
static const char *row_of_letters(char *const *argv)
{
	const char *previous = argv[optind - 1];
	size_t n = strlen(previous);
	bool is_last = n > 1 && previous[0] == '-' && previous[1] != '-' && previous[n - 1] == (char)optopt;

	return is_last || !argv[optind] ? previous : argv[optind];
}

/* So few letters do not say which word was meant. */
static const char *near_row(struct arena *a, const char *row, const struct option *longs)
{
	return strlen(row) > strlen("-vvv") ? near_word(a, row, longs) : NULL;
}

static unsigned that_begin_with(const struct option *longs, const char *word, const char **name)
{
	unsigned n = 0;

	for (; longs->name; longs++) {
		if (strncmp(longs->name, word + 2, strlen(word) - 2) != 0)
			continue;
		*name = longs->name;
		n++;
	}
	return n;
}

static void long_mistake(struct arena *a, struct usage_mistake *m, const struct option *longs, bool has_value)
{
	const char *name = NULL;
	unsigned n = that_begin_with(longs, m->given, &name);

	if (n == 1 && has_value) {
		m->what = arena_printf(a, "option --%s takes no argument", name);
		return;
	}
	m->what = arena_printf(a, n > 1 ? "option %s is short for several" : "unknown option %s", m->given);
	m->hint = near_word(a, m->given, longs);
}

/* After a '?', optopt is a letter that is no option, or else 0 or what a long option returns, which may be a letter that is one. */
static bool is_letter(const char *letters)
{
	return optopt && optopt < 256 && !is_option(letters, optopt);
}

struct usage_mistake usage_mistake(struct arena *a, int c, char *const *argv, const char *letters, const struct option *longs)
{
	const char *word = argv[optind - 1]; /* wrong only while getopt() is inside a row of letters */
	bool is_long = c == ':' ? !strncmp(word, "--", 2) : !is_letter(letters);
	struct usage_mistake m = {0};

	if (is_long)
		m.given = arena_strndup(a, word, strcspn(word, "="));
	else
		m.given = arena_printf(a, "-%c", optopt);
	if (c == ':') {
		m.what = arena_printf(a, "option %s needs an argument", m.given);
	} else if (is_long) {
		long_mistake(a, &m, longs, strchr(word, '='));
	} else {
		m.what = arena_printf(a, "unknown option %s", m.given);
		m.hint = near_row(a, row_of_letters(argv), longs);
		if (!m.hint)
			m.hint = near_letter(a, letters, optopt);
	}
	return m;
}
