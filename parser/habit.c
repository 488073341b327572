/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of other tracers; the table is habit.def. */
#include "parser/habit.h"

#include <string.h>

enum tracers { BPFTRACE = 1, DTRACE = 2, BOTH = BPFTRACE | DTRACE };

static const struct habit {
	enum tracers tracers;
	enum habit_kind kind;
	const char *words, *written, *here, *example;
} habits[] = {
#define HABIT(tracers, kind, words, written, here, example) {tracers, HABIT_##kind, words, written, here, example},
#include "parser/habit.def"
#undef HABIT
};

static const struct tracer {
	enum tracers bit;
	const char *name, *option;
} known_tracers[] = {{BPFTRACE, "bpftrace", "bpftrace"}, {DTRACE, "DTrace", "dtrace"}};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool has_word(const struct habit *h, const char *word)
{
	size_t n = h->kind == HABIT_POINT ? strcspn(word, "0123456789$") : strlen(word); /* "pid" of pid1234 and pid$target */

	for (const char *p = h->words; *p;) {
		size_t len = strcspn(p, " ");
		if (len == n && !memcmp(p, word, n))
			return true;
		p += len + (p[len] == ' ');
	}
	return false;
}

static const struct habit *find(enum habit_kind kind, const char *word)
{
	for (size_t i = 0; i < COUNT(habits); i++)
		if (habits[i].kind == kind && has_word(&habits[i], word))
			return &habits[i];
	return NULL;
}

bool habit_known(enum habit_kind kind, const char *word)
{
	return find(kind, word);
}

/* The example, joined to one line. */
static const char *in_line(struct arena *a, const char *example)
{
	char *text = arena_strdup(a, example);

	for (char *p = text; (p = strchr(p, '\n'));)
		*p = ' ';
	return text;
}

bool habit_hint(struct diags *ds, struct diag *d, enum habit_kind kind, const char *word)
{
	const struct habit *h = find(kind, word);

	if (!h)
		return false;
	const struct tracer *t = &known_tracers[h->tracers == DTRACE];
	const char *text = arena_printf(ds->arena, "here it is %s (the words of %s: spile --explain %s)", h->here, t->name, t->option);
	if (diag_hint_once(ds, d, text))
		diag_hint(ds, d, "for example: %s", in_line(ds->arena, h->example));
	return true;
}

static void print_row(const struct habit *h, FILE *to)
{
	fprintf(to, "\n%s\n  %s\n", h->written, h->here);
	for (const char *p = h->example; *p;) {
		int n = (int)strcspn(p, "\n");
		fprintf(to, "    %.*s\n", n, p);
		p += n + (p[n] == '\n');
	}
}

bool habit_explain(const char *name, FILE *to)
{
	bool found = false;

	for (size_t i = 0; i < COUNT(known_tracers); i++) {
		if (strcmp(known_tracers[i].option, name) != 0)
			continue;
		fprintf(to, "What is written in %s, what it is here, and an example:\n", known_tracers[i].name);
		for (size_t k = 0; k < COUNT(habits); k++)
			if (habits[k].tracers & known_tracers[i].bit)
				print_row(&habits[k], to);
		return true;
	}
	for (size_t i = 0; i < COUNT(habits); i++)
		if (has_word(&habits[i], name)) {
			print_row(&habits[i], to);
			found = true;
		}
	return found;
}
