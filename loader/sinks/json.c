// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output as JSON Lines: one object a line, whose "type" says what it is.  doc/output-formats.md defines them.  Nothing is lost: bytes
 * that are not UTF-8 are encoded in base64, and control characters are escaped.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "loader/loader.h"

#define LINE_MOST (1u << 16)       /* bytes of text in one object; a longer line comes in parts */
#define MESSAGES_MOST (4u << 20)   /* a message is lost, and counted, if more bytes than this wait for the reader */

struct json {
	struct sb line;     /* begun, and not ended yet */
	unsigned cpu;       /* where it began */
	struct json_object *usual, *usual_text, *usual_cpu; /* the most frequent object: made once, changed for each line */
	uint64_t unwritten; /* messages for which there was no room */
	struct json_object *table, *rows; /* of the array whose elements are being output, or NULL */
};

/* ---- values ---- */

static void add(struct json_object *o, const char *name, struct json_object *value)
{
	json_object_object_add_ex(o, name, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

static void add_number(struct json_object *o, const char *name, uint64_t n)
{
	add(o, name, json_object_new_uint64(n));
}

static struct json_object *object(const char *type)
{
	struct json_object *o = json_object_new_object();

	add(o, "type", json_object_new_string(type));
	return o;
}

static struct json_object *base64(const unsigned char *p, size_t n)
{
	static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct json_object *o;
	struct sb b = {0};

	for (; n; p += n < 3 ? n : 3, n -= n < 3 ? n : 3) {
		unsigned v = (unsigned)p[0] << 16 | (n > 1 ? (unsigned)p[1] << 8 : 0) | (n > 2 ? p[2] : 0);

		sb_putc(&b, set[v >> 18]);
		sb_putc(&b, set[v >> 12 & 63]);
		sb_putc(&b, n > 1 ? set[v >> 6 & 63] : '=');
		sb_putc(&b, n > 2 ? set[v & 63] : '=');
	}
	o = json_object_new_string_len(b.s, (int)b.n);
	sb_free(&b);
	return o;
}

/* Bytes that are not UTF-8 become U+FFFD. */
static struct json_object *readable(const char *p, size_t n)
{
	struct json_object *o;
	struct sb b = {0};

	while (n) {
		struct glyph g = visible_glyph(p, n);

		sb_putn(&b, g.valid ? p : "\357\277\275", g.valid ? g.bytes : 3);
		p += g.bytes;
		n -= g.bytes;
	}
	o = json_object_new_string_len(b.s, (int)b.n);
	sb_free(&b);
	return o;
}

static bool is_utf8(const char *p, size_t n)
{
	while (n) {
		struct glyph g = {.valid = true, .bytes = 1};

		if (*p & 0x80)
			g = visible_glyph(p, n);
		if (!g.valid)
			return false;
		p += g.bytes;
		n -= g.bytes;
	}
	return true;
}

/* Bytes, whatever they are: a string, or, if they are not UTF-8, an object with them in base64. */
static struct json_object *string(const char *p, size_t n)
{
	struct json_object *o;

	if (is_utf8(p, n))
		return json_object_new_string_len(p, (int)n);
	o = json_object_new_object();
	add(o, "text", readable(p, n));
	add(o, "base64", base64((const unsigned char *)p, n));
	return o;
}

/* ---- lines ---- */

static void put_escape(struct sb *b, uint32_t code)
{
	if (code < 0x10000)
		sb_printf(b, "\\u%04x", code);
	else
		sb_printf(b, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
}

/* Outside of strings there is only ASCII, and json-c has escaped characters below a space. */
static void put_safely(struct sink *s, const char *p, size_t n)
{
	struct sb b = {0};

	while (n) {
		struct glyph g = visible_glyph(p, n);

		if (visible_is_dangerous(g.code))
			put_escape(&b, g.code);
		else
			sb_putn(&b, p, g.bytes);
		p += g.bytes;
		n -= g.bytes;
	}
	output_put(s->to, b.s, b.n);
	sb_free(&b);
}

static bool is_plain(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] >= 0x7f)
			return false;
	return true;
}

static void put_again(struct sink *s, struct json_object *o)
{
	size_t n;
	const char *text = json_object_to_json_string_length(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &n);

	if (is_plain(text, n))
		output_put(s->to, text, n);
	else
		put_safely(s, text, n);
	output_put(s->to, "\n", 1);
}

static void put(struct sink *s, struct json_object *o)
{
	put_again(s, o);
	json_object_put(o);
}

/* ---- what the script prints ---- */

static void put_line(struct sink *s, const char *p, size_t n, bool ended)
{
	struct json *j = s->state;
	struct json_object *o;

	if (ended && is_utf8(p, n)) {
		json_object_set_string_len(j->usual_text, p, (int)n);
		json_object_set_uint64(j->usual_cpu, j->cpu);
		put_again(s, j->usual);
		return;
	}
	o = object("line");
	add(o, "text", string(p, n));
	add_number(o, "cpu", j->cpu);
	if (!ended)
		add(o, "newline", json_object_new_boolean(false));
	put(s, o);
}

static void end_line(struct sink *s, bool ended)
{
	struct json *j = s->state;

	put_line(s, j->line.s, j->line.n, ended);
	sb_reset(&j->line);
}

/* Bytes at the end of the text that begin a character, whose others are still to come. */
static size_t begun_character(const char *p, size_t n)
{
	for (size_t k = 1; k < 4 && k <= n; k++) {
		unsigned char c = (unsigned char)p[n - k];

		if (c >= 0xc0)
			return k < (c < 0xe0 ? 2u : c < 0xf0 ? 3u : 4u) ? k : 0;
		if (c < 0x80)
			break;
	}
	return 0;
}

/* A part of a line that is too long for one object. */
static void end_part(struct sink *s)
{
	struct json *j = s->state;
	size_t left = begun_character(j->line.s, j->line.n), n = j->line.n - left;
	char rest[4];

	memcpy(rest, j->line.s + n, left);
	put_line(s, j->line.s, n, false);
	sb_reset(&j->line);
	sb_putn(&j->line, rest, left);
}

/* ---- globals at the end ---- */

static void end_table(struct sink *s)
{
	struct json *j = s->state;

	if (j->table)
		put(s, j->table);
	j->table = NULL;
}

static struct json_object *value(const struct sink_value *v)
{
	return v->is_string ? string(v->text, v->len) : json_object_new_int64(v->number);
}

static struct json_object *value_of(const struct sink_row *row)
{
	struct json_object *o;

	if (!row->nstats)
		return value(&row->value);
	o = json_object_new_object();
	for (unsigned i = 0; i < row->nstats; i++)
		add(o, sink_stat_names[i], value(&row->stats[i]));
	return o;
}

static bool is_of_table(const struct json *j, const struct sink_row *row)
{
	struct json_object *name = json_object_object_get(j->table, "name");

	return j->table && (size_t)json_object_get_string_len(name) == row->name_len &&
	       !memcmp(json_object_get_string(name), row->name, row->name_len);
}

static struct json_object *new_table(struct sink *s, const struct sink_row *row)
{
	struct json *j = s->state;

	end_table(s);
	j->table = object("table");
	add(j->table, "name", string(row->name, row->name_len));
	return j->table;
}

static void table_row(struct sink *s, const struct sink_row *row)
{
	struct json *j = s->state;
	struct json_object *element, *keys;

	if (j->line.n)
		end_line(s, false);
	if (!row->nkeys) {
		add(new_table(s, row), "value", value_of(row));
		end_table(s);
		return;
	}
	if (!is_of_table(j, row))
		add(new_table(s, row), "rows", j->rows = json_object_new_array());
	element = json_object_new_object();
	keys = json_object_new_array_ext((int)row->nkeys);
	for (unsigned i = 0; i < row->nkeys; i++)
		json_object_array_add(keys, value(&row->keys[i]));
	add(element, "keys", keys);
	add(element, "value", value_of(row));
	json_object_array_add(j->rows, element);
}

static void text(struct sink *s, unsigned cpu, char *p, size_t n)
{
	struct json *j = s->state;

	end_table(s);
	while (n) {
		size_t room = LINE_MOST - j->line.n, part = n < room ? n : room;
		const char *end = memchr(p, '\n', part);

		part = end ? (size_t)(end - p) : part;
		if (!j->line.n)
			j->cpu = cpu;
		if (end && !j->line.n) {
			put_line(s, p, part, true);
		} else {
			sb_putn(&j->line, p, part);
			if (end)
				end_line(s, true);
			else if (j->line.n == LINE_MOST)
				end_part(s);
		}
		part += end != NULL;
		p += part;
		n -= part;
	}
}

/* ---- stacks ---- */

static struct json_object *frame(const struct sink_frame *f)
{
	struct json_object *o = json_object_new_object();
	char address[24];

	if (f->end) {
		add(o, "end", string(f->end, strlen(f->end)));
		return o;
	}
	snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->address);
	add(o, "address", json_object_new_string(address)); /* a number of 64 bits would not be exact for many readers */
	if (f->name) {
		add(o, "name", string(f->name, f->name_len));
		add_number(o, "offset", f->offset);
		add_number(o, "size", f->size);
		add(o, "module", string(f->module, f->module_len));
		if (f->source)
			add(o, "source", string(f->source, f->source_len));
	} else if (f->module) {
		add_number(o, "offset", f->offset);
		add(o, "module", string(f->module, f->module_len));
	}
	return o;
}

