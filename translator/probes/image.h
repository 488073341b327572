/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and libraries that process probes name: found once, opened once. */
#ifndef TRANSLATOR_PROBES_IMAGE_H
#define TRANSLATOR_PROBES_IMAGE_H

#include "translator/debuginfo/elf.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

/* Opens a program or library, or gives the one already open; NULL with why. */
struct elf_image *image_open(struct session *s, const char *path, struct problem *why);
/*
 * The files that the first component, process("path") | process(PID) | process, means: paths that image_open() takes,
 * NULL-terminated.  A glob gives each executable that matches; bare process gives the program of -c.
 * *pid: of process(PID), else 0.  *target: only the session's target is meant.  any: 32-bit ones too, for image_program().  NULL with diagnostics.
 */
const char *const *image_paths(struct session *s, const struct component *c, bool any, int64_t *pid, bool *target);
/* The path that the kernel knows the program by, where its code does not matter, so that it may be a 32-bit one; NULL with why. */
const char *image_program(struct session *s, const char *path, struct problem *why);
/*
 * Adds all files whose code may be in a stack of the script's programs: what it probes, -c, -x and -d name, and their libraries.  Those that
 * cannot be opened are left out, except that -d reports it.  The kernel's vdso is one of them.  The number of those that the script
 * and its options name, which come first, after those that were there already.
 */
typedef VEC(struct elf_image *) image_list;
size_t image_all(struct session *s, image_list *out);
/* Is it the code that the kernel maps into all programs, by the copy that belongs to the kernel that the script is for? */
bool image_is_vdso(struct session *s, const struct elf_image *e);
/* Is that of -d the kernel or a module of it? */
bool image_is_of_kernel(struct session *s, const char *name);
/* Points in all programs and libraries: of(HEAD, WHERE) are a family's forms for each head, with commas. */
#define IMAGE_FORMS_OF(head, of) of(head, ""), of(head ".library(s)", ", in a library that the program uses")
#define IMAGE_FORMS(of)                                                                                  \
	IMAGE_FORMS_OF("process(s)", of), IMAGE_FORMS_OF("process(n)", of), IMAGE_FORMS_OF("process", of), \
	IMAGE_FORMS_OF("debuginfod.process(s)", of)

/* The search for the points of [debuginfod.]process(...)[.library(...)].REST.  A family's own structure begins with it. */
struct image_search {
	struct session *s;
	const struct point *p;
	struct sites *out;
	const char *sought; /* what it looks for: "function" */
	/* Adds the sites in image.  0; -1 with diagnostics, if the point is not optional. */
	int (*look)(struct image_search *c);
	/* For look(), and image_site(): */
	struct elf_image *image;
	struct loc loc; /* where it is named */
	bool target;
	int64_t pid;
};

/*
 * Calls look() for each file that the point means, with image, loc, target and pid set.  Of several programs, those where it fails are left out
 * with a warning.  0; -1 with diagnostics, if the point is not optional: a file is not there, look() failed, or none of several programs was left.
 */
int image_search(struct image_search *c);
/* A new site in the image. */
struct site *image_site(struct image_search *c, const struct probe_family *f);

#endif
