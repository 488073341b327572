// SPDX-License-Identifier: GPL-2.0-or-later
/* The forms of output, and what they need not do themselves. */
#include "loader/sinks/sink.h"

#include <string.h>

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

bool sink_record(struct sink *s, const struct wire_record *r, char *payload)
{
	switch ((enum wire_kind)r->kind) {
	case WIRE_TEXT:
		s->form->text(s, r->cpu, payload, r->len);
		return true;
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

/* What cannot be said in the output is said as if it were text. */
void sink_results(struct sink *s, const struct wire_ledger *l)
{
	(s->to->error ? &sink_text : s->form)->results(s, l);
}

void sink_close(struct sink *s, int status)
{
	if (s->form->close)
		s->form->close(s, status);
}