static void stack(struct sink *s, unsigned cpu, const struct sink_frame *frames, unsigned n)
{
	struct json *j = s->state;
	struct json_object *o = object("stack"), *array = json_object_new_array_ext((int)n);

	end_table(s);
	if (j->line.n)
		end_line(s, false);
	add_number(o, "cpu", cpu);
	for (unsigned i = 0; i < n; i++)
		json_object_array_add(array, frame(&frames[i]));
	add(o, "frames", array);
	put(s, o);
}

/* ---- the rest ---- */

static void message(struct sink *s, enum sink_level level, const char *words, const char *hint)
{
	struct json *j = s->state;
	struct json_object *o;

	if (s->to->end - s->to->start > MESSAGES_MOST) {
		j->unwritten++;
		return;
	}
	o = object(level == SINK_ERROR ? "error" : "warning");
	add(o, "message", string(words, strlen(words)));
	if (hint)
		add(o, "hint", string(hint, strlen(hint)));
	put(s, o);
}

static void add_skips(struct json_object *o, const struct wire_ledger *l)
{
	static const char *const names[] = {
#define X(id, name, text) name,
		WIRE_SKIPS(X)
#undef X
	};
	struct json_object *skipped = json_object_new_object(), *hints = json_object_new_array();

	for (unsigned i = 0; i < WIRE_SKIP_COUNT; i++) {
		add_number(skipped, names[i], l->skipped[i]);
		if (l->skipped[i] && remedy_about_skip(i))
			json_object_array_add(hints, json_object_new_string(remedy_about_skip(i)));
	}
	add(o, "skipped", skipped);
	if (json_object_array_length(hints))
		add(o, "hints", hints);
	else
		json_object_put(hints);
}

