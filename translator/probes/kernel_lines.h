/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part of the family kernel: functions by the file where they are declared, and lines: what DWARF has to be asked for. */
#ifndef TRANSLATOR_PROBES_KERNEL_LINES_H
#define TRANSLATOR_PROBES_KERNEL_LINES_H

#include "translator/probes/probe.h"

enum kernel_lines_variant {
	KERNEL_LINES_RETURN = 1,
	KERNEL_LINES_MODULE = 2, /* the first component is module("name") */
	KERNEL_LINES_STATEMENT = 64,
	KERNEL_LINES_NEAREST = 128,
	KERNEL_LINES_INLINE = 256,
	KERNEL_LINES_LABEL = 512,
	KERNEL_LINES_EXPORTED = 1024,
	KERNEL_LINES_CALLEE = 2048,
	KERNEL_LINES_PLACES = 4096, /* of functions: also where they are inlined */
};

/* What a site of the family knows of its place, apart from a function's name. */
struct kernel_code {
	const char *without;        /* it has no variables: what it is; or NULL: */
	const char *module;
	const struct statement *at;
	bool is_function;           /* not a line of it */
};

/* Adds the sites of function("name@file") or statement("name@file:line"). */
int kernel_lines_resolve(struct session *s, const struct point *p, unsigned variant, struct sites *out);
/* Adds the sites where functions are inlined, if there is debug information here. */
void kernel_lines_places(struct session *s, const struct point *p, const char *module, const char *function, struct sites *out);
struct place *kernel_lines_place(struct session *s, const struct site *t, const struct kernel_code *code);

#endif
