/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shelf of examples: --examples and --example.  What its scripts say of themselves in their first comment is the index. */
#ifndef TRANSLATOR_EXAMPLES_H
#define TRANSLATOR_EXAMPLES_H

#include "translator/session.h"

/* The path of the example with that name, or NULL with a message; how it is called is kept in the session. */
const char *examples_find(struct session *s, const char *name);
/* The same for the last part of a path, such as that of a link to this program; NULL, without a message, if no example has that name. */
const char *examples_called(struct session *s, const char *path);
/* Lists the examples that have all words of the arguments; or prints the head of the one that is named.  Returns an exit status. */
int examples_print(struct session *s);

#endif
