/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script writes to name lines of functions.  See lines.h. */
#include "translator/debuginfo/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* Is end a path that path ends in? */
static bool is_end_of(const char *end, const char *path)
{
	size_t n = strlen(end), len = strlen(path);

	return n && n < len && path[len - n - 1] == '/' && !strcmp(path + len - n, end);
}

/* A pattern may leave out folders before it. */
static bool is_pattern_of(const char *wanted, const char *file)
{
	for (; file; file = strchr(file, '/')) {
		file += *file == '/';
		if (str_glob(wanted, file))
			return true;
	}
	return false;
}

bool lines_is_file(const char *wanted, const char *file)
{
	return !strcmp(wanted, file) || is_end_of(wanted, file) || (wanted[0] == '/' && file[0] != '/' && is_end_of(file, wanted)) ||
	       (str_has_glob(wanted) && (str_glob(wanted, file) || is_pattern_of(wanted, file)));
}

/* A line number at *text, which is moved to after it; 0: there is none. */
static unsigned number(const char **text)
{
	size_t n = strspn(*text, "0123456789");
	unsigned value = n && n < 9 ? (unsigned)atoi(*text) : 0;

	*text += n;
	return value;
}

static int not_lines(struct arena *a, const char *text, struct problem *why)
{
	problem_set(why, a, PROBLEM_BAD_FORMAT, "\"%s\" names no lines", text);
	if (why)
		why->hint = "lines are 10, 10-12, 10,15-20 or *, after \"function@file:\"; \"function@file+2\" is the second line after the "
			    "function's";
	return -1;
}

/* "10", "10-12,20" or "*" */
static int parse_lines(struct arena *a, const char *text, struct lines_wanted *out, struct problem *why)
{
	const char *p = text;

	if (!strcmp(text, "*")) {
		out->which = LINES_ALL;
		return 0;
	}
	out->which = LINES_GIVEN;
	for (;;) {
		struct lines_range r = {.first = number(&p)};

		r.last = r.first;
		if (*p == '-') {
			p++;
			r.last = number(&p);
		}
		if (!r.first || r.last < r.first || (*p && *p != ','))
			return not_lines(a, text, why);
		vec_push(a, &out->v, r);
		if (!*p++)
			return 0;
	}
}

int lines_parse(struct arena *a, const char *text, struct lines_wanted *out, struct problem *why)
{
	const char *at = strchr(text, '@'), *colon, *plus, *end;

	*out = (struct lines_wanted){.function = text, .which = LINES_ENTRY};
	if (!at)
		return 0;
	colon = strrchr(at, ':');
	plus = strrchr(at, '+');
	end = colon ? colon : plus && plus[1 + strspn(plus + 1, "0123456789")] == 0 ? plus : at + strlen(at);
	out->function = arena_strndup(a, text, (size_t)(at - text));
	out->file = arena_strndup(a, at + 1, (size_t)(end - at - 1));
	if (!out->function[0] || !out->file[0])
		return problem_set(why, a, PROBLEM_BAD_FORMAT, "\"%s\" has no %s %s the @", text, out->function[0] ? "file" : "function",
				   out->function[0] ? "after" : "before");
	if (colon)
		return parse_lines(a, colon + 1, out, why);
	if (end != plus)
		return 0;
	end++;
	out->which = LINES_AFTER;
	out->after = number(&end);
	return plus[1] ? 0 : not_lines(a, plus, why);
}

const char *lines_text(struct arena *a, const struct lines_wanted *w)
{
	const char *text = "line ";

	if (w->which == LINES_AFTER)
		return arena_printf(a, "line +%u", w->after);
	if (w->which == LINES_CALLEES)
		return arena_printf(a, "callee \"%s\"", w->label);
	if (w->which == LINES_LABEL)
		return arena_printf(a, "label \"%s\"", w->label);
	if (w->which != LINES_GIVEN)
		return "lines";
	if (w->v.n > 1 || w->v.v[0].first != w->v.v[0].last)
		text = "lines ";
	for (size_t i = 0; i < w->v.n; i++) {
		const struct lines_range *r = &w->v.v[i];

		text = arena_printf(a, "%s%s%u", text, i ? "," : "", r->first);
		if (r->last != r->first)
			text = arena_printf(a, "%s-%u", text, r->last);
	}
	return text;
}

int lines_too_deep(struct arena *a, const struct lines_wanted *w, const struct statements *found, struct problem *why)
{
	problem_set(why, a, PROBLEM_TOO_DEEP, "functions call others at more than %d places within %u calls of \"%s\"", LINES_MOST_CALLEES,
		    found->too_deep, w->function);
	if (why && found->too_deep > 2)
		why->hint = arena_printf(a, "not so deep: function(\"%s\").callees(%u)", w->function, found->too_deep - 1);
	else if (why)
		why->hint = arena_printf(a, "only what they call themselves: function(\"%s\").callees", w->function);
	return -1;
}
