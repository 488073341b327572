/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Percentiles: counts of values in buckets that are at most 1/64 of their value wide, so a bucket's middle is
 * less than 1 % from every value in it, over the whole range of longs.
 *
 * 64 buckets make an octave: the values from one power of two to the next, or those below 64; negative values
 * have octaves of their own.  An aggregate has, on each CPU, an index of octaves, and those octaves that its values are in.  Both are
 * blocks of 512 bytes from a pool.  Each scalar has a pool with room for everything; the elements of an array share one.
 *
 * Only the pool's own CPU adds, one at a time.  Readers may be on any CPU: a block is complete before its number is stored.
 */
#ifndef RT_QUANTILE_H
#define RT_QUANTILE_H

#include "rt/lib.h"

#define RT_OCTAVE_BUCKETS 64

/* The blocks of one CPU; their numbers begin at 1. */
struct rt_quantile_pool {
	char *blocks;
	const char *cells; /* of this CPU: set by the pool's user */
	rt_u32 max, used;
	rt_u32 free;       /* list of those given back */
	rt_u32 generation; /* words of an older generation have no blocks any more: see rt_quantile_forget() */
} __attribute__((aligned(RT_LINE)));

/* One pool of so many blocks for each CPU.  Process context; NULL: no memory. */
struct rt_quantile_pool *rt_quantile_pools(rt_u32 blocks);
void rt_quantile_pools_free(struct rt_quantile_pool *pools); /* NULL allowed */

/*
 * An aggregate's word names its index in the pool; it is 0 at first.  Returns the count that v belongs to; NULL: the pool has no room
 * for its octave.
 */
rt_u64 *rt_quantile_place(struct rt_quantile_pool *pool, rt_u64 *word, rt_s64 v);
/* Gives the blocks of an aggregate back and sets its word to 0. */
void rt_quantile_release(struct rt_quantile_pool *pool, rt_u64 *word);
/* All blocks are free again, without looking at any word. */
void rt_quantile_forget(struct rt_quantile_pool *pool);

/* One aggregate on all CPUs: the place of its cell (rt/stat.h) among those of a CPU, its birth, and the place of the word in the cell. */
struct rt_quantile_view {
	const struct rt_quantile_pool *pools;
	rt_size cell;
	rt_u32 birth, word;
};
/*
 * The value that so many thousandths of all values do not exceed: the middle of its bucket, rounded down.  False: there are no values.
 */
rt_bool rt_quantile_find(const struct rt_quantile_view *view, rt_u32 permille, rt_s64 *value);

#endif
