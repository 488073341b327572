// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentiles: rt/quantile.h describes how they are kept. */
#include "rt/stat.h"

#define POSITIVE_OCTAVES (RT_OCTAVES / 2)

/* The first word of a block that was given back is the next of these. */
union block {
	rt_u32 octave[RT_OCTAVES]; /* of an index: numbers of blocks, or 0 */
	rt_u64 count[RT_OCTAVE_BUCKETS];
	rt_u32 next;
};
_Static_assert(sizeof(union block) == RT_QUANTILE_BLOCK, "RT_QUANTILE_BLOCK");

/* ---- pools ---- */

struct rt_quantile_pool *rt_quantile_pools(rt_u32 blocks)
{
	rt_u32 ncpus = rt_port_ncpus(), i;
	/* One more without blocks marks the end. */
	struct rt_quantile_pool *pools = rt_port_alloc((ncpus + 1ULL) * sizeof(*pools));

	for (i = 0; pools && i < ncpus; i++) {
		pools[i].max = blocks;
		pools[i].generation = 1;
		pools[i].blocks = rt_port_alloc((blocks ? blocks : 1) * (rt_size)RT_QUANTILE_BLOCK);
		if (!pools[i].blocks) {
			rt_quantile_pools_free(pools);
			return 0;
		}
	}
	return pools;
}

void rt_quantile_pools_free(struct rt_quantile_pool *pools)
{
	rt_u32 i;

	for (i = 0; pools && pools[i].blocks; i++)
		rt_port_free(pools[i].blocks);
	rt_port_free(pools);
}

static union block *block(const struct rt_quantile_pool *pool, rt_u32 i)
{
	return (union block *)(pool->blocks + (i - 1ULL) * RT_QUANTILE_BLOCK);
}

/* An empty block; 0: there is none. */
static rt_u32 take(struct rt_quantile_pool *pool)
{
	rt_u32 i = pool->free;

	if (i)
		pool->free = block(pool, i)->next;
	else if (pool->used < pool->max)
		i = ++pool->used;
	else
		return 0;
	memset(block(pool, i), 0, RT_QUANTILE_BLOCK);
	return i;
}

static void give_back(struct rt_quantile_pool *pool, rt_u32 i)
{
	block(pool, i)->next = pool->free;
	pool->free = i;
}

static union block *index_of(const struct rt_quantile_pool *pool, const rt_u64 *word)
{
	rt_u64 named = RT_LOAD_ACQUIRE(word);

	return named >> 32 == pool->generation ? block(pool, (rt_u32)named) : 0;
}

void rt_quantile_release(struct rt_quantile_pool *pool, rt_u64 *word)
{
	union block *index = index_of(pool, word);
	rt_u32 named = (rt_u32)*word, i;

	RT_STORE(word, 0);
	if (!index)
		return;
	for (i = 0; i < RT_OCTAVES; i++)
		if (index->octave[i])
			give_back(pool, index->octave[i]);
	give_back(pool, named);
}

void rt_quantile_forget(struct rt_quantile_pool *pool)
{
	pool->used = pool->free = 0;
	if (!++pool->generation)
		pool->generation = 1;
}

/* ---- buckets ---- */

/* Octave 0 holds what is below 64, octave i the values from 64 << (i - 1), in steps of 1 << (i - 1). */
rt_u64 *rt_quantile_place(struct rt_quantile_pool *pool, rt_u64 *word, rt_s64 v)
{
	rt_u64 size = v < 0 ? 0 - (rt_u64)v : (rt_u64)v;
	rt_u32 octave = size < RT_OCTAVE_BUCKETS ? 0 : 58 - (rt_u32)__builtin_clzll(size), made;
	rt_u32 bucket = (rt_u32)(size >> (octave ? octave - 1 : 0)) % RT_OCTAVE_BUCKETS;
	union block *index = index_of(pool, word);
	rt_u32 *slot;

	if (RT_UNLIKELY(!index)) {
		made = take(pool);
		if (!made)
			return 0;
		index = block(pool, made);
		RT_STORE_RELEASE(word, (rt_u64)pool->generation << 32 | made);
	}
	slot = &index->octave[octave + (v < 0 ? POSITIVE_OCTAVES : 0)];
	if (RT_UNLIKELY(!*slot)) {
		made = take(pool);
		if (!made)
			return 0;
		RT_STORE_RELEASE(slot, made);
	}
	return &block(pool, *slot)->count[bucket];
}

