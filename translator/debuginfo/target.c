/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of architectures, and questions about the table of each. */
#include "translator/debuginfo/target.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static const struct target *const targets[] = {&target_x86_64, &target_arm64};

enum { TARGETS = sizeof targets / sizeof *targets };

static const struct target *of_name(const char *name)
{
	for (size_t i = 0; i < TARGETS; i++)
		if (!strcmp(targets[i]->name, name) || !strcmp(targets[i]->machine, name))
			return targets[i];
	return NULL;
}

const struct target *target_find(struct arena *a, const char *name, const char **near, const char **all)
{
	const struct target *t = of_name(name);
	struct nearest nearest;
	struct sb names = {0};

	if (t)
		return t;
	nearest_init(&nearest, name);
	for (size_t i = 0; i < TARGETS; i++) {
		nearest_add(&nearest, targets[i]->name);
		sb_printf(&names, "%s%s", i ? ", " : "", targets[i]->name);
	}
	*near = nearest_text(&nearest, a);
	*all = arena_strdup(a, names.s);
	sb_free(&names);
	return NULL;
}

const struct target *target_native(void)
{
	struct utsname u;

	return uname(&u) == 0 ? of_name(u.machine) : NULL;
}

int target_argument(const struct target *t, uint64_t reg)
{
	for (unsigned i = 0; i < t->narguments; i++)
		if (t->arguments[i] == reg)
			return (int)i;
	return -1;
}

/* The same name with the next number: x1 after x0. */
static bool is_next(const char *name, const char *before)
{
	size_t n = strcspn(name, "0123456789");

	return name[n] && strncmp(name, before, n) == 0 && before[n] >= '0' && before[n] <= '9' && atoi(name + n) == atoi(before + n) + 1;
}

const char *target_registers(const struct target *t, struct arena *a)
{
	struct sb out = {0};
	const char *text;

	for (unsigned i = 0, last; i < t->nregisters; i = last + 1) {
		for (last = i; last + 1 < t->nregisters && is_next(t->registers[last + 1], t->registers[last]);)
			last++;
		sb_puts(&out, i ? ", " : "");
		if (last > i)
			sb_printf(&out, "%u to %u %s to %s", i, last, t->registers[i], t->registers[last]);
		else
			sb_printf(&out, "%u %s", i, t->registers[i]);
	}
	text = arena_strdup(a, out.s);
	sb_free(&out);
	return text;
}

static size_t symbol_length(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || (text[n] && strchr("_.$", text[n])))
		n++;
	return n;
}

const char *target_sum(const char *text, struct target_operand *out)
{
	bool first = true;

	for (; *text == '+' || *text == '-' || (first && (isalnum((unsigned char)*text) || *text == '_' || *text == '.')); first = false) {
		bool minus = *text == '-';
		char *end;

		text += *text == '+' || *text == '-';
		errno = 0;
		if (isdigit((unsigned char)*text)) {
			uint64_t n = strtoull(text, &end, 0);

			if (errno || isalnum((unsigned char)*end))
				return NULL;
			out->offset = (int64_t)((uint64_t)out->offset + (minus ? -n : n));
			text = end;
			continue;
		}
		out->symbol_length = symbol_length(text);
		if (!out->symbol_length || minus || out->symbol)
			return NULL;
		out->symbol = text;
		text += out->symbol_length;
	}
	return text;
}

const char *target_words(const struct target *t, struct arena *a, const char *text)
{
	struct sb out = {0};

	for (; *text; text++)
		if (*text > 0 && *text <= TARGET_WORDS)
			sb_puts(&out, t->words[*text - 1]);
		else
			sb_putc(&out, *text);
	text = arena_strdup(a, out.s ? out.s : "");
	sb_free(&out);
	return text;
}
