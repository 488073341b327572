// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of the loader and of the module.  A message that was there before is not repeated, unless asked
 * for.  Names in them may be chosen by what is traced: control characters are spelled out.
 */
#include <stdarg.h>
#include <stdio.h>
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

static void tell(const char *label, const char *fmt, va_list args)
{
	struct sb text = { 0 }, line = { 0 };

	sb_vprintf(&text, fmt, args);
	while (text.n && text.s[text.n - 1] == '\n')
		text.s[--text.n] = 0;
	sb_puts(&line, label);
	visible_put(&line, text.s ? text.s : "", text.n, "\n\t");
	sb_free(&text);
	if (say.verbose || !is_known(line.s))
		fprintf(stderr, "%s\n", line.s);
	sb_free(&line);
}

void say_error(const char *fmt, ...)
{
	va_list args;

	say.erred = true;
	va_start(args, fmt);
	tell("ERROR: ", fmt, args);
	va_end(args);
}

void say_hint(const char *text)
{
	if (say.verbose || !is_known(text))
		fprintf(stderr, "  hint: %s\n", text);
}

void say_handler_error(const char *text)
{
	const char *advice = advice_about(text);

	say_error("%s", text);
	if (advice)
		say_hint(advice);
}

void say_warning(const char *fmt, ...)
{
	va_list args;

	if (say.quiet)
		return;
	va_start(args, fmt);
	tell("WARNING: ", fmt, args);
	va_end(args);
}

void say_verbose(const char *fmt, ...)
{
	va_list args;

	if (!say.verbose)
		return;
	va_start(args, fmt);
	tell("spilerun: ", fmt, args);
	va_end(args);
}