/* The i-th octave and bucket in the order of values. */
static rt_u32 octave_at(rt_u32 i)
{
	return i < POSITIVE_OCTAVES ? RT_OCTAVES - 1 - i : i - POSITIVE_OCTAVES;
}

static rt_u32 bucket_at(rt_u32 octave, rt_u32 i)
{
	return octave < POSITIVE_OCTAVES ? i : RT_OCTAVE_BUCKETS - 1 - i;
}

static rt_s64 middle(rt_u32 octave, rt_u32 bucket)
{
	rt_bool negative = octave >= POSITIVE_OCTAVES;
	rt_u32 i = negative ? octave - POSITIVE_OCTAVES : octave;
	rt_u64 size = bucket;

	if (i)
		size = ((rt_u64)(RT_OCTAVE_BUCKETS + bucket) << (i - 1)) + (((1ULL << (i - 1)) - 1) >> 1);
	if (negative)
		return size >> 63 ? RT_S64_MIN : -(rt_s64)size;
	return (rt_s64)size;
}

/* ---- finding ---- */

/* The counts of an octave on a CPU, or NULL. */
static const rt_u64 *counts(const struct rt_quantile_view *view, rt_u32 cpu, rt_u32 octave)
{
	const struct rt_quantile_pool *pool = &view->pools[cpu];
	const struct rt_cell *cell = (const struct rt_cell *)(pool->cells + view->cell);
	const union block *index;
	rt_u32 i;

	if (RT_LOAD_ACQUIRE(&cell->birth) != view->birth)
		return 0;
	index = index_of(pool, &cell->more[view->word]);
	i = index ? RT_LOAD_ACQUIRE(&index->octave[octave]) : 0;
	return i ? block(pool, i)->count : 0;
}

static rt_u64 in_bucket(const struct rt_quantile_view *view, rt_u32 octave, rt_u32 bucket)
{
	rt_u64 n = 0;
	rt_u32 cpu;

	for (cpu = 0; view->pools[cpu].blocks; cpu++) {
		const rt_u64 *count = counts(view, cpu, octave);

		n += count ? RT_LOAD(&count[bucket]) : 0;
	}
	return n;
}

static rt_u64 in_octave(const struct rt_quantile_view *view, rt_u32 octave)
{
	rt_u64 n = 0;
	rt_u32 cpu, i;

	for (cpu = 0; view->pools[cpu].blocks; cpu++) {
		const rt_u64 *count = counts(view, cpu, octave);

		for (i = 0; count && i < RT_OCTAVE_BUCKETS; i++)
			n += RT_LOAD(&count[i]);
	}
	return n;
}

/* Values may be added meanwhile: then the result is a little too small. */
rt_bool rt_quantile_find(const struct rt_quantile_view *view, rt_u32 permille, rt_s64 *value)
{
	rt_u64 total = 0, left, n;
	rt_u32 i, k, octave;

	for (i = 0; i < RT_OCTAVES; i++)
		total += in_octave(view, i);
	if (!total)
		return 0;
	left = total / 1000 * permille + (total % 1000 * permille + 999) / 1000;
	left = left ? left : 1;
	for (i = 0; i < RT_OCTAVES; i++) {
		octave = octave_at(i);
		n = in_octave(view, octave);
		if (left > n) {
			left -= n;
			continue;
		}
		for (k = 0; k < RT_OCTAVE_BUCKETS; k++) {
			*value = middle(octave, bucket_at(octave, k));
			n = in_bucket(view, octave, bucket_at(octave, k));
			if (left <= n)
				return 1;
			left -= n;
		}
	}
	/* What was counted was cleared meanwhile. */
	return 0;
}
