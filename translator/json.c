// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages as JSON. */
#include "translator/json.h"

#include <json-c/json.h>
#include <string.h>

#include "base/diag_print.h"
#include "base/str.h"

/* A string of JSON is UTF-8: other bytes become the replacement character. */
static struct json_object *text(const char *s)
{
	struct sb b = {0};
	struct json_object *o;

	for (size_t n = strlen(s); n;) {
		unsigned bytes = diag_print_utf8(s, n);

		if (bytes)
			sb_putn(&b, s, bytes);
		else
			sb_puts(&b, "\357\277\275");
		s += bytes ? bytes : 1;
		n -= bytes ? bytes : 1;
	}
	o = json_object_new_string_len(b.s ? b.s : "", (int)b.n);
	sb_free(&b);
	return o;
}

static void put_position(struct json_object *o, struct source *src, uint32_t off)
{
	unsigned line, column;

	source_position(src, off, &line, &column);
	json_object_object_add(o, "line", json_object_new_int64(line));
	json_object_object_add(o, "column", json_object_new_int64(column));
}

static void put_span(struct json_object *o, const struct sources *ss, struct loc loc)
{
	struct source *src = source_by_id(ss, loc.source);
	struct json_object *end;

	if (!src)
		return;
	end = json_object_new_object();
	json_object_object_add(o, "file", text(src->name));
	put_position(o, src, loc.off);
	put_position(end, src, loc.off + loc.len);
	json_object_object_add(o, "end", end);
}

/* The place, and how macros led to it. */
static void put_place(struct json_object *o, const struct sources *ss, struct loc loc)
{
	struct json_object *chain = NULL;

	put_span(o, ss, loc);
	for (uint32_t i = loc.expansion; i && i <= ss->nexpansions; i = ss->expansions[i - 1].at.expansion) {
		const struct expansion *e = &ss->expansions[i - 1];
		struct json_object *step = json_object_new_object();

		if (!chain) {
			chain = json_object_new_array();
			json_object_object_add(o, "expansion", chain);
		}
		json_object_object_add(step, "macro", text(e->macro));
		put_span(step, ss, e->at);
		json_object_array_add(chain, step);
	}
}

static void put_line(struct sb *out, struct json_object *o)
{
	sb_printf(out, "%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static void one(struct sb *out, const struct sources *ss, const struct diag *d)
{
	struct json_object *o = json_object_new_object(), *notes = json_object_new_array(), *hints = json_object_new_array();

	json_object_object_add(o, "severity", json_object_new_string(d->level == DIAG_ERROR ? "error" : "warning"));
	json_object_object_add(o, "id", json_object_new_string(diag_name(d->id)));
	json_object_object_add(o, "message", text(d->text));
	put_place(o, ss, d->loc);
	for (const struct diag_note *n = d->notes; n; n = n->next) {
		struct json_object *note;

		if (!strcmp(n->kind, "hint")) {
			json_object_array_add(hints, text(n->text));
			continue;
		}
		note = json_object_new_object();
		json_object_object_add(note, "message", text(n->text));
		put_place(note, ss, n->loc);
		json_object_array_add(notes, note);
	}
	json_object_object_add(o, "notes", notes);
	json_object_object_add(o, "hints", hints);
	put_line(out, o);
}

static void hidden(struct sb *out, unsigned n)
{
	struct json_object *o = json_object_new_object();
	struct sb words = {0};

	sb_printf(&words, "%u more error%s not shown", n, str_plural(n));
	json_object_object_add(o, "severity", json_object_new_string("note"));
	json_object_object_add(o, "message", json_object_new_string(words.s));
	sb_free(&words);
	put_line(out, o);
}

const struct diag_format json_format = {.one = one, .hidden = hidden};
