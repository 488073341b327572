/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash map from interned names (compared by pointer) to pointers; memory from an arena; iteration in order of
 * insertion.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>

#include "base/arena.h"

struct map_entry {
	const char *key; /* interned */
	void *value;
};

struct map {
	struct map_entry *entries; /* n of them, in order of insertion: iterate here */
	size_t n, cap;
	unsigned *slots; /* index + 1 into entries, 0 = free */
	size_t nslots;
};

/* The value stored for the interned key, or NULL. */
void *map_get(const struct map *m, const char *key);
/* Stores or replaces; returns the value that was there before, or NULL. */
void *map_set(struct arena *a, struct map *m, const char *key, void *value);

#endif
