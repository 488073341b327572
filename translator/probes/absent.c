/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points that SystemTap has and no family here: the message says what they are and the nearest thing that works.  Scripts written
 * for SystemTap meet this first, so it must not look like a mistake of theirs.  The table is absent.def.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

struct absent {
	const char *pattern, *what, *near, *hint;
};

static const struct absent table[] = {
#define ABSENT(pattern, what, near, hint) {pattern, what, near, hint},
#define PROGRAM(program, mark, hint)
#include "translator/probes/absent.def"
#undef PROGRAM
#undef ABSENT
};

/* A point that fits a row. */
struct fit {
	struct session *s;
	const struct point *p;
	const struct absent *row;
	unsigned at;          /* the component that no family knows */
	unsigned n;           /* components that the row speaks of */
	const char *subject;  /* what its * stands for, or NULL */
};

/* "func@file:12" -> "func", "sched:sched_switch" -> "sched_switch" */
static const char *subject_of(struct session *s, const char *text)
{
	const char *at = strchr(text, '@'), *colon;

	if (at)
		return arena_strndup(&s->arena, text, (size_t)(at - text));
	colon = strchr(text, ':');
	return colon ? colon + 1 : text;
}

/* One component of a pattern, "name" or "name(argument)", against one of the point.  *pattern is moved to after its dot. */
static bool component_fits(struct fit *f, const char **pattern, const struct component *c)
{
	size_t name_len = strcspn(*pattern, ".("), arg_len = 0;
	const char *name = arena_strndup(&f->s->arena, *pattern, name_len), *arg = NULL;

	*pattern += name_len;
	if (**pattern == '(') {
		arg_len = strcspn(++*pattern, ")");
		arg = arena_strndup(&f->s->arena, *pattern, arg_len);
		*pattern += arg_len + 1;
	}
	if (**pattern == '.')
		++*pattern;
	if (!str_glob(name, c->name))
		return false;
	if (!strcmp(name, "*"))
		f->subject = c->name;
	if (!arg)
		return true;
	if (!*arg)
		return !c->arg;
	if (!c->arg || !strcmp(arg, "#"))
		return c->arg && c->arg->kind == N_NUMBER;
	if (c->arg->kind != N_STRING)
		return false;
	const char *text = subject_of(f->s, c->arg->text);
	if (!strcmp(arg, "*"))
		f->subject = text;
	return str_glob(arg, text);
}

static bool fits_from(struct fit *f, const char *pattern, unsigned from)
{
	unsigned i = from;

	f->subject = NULL;
	for (; *pattern; i++)
		if (i == f->p->n || !component_fits(f, &pattern, &f->p->c[i]))
			return false;
	f->n = i;
	return true;
}

static bool fits(struct fit *f)
{
	const char *pattern = f->row->pattern;

	return strncmp(pattern, "**.", 3) ? fits_from(f, pattern, 0) : f->at && fits_from(f, pattern + 3, f->at);
}

/* ---- the nearest kernel function or tracepoint ---- */

static bool stop_at_first(void *ctx, const char *name)
{
	*(bool *)ctx = true;
	(void)name;
	return false;
}

static bool is_there(struct session *s, const char *function)
{
	struct problem ignored = {0};
	bool found = false;

	if (!s->kernel)
		return !str_has_glob(function);
	if (str_has_glob(function))
		return kernel_functions(s->kernel, NULL, function, stop_at_first, &found, &ignored) >= 0 && found;
	return kernel_has_function(s->kernel, NULL, function) && !kernel_function_unprobeable(s->kernel, NULL, function);
}

/* ", with $a:int $b:char*", or "". */
static const char *listed(struct session *s, const struct proto *p, bool is_return)
{
	struct sb b = {0};

	if (is_return && p->returns)
		sb_printf(&b, " $return:%s", dtype_text_short(&s->arena, p->ret.type));
	for (size_t i = 0; i < p->nparams; i++)
		if (*p->params[i].name)
			sb_printf(&b, " $%s:%s", p->params[i].name, dtype_text_short(&s->arena, p->params[i].type));
	const char *text = b.n ? arena_printf(&s->arena, ", with%s", b.s) : "";
	sb_free(&b);
	return text;
}

static const char *variables(struct session *s, const char *function, bool is_return)
{
	struct proto p;

	if (!s->kernel || str_has_glob(function) || kernel_function(s->kernel, NULL, function, &p, NULL))
		return "";
	return listed(s, &p, is_return);
}

static bool wants_return(const struct fit *f)
{
	for (unsigned i = f->n; i < f->p->n; i++)
		if (!strcmp(f->p->c[i].name, "return"))
			return true;
	return false;
}

