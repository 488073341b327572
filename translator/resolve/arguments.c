/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Part of pass "parse": argc, argv[1] to argv[argc], and argv_1, argv_2 ..., by which a script can ask for its arguments as for any other
 * variable.  They are globals, which are added to the script like the text of an option -E, those that it names.  A script that declares
 * such a global means its own, and one that gives all of argv a value means a local.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "parser/parse.h"
#include "translator/resolve/resolve.h"

struct asked {
	struct session *s;
	struct map used, own; /* of the names: what the script uses, and what it has itself */
	struct map given;     /* of the names: -G has a value of it */
};

/* The N of argv_N, 0 for all other names. */
static size_t number_of(const char *name)
{
	const char *digits = name + strlen("argv_");
	size_t n = strlen(digits);

	return n && n < 6 && *digits != '0' && strspn(digits, "0123456789") == n ? strtoul(digits, NULL, 10) : 0;
}

static size_t number_of_argument(const char *name)
{
	return strncmp(name, "argv_", 5) ? 0 : number_of(name);
}

static bool is_argument(const char *name)
{
	if (strncmp(name, "arg", 3))
		return false;
	return !strcmp(name, "argc") || !strcmp(name, "argv") || number_of_argument(name);
}

static bool is_param(const struct node *function, const char *name)
{
	for (unsigned i = 0; function && i < FUNCTION_PARAMS(function); i++)
		if (FUNCTION_PARAM(function, i)->name == name)
			return true;
	return false;
}

/* function: that n is in, or NULL. */
static void look(struct asked *a, struct node *n, const struct node *function)
{
	if (n->kind == N_GLOBAL && is_argument(n->name))
		map_set(&a->s->arena, &a->own, n->name, n);
	if (n->kind == N_NAME && is_argument(n->name) && !is_param(function, n->name))
		map_set(&a->s->arena, &a->used, n->name, n);
	AST_EACH(child, n) {
		if (n->kind != N_DELETE && ast_sets(n, child) && (*child)->kind == N_NAME && !strcmp((*child)->name, "argv"))
			map_set(&a->s->arena, &a->own, (*child)->name, *child);
		look(a, *child, n->kind == N_FUNCTION ? n : function);
	}
}

/* n arguments were given, and what -G gives takes the place of some, or follows them. */
static void put_array(const struct asked *a, size_t n, struct sb *text)
{
	size_t most = n;

	for (size_t i = 0; i < a->given.n; i++)
		most = number_of_argument(a->given.entries[i].key) > most ? number_of_argument(a->given.entries[i].key) : most;
	sb_printf(text, "global argv[%zu]\nprobe begin(%lld) {\n", most ? most : 1, (long long)INT64_MIN + 1);
	for (size_t i = 1; i <= most; i++) {
		const char *name = intern(arena_printf(&a->s->arena, "argv_%zu", i));

		if (map_get(&a->given, name))
			sb_printf(text, "argv[%zu] = %s\n", i, name);
		else if (i <= n)
			sb_printf(text, "argv[%zu] = @%zu\n", i, i);
	}
	sb_puts(text, most ? "}\n" : "argv[0] = \"\"\ndelete argv[0]\n}\n"); /* of strings, in any case */
}

static bool asks(const struct asked *a, const char *name)
{
	return map_get(&a->used, intern(name)) && !map_get(&a->own, intern(name));
}

static void put_all(const struct asked *a, size_t n, struct sb *text)
{
	if (asks(a, "argc"))
		sb_puts(text, "global argc = $#\n");
	if (asks(a, "argv"))
		put_array(a, n, text);
	for (size_t i = 0; i < a->used.n; i++) {
		const char *name = a->used.entries[i].key;

		if (!strncmp(name, "argv_", 5) && asks(a, name)) {
			size_t k = number_of(name);

			sb_printf(text, "global %s = ", name);
			sb_printf(text, k <= n ? "@%zu\n" : "\"\"\n", k);
		}
	}
}

/* What -G gives is there, whether the script names it or only argv. */
static void take_given(struct asked *a)
{
	for (size_t i = 0; i < a->s->opt.globals.n; i++) {
		const char *text = a->s->opt.globals.v[i], *name = intern_n(text, strcspn(text, "="));

		if (!is_argument(name) || !strcmp(name, "argv") || map_get(&a->own, name))
			continue;
		map_set(&a->s->arena, &a->given, name, a->s->script);
		map_set(&a->s->arena, &a->used, name, a->s->script);
	}
}

void arguments_declare(struct session *s)
{
	struct asked a = {.s = s};
	struct source *src = NULL;
	struct node *file;
	struct sb text = {0};

	look(&a, s->script, NULL);
	take_given(&a);
	put_all(&a, s->opt.args.n, &text);
	if (text.n)
		src = source_add(&s->sources, "<arguments>", arena_strndup(&s->arena, text.s, text.n), text.n);
	sb_free(&text);
	if (!src)
		return;
	src->is_made = true;
	file = parse_source(&s->env, src);
	if (!file)
		return;
	/* before all of the script's: what is wrong is where it uses them */
	ast_add_items(&s->arena, file, s->script);
	s->script = file;
}
