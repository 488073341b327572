/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice for probe points that have braces within quotes.  They are not expanded, since names of C++ and Rust have them too:
 * {lambda(int, char)#1}.
 */
#include "translator/resolve/braces.h"

#include <string.h>

#include "parser/ast.h"
#include "translator/probes/probe.h"

enum { MOST = 5 }; /* alternatives that the advice writes out */

/* The braces of a text with a list of names between them; false: it has none. */
static bool find_braces(const char *text, const char **open, const char **close)
{
	for (*open = text; (*open = strchr(*open, '{')); ++*open) {
		size_t n = strcspn(*open + 1, "{}()#<>");

		*close = *open + 1 + n;
		if (**close == '}' && memchr(*open + 1, ',', n))
			return true;
	}
	return false;
}

/* The first component with such braces, or NULL. */
static const struct component *find_component(const struct point *p, const char **open, const char **close)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->c[i].arg && p->c[i].arg->kind == N_STRING && find_braces(p->c[i].arg->text, open, close))
			return &p->c[i];
	return NULL;
}

/* The point with the alternatives of one of its components outside of the quotes. */
static const char *written_out(struct session *s, const struct point *p, const struct component *c, const char *open, const char *close)
{
	struct point q = *p;
	struct sb b = {0};
	const char *text = c->arg->text, *at = open;
	unsigned n = 0;

	for (sb_putc(&b, '{'); at < close && n < MOST; n++) {
		at += 1 + strspn(at + 1, " ");
		size_t length = strcspn(at, ",}");

		sb_printf(&b, "%s%s(%s)", n ? "," : "", c->name,
			  probe_quoted(s, arena_printf(&s->arena, "%.*s%.*s%s", (int)(open - text), text, (int)length, at, close + 1)));
		at += length;
	}
	sb_puts(&b, at < close ? ",...}" : "}");
	q.c[c - p->c].name = arena_strdup(&s->arena, b.s);
	q.c[c - p->c].arg = NULL;
	sb_free(&b);
	return probe_point_text(s, &q);
}

void braces_tell(struct session *s, const struct point *p, const struct diag *last)
{
	struct diag *d = s->diags.last;
	const char *open, *close;
	const struct component *c = find_component(p, &open, &close);

	if (!c)
		return;
	if (p->optional && d == last)
		d = diag_report(&s->diags, c->arg->loc, W_BRACES_IN_NAME, "nothing has the name %s, with its braces", probe_quoted(s, c->arg->text));
	else if (d == last || d->id != E_NO_MATCH)
		return;
	diag_hint(&s->diags, d, "alternatives are written outside of the quotes: %s", written_out(s, p, c, open, close));
}
