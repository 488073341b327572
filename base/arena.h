/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory by lifetime: what is allocated lives as long as its arena; no block is freed alone.  All memory is zeroed.
 * Out of memory ends the process with a message, so no caller checks.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* newest first; a zeroed struct is a valid empty arena */
	size_t used;               /* bytes handed out, for -v */
};

/* size bytes, zeroed, aligned for any type; size 0 gives a unique pointer. */
void *arena_alloc(struct arena *a, size_t size);
/* As arena_alloc() for n members of a size; an overflow of n * size ends the process. */
void *arena_calloc(struct arena *a, size_t n, size_t size);
/* Copies with a NUL at the end. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
void *arena_memdup(struct arena *a, const void *p, size_t size);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);
/* Gives all memory back; the arena is then empty and usable. */
void arena_free(struct arena *a);

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_calloc((a), (n), sizeof(type)))

#endif
