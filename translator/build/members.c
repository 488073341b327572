/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which objects are linked: those that define what is wanted, and those that these want in turn, as a linker takes members of an archive. */
#include "base/intern.h"
#include "translator/build/private.h"

static bool defines_one_of(const struct map *defined, const struct map *wanted)
{
	for (size_t i = 0; i < defined->n; i++)
		if (map_get(wanted, defined->entries[i].key))
			return true;
	return false;
}

/* One look at all members that are left; true if one of them was taken, which may want others. */
static bool take_once(struct build *b, const build_argv *members, const struct map *defined, bool *taken, struct map *wanted, int *rc)
{
	bool some = false;

	for (size_t i = 0; i < members->n; i++) {
		if (taken[i] || !defines_one_of(&defined[i], wanted))
			continue;
		taken[i] = some = true;
		if (object_symbols(b, members->v[i], true, wanted))
			*rc = -1;
	}
	return some;
}

int members_take(struct build *b, const build_argv *members, struct map *wanted, build_argv *taken, build_argv *left)
{
	struct map *defined = arena_alloc(b->arena, (members->n + 1) * sizeof *defined);
	bool *is_taken = arena_alloc(b->arena, (members->n + 1) * sizeof *is_taken);
	int rc = 0;

	for (size_t i = 0; i < members->n; i++)
		if (object_symbols(b, members->v[i], false, &defined[i]))
			rc = -1;
	while (!rc && take_once(b, members, defined, is_taken, wanted, &rc)) {}
	for (size_t i = 0; i < members->n; i++)
		if (is_taken[i])
			vec_push(b->arena, taken, members->v[i]);
		else if (left)
			vec_push(b->arena, left, members->v[i]);
	return rc;
}
