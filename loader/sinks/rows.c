// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses rows of WIRE_TABLE: NAME=VALUE or NAME[KEY,KEY]=VALUE, with numbers in decimal and strings as C writes them, in double quotes;
 * for statistics " @count=N" and perhaps more of this form instead of =VALUE.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sinks/sink.h"

const char *const sink_stat_names[SINK_STATS] = {"count", "min", "max", "sum", "avg"};

/* Is `what' at p?  Then p moves to after it. */
static bool eat(const char **p, const char *what)
{
	size_t n = strlen(what);

	if (strncmp(*p, what, n) != 0)
		return false;
	*p += n;
	return true;
}

static bool number(const char **p, struct sink_value *v)
{
	char *end;

	errno = 0;
	v->is_string = false;
	v->number = strtoll(*p, &end, 10);
	if (errno || end == *p || isspace((unsigned char)**p))
		return false;
	*p = end;
	return true;
}

/* The byte after a backslash, or -1. */
static int escaped(const char **p)
{
	static const char named[] = "a\ab\bf\fn\nr\rt\tv\v\\\\\"\"";
	int byte = 0;

	for (size_t i = 0; i < sizeof named - 1; i += 2)
		if (**p == named[i]) {
			(*p)++;
			return named[i + 1];
		}
	for (int i = 0; i < 3; i++, (*p)++) {
		if (**p < '0' || **p > '7')
			return -1;
		byte = byte * 8 + **p - '0';
	}
	return byte;
}

/* Into text, which has room for it. */
static bool string(const char **p, struct sink_value *v, char **text)
{
	v->is_string = true;
	v->text = *text;
	for (v->len = 0; **p && **p != '"'; v->len++) {
		int byte = (unsigned char)*(*p)++;

		if (byte == '\\' && (byte = escaped(p)) < 0)
			return false;
		*(*text)++ = (char)byte;
	}
	return eat(p, "\"");
}

static bool value(const char **p, struct sink_value *v, char **text)
{
	return eat(p, "\"") ? string(p, v, text) : number(p, v);
}

static bool keys(const char **p, struct sink_row *row, char **text)
{
	do {
		if (row->nkeys == SINK_KEYS_MOST || !value(p, &row->keys[row->nkeys++], text))
			return false;
	} while (eat(p, ","));
	return eat(p, "]");
}

static bool statistics(const char **p, struct sink_row *row)
{
	char label[16];

	while (row->nstats < SINK_STATS) {
		snprintf(label, sizeof label, " @%s=", sink_stat_names[row->nstats]);
		if (!eat(p, label))
			break;
		if (!number(p, &row->stats[row->nstats++]))
			return false;
	}
	return row->nstats;
}

bool sink_row_parse(struct sink_row *row, const char *line, char *text)
{
	const char *p = line;

	*row = (struct sink_row){.name = line, .name_len = strcspn(line, "[= ")};
	p += row->name_len;
	if (!row->name_len || (eat(&p, "[") && !keys(&p, row, &text)))
		return false;
	if (eat(&p, "=") ? !value(&p, &row->value, &text) : !statistics(&p, row))
		return false;
	return !*p;
}
