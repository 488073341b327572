// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects messages; what they look like is in diag_print.c. */
#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

#include "base/diag_print.h"
#include "base/messages.h"
#include "base/str.h"

#define DEFAULT_LIMIT 20

static const struct {
	const char *name, *summary;
	enum diag_level level;
} ids[DIAG_COUNT] = {
#define DIAG(id, name, level, summary) [id] = {name, summary, level},
#include "base/diag.def"
#undef DIAG
};

static bool same_word(struct loc a, struct loc b)
{
	return a.source == b.source && a.off == b.off && a.len == b.len;
}

static bool same_place(struct loc a, struct loc b)
{
	return same_word(a, b) && a.expansion == b.expansion;
}

/* Errors about the call of spile or the kernel, not about a place in the script: one message is enough. */
static bool is_said_once(enum diag_id id)
{
	return id == E_ARGUMENT_RANGE || id == E_NO_KERNEL || id == E_NO_HEADERS || id == E_NO_TARGET_PROGRAM;
}

/* An argument of the script that is put in several times is one text to the user, though each time it is a source of its own. */
static bool same_argument(const struct diags *ds, struct loc a, struct loc b)
{
	const struct source *x = ds->sources ? source_by_id(ds->sources, a.source) : NULL;
	const struct source *y = ds->sources ? source_by_id(ds->sources, b.source) : NULL;

	return x && y && x->is_argument && y->is_argument && a.off == b.off && a.len == b.len && !strcmp(x->name, y->name);
}

static bool is_known(const struct diags *ds, const struct diag *d)
{
	for (const struct diag *o = ds->first; o; o = o->next)
		if (o->id == d->id && same_place(o->loc, d->loc) && !strcmp(o->text, d->text))
			return true;
	return false;
}

/* What is missing is missing wherever the macro that names it is used; other mistakes may depend on the place. */
static bool is_missing_again(const struct diag *a, const struct diag *b)
{
	return a->id == E_NO_MATCH && same_word(a->loc, b->loc);
}

/* At another place, but no news. It is an error there as well: passes count them. */
static bool is_repeated(const struct diags *ds, const struct diag *d)
{
	for (const struct diag *o = ds->first; o; o = o->next)
		if (o->id == d->id && !strcmp(o->text, d->text) &&
		    (is_said_once(d->id) || is_missing_again(o, d) || same_argument(ds, o->loc, d->loc)))
			return true;
	return false;
}

/* Decides about one message: dropped, counted, or counted and kept. */
static void admit(struct diags *ds, struct diag *d)
{
	d->next = NULL;
	if (d->level == DIAG_WARNING && ds->no_warnings)
		return;
	if (d->level == DIAG_WARNING && ds->warnings_are_errors)
		d->level = DIAG_ERROR;
	if (is_known(ds, d))
		return;
	if (is_repeated(ds, d)) {
		if (d->level != DIAG_WARNING) {
			ds->errors++;
			ds->repeated++;
		}
		return;
	}
	if (d->level == DIAG_WARNING) {
		ds->warnings++;
	} else if (ds->errors++ - ds->repeated >= (ds->limit ? ds->limit : DEFAULT_LIMIT)) {
		ds->hidden++;
		return;
	}
	if (ds->last)
		ds->last->next = d;
	else
		ds->first = d;
	ds->last = d;
}

struct diag *diag_report(struct diags *ds, struct loc loc, enum diag_id id, const char *fmt, ...)
{
	struct diag *d = arena_new(ds->arena, struct diag);
	va_list ap;

	d->id = id;
	d->level = ids[id].level;
	d->loc = loc;
	va_start(ap, fmt);
	d->text = arena_vprintf(ds->arena, fmt, ap);
	va_end(ap);
	admit(ds, d);
	return d;
}

static struct diag_note *add_note(struct diags *ds, struct diag *d)
{
	struct diag_note **end = &d->notes;

	while (*end)
		end = &(*end)->next;
	*end = arena_new(ds->arena, struct diag_note);
	return *end;
}

void diag_note(struct diags *ds, struct diag *d, struct loc loc, const char *fmt, ...)
{
	const struct source *src = ds->sources ? source_by_id(ds->sources, loc.source) : NULL;
	struct diag_note *note;
	va_list ap;

	if (src && src->is_made)
		return;
	note = add_note(ds, d);
	note->kind = "note";
	note->loc = loc;
	va_start(ap, fmt);
	note->text = arena_vprintf(ds->arena, fmt, ap);
	va_end(ap);
}

void diag_hint(struct diags *ds, struct diag *d, const char *fmt, ...)
{
	struct diag_note *note = add_note(ds, d);
	va_list ap;

	note->kind = "hint";
	va_start(ap, fmt);
	note->text = arena_vprintf(ds->arena, fmt, ap);
	va_end(ap);
}

static bool is_said(const struct diags *ds, const char *text)
{
	for (const struct diag *d = ds->first; d; d = d->next)
		for (const struct diag_note *n = d->notes; n; n = n->next)
			if (!strcmp(n->text, text))
				return true;
	return false;
}

bool diag_hint_once(struct diags *ds, struct diag *d, const char *text)
{
	if (is_said(ds, text))
		return false;
	diag_hint(ds, d, "%s", text);
	return true;
}

bool diag_hint_near(struct diags *ds, struct diag *d, const char *near)
{
	if (near)
		diag_hint(ds, d, "did you mean %s?", near);
	return near;
}

void diag_move(struct diags *to, struct diags *from)
{
	for (struct diag *d = from->first, *next; d; d = next) {
		next = d->next;
		admit(to, d);
	}
	to->errors += from->hidden;
	to->hidden += from->hidden;
	from->first = from->last = NULL;
	from->errors = from->warnings = from->repeated = from->hidden = 0;
}

void diag_flush(struct diags *ds, FILE *to, bool colour)
{
	struct sb out = {0};

	for (const struct diag *d = ds->first; d; d = d->next)
		if (ds->format)
			ds->format->one(&out, ds->sources, d);
		else
			diag_print_one(&out, ds->sources, d, colour);
	if (ds->hidden && ds->format)
		ds->format->hidden(&out, ds->hidden);
	else if (ds->hidden)
		sb_printf(&out, "%u more error%s not shown\n", ds->hidden, str_plural(ds->hidden));
	if (out.n)
		fwrite(out.s, 1, out.n, to);
	fflush(to);
	sb_free(&out);
	ds->first = ds->last = NULL;
	ds->hidden = 0;
}

const char *diag_name(enum diag_id id)
{
	return ids[id].name;
}

void diag_list(FILE *to)
{
#define AREA(title) fprintf(to, "%s" title ":\n", between), between = "\n";
#define DIAG(id, name, level, summary) fprintf(to, "  %-20s %s\n", name, summary);
	const char *between = "";

#include "base/diag.def"
#undef DIAG
}

void diag_explain(enum diag_id id, FILE *to)
{
	const char *level = ids[id].level == DIAG_ERROR ? "error" : "warning";

	fprintf(to, "%s (%s): %s\n%s", ids[id].name, level, ids[id].summary, explanations[id]);
}

int diag_by_name(const char *name, struct nearest *near)
{
	for (int id = 0; id < DIAG_COUNT; id++)
		if (!strcmp(ids[id].name, name))
			return id;
	if (near) {
		nearest_init(near, name);
		for (int id = 0; id < DIAG_COUNT; id++)
			nearest_add(near, ids[id].name);
	}
	return -1;
}
