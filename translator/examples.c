/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The examples: examples/SUBJECT/NAME.stp beside the tapset.  Their heads, in HACKING.md's form, are read each time: there is no index
 * that could be wrong.
 */
#include "translator/examples.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/str.h"

struct example {
	const char *subject, *name, *path, *question;
	const char *head; /* without the signs of comments */
};

typedef VEC(struct example) example_list;

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct example *)a)->path, ((const struct example *)b)->path);
}

/* The lines of the first comment that follow the licence. */
static const char *read_head(struct arena *a, const char *text)
{
	struct sb head = {0};

	while (*text == '#') {
		size_t n = strcspn(text, "\n");
		size_t skip = n > 1 && text[1] == ' ' ? 2 : 1;
		if (strncmp(text, "#!", 2) != 0 && strncmp(text, "# SPDX", 6) != 0) {
			sb_putn(&head, text + skip, n - skip);
			sb_putc(&head, '\n');
		}
		text += n + (text[n] == '\n');
	}

	const char *kept = arena_strdup(a, head.s ? head.s : "");

	sb_free(&head);
	return kept;
}

static void add(struct session *s, example_list *list, const char *subject, const char *file)
{
	struct arena *a = &s->arena;
	size_t n = strlen(file);
	struct example e = {.subject = arena_strdup(a, subject)};
	const char *text;

	if (n < 5 || strcmp(file + n - 4, ".stp") != 0)
		return;
	e.name = arena_strndup(a, file, n - 4);
	e.path = arena_printf(a, "%s/%s/%s", paths_examples(), subject, file);
	text = file_read(a, e.path, NULL);
	e.head = read_head(a, text ? text : "");
	size_t title = strlen(e.name);
	bool named = !strncmp(e.head, e.name, title) && !strncmp(e.head + title, ": ", 2);
	e.question = named ? arena_strndup(a, e.head + title + 2, strcspn(e.head + title + 2, "\n")) : "";
	vec_push(a, list, e);
}

static void read_subject(struct session *s, example_list *list, const char *subject)
{
	DIR *folder = opendir(arena_printf(&s->arena, "%s/%s", paths_examples(), subject));

	for (struct dirent *d; folder && (d = readdir(folder));)
		if (d->d_name[0] != '.')
			add(s, list, subject, d->d_name);
	if (folder)
		closedir(folder);
}

/* All of them, by subject and name; none, with a message, if the folder is not there. */
static example_list read_all(struct session *s)
{
	example_list list = {0};
	DIR *folder = opendir(paths_examples());

	if (!folder) {
		s_error(s, (struct loc){0}, E_IO, "cannot read the examples in %s: %s", paths_examples(), strerror(errno));
		return list;
	}
	for (struct dirent *d; (d = readdir(folder));)
		if (d->d_name[0] != '.')
			read_subject(s, &list, d->d_name);
	closedir(folder);
	if (list.n)
		qsort(list.v, list.n, sizeof *list.v, by_path);
	return list;
}

static const struct example *named(const example_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i].name, name))
			return &list->v[i];
	return NULL;
}

/* The field "Call" of its head: what goes on in another line, and begins with a tab there, follows a semicolon. */
static const char *call_of(struct arena *a, const struct example *e)
{
	const char *at = strstr(e->head, "\nCall: ");
	struct sb call = {0};

	if (!at)
		return NULL;
	for (at++;; at += 2) {
		size_t n = strcspn(at, "\n");
		sb_putn(&call, at, n);
		at += n;
		if (strncmp(at, "\n\t", 2) != 0)
			break;
		sb_puts(&call, "; ");
	}

	const char *kept = arena_strdup(a, call.s);

	sb_free(&call);
	return kept;
}

static const char *take(struct session *s, const struct example *e)
{
	s->opt.example_call = call_of(&s->arena, e);
	return e->path;
}

static const char *near_names(struct session *s, const example_list *list, const char *name)
{
	struct nearest near;

	nearest_init(&near, name);
	for (size_t i = 0; i < list->n; i++)
		nearest_add(&near, list->v[i].name);
	return nearest_text(&near, &s->arena);
}

const char *examples_find(struct session *s, const char *name)
{
	example_list list = read_all(s);
	const struct example *e = named(&list, name);

	if (e || s->diags.errors)
		return e ? take(s, e) : NULL;
	struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "there is no example \"%s\"", name);

	diag_hint_near(&s->diags, d, near_names(s, &list, name));
	diag_hint(&s->diags, d, "spile --examples lists all of them; spile --examples WORD those that have to do with WORD");
	return NULL;
}

const char *examples_called(struct session *s, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (!strcmp(name, "spile") || access(paths_examples(), R_OK))
		return NULL;

	example_list list = read_all(s);
	const struct example *e = named(&list, name);

	return e ? take(s, e) : NULL;
}

static bool has_word(const struct example *e, const char *word)
{
	return strcasestr(e->head, word) || strcasestr(e->subject, word);
}

static bool is_wanted(const struct session *s, const struct example *e)
{
	for (size_t i = 0; i < s->opt.args.n; i++)
		if (!has_word(e, s->opt.args.v[i]))
			return false;
	return true;
}

int examples_print(struct session *s)
{
	example_list list = read_all(s);
	const struct example *one = s->opt.args.n == 1 ? named(&list, s->opt.args.v[0]) : NULL;
	const char *subject = "";
	size_t n = 0;

	if (one) {
		printf("%sFile: %s\n", one->head, one->path);
		return 0;
	}
	for (size_t i = 0; i < list.n; i++) {
		const struct example *e = &list.v[i];
		if (!is_wanted(s, e))
			continue;
		if (strcmp(subject, e->subject) != 0)
			printf("%s%s\n", n ? "\n" : "", subject = e->subject);
		printf("  %-22s %s\n", e->name, e->question);
		n++;
	}
	if (!n && !s->diags.errors) {
		struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "no example has to do with that: spile --examples lists all of them");
		if (s->opt.args.n == 1)
			diag_hint_near(&s->diags, d, near_names(s, &list, s->opt.args.v[0]));
	}
	return n ? 0 : 1;
}
