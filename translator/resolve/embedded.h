/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C between %{ and %}: what its comments say, which globals it uses, and whether it needs the kernel's headers. */
#ifndef TRANSLATOR_RESOLVE_EMBEDDED_H
#define TRANSLATOR_RESOLVE_EMBEDDED_H

#include "translator/session.h"

enum embedded_tag_number {
#define TAG(id, text) id##_NUMBER,
#include "translator/resolve/embedded.def"
#undef TAG
	EMBEDDED_TAGS
};

enum embedded_tag {
#define TAG(id, text) id = 1 << id##_NUMBER,
#include "translator/resolve/embedded.def"
#undef TAG
};

struct embedded_use {
	struct symbol *global;
	bool read, written;
};

/* A function's C body, or an expression that was made one. */
struct embedded {
	unsigned tags; /* enum embedded_tag */
	bool is_expression;
	bool is_own; /* of Spile's tapset: strings are struct rt_str; else they are C strings */
	VEC(struct embedded_use) uses;
};

/* Of embedded C outside of functions: what it cannot do. */
void embedded_declarations(struct session *s, const struct node *n);
/* Fills f->embedded of a function whose body is N_EMBEDDED; reports unknown tags and globals. */
void embedded_bind(struct session *s, struct function *f);

/* A function without arguments for the N_EMBEDDED or @const expression, made once for each place. */
struct function *embedded_expression(struct session *s, const struct node *n);

/* Is the place in a file of Spile's own tapset? */
bool embedded_is_own(const struct session *s, struct loc loc);

/* May it leave an error in the context?  C of our own tapset cannot if it does not name the context, by any of its names. */
bool embedded_can_fail(const struct function *f);

/* Is it of our own tapset, and tagged "quick"? */
bool embedded_is_quick(const struct function *f);

/* Does the text give a result: one of STAP_RETVALUE, __retvalue, or STAP_RETURN() with an argument? */
bool embedded_returns_value(const char *text);

/*
 * Can the text be compiled without kernel headers?  It can if it has no directives and uses only names of C, its own names, those of
 * runtime/rt/body.h and the runtime, and those in known (a set in a).  With top, the text is outside of functions: what it declares
 * is added to known.
 */
bool embedded_is_freestanding(struct arena *a, const char *text, struct map *known, bool top);

/* Does C of the script, or of others' libraries that it uses, have the name? */
bool embedded_mentions(const struct session *s, const char *name);

/* True if the text uses, but does not define, a struct, union or enum of one of these names, which are separated by blanks. */
bool embedded_names_struct(const char *text, const char *names);

#endif
