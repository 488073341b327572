// SPDX-License-Identifier: GPL-2.0-or-later
/* The forms of output, and what they have in common. */
#include "loader/sinks/sink.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The first is the default. */
static const struct sink_form *const forms[] = {&sink_text, &sink_json};

#define NFORMS (sizeof forms / sizeof *forms)

const struct sink_form *sink_find(const char *name)
{
	for (size_t i = 0; i < NFORMS; i++)
		if (!strcmp(forms[i]->name, name))
			return forms[i];
	return NULL;
}

const char *sink_names(void)
{
	static char names[128];

	names[0] = 0;
	for (size_t i = 0; i < NFORMS; i++) {
		strcat(names, i ? ", " : "");
		strcat(names, forms[i]->name);
	}
	return names;
}

struct sink sink_open(const struct sink_form *form, struct output *to, bool is_text)
{
	struct sink s = {.form = form ? form : forms[0], .to = to, .is_text = is_text};

	if (s.form->open)
		s.form->open(&s);
	return s;
}

/* A line with its newline; one that is not a row is treated as text. */
static void row(struct sink *s, unsigned cpu, char *line, size_t n)
{
	char *text = mem_calloc(n, 1);
	struct sink_row row;

	line[n - 1] = 0;
	if (sink_row_parse(&row, line, text)) {
		s->form->row(s, &row);
	} else {
		line[n - 1] = '\n';
		s->form->text(s, cpu, line, n);
	}
	free(text);
}

static void rows(struct sink *s, unsigned cpu, const char *p, size_t n)
{
	while (n) {
		const char *end = memchr(p, '\n', n);
		size_t part = end ? (size_t)(end - p) + 1 : n;

		sb_putn(&s->row, p, part);
		if (end) {
			row(s, cpu, s->row.s, s->row.n);
			sb_reset(&s->row);
		}
		p += part;
		n -= part;
	}
}

/* Outputs rows that are incomplete because the session broke off. */
static void end_rows(struct sink *s)
{
	if (s->row.n)
		s->form->text(s, 0, s->row.s, s->row.n);
	sb_reset(&s->row);
}

bool sink_record(struct sink *s, const struct wire_record *r, char *payload)
{
	switch ((enum wire_kind)r->kind) {
	case WIRE_TEXT:
		s->form->text(s, r->cpu, payload, r->len);
		return true;
	case WIRE_TABLE:
		if (s->form->row)
			rows(s, r->cpu, payload, r->len);
		else
			s->form->text(s, r->cpu, payload, r->len);
		return true;
	case WIRE_STACKS:
		return sink_stacks(s, r, payload);
	case WIRE_COMMAND: /* these are no output */
	case WIRE_SWITCH:
		break;
	}
	return false;
}

bool sink_message(struct sink *s, enum sink_level level, const char *text, const char *hint)
{
	if (!s || !s->form->message || s->to->error)
		return false;
	s->form->message(s, level, text, hint);
	return true;
}

/* Once the output has failed, results go to stderr, as those of text do. */
void sink_results(struct sink *s, const struct wire_ledger *l)
{
	end_rows(s);
	(s->to->error ? &sink_text : s->form)->results(s, l);
}

void sink_close(struct sink *s, int status)
{
	end_rows(s);
	if (s->form->close)
		s->form->close(s, status);
	sb_free(&s->row);
}
