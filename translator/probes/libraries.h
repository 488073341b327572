/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the dynamic linker finds the libraries of a program, if it is started with our environment. */
#ifndef TRANSLATOR_PROBES_LIBRARIES_H
#define TRANSLATOR_PROBES_LIBRARIES_H

#include "translator/session.h"

/* A file, and the file that needs it (NULL: it is the program). */
struct libraries_file {
	struct elf_image *image;
	const struct libraries_file *by;
};
/* The file of the image, which the file by needs (NULL: it is the program), in the session's memory. */
const struct libraries_file *libraries_linked(struct session *s, struct elf_image *image, const struct libraries_file *by);

/* A library that a file is linked with, and whose own file is not there; or (name is NULL) there is none of this name. */
struct unfound {
	const char *name, *by;
	const char *looked_in; /* for people */
	const char *near;      /* of those that it is linked with, in quotes, or NULL */
	const char *of_system; /* those that the name is short for, but that the program is not linked with, for people; or NULL */
};
/* Path of the library that the program uses, itself or through other libraries, and that is called name ("libc", "libc.so.6", "/usr/lib/libz.so.1");
   if it uses none, of one that it would find by this name.  NULL if none; unfound is set if it uses one that is not found. */
const char *libraries_find(struct session *s, struct elf_image *program, const char *name, struct unfound *unfound);
/* Paths of all libraries that it uses and whose names or paths the pattern matches; unfound is set if one of them is not found. */
struct libraries_paths {
	VEC(const char *) v;
};
void libraries_matching(struct session *s, struct elf_image *program, const char *pattern, struct libraries_paths *out, struct unfound *unfound);
/* Path of the library of exactly this name for a file; NULL if none. */
const char *libraries_path(struct session *s, const struct libraries_file *by, const char *name);
/* The same for a file that names no folders itself. */
const char *libraries_of_system(struct session *s, const char *name);
/* Libraries of the system that the name is short for, "\"libc.so.6\"" for "libc", for people; NULL: there are none. */
const char *libraries_short(struct session *s, const char *name);
/* The next path of a library of this name in the n bytes of an ld.so.cache, from entry *at on; NULL: there are no more. */
const char *libraries_in_cache(const char *bytes, size_t n, const char *name, size_t *at);

#endif
