// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of the loader and of the module.  A message is not repeated, except with -v, and errors if MAXERRORS is given.  Names in
 * them may come from what is traced: control characters are spelled out.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "loader/loader.h"

#define KNOWN_MAX 1024

struct say say;

static struct hash128 known[KNOWN_MAX];
static unsigned nknown;

static bool is_known(const char *text)
{
	struct hash128 h = hash128_add_str(hash128_init(), text);

	for (unsigned i = 0; i < nknown; i++)
		if (known[i].lo == h.lo && known[i].hi == h.hi)
			return true;
	if (nknown < KNOWN_MAX)
		known[nknown++] = h;
	return false;
}

static bool is_news(const char *text)
{
	return !is_known(text) || say.verbose;
}

void say_hint(const char *text)
{
	if (is_news(text))
		fprintf(stderr, "  hint: %s\n", text);
}

static char *words(const char *fmt, va_list args)
{
	struct sb text = { 0 };

	sb_puts(&text, "");
	sb_vprintf(&text, fmt, args);
	while (text.n && text.s[text.n - 1] == '\n')
		text.s[--text.n] = 0;
	return text.s;
}

static char *line_of(const char *label, const char *text)
{
	struct sb line = { 0 };

	sb_puts(&line, label);
	visible_put(&line, text, strlen(text), "\n\t");
	return line.s;
}

/* hint: what to do about it, or NULL.  each: also if it was said before. */
static void report(enum sink_level level, const char *hint, bool each, const char *fmt, va_list args)
{
	char *text = words(fmt, args), *line = line_of(level == SINK_ERROR ? "ERROR: " : "WARNING: ", text);

	if ((each || is_news(line)) && !sink_message(say.sink, level, text, hint)) {
		fprintf(stderr, "%s\n", line);
		if (hint)
			say_hint(hint);
	}
	free(line);
	free(text);
}

void say_error(const char *fmt, ...)
{
	va_list args;

	say.erred = true;
	va_start(args, fmt);
	report(SINK_ERROR, NULL, false, fmt, args);
	va_end(args);
}

static void say_error_with(const char *hint, bool each, const char *fmt, ...)
{
	va_list args;

	say.erred = true;
	va_start(args, fmt);
	report(SINK_ERROR, hint, each, fmt, args);
	va_end(args);
}

void say_handler_error(const char *text, bool each)
{
	say_error_with(remedy_about(text), each, "%s", text);
}

void say_warning(const char *fmt, ...)
{
	va_list args;

	if (say.quiet)
		return;
	va_start(args, fmt);
	report(SINK_WARNING, NULL, false, fmt, args);
	va_end(args);
}

void say_verbose(const char *fmt, ...)
{
	va_list args;
	char *text, *line;

	if (!say.verbose)
		return;
	va_start(args, fmt);
	text = words(fmt, args);
	va_end(args);
	line = line_of("spilerun: ", text);
	fprintf(stderr, "%s\n", line);
	free(line);
	free(text);
}
