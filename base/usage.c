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

/* The other case of a letter is another option, which the fingers may have meant. */
static const char *near_letter(struct arena *a, const char *letters, int c)
{
	int other = islower(c) ? toupper(c) : tolower(c);

	return other != c && is_option(letters, other) ? arena_printf(a, "did you mean -%c?", other) : NULL;
}

/* -NAME is a row of letters to getopt(), which may well have been meant as --NAME. */
static const char *near_word(struct arena *a, const char *word, const struct option *longs)
{
	struct nearest near;

	nearest_init(&near, arena_printf(a, "--%s", word + strspn(word, "-")));
	for (; longs->name; longs++)
		nearest_add(&near, arena_printf(a, "--%s", longs->name));
	return nearest_text(&near, a) ? arena_printf(a, "did you mean %s?", nearest_text(&near, a)) : NULL;
}

static unsigned that_begin_with(const struct option *longs, const char *word)
{
	unsigned n = 0;

	for (; longs->name; longs++)
		n += !strncmp(longs->name, word + 2, strlen(word) - 2);
	return n;
}

static void long_mistake(struct arena *a, struct usage_mistake *m, const struct option *longs, bool has_value)
{
	if (that_begin_with(longs, m->given) == 1 && has_value) {
		m->what = arena_printf(a, "option %s takes no argument", m->given);
		return;
	}
	m->what = arena_printf(a, that_begin_with(longs, m->given) > 1 ? "option %s is short for several" : "unknown option %s", m->given);
	m->hint = near_word(a, m->given, longs);
}

struct usage_mistake usage_mistake(struct arena *a, int c, char *const *argv, const char *letters, const struct option *longs)
{
	const char *word = argv[optind - 1];
	bool is_long = !strncmp(word, "--", 2);
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
		m.hint = near_letter(a, letters, optopt);
	}
	return m;
}
