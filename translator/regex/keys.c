/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Byte strings -> numbers in the order in which they are first seen: the states of an automaton that is being made. */
#include <string.h>

#include "translator/regex/tree.h"

static size_t hash(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t h = 0xcbf29ce484222325;

	for (; n >= 8; n -= 8, s += 8) {
		uint64_t word;
		memcpy(&word, s, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	while (n--)
		h = (h ^ *s++) * 0x100000001b3;
	return (size_t)(h ^ h >> 29);
}

static void grow(struct regex_keys *k)
{
	size_t room = k->room ? k->room * 2 : 64;
	uint32_t *slots = arena_array(k->arena, uint32_t, room);

	for (size_t i = 0; i < k->keys.n; i++) {
		size_t at = hash(k->keys.v[i].p, k->keys.v[i].n) & (room - 1);
		while (slots[at])
			at = (at + 1) & (room - 1);
		slots[at] = (uint32_t)i + 1;
	}
	k->slots = slots;
	k->room = room;
}

size_t regex_keys_number(struct regex_keys *k, const void *p, size_t n, bool *is_new)
{
	struct regex_key key = {.n = n};
	size_t at;

	if (k->keys.n * 2 >= k->room)
		grow(k);
	*is_new = false;
	for (at = hash(p, n) & (k->room - 1); k->slots[at]; at = (at + 1) & (k->room - 1)) {
		const struct regex_key *old = &k->keys.v[k->slots[at] - 1];
		if (old->n == n && !memcmp(old->p, p, n))
			return k->slots[at] - 1;
	}
	key.p = arena_memdup(k->arena, p, n);
	vec_push(k->arena, &k->keys, key);
	k->slots[at] = (uint32_t)k->keys.n;
	*is_new = true;
	return k->keys.n - 1;
}