/* The candidate's name, its * replaced, without the .return that *is_return takes over. */
static const char *candidate(const struct fit *f, const char *text, size_t n, bool *is_return)
{
	static const char tail[] = ".return";
	const size_t m = sizeof tail - 1;
	struct arena *a = &f->s->arena;
	const char *star;

	*is_return = wants_return(f);
	if (n > m && !memcmp(text + n - m, tail, m)) {
		*is_return = true;
		n -= m;
	}
	star = memchr(text, '*', n);
	if (!star || !f->subject)
		return star ? "" : arena_strndup(a, text, n);
	if (n == 1 && str_has_glob(f->subject))
		return ""; /* all functions of that name: too far off */
	return arena_printf(a, "%.*s%s%.*s", (int)(star - text), text, f->subject, (int)(text + n - star - 1), star + 1);
}

static const char *guru(struct session *s, const char *function)
{
	bool needed = s->kernel && !s->opt.guru && !str_has_glob(function) && !kernel_function_traced(s->kernel, NULL, function);

	return needed ? "; it needs the option -g" : "";
}

/* False: the kernel has no such tracepoint. */
static bool hint_tracepoint(struct session *s, const char *name, struct diag *d)
{
	struct proto p;

	if (!s->kernel || kernel_tracepoint(s->kernel, NULL, name, &p, NULL))
		return false;
	diag_hint(&s->diags, d, "kernel.trace(\"%s\") is hit at that moment%s", name, listed(s, &p, false));
	return true;
}

static bool hint_near(const struct fit *f, struct diag *d)
{
	struct session *s = f->s;
	const char *near = f->row->near ? target_words(s->target, &s->arena, f->row->near) : "";

	for (const char *p = near; *p;) {
		size_t n = strcspn(p, " ");
		bool is_return;
		const char *function = candidate(f, p, n, &is_return);
		p += n + (p[n] == ' ');
		if (*function == ':' && hint_tracepoint(s, function + 1, d))
			return true;
		if (!*function || *function == ':' || !is_there(s, function))
			continue;
		diag_hint(&s->diags, d, "kernel.function(\"%s\")%s is hit at nearly the same moment%s%s", function,
			  is_return ? ".return" : "", variables(s, function, is_return), guru(s, function));
		return true;
	}
	return false;
}

/* ---- messages ---- */

static const char *head(const struct fit *f)
{
	struct point q = *f->p;

	q.n = f->at;
	return probe_point_text(f->s, &q);
}

static void hint_text(const struct fit *f, struct diag *d)
{
	const char *hint = target_words(f->s->target, &f->s->arena, f->row->hint);
	struct sb b = {0};

	for (const char *p = hint + (*hint == '+'); *p; p++) {
		if (*p != '%') {
			sb_putc(&b, *p);
			continue;
		}
		p++;
		sb_puts(&b, *p == 'h' ? head(f) : f->subject ? f->subject : "...");
	}
	diag_hint(&f->s->diags, d, "%s", b.s);
	sb_free(&b);
}

/* Functions with the first word of the subject ("sched" of "sched_*") or of the point in their names. */
static void hint_by_word(const struct fit *f, struct diag *d)
{
	struct arena *a = &f->s->arena;
	const char *text = f->subject && isalnum((unsigned char)*f->subject) ? f->subject : f->p->c[0].name;
	const char *pattern;
	size_t n = 0;

	while (isalnum((unsigned char)text[n]))
		n++;
	pattern = arena_printf(a, "*%.*s*", (int)n, text);
	if ((text == f->subject || !f->at) && is_there(f->s, pattern))
		diag_hint(&f->s->diags, d, "probe related functions: spile -l 'kernel.function(\"%s\")' lists some", pattern);
	else
		diag_hint(&f->s->diags, d, "probe a related function: kernel.function(\"...\") or module(\"...\").function(\"...\")");
}

static const struct absent_program {
	const char *program, *mark, *hint;
} programs[] = {
#define ABSENT(pattern, what, near, hint)
#define PROGRAM(program, mark, hint) {program, mark, hint},
#include "translator/probes/absent.def"
#undef PROGRAM
#undef ABSENT
};

const char *probe_absent_program(struct session *s, const struct point *p, const char *program)
{
	const struct component *mark = probe_component(p, "mark");
	const char *text = mark && mark->arg ? mark->arg->text : "";

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (!strcmp(programs[i].program, program) && str_glob(programs[i].mark, text)) {
			const char *hint = programs[i].hint, *at = strstr(hint, "%a");

			return at ? arena_printf(&s->arena, "%.*s%s%s", (int)(at - hint), hint, text, at + 2) : hint;
		}
	return NULL;
}

bool probe_absent(struct session *s, const struct point *p, unsigned known)
{
	struct fit f = {.s = s, .p = p, .at = known};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		f.row = &table[i];
		if (!fits(&f))
			continue;
		struct diag *d = s_error(s, p->c[known < p->n ? known : p->n - 1].loc, E_NOT_SUPPORTED,
					 "%s is %s, which Spile does not have yet", probe_point_text(s, p), f.row->what);
		bool is_near = hint_near(&f, d);
		if (f.row->hint && (is_near || *f.row->hint != '+'))
			hint_text(&f, d);
		else if (!is_near)
			hint_by_word(&f, d);
		return true;
	}
	return false;
}
