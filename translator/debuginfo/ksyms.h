/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside debuginfo/ only: the functions of a kernel by its symbol table, which has more of them than BTF (system calls without
 * arguments, functions that the compiler cloned), and says which of them the kernel allows no probes in.
 */
#ifndef DEBUGINFO_KSYMS_H
#define DEBUGINFO_KSYMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "translator/debuginfo/kallsyms.h"

struct ksyms;

/* The addresses where the kernel's function tracer has its calls, sorted; none: not known. */
struct ksyms_places {
	const uint64_t *v;
	size_t n;
};

/* Appends the functions among the symbols to out, in the form that ksyms_parse() reads: a cache file.  None when n is 0. */
void ksyms_text(const struct kallsyms_symbol *v, size_t n, const struct ksyms_places *places, struct sb *out);
/* The same of variables and other symbols that are no functions, for a file of its own: few ask for them. */
void ksyms_objects_text(const struct kallsyms_symbol *v, size_t n, const struct ksyms_places *places, struct sb *out);
/* Between which symbols the kernel's image has the addresses of its tracer's calls; false: it does not say. */
bool ksyms_places_bounds(const struct kallsyms_symbol *v, size_t n, uint64_t *start, uint64_t *end);
/* Takes the text (not kept); lines that are none of ours are passed over. */
struct ksyms *ksyms_parse(struct arena *a, const char *text, size_t n);
/* The lines of /proc/kallsyms that are the kernel's own, not a module's.  Addresses are 0 for who may not see them. */
size_t ksyms_of_running(struct arena *a, const char *path, const struct kallsyms_symbol **out);

/* True: nothing is known of this kernel's symbols. */
bool ksyms_is_empty(const struct ksyms *k);
/* Whether there is such a function, then with why it cannot be probed, or NULL. */
bool ksyms_find(const struct ksyms *k, const char *name, const char **unprobeable);
/* False: the function tracer has no call in the function of that name: it is marked as not to be traced, or is not one at all. */
bool ksyms_is_traced(const struct ksyms *k, const char *name);
/* Each function that may be probed and traced, sorted by strcmp(). */
void ksyms_each(const struct ksyms *k, void (*cb)(void *ctx, const char *name), void *ctx);

#endif
