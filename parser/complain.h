/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for what the grammar does not accept; private to parser/. */
#ifndef PARSER_COMPLAIN_H
#define PARSER_COMPLAIN_H

#include "parser/stages.h"

/* "expected X, saw Y".  Returns the kind of declaration that a misspelt word means, or 0. */
int complain(struct parser *p, struct grammar_pstate *ps, const struct token *prev, const struct token *t);
/* The bracket open has no partner before t. */
void complain_unclosed(struct parser *p, const struct token *open, const struct token *prev,
		       const struct token *t);
/* "int x" where a statement can end: reported, and true.  t is best left out. */
bool complain_c_declaration(struct parser *p, struct grammar_pstate *ps, const struct token *prev,
			    const struct token *t);
/* "global x" within a body: reported, and true, unless a missing brace before it is likelier. */
bool complain_nested(struct parser *p, const struct token *t);
/* Are the two braces partners by nesting, but indented differently?  The second begins a line. */
bool complain_is_odd(struct parser *p, const struct token *open, const struct token *close);
/* Reports a word of another language, with what to write. */
void complain_word(struct parser *p, const struct token *t, const char *instead);
void complain_too_deep(struct parser *p, const struct token *t);
/* Warns where a line break looks like the end of a statement but is not. */
void complain_line_break(struct parser *p, const struct token *prev, const struct token *t);
/* A closing bracket for which none is open? */
bool complain_is_extra(const struct parser *p, const struct token *t);
/* Is t on a later line than prev? */
bool complain_on_new_line(struct parser *p, const struct token *prev, const struct token *t);

#endif
