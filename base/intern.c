// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of names: open addressing over entries in an arena, kept at most half full. */
#include "base/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

struct name {
	uint64_t hash;
	size_t len;
	char s[];
};

static struct {
	struct arena arena;
	struct name **slots;
	size_t n, nslots; /* nslots is 0 or a power of two */
} table;

static uint64_t hash_bytes(const char *s, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3;
	return h ^ h >> 29;
}

static struct name **slot_of(uint64_t hash, const char *s, size_t len)
{
	for (size_t i = hash;; i++) {
		struct name **slot = &table.slots[i & (table.nslots - 1)];
		const struct name *name = *slot;

		if (!name || (name->hash == hash && name->len == len && !memcmp(name->s, s, len)))
			return slot;
	}
}

static void grow(void)
{
	struct name **old = table.slots;
	size_t nold = table.nslots;

	table.nslots = nold ? nold * 2 : 1024;
	table.slots = mem_calloc(table.nslots, sizeof *table.slots);
	for (size_t i = 0; i < nold; i++)
		if (old[i])
			*slot_of(old[i]->hash, old[i]->s, old[i]->len) = old[i];
	free(old);
}

const char *intern_n(const char *s, size_t len)
{
	uint64_t hash = hash_bytes(s, len);

	if (table.n >= table.nslots / 2)
		grow();

	struct name **slot = slot_of(hash, s, len);

	if (*slot)
		return (*slot)->s;
	if (len > PTRDIFF_MAX / 2)
		mem_exhausted(len);

	struct name *name = arena_alloc(&table.arena, sizeof *name + len + 1);

	name->hash = hash;
	name->len = len;
	memcpy(name->s, s, len);
	*slot = name;
	table.n++;
	return name->s;
}

const char *intern(const char *s)
{
	return intern_n(s, strlen(s));
}

size_t intern_len(const char *s)
{
	return ((const struct name *)(s - offsetof(struct name, s)))->len;
}

void intern_reset(void)
{
	arena_free(&table.arena);
	free(table.slots);
	table.slots = NULL;
	table.n = table.nslots = 0;
}
