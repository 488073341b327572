/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C between %{ and %}: what its comments say, which globals it uses, and whether it needs the kernel's
 * headers. */
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

/* Fills f->embedded of a function whose body is N_EMBEDDED; unknown tags and globals are told. */
void embedded_bind(struct session *s, struct function *f);

/* A function without arguments for the N_EMBEDDED or @const expression, made once for each place. */
struct function *embedded_expression(struct session *s, const struct node *n);

/* Is the place in a file of Spile's own tapset? */
bool embedded_is_own(const struct session *s, struct loc loc);

/* Does the text give a result: one of STAP_RETVALUE, __retvalue, and STAP_RETURN() with something in it? */
bool embedded_returns_value(const char *text);

/*
 * Can the text be compiled without kernel headers?  So if it has no directives, and knows no names but C's,
 * its own, and those of runtime/rt/body.h and the runtime, and those in known (a set in a).  What it declares
 * at the top is added to known when it stands outside of functions (top).
 */
bool embedded_is_freestanding(struct arena *a, const char *text, struct map *known, bool top);

#endif