static void results(struct sink *s, const struct wire_ledger *l)
{
	struct json *j = s->state;
	struct json_object *o = object("ledger");
	uint64_t messages = l->lost_messages + j->unwritten;

	end_table(s);
	if (j->line.n)
		end_line(s, false);
	add_number(o, "hits", l->hits);
	add_number(o, "handled", l->handled);
	add_number(o, "errors", l->errors);
	add_number(o, "own", l->own);
	add_skips(o, l);
	add_number(o, "records", l->records);
	put(s, o);
	if (!l->lost_records && !messages)
		return;
	o = object("losses");
	add_number(o, "records", l->lost_records);
	add_number(o, "bytes", l->lost_bytes);
	add_number(o, "messages", messages);
	put(s, o);
}

static void json_open(struct sink *s)
{
	struct json *j = mem_calloc(1, sizeof *j);

	j->usual = object("line");
	add(j->usual, "text", j->usual_text = json_object_new_string(""));
	add(j->usual, "cpu", j->usual_cpu = json_object_new_uint64(0));
	s->state = j;
}

static void json_close(struct sink *s, int status)
{
	struct json *j = s->state;
	struct json_object *o = object("end");

	end_table(s);
	if (j->line.n)
		end_line(s, false);
	add(o, "status", json_object_new_int(status));
	put(s, o);
	json_object_put(j->usual);
	sb_free(&j->line);
	free(j);
}

const struct sink_form sink_json = {
	.name = "json",
	.open = json_open,
	.text = text,
	.row = table_row,
	.stack = stack,
	.message = message,
	.results = results,
	.close = json_close,
};
