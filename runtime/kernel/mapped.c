// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where stacks have found code of programs.  See mapped.h.
 *
 * A table that is filled without a lock, and of which nothing is taken out.  A mapping has an entry for each stretch of memory that it has a part in,
 * and these are found by the number of the stretch: so an address is looked for in one place.  Once an entry finds no room, no address of its stretch
 * is certain any more.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "kernel/mapped.h"
#include "rt/port.h"

#define MAPPED_BITS 14
#define MAPPED_TRIES 32
#define MAPPED_STRETCH_SHIFT 21
#define MAPPED_STRETCHES_MOST 256 /* of one mapping: of a larger one only what was asked about is noted */

enum { MAPPED_FREE, MAPPED_BUSY, MAPPED_KNOWN };

struct mapped {
	u64 start, end, base;
	u32 image;
	u32 state;
};

static struct mapped *mapped;
static DECLARE_BITMAP(mapped_full, 1 << MAPPED_BITS); /* by the first place of a stretch */

static u32 mapped_place(u64 stretch, u32 try)
{
	return (hash_64(stretch, MAPPED_BITS) + try) & ((1 << MAPPED_BITS) - 1);
}

static bool mapped_is(const struct mapped *m, const struct mapped *what)
{
	return m->start == what->start && m->end == what->end && m->base == what->base && m->image == what->image;
}

/* False: it was there. */
static bool mapped_add(u64 stretch, const struct mapped *what)
{
	u32 i;

	for (i = 0; i < MAPPED_TRIES; i++) {
		struct mapped *m = &mapped[mapped_place(stretch, i)];
		u32 state = smp_load_acquire(&m->state);

		if (state == MAPPED_FREE)
			state = cmpxchg(&m->state, MAPPED_FREE, MAPPED_BUSY);
		if (state == MAPPED_FREE) {
			m->start = what->start;
			m->end = what->end;
			m->base = what->base;
			m->image = what->image;
			smp_store_release(&m->state, MAPPED_KNOWN);
			return true;
		}
		if (state == MAPPED_KNOWN && mapped_is(m, what))
			return false; /* one that is busy may be the same: then it is there twice */
	}
	set_bit(mapped_place(stretch, 0), mapped_full);
	return true; /* its other stretches may have room */
}

void mapped_note(u64 start, u64 end, u64 base, u32 image, u64 addr)
{
	const struct mapped what = { .start = start, .end = end, .base = base, .image = image };
	u64 at = start >> MAPPED_STRETCH_SHIFT, last = (end - 1) >> MAPPED_STRETCH_SHIFT;
	bool added = true;

	if (!mapped)
		return;
	if (last - at >= MAPPED_STRETCHES_MOST)
		at = last = addr >> MAPPED_STRETCH_SHIFT;
	for (; at <= last && added; at++) /* if the first was there, all are, or are being added */
		added = mapped_add(at, &what);
}

bool mapped_find(u64 addr, u32 *image, u64 *base)
{
	u64 stretch = addr >> MAPPED_STRETCH_SHIFT;
	bool any = false;
	u32 i;

	if (!mapped || test_bit(mapped_place(stretch, 0), mapped_full))
		return false;
	for (i = 0; i < MAPPED_TRIES; i++) {
		const struct mapped *m = &mapped[mapped_place(stretch, i)];

		if (smp_load_acquire(&m->state) != MAPPED_KNOWN || addr < m->start || addr >= m->end)
			continue;
		if (m->image == RT_NO_IMAGE || (any && (m->image != *image || m->base != *base)))
			return false;
		*image = m->image;
		*base = m->base;
		any = true;
	}
	return any;
}

int mapped_begin(void)
{
	bitmap_zero(mapped_full, 1 << MAPPED_BITS);
	mapped = kvcalloc(1 << MAPPED_BITS, sizeof(*mapped), GFP_KERNEL);
	return mapped ? 0 : -ENOMEM;
}

void mapped_end(void)
{
	kvfree(mapped);
	mapped = NULL;
}
