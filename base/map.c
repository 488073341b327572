// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Open addressing by the address of the interned key; slots hold indexes, so entries stay in order of
 * insertion.
 */
#include "base/map.h"

#include <limits.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/vec.h"

static size_t hash_pointer(const char *key)
{
	uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15;

	return h >> 32;
}

/* The slot of the key, or the free one where it belongs. */
static unsigned *slot_of(const struct map *m, const char *key)
{
	for (size_t i = hash_pointer(key);; i++) {
		unsigned *slot = &m->slots[i & (m->nslots - 1)];

		if (!*slot || m->entries[*slot - 1].key == key)
			return slot;
	}
}

static void grow(struct arena *a, struct map *m)
{
	if (m->n >= UINT_MAX / 4)
		mem_exhausted(SIZE_MAX);
	m->nslots = m->nslots ? m->nslots * 2 : 16;
	m->slots = arena_array(a, unsigned, m->nslots);
	for (size_t i = 0; i < m->n; i++)
		*slot_of(m, m->entries[i].key) = (unsigned)i + 1;
}

void *map_get(const struct map *m, const char *key)
{
	if (!m->n)
		return NULL;

	unsigned slot = *slot_of(m, key);

	return slot ? m->entries[slot - 1].value : NULL;
}

void *map_set(struct arena *a, struct map *m, const char *key, void *value)
{
	if (m->n >= m->nslots / 2)
		grow(a, m);

	unsigned *slot = slot_of(m, key);

	if (*slot) {
		struct map_entry *e = &m->entries[*slot - 1];
		void *before = e->value;

		e->value = value;
		return before;
	}
	if (m->n == m->cap)
		m->entries = vec_grow_(a, m->entries, m->n, &m->cap, sizeof *m->entries);
	m->entries[m->n++] = (struct map_entry){key, value};
	*slot = (unsigned)m->n;
	return NULL;
}
