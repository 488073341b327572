/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills in a struct problem. */
#include "translator/debuginfo/problem.h"

#include <stdarg.h>
#include <string.h>

int problem_set(struct problem *why, struct arena *a, enum problem_code code, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return -1;
	memset(why, 0, sizeof *why);
	why->code = code;
	va_start(ap, fmt);
	why->text = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return -1;
}

void problem_copy(struct problem *why, const struct problem *from)
{
	if (why)
		*why = *from;
}
