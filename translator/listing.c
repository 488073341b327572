/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of what can be probed and called. */
#include "translator/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deep.h"
#include "base/visible.h"
#include "translator/pipeline.h"
#include "translator/probes/forms.h"
#include "translator/resolve/signature.h"

struct text_list {
	const char **v;
	size_t n, cap;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names and types come from files that are not trusted. */
static void put_line(const char *line)
{
	struct sb text = {0};

	visible_put(&text, line, strlen(line), "");
	puts(text.s);
	sb_free(&text);
}

/* " name:type" for each variable of the site, as -L prints them. */
static void variables(struct session *s, const struct probe *p, struct site *t, struct sb *out)
{
	struct place_variables all = {0};
	struct problem ignored = {0};

	for (const struct probe_local *l = t->locals; l && l->name; l++)
		if (!map_get(&p->scope, l->name)) /* the alias has it by itself */
			sb_printf(out, " %s:%s", l->name, l->is_text ? "string" : "long");
	place_variables(s, t, place_moment(t), &all, &ignored);
	for (int result = 1; result >= 0; result--) /* $return comes first */
		for (size_t i = 0; i < all.v.n; i++)
			if ((all.v.v[i].role == PLACE_RESULT) == result)
				sb_printf(out, " $%s:%s", all.v.v[i].name, dtype_text_short(&s->arena, all.v.v[i].value->type));
}

static int bind_and_infer(void *session)
{
	struct session *s = session;

	bind_pass(s);
	infer_pass(s);
	return 0;
}

/*
 * The variables that aliases set get their types.  An alias may set some that a kernel does not have, which is an error only for a script
 * that reads them.
 */
static void find_alias_variables(struct session *s)
{
	struct diags own = s->diags;

	s->diags = (struct diags){.arena = &s->arena, .sources = &s->sources, .no_warnings = true};
	deep_call(bind_and_infer, s);
	s->diags = own;
}

/* " name:type" for each variable that the probe's aliases set; those that begin with __ are the tapset's own. */
static void alias_variables(const struct probe *p, struct sb *out)
{
	for (size_t i = 0; i < p->locals.n; i++) {
		const struct symbol *v = p->locals.v[i];

		if ((v->type == T_LONG || v->type == T_STRING) && strncmp(v->name, "__", 2) != 0)
			sb_printf(out, " %s:%s", v->name, type_text(v->type));
	}
}

int listing_print(struct session *s)
{
	VEC(const char *) lines = {0};

	if (s->opt.list == LIST_VARS)
		find_alias_variables(s);
	for (size_t i = 0; i < s->prog.probes.n; i++)
		for (size_t j = 0; j < s->prog.probes.v[i]->sites.n; j++) {
			struct site *t = s->prog.probes.v[i]->sites.v[j];
			struct sb line = {0};
			sb_puts(&line, probe_site_name(t));
			if (s->opt.list == LIST_VARS) {
				alias_variables(s->prog.probes.v[i], &line);
				variables(s, s->prog.probes.v[i], t, &line);
			}
			vec_push(&s->arena, &lines, arena_strdup(&s->arena, line.s));
			sb_free(&line);
		}
	if (!lines.n)
		return 1;
	qsort(lines.v, lines.n, sizeof lines.v[0], by_text);
	for (size_t i = 0; i < lines.n; i++)
		if (!i || strcmp(lines.v[i], lines.v[i - 1]))
			put_line(lines.v[i]);
	return 0;
}

/* The beginning of the line that ends before p; p itself begins one. */
static const char *line_before(const char *text, const char *p)
{
	for (p = p > text ? p - 1 : text; p > text && p[-1] != '\n';)
		p--;
	return p;
}

static bool ends_comment(const char *line)
{
	size_t n = strcspn(line, "\n");

	return n >= 2 && !memcmp(line + n - 2, "*/", 2) && (line[0] == '/' || line[0] == ' ');
}

/*
 * The comment that explains a function of the library, which stands before it, or before the first of several without an empty line between
 * them; NULL: there is none.  An empty line with an indented line below it is within a body, and separates nothing.
 */
static const char *comment_before(const struct source *src, struct loc at, size_t *n)
{
	const char *line = src->text + at.off, *end;

	while (line > src->text && line[-1] != '\n')
		line--;
	while (line > src->text) {
		const char *below = line;

		line = line_before(src->text, line);
		if (*line == '#' || (*line == '\n' && *below != '\t' && *below != '\n'))
			return NULL;
		if (ends_comment(line))
			break;
	}
	end = line + strcspn(line, "\n") - 2;
	while (line > src->text && strncmp(line, "/*", 2) && *line == ' ')
		line = line_before(src->text, line);
	if (strncmp(line, "/*", 2) || end < line + 2)
		return NULL;
	*n = (size_t)(end - line - 2);
	return line + 2;
}

/* The signature and, after it, the comment, in one line. */
static const char *function_line(struct session *s, const struct node *decl)
{
	const struct source *src = source_by_id(&s->sources, decl->loc.source);
	size_t n = 0;
	const char *signature = signature_text(s, decl), *p = src ? comment_before(src, decl->loc, &n) : NULL, *end = p ? p + n : NULL;
	struct sb line = {0};

	if (!p)
		return signature;
	sb_printf(&line, "%s /*", signature);
	while (p < end) { /* word by word, without the stars that lines begin with */
		size_t blank = strspn(p, " \t\n"), word = 0;
		bool begins = memchr(p, '\n', blank);

		p += blank;
		while (p + word < end && !strchr(" \t\n", p[word]))
			word++;
		if (word && !(begins && word == 1 && *p == '*'))
			sb_printf(&line, " %.*s", (int)word, p);
		p += word;
	}
	sb_puts(&line, " */");
	signature = arena_strdup(&s->arena, line.s);
	sb_free(&line);
	return signature;
}

int listing_functions(struct session *s)
{
	VEC(const char *) lines = {0};

	for (size_t i = 0; i < s->prog.functions.n; i++) {
		const struct symbol *f = s->prog.functions.entries[i].value;
		if (f->name[0] != '_')
			vec_push(&s->arena, &lines, function_line(s, f->decl));
	}
	qsort(lines.v, lines.n, sizeof lines.v[0], by_text);
	for (size_t i = 0; i < lines.n; i++)
		put_line(lines.v[i]);
	return 0;
}

/* "NAME = POINT, POINT" of each name of one alias; those that begin with _ are the tapset's own. */
static void alias_lines(struct session *s, const struct node *alias, struct text_list *lines)
{
	const struct node *names = ALIAS_NAME_LIST(alias), *points = ALIAS_POINT_LIST(alias);

	for (unsigned i = 0; i < LIST_ITEMS(names); i++) {
		struct sb line = {0};

		ast_unparse_short(LIST_ITEM(names, i), &line);
		if (line.s[0] != '_') {
			sb_puts(&line, " = ");
			for (unsigned k = 0; k < LIST_ITEMS(points); k++) {
				sb_puts(&line, k ? ", " : "");
				ast_unparse_short(LIST_ITEM(points, k), &line);
			}
			vec_push(&s->arena, lines, arena_strdup(&s->arena, line.s));
		}
		sb_free(&line);
	}
}

int listing_probe_aliases(struct session *s)
{
	struct text_list lines = {0};

	for (size_t i = 0; i < s->tapset.n; i++)
		AST_EACH(declaration, s->tapset.v[i])
			if ((*declaration)->kind == N_ALIAS)
				alias_lines(s, *declaration, &lines);
	if (lines.n)
		qsort(lines.v, lines.n, sizeof lines.v[0], by_text);
	for (size_t i = 0; i < lines.n; i++)
		put_line(lines.v[i]);
	return 0;
}

int listing_probe_types(struct session *s)
{
	(void)s;
	for (struct forms f = {0}; forms_next(&f);)
		printf("%-48s %s\n", f.form->text, f.form->help);
	return 0;
}
