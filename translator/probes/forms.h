/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms of probe points that the families accept, and what a point of a script has in common with them. */
#ifndef TRANSLATOR_PROBES_FORMS_H
#define TRANSLATOR_PROBES_FORMS_H

#include "translator/probes/probe.h"

/* One of the forms, on a walk over those of all families: for (struct forms f = {0}; forms_next(&f);) */
struct forms {
	const struct probe_family *family;
	const struct probe_form *form;
	unsigned n; /* of the family */
};

bool forms_next(struct forms *f);

/* The form of the point.  False: it has none. */
bool forms_match(const struct point *p, struct forms *out);
/* How many components of the point, from the first on, are those of some form. */
unsigned forms_known(const struct point *p);
/*
 * q: the point of this form that p means, whose names have wildcards; false: it means none.  In a listing a name with wildcards
 * also matches one with an argument, and "*" matches all forms: then an argument is an example, the number or "*" (*open).
 */
bool forms_point(struct session *s, const struct point *p, const struct probe_form *form, int64_t number, struct point *q, bool *open);
typedef VEC(const char *) forms_words;
/*
 * Reports a point without a form, with what is possible instead; known: how many of its components are right; alias: one of a similar name,
 * or NULL; words: what may come next for an alias.
 */
void forms_report(struct session *s, const struct point *p, unsigned known, const char *alias, const forms_words *words);

#endif
