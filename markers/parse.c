/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads declarations of providers of markers. */
#include "markers/parse.h"

#include <ctype.h>
#include <string.h>

struct reader {
	struct diags *ds;
	const struct source *text;
	size_t at;         /* where the next token is looked for */
	size_t off, n;     /* the token: a word, or one byte; n = 0 at the end */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Blanks, comments, and lines that begin with #. */
static size_t skip_blanks(const char *s, size_t i, size_t len)
{
	for (;;) {
		bool begins = i == 0 || s[i - 1] == '\n';

		if (s[i] == '#' && begins) {
			while (i < len && s[i] != '\n')
				i += s[i] == '\\' && i + 1 < len ? 2 : 1;
		} else if (s[i] == '/' && s[i + 1] == '*') {
			const char *end = strstr(s + i + 2, "*/");
			i = end ? (size_t)(end - s) + 2 : len;
		} else if (s[i] == '/' && s[i + 1] == '/') {
			i += strcspn(s + i, "\n");
		} else if (i < len && isspace((unsigned char)s[i])) {
			i++;
		} else {
			return i;
		}
	}
}

static void next(struct reader *r)
{
	const char *s = r->text->text;

	r->off = skip_blanks(s, r->at, r->text->len);
	r->n = 0;
	while (r->off + r->n < r->text->len && is_word(s[r->off + r->n]))
		r->n++;
	if (!r->n && r->off < r->text->len)
		r->n = 1;
	r->at = r->off + r->n;
}

static bool is(const struct reader *r, const char *token)
{
	return r->n == strlen(token) && !memcmp(r->text->text + r->off, token, r->n);
}

static bool is_name(const struct reader *r)
{
	return r->n && is_word(r->text->text[r->off]) && !isdigit((unsigned char)r->text->text[r->off]);
}

static struct loc loc_of(const struct reader *r)
{
	return (struct loc){.source = (uint16_t)r->text->id, .off = (uint32_t)r->off, .len = r->n && r->n < UINT16_MAX ? (uint16_t)r->n : 1};
}

static const char *taken(const struct reader *r)
{
	return arena_strndup(r->ds->arena, r->text->text + r->off, r->n);
}

static bool wrong(const struct reader *r, const char *expected)
{
	diag_report(r->ds, loc_of(r), E_SYNTAX, "%s is expected%s", expected, r->n ? "" : " here, and the file ends");
	return false;
}

static bool expect(struct reader *r, const char *token)
{
	if (!is(r, token))
		return wrong(r, arena_printf(r->ds->arena, "\"%s\"", token));
	next(r);
	return true;
}

/* After "(": counts the arguments up to the ")" that belongs to it. */
static bool read_arguments(struct reader *r, struct parse_probe *p)
{
	size_t begin = r->at, first = r->off;
	unsigned depth = 0, commas = 0, words = 0;
	bool is_void = false;

	for (next(r); r->n && (depth || !is(r, ")")); next(r)) {
		depth += is(r, "(") || is(r, "[");
		depth -= (is(r, ")") || is(r, "]")) && depth;
		commas += !depth && is(r, ",");
		is_void = !words++ && is(r, "void");
	}
	if (!r->n) {
		r->off = first;
		r->n = 1;
		return wrong(r, "a \")\" for this");
	}
	p->arguments = arena_strndup(r->ds->arena, r->text->text + begin, r->off - begin);
	p->narguments = !words || (is_void && words == 1) ? 0 : commas + 1;
	next(r);
	return true;
}

static bool is_there(const struct parse_provider *p, const struct parse_probe *new, const struct parse_probe **old)
{
	for (size_t i = 0; i < p->probes.n; i++) {
		*old = &p->probes.v[i];
		if (!strcmp((*old)->name, new->name))
			return true;
	}
	return false;
}

/* "probe NAME(ARGUMENTS) [: (ARGUMENTS)];"; the second ones are for scripts. */
static bool read_probe(struct reader *r, struct parse_provider *provider)
{
	struct parse_probe p = {0}, ignored;
	const struct parse_probe *old;

	if (!expect(r, "probe"))
		return false;
	if (!is_name(r))
		return wrong(r, "the name of a probe");
	p.name = taken(r);
	p.loc = loc_of(r);
	next(r);
	if (!is(r, "("))
		return wrong(r, "\"(\"");
	if (!read_arguments(r, &p))
		return false;
	if (is(r, ":")) {
		next(r);
		if (!is(r, "("))
			return wrong(r, "\"(\"");
		if (!read_arguments(r, &ignored))
			return false;
	}
	if (p.narguments > PARSE_ARGUMENTS)
		diag_report(r->ds, p.loc, E_SYNTAX, "%s has %u arguments; at most %d are possible", p.name, p.narguments, PARSE_ARGUMENTS);
	if (is_there(provider, &p, &old)) {
		struct diag *d = diag_report(r->ds, p.loc, E_DUPLICATE, "the provider %s has two probes %s", provider->name, p.name);
		diag_note(r->ds, d, old->loc, "the other one");
	} else {
		vec_push(r->ds->arena, &provider->probes, p);
	}
	return expect(r, ";");
}

static bool read_provider(struct reader *r, struct parse_providers *out)
{
	struct parse_provider p = {0};

	next(r);
	if (!is_name(r))
		return wrong(r, "the name of a provider");
	p.name = taken(r);
	p.loc = loc_of(r);
	next(r);
	if (!expect(r, "{"))
		return false;
	while (!is(r, "}"))
		if (!read_probe(r, &p))
			return false;
	next(r);
	vec_push(r->ds->arena, &out->v, p);
	return true;
}

/* A typedef, a structure, a translator: up to a ";" outside of braces. */
static void skip_other(struct reader *r)
{
	unsigned depth = 0;

	for (; r->n && (depth || !is(r, ";")); next(r)) {
		depth += is(r, "{");
		depth -= is(r, "}") && depth;
	}
	if (r->n)
		next(r);
}

bool parse_providers(struct diags *ds, const struct source *text, struct parse_providers *out)
{
	struct reader r = {.ds = ds, .text = text};

	next(&r);
	while (r.n) {
		if (is(&r, ";"))
			next(&r);
		else if (!is(&r, "provider"))
			skip_other(&r);
		else if (!read_provider(&r, out))
			return false;
	}
	if (!out->v.n)
		diag_report(ds, (struct loc){.source = (uint16_t)text->id, .len = 1}, E_SYNTAX, "the file declares no provider");
	return !ds->errors;
}
