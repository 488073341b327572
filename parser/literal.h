/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places within string literals, for messages about their text. */
#ifndef PARSER_LITERAL_H
#define PARSER_LITERAL_H

#include "parser/parse.h"

/*
 * Where the bytes [off, off + size) of the text of an N_STRING are in the source, escapes and all; the
 * whole literal when it was pasted from several or made by a macro operator.
 */
struct loc literal_place(const struct parse_env *env, const struct node *literal, size_t off, size_t size);
/*
 * The first place from *at on (0: the beginning) where the literal has a backslash that the string takes away, with one of the
 * characters after it; *at is set to after it.  False: there is none.
 */
bool literal_lost_backslash(const struct parse_env *env, const struct node *literal, const char *characters,
			    size_t *at, struct loc *where);

#endif
