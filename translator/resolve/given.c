/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks -G NAME=VALUE before anything is built: the runtime would refuse a bad value when the session starts. */
#include "translator/resolve/given.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "translator/limits.h"

static struct symbol *global_of(struct session *s, const char *text)
{
	return map_get(&s->prog.globals, intern_n(text, strcspn(text, "=")));
}

static void unknown(struct session *s, const char *text)
{
	const char *name = intern_n(text, strcspn(text, "="));
	struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "-G %s: the script has no global \"%s\"", text, name);
	const struct symbol *private = NULL;
	struct nearest near;

	nearest_init(&near, name);
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		const struct symbol *v = s->prog.globals.entries[i].value;
		if (!v->file)
			nearest_add(&near, v->name);
		else if (v->name == name)
			private = v;
	}
	if (private)
		diag_note(&s->diags, d, private->decl->loc, "this one is private, which -G does not reach");
	else
		diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena));
}

/* --target-namespaces is a global of the library, which scripts without its functions do not have. */
static void give_namespaces(struct session *s)
{
	static const char name[] = "__namespaces";

	if (s->opt.namespaces_pid && map_get(&s->prog.globals, intern(name)))
		vec_push(&s->arena, &s->opt.globals, arena_printf(&s->arena, "%s=%d", name, s->opt.namespaces_pid));
}

void given_bind(struct session *s)
{
	give_namespaces(s);
	for (size_t i = 0; i < s->opt.globals.n; i++) {
		struct symbol *v = global_of(s, s->opt.globals.v[i]);
		if (v)
			v->read = v->is_given = true;
		else
			unknown(s, s->opt.globals.v[i]);
	}
}

static struct diag *refuse(struct session *s, const struct symbol *v, const char *text, const char *why)
{
	struct diag *d = s_error(s, (struct loc){0}, E_GLOBAL_VALUE, "-G %.60s%s: %s", text, strlen(text) > 60 ? "..." : "", why);
	const struct node *settled = v->is_array && v->array_origin ? v->array_origin : v->type_origin;

	diag_note(&s->diags, d, settled ? settled->loc : v->decl->loc, settled ? "the type follows from this" : "declared here");
	return d;
}

static void check_long(struct session *s, const struct symbol *v, const char *text, const char *value)
{
	bool minus = *value == '-';
	const char *digits = value + minus;
	char *end;

	errno = 0;
	unsigned long long n = strtoull(digits, &end, 0);
	if (!isdigit((unsigned char)*digits) || *end)
		diag_hint(&s->diags, refuse(s, v, text, "the global is a long, and this is not a number"),
			  "numbers are written 10, -3, 0x1f, or 017 in octal");
	else if (errno == ERANGE || (minus && n > 1ULL << 63))
		diag_hint(&s->diags, refuse(s, v, text, "the number does not fit into a long"),
			  "a long has 64 bits: -9223372036854775808 to 9223372036854775807, and to 0xffffffffffffffff for bits");
}

static void check_value(struct session *s, const struct symbol *v, const char *text)
{
	const char *value = text + strcspn(text, "=") + 1;
	int64_t max = session_limit(s, "MAXSTRINGLEN") - 1;

	if (v->is_array || v->type == T_STATS) {
		diag_hint(&s->diags, refuse(s, v, text, v->is_array ? "the global is an array" : "the global holds statistics"),
			  "only numbers and strings can be given: set a global of another name, and use it in a begin probe");
	} else if (v->type == T_LONG) {
		check_long(s, v, text, value);
	} else if (v->type == T_STRING && (int64_t)strlen(value) > max) {
		struct diag *d = refuse(s, v, text, arena_printf(&s->arena, "the text has %zu bytes, and a string at most %lld",
								 strlen(value), (long long)max));
		if ((int64_t)strlen(value) < limits_greatest("MAXSTRINGLEN"))
			diag_hint(&s->diags, d, "-D MAXSTRINGLEN=%zu makes all strings longer", strlen(value) + 1);
	}
}

/* As it is typed: the quotes, if there must be some, are around the whole, and long texts are cut in them. */
static const char *shell_word(struct arena *a, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=.,:/@%+-";
	struct sb word = {0};
	const char *made;

	if (!text[strspn(text, plain)])
		return arena_printf(a, "%.60s", text);
	sb_puts(&word, "'");
	for (size_t i = 0; text[i] && i < 60; i++)
		sb_printf(&word, text[i] == '\'' ? "'\\''" : "%c", text[i]);
	sb_puts(&word, "'");
	made = arena_strdup(a, word.s);
	sb_free(&word);
	return made;
}

/* It is a parameter that the loader gives; this session has none. */
static void not_in_module(struct session *s, const char *text)
{
	struct diag *d = s_error(s, (struct loc){0}, W_NOT_IN_MODULE, "-G %.60s: -p4 only makes the module, which does not keep the value", text);

	diag_hint(&s->diags, d, "give it to those who run the module: spilerun %s.ko %s", s->opt.module_name ? s->opt.module_name : "NAME",
		  shell_word(&s->arena, text));
}

void given_check(struct session *s)
{
	for (size_t i = 0; i < s->opt.globals.n; i++) {
		const struct symbol *v = global_of(s, s->opt.globals.v[i]);
		if (v)
			check_value(s, v, s->opt.globals.v[i]);
		if (v && s->opt.last_pass == 4)
			not_in_module(s, s->opt.globals.v[i]);
	}
}
