/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where names of C types, enum constants and variables are looked up: the module of an @operator, or the probe's own place. */
#ifndef TRANSLATOR_RESOLVE_HOME_H
#define TRANSLATOR_RESOLVE_HOME_H

#include "translator/session.h"

/* One place to look in. */
struct home {
	struct dtypes *types;    /* NULL: see untyped, below */
	enum fetch_space space;  /* of objects whose types these are */
	struct elf_image *image; /* the program or library, or NULL: the kernel or */
	const char *module;      /* a module of it; NULL: the kernel proper */
};

struct home_search {
	struct session *s;
	struct probe *probe;     /* or NULL: in a function that belongs to no probe */
	const char *module;      /* as written, "a:b" for several; NULL: the probe's own place, then the kernel */
	bool own_tried;
	bool untyped;            /* programs without debug information too, which have no types */
	const char *rest;        /* of module */
	struct problem why;      /* the first reason why a place could not be looked in */
};

struct home_search home_begin(struct session *s, struct probe *p, const struct node *module);
/* The next place; false at the end. */
bool home_next(struct home_search *x, struct home *out);
/* Keeps the first of the most useful problems: one with nearest names is better than others. */
void home_problem(struct home_search *x, const struct problem *why);

#endif
