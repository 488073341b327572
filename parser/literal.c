/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places within string literals, found by reading the source text again. */
#include <string.h>

#include "parser/literal.h"
#include "parser/stages.h"

/* The literal as written in the source, from its quote on; NULL when it is not written there. */
static const char *written(const struct parse_env *env, const struct node *literal)
{
	const struct source *src = source_by_id(env->sources, literal->loc.source);

	return src && src->text[literal->loc.off] == '"' ? src->text + literal->loc.off : NULL;
}

static struct loc part(const struct node *literal, size_t from, size_t to)
{
	return (struct loc){literal->loc.source, (uint16_t)(to - from), literal->loc.off + (uint32_t)from,
			    literal->loc.expansion};
}

struct loc literal_place(const struct parse_env *env, const struct node *literal, size_t off, size_t size)
{
	const char *s = written(env, literal);
	size_t len = literal->loc.len, first = 0, i = 1, n = 0;

	for (; s && i < len && n < off + size; n++) {
		char c;

		if (s[i] == '"')
			return literal->loc; /* pasted from several */
		if (n == off)
			first = i;
		i = s[i] == '\\' && i + 1 < len ? lex_escape(env, s, len, i + 1, &c) : i + 1;
	}
	return first ? part(literal, first, i) : literal->loc;
}

bool literal_lost_backslash(const struct parse_env *env, const struct node *literal, const char *characters,
			    size_t *at, struct loc *where)
{
	const char *s = written(env, literal);
	size_t len = literal->loc.len;

	for (size_t i = *at ? *at : 1; s && i + 1 < len && s[i] != '"';) {
		size_t from = i;
		char c;

		i = s[i] == '\\' ? lex_escape(env, s, len, i + 1, &c) : i + 1;
		if (s[from] != '\\' || !strchr(characters, s[from + 1]))
			continue;
		*at = i;
		*where = part(literal, from, i);
		return true;
	}
	return false;
}
