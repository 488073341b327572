/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice about a word that the grammar does not accept; private to parser/. */
#ifndef PARSER_UNEXPECTED_H
#define PARSER_UNEXPECTED_H

#include "parser/stages.h"

/* Adds at most one hint to the message about t, which the grammar does not accept after prev. */
void unexpected_add(struct parser *p, struct grammar_pstate *ps, struct diag *d, const struct token *prev,
		const struct token *t);
/* Does the grammar accept only a literal string or number here? */
bool unexpected_wants_literal(struct grammar_pstate *ps);
/* The declaration that a word of another language means: "function" for "def"; NULL if it is none. */
const char *unexpected_declaration(const char *word);

#endif
