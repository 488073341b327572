// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arena of chunks: small blocks are cut from the newest chunk, big ones get a chunk of their own after it.
 * Under ASan, memory that is not handed out is poisoned, with a gap after each block, so overruns are found as with
 * malloc().
 */
#include "base/arena.h"

#include <limits.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define GAP 16
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define GAP 0
#endif

#define ALIGN alignof(max_align_t)
#define CHUNK_SIZE ((size_t)64 * 1024 - 64)
#define BIG (CHUNK_SIZE / 4)

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size; /* of data[] */
	alignas(max_align_t) char data[];
};

static struct arena_chunk *chunk_new(size_t size)
{
	struct arena_chunk *c = mem_calloc(1, sizeof *c + size);

	c->size = size;
	ASAN_POISON_MEMORY_REGION(c->data, size);
	return c;
}

/* A chunk with room for the bytes; big blocks do not end the use of the newest chunk. */
static struct arena_chunk *chunk_for(struct arena *a, size_t bytes)
{
	struct arena_chunk *c = a->chunk;

	if (c && c->size - c->used >= bytes)
		return c;
	if (bytes > BIG && c) {
		struct arena_chunk *big = chunk_new(bytes);

		big->next = c->next;
		c->next = big;
		return big;
	}
	c = chunk_new(bytes > CHUNK_SIZE ? bytes : CHUNK_SIZE);
	c->next = a->chunk;
	a->chunk = c;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	if (size > PTRDIFF_MAX / 2)
		mem_exhausted(size);

	size_t bytes = ((size ? size : 1) + ALIGN - 1) / ALIGN * ALIGN + GAP;
	struct arena_chunk *c = chunk_for(a, bytes);
	void *p = c->data + c->used;

	c->used += bytes;
	a->used += size;
	ASAN_UNPOISON_MEMORY_REGION(p, size);
	return p;
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted(SIZE_MAX);
	return arena_alloc(a, bytes);
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	if (len == SIZE_MAX)
		mem_exhausted(len);

	char *p = arena_alloc(a, len + 1);

	if (len)
		memcpy(p, s, len);
	return p;
}

void *arena_memdup(struct arena *a, const void *p, size_t size)
{
	void *copy = arena_alloc(a, size);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

/* The length of what a format without anything but %s and text makes; -1: it has something else, or a string is missing. */
static int length_of_strings(const char *fmt, va_list ap)
{
	size_t n = 0;

	for (; *fmt; fmt++) {
		const char *s = *fmt == '%' && fmt[1] == 's' ? va_arg(ap, const char *) : NULL;

		if (*fmt == '%' && !s)
			return -1;
		n += s ? strlen(s) : 1;
		fmt += *fmt == '%';
	}
	return n > INT_MAX ? -1 : (int)n;
}

static void put_strings(char *to, const char *fmt, va_list ap)
{
	for (; *fmt; fmt++) {
		if (*fmt == '%') {
			to = stpcpy(to, va_arg(ap, const char *));
			fmt++;
		} else {
			*to++ = *fmt;
		}
	}
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;

	/* Most are paths, and vsnprintf() takes ten times as long. */
	va_copy(again, ap);
	int strings = length_of_strings(fmt, again);
	va_end(again);
	if (strings >= 0) {
		char *s = arena_alloc(a, (size_t)strings + 1);

		put_strings(s, fmt, ap);
		return s;
	}
	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0)
		mem_exhausted(SIZE_MAX);

	char *s = arena_alloc(a, (size_t)len + 1);

	vsnprintf(s, (size_t)len + 1, fmt, ap);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

void arena_free(struct arena *a)
{
	for (struct arena_chunk *c = a->chunk, *next; c; c = next) {
		next = c->next;
		ASAN_UNPOISON_MEMORY_REGION(c->data, c->size);
		free(c);
	}
	*a = (struct arena){0};
}
