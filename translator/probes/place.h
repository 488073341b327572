/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place: what can be named at a probed point, at each moment of it, and which image's types are known there.  To resolve a name
 * of a script, ask the place of the site: it hides how the family finds variables, by a prototype from BTF or DWARF (function.h)
 * or by other means.
 */
#ifndef TRANSLATOR_PROBES_PLACE_H
#define TRANSLATOR_PROBES_PLACE_H

#include "base/vec.h"
#include "translator/debuginfo/proto.h"

struct elf_image;
struct session;
struct site;

/* When a variable is looked at. */
enum moment {
	MOMENT_HERE,   /* when the point is hit, which has this moment only */
	MOMENT_ENTRY,  /* of a point that is hit when a function returns: when the function was entered */
	MOMENT_RETURN, /* and when it returns */
};

enum place_role { PLACE_PARAMETER, PLACE_LOCAL, PLACE_RESULT };

struct place_variable {
	const char *name;                /* as after the $ */
	enum place_role role;
	enum moment moment;              /* when it can be read: the one asked for, or an earlier one; then the value is saved */
	const struct proto_value *value; /* its type, and where it is, or why that is not known */
};

/* In the order of $$vars. */
struct place_variables {
	VEC(struct place_variable) v;
};

/* Where @cast, @var and @enum search first. */
struct place_home {
	struct elf_image *image; /* a program or library, or NULL: */
	const char *module;      /* a kernel module, or NULL: the kernel */
	uint64_t scope;          /* the function whose source's names hold here; 0: none, or in the kernel, look it up by the site's function */
	bool in_code;            /* what is hit is code of the image, kernel or module: names outside of functions are known */
};

enum place_answer {
	PLACE_HAS,     /* a variable of that name */
	PLACE_HAS_NOT, /* why->text: if there is more to say than which ones there are */
	PLACE_UNKNOWN, /* what variables there are; why */
};

struct place;

struct place_kind {
	enum place_answer (*variable)(struct session *s, struct place *p, const char *name, enum moment moment, struct place_variable *out,
				      struct problem *why);
	/* Adds all that there are at the moment.  False, with why: it is not known. */
	bool (*variables)(struct session *s, struct place *p, enum moment moment, struct place_variables *out, struct problem *why);
};

/* What $$NAME is, if it is a text that is the same at each hit; NULL: it is not known. */
struct place_text {
	const char *name, *text;
};

/* A family's own structure begins with it. */
struct place {
	const struct place_kind *kind; /* NULL: nothing has a name here */
	struct place_home home;
	const struct place_text *texts; /* ends with a NULL name; NULL: none */
};

/* The moment that names in the handler of the site mean, where no other is asked for. */
enum moment place_moment(const struct site *t);
const struct place_home *place_home(struct session *s, struct site *t);
/* The variable of the name, without its $. */
enum place_answer place_variable(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out,
				 struct problem *why);
/* Only what the place itself has: a parameter or local; or a constant of an enumeration. */
bool place_own_variable(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out);
bool place_constant(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out);
/* Its texts, or NULL. */
const struct place_text *place_texts(struct session *s, struct site *t);
bool place_variables(struct session *s, struct site *t, enum moment moment, struct place_variables *out, struct problem *why);

#endif
