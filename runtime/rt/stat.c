// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics: cells, sums over cells, and scalar statistics variables.
 *
 * The variance is exact: a cell keeps the sum in 128 bits and the sum of squares in 192, which no number of 64-bit values overflows.
 * Adding needs no division, merging is addition, and the one division is done by hand when it is read.
 *
 * Percentiles are in quantile.c; a cell holds the word for them.
 */
#include "rt/stat.h"
#include "rt/globals.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

struct rt_stat {
	const struct rt_stat_shape *shape;
	rt_u32 ncpus, stride;
	rt_u32 birth;
	struct rt_quantile_pool *pools; /* NULL: nothing reads percentiles */
	char cells[] __attribute__((aligned(RT_LINE)));
};

/* ---- cells ---- */

_Static_assert(sizeof(struct rt_cell) == RT_CELL_WORDS * sizeof(rt_u64), "RT_CELL_WORDS");

rt_u32 rt_shape_buckets(const struct rt_stat_shape *shape)
{
	return rt_buckets(shape, rt_script.limits->max_buckets);
}

static rt_u32 variance_words(const struct rt_stat_shape *shape)
{
	return shape->variance ? RT_VARIANCE_WORDS : 0;
}

static rt_u32 more_words(const struct rt_stat_shape *shape)
{
	return rt_more_words(shape, rt_script.limits->max_buckets);
}

rt_u32 rt_cell_size(const struct rt_stat_shape *shape)
{
	return (rt_u32)(sizeof(struct rt_cell) + more_words(shape) * sizeof(rt_u64));
}

static rt_u32 bucket_of(const struct rt_stat_shape *shape, rt_s64 v)
{
	rt_u64 i;

	if (shape->hist == RT_HIST_LOG) {
		if (v > 0)
			return RT_LOG_ZERO + 64 - (rt_u32)__builtin_clzll((rt_u64)v);
		return v ? RT_LOG_ZERO - 64 + (rt_u32)__builtin_clzll(0 - (rt_u64)v) : RT_LOG_ZERO;
	}
	if (v < shape->low)
		return 0;
	i = (rt_u64)v - (rt_u64)shape->low;
	if (shape->step > 1)
		i /= (rt_u64)shape->step;
	return (rt_u32)rt_min(i, rt_shape_buckets(shape) - 2) + 1;
}

static void add_wide(rt_u64 *more, rt_s64 old_sum, rt_s64 v)
{
	u128 sum = ((u128)more[0] << 64 | (rt_u64)old_sum) + (u128)(s128)v;
	u128 square = (u128)((s128)v * v);
	u128 low = ((u128)more[2] << 64 | more[1]) + square;

	RT_STORE(&more[0], (rt_u64)(sum >> 64));
	RT_STORE(&more[1], (rt_u64)low);
	RT_STORE(&more[2], (rt_u64)(low >> 64));
	RT_STORE(&more[3], more[3] + (low < square));
}

rt_u32 rt_shape_word(const struct rt_stat_shape *shape)
{
	return more_words(shape) - 1;
}

/* A reader that looks for this birth does not find it before the cell is complete. */
static void cell_reset(struct rt_cell *cell, const struct rt_stat_shape *shape, struct rt_quantile_pool *pool,
		       rt_u32 birth)
{
	rt_u32 i, n = more_words(shape);

	RT_STORE(&cell->birth, 0);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (shape->quantile)
		rt_quantile_release(pool, &cell->more[rt_shape_word(shape)]);
	RT_STORE(&cell->count, 0);
	RT_STORE(&cell->sum, 0);
	RT_STORE(&cell->min, RT_S64_MAX);
	RT_STORE(&cell->max, RT_S64_MIN);
	for (i = 0; i < n; i++)
		RT_STORE(&cell->more[i], 0);
	RT_STORE_RELEASE(&cell->birth, birth);
}

enum rt_added rt_cell_add(struct rt_cell *cell, const struct rt_stat_shape *shape,
			  struct rt_quantile_pool *pool, rt_u32 birth, rt_s64 v)
{
	rt_u64 *count, wrapped = 0;
	rt_s64 sum, new_sum;

	if (RT_UNLIKELY(cell->seq & 1))
		return RT_ADD_BUSY;
	rt_bump(&cell->seq); /* an NMI that adds here either comes before it, or finds it odd */
	if (RT_UNLIKELY(cell->birth != birth))
		cell_reset(cell, shape, pool, birth);
	if (shape->quantile) {
		count = rt_quantile_place(pool, &cell->more[rt_shape_word(shape)], v);
		if (RT_UNLIKELY(!count)) {
			rt_bump(&cell->seq);
			return RT_ADD_FULL;
		}
		RT_STORE(count, *count + 1);
	}
	sum = cell->sum;
	if (RT_UNLIKELY(__builtin_add_overflow(sum, v, &new_sum)))
		wrapped = RT_CELL_WRAPPED;
	RT_STORE(&cell->count, (cell->count + 1) | wrapped);
	RT_STORE(&cell->sum, new_sum);
	if (v < cell->min)
		RT_STORE(&cell->min, v);
	if (v > cell->max)
		RT_STORE(&cell->max, v);
	if (shape->variance)
		add_wide(cell->more, sum, v);
	if (shape->hist != RT_HIST_NONE) {
		rt_u64 *bucket = cell->more + variance_words(shape) + bucket_of(shape, v);

		RT_STORE(bucket, *bucket + 1);
	}
	rt_bump(&cell->seq);
	return RT_ADDED;
}

void rt_cell_not_added(struct rt_ctx *c, enum rt_added result)
{
	if (result == RT_ADD_FULL)
		rt_error(c, "no room for percentiles of more values, check MAXQUANTILEKB");
	else
		rt_skip(c);
}

/* ---- sums ---- */

void rt_sum_init(struct rt_sum *sum)
{
	*sum = (struct rt_sum){.min = RT_S64_MAX, .max = RT_S64_MIN};
}

/* One consistent copy; false while the cell is being written. */
static rt_bool cell_copy(struct rt_sum *copy, const struct rt_cell *cell, const struct rt_stat_shape *shape,
			 rt_u32 birth)
{
	rt_u32 seq = RT_LOAD_ACQUIRE(&cell->seq), i;

	if (seq & 1)
		return 0;
	copy->count = RT_LOAD(&cell->birth) == birth ? RT_LOAD(&cell->count) : 0;
	copy->wrapped = (copy->count & RT_CELL_WRAPPED) != 0;
	copy->count &= ~RT_CELL_WRAPPED;
	copy->sum = RT_LOAD(&cell->sum);
	copy->min = RT_LOAD(&cell->min);
	copy->max = RT_LOAD(&cell->max);
	if (shape->variance) {
		copy->high = RT_LOAD(&cell->more[0]);
		for (i = 0; i < 3; i++)
			copy->square[i] = RT_LOAD(&cell->more[1 + i]);
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return RT_LOAD(&cell->seq) == seq;
}

rt_bool rt_sum_cell(struct rt_sum *sum, const struct rt_cell *cell, const struct rt_stat_shape *shape,
		    rt_u32 birth)
{
	struct rt_wait wait = {0};
	struct rt_sum copy = {0};
	u128 low;

	if (RT_LOAD(&cell->birth) != birth)
		return 1;
	while (!cell_copy(&copy, cell, shape, birth))
		if (!rt_wait(&wait))
			return 0;
	if (!copy.count)
		return 1;
	sum->count += copy.count;
	if (copy.min < sum->min)
		sum->min = copy.min;
	if (copy.max > sum->max)
		sum->max = copy.max;
	if (shape->variance) {
		low = (u128)(rt_u64)sum->sum + (rt_u64)copy.sum;
		sum->high += copy.high + (rt_u64)(low >> 64);
		low = (u128)sum->square[0] + copy.square[0];
		sum->square[0] = (rt_u64)low;
		low = (low >> 64) + sum->square[1] + copy.square[1];
		sum->square[1] = (rt_u64)low;
		sum->square[2] += copy.square[2] + (rt_u64)(low >> 64);
	}
	sum->wrapped |= copy.wrapped | __builtin_add_overflow(sum->sum, copy.sum, &sum->sum);
	return 1;
}

void rt_hist_cell(rt_u64 *hist, const struct rt_cell *cell, const struct rt_stat_shape *shape, rt_u32 birth)
{
	const rt_u64 *from = cell->more + variance_words(shape);
	rt_u32 i, n = rt_shape_buckets(shape);

	if (RT_LOAD_ACQUIRE(&cell->birth) != birth)
		return;
	for (i = 0; i < n; i++)
		hist[i] += RT_LOAD(&from[i]);
}

/* r = n * square - sum^2, 256 bits, never negative. */
static void variance_numerator(rt_u64 r[4], const struct rt_sum *s)
{
	u128 sum = (u128)s->high << 64 | (rt_u64)s->sum, carry = 0, low, mid, high;
	rt_u64 a0, a1, part[4];
	rt_bool borrow = 0;
	rt_u32 i;

	for (i = 0; i < 3; i++) {
		carry += (u128)s->count * s->square[i];
		r[i] = (rt_u64)carry;
		carry >>= 64;
	}
	r[3] = (rt_u64)carry;
	if (s->high >> 63)
		sum = -sum;
	a0 = (rt_u64)sum;
	a1 = (rt_u64)(sum >> 64);
	low = (u128)a0 * a0;
	mid = (u128)a0 * a1; /* counts twice; |sum| < 2^127, so a1 * a1 < 2^126 */
	high = (u128)a1 * a1 + (mid >> 63);
	part[0] = (rt_u64)low;
	low = (low >> 64) + (rt_u64)(mid << 1);
	part[1] = (rt_u64)low;
	high += low >> 64;
	part[2] = (rt_u64)high;
	part[3] = (rt_u64)(high >> 64);
	for (i = 0; i < 4; i++) {
		u128 d = (u128)r[i] - part[i] - borrow;

		r[i] = (rt_u64)d;
		borrow = (d >> 64) != 0;
	}
}

/* Sample variance, rounded down; too large ones become the largest long. */
rt_s64 rt_sum_variance(const struct rt_sum *s)
{
	u128 divisor = (u128)s->count * (s->count - 1), rest; /* below 2^127: a count never reaches 2^63 */
	rt_u64 r[4], q = 0;
	int bit;

	if (s->count < 2)
		return 0;
	variance_numerator(r, s);
	/* The quotient has 63 bits when the numerator shifted right by 63 is below the divisor. */
	rest = (u128)r[2] << 65 | (u128)r[1] << 1 | r[0] >> 63;
	if (r[3] || r[2] >> 63 || rest >= divisor)
		return RT_S64_MAX;
	for (bit = 62; bit >= 0; bit--) {
		rest = rest << 1 | (r[0] >> bit & 1);
		q <<= 1;
		if (rest >= divisor) {
			rest -= divisor;
			q |= 1;
		}
	}
	return (rt_s64)q;
}

/*
 * All values are min or more.  The sum of their differences to min is known in spite of wrapping if it fits in 64 bits; divided by the
 * count, it is added to min.
 */
static rt_s64 average_of_wrapped(struct rt_ctx *c, const struct rt_sum *s)
{
	rt_u64 spread = (rt_u64)s->max - (rt_u64)s->min, more;
	rt_s64 floor;

	if (spread && s->count > ~0ULL / spread) {
		rt_error(c, "the numbers are too large, and too far apart, for @avg");
		return 0;
	}
	more = (rt_u64)s->sum - s->count * (rt_u64)s->min;
	floor = rt_add(s->min, more / s->count);
	return floor + (floor < 0 && more % s->count);
}

rt_s64 rt_sum_get(struct rt_ctx *c, const struct rt_sum *sum, enum rt_stat_op op)
{
	if (op == RT_COUNT)
		return (rt_s64)sum->count;
	if (op == RT_SUM)
		return sum->sum;
	if (!sum->count) {
		rt_error(c, "empty aggregate");
		return 0;
	}
	switch (op) {
	case RT_MIN:
		return sum->min;
	case RT_MAX:
		return sum->max;
	case RT_AVG:
		return RT_UNLIKELY(sum->wrapped) ? average_of_wrapped(c, sum) : sum->sum / (rt_s64)sum->count;
	default:
		return rt_sum_variance(sum);
	}
}

rt_s64 rt_sum_quantile(struct rt_ctx *c, const struct rt_sum *sum, const struct rt_quantile_view *view,
		       rt_s64 permille)
{
	rt_s64 v;

	if (permille < 0 || permille > 1000) {
		rt_error(c, "a percentile needs 0 to 1000 thousandths, not %lld", permille);
		return 0;
	}
	if (!sum->count) {
		rt_error(c, "empty aggregate");
		return 0;
	}
	if (!permille || sum->min == sum->max)
		return sum->min;
	if (permille == 1000 || !rt_quantile_find(view, (rt_u32)permille, &v) || v > sum->max)
		return sum->max;
	return v < sum->min ? sum->min : v;
}

/* ---- scalars ---- */

static struct rt_cell *cell_of(struct rt_stat *s, rt_u32 cpu)
{
	return (struct rt_cell *)(s->cells + (rt_size)cpu * s->stride);
}

static int make_pools(struct rt_stat *s)
{
	rt_u32 cpu;

	s->pools = rt_quantile_pools(RT_QUANTILE_MOST);
	for (cpu = 0; s->pools && cpu < s->ncpus; cpu++)
		s->pools[cpu].cells = (const char *)cell_of(s, cpu);
	return s->pools ? 0 : -1;
}

struct rt_stat *rt_stat_new(const struct rt_stat_shape *shape)
{
	rt_u32 ncpus = rt_port_ncpus(), stride = (rt_u32)rt_round_up(rt_cell_size(shape), RT_LINE);
	struct rt_stat *s = rt_port_alloc(sizeof(*s) + (rt_size)ncpus * stride);

	if (!s)
		return 0;
	s->shape = shape;
	s->ncpus = ncpus;
	s->stride = stride;
	s->birth = 1;
	if (shape->quantile && make_pools(s)) {
		rt_stat_destroy(s);
		return 0;
	}
	return s;
}

void rt_stat_destroy(struct rt_stat *s)
{
	if (!s)
		return;
	rt_quantile_pools_free(s->pools);
	rt_port_free(s);
}

void rt_stat_add(struct rt_ctx *c, struct rt_stat *s, rt_s64 v)
{
	unsigned long flags = rt_port_irq_save();
	rt_u32 cpu = rt_port_cpu();
	enum rt_added result =
		rt_cell_add(cell_of(s, cpu), s->shape, s->pools ? &s->pools[cpu] : 0, RT_LOAD(&s->birth), v);

	rt_port_irq_restore(flags);
	if (RT_UNLIKELY(result))
		rt_cell_not_added(c, result);
}

/* False: it cannot be read, and the hit ends. */
static rt_bool sum_up(struct rt_ctx *c, struct rt_stat *s, rt_u32 birth, struct rt_sum *sum)
{
	unsigned long flags;
	rt_bool ok = 1;
	rt_u32 cpu;

	rt_sum_init(sum);
	flags = rt_port_irq_save();
	for (cpu = 0; cpu < s->ncpus && ok; cpu++)
		ok = rt_sum_cell(sum, cell_of(s, cpu), s->shape, birth);
	rt_port_irq_restore(flags);
	if (!ok)
		rt_skip(c);
	return ok;
}

rt_s64 rt_stat_get(struct rt_ctx *c, struct rt_stat *s, enum rt_stat_op op)
{
	struct rt_sum sum;

	return sum_up(c, s, RT_LOAD_ACQUIRE(&s->birth), &sum) ? rt_sum_get(c, &sum, op) : 0;
}

rt_s64 rt_stat_quantile(struct rt_ctx *c, struct rt_stat *s, rt_s64 permille)
{
	struct rt_quantile_view view = {
		.pools = s->pools, .birth = RT_LOAD_ACQUIRE(&s->birth), .word = rt_shape_word(s->shape)};
	struct rt_sum sum;

	return sum_up(c, s, view.birth, &sum) ? rt_sum_quantile(c, &sum, &view, permille) : 0;
}

void rt_stat_clear(struct rt_ctx *c, struct rt_stat *s)
{
	(void)c;
	if (!__atomic_add_fetch(&s->birth, 1, __ATOMIC_ACQ_REL))
		__atomic_add_fetch(&s->birth, 1, __ATOMIC_ACQ_REL); /* 0 is the birth of unused cells */
}

void rt_stat_hist(struct rt_stat *s, rt_u64 *hist)
{
	rt_u32 cpu, birth = RT_LOAD_ACQUIRE(&s->birth);

	for (cpu = 0; cpu < s->ncpus; cpu++)
		rt_hist_cell(hist, cell_of(s, cpu), s->shape, birth);
}

const struct rt_stat_shape *rt_stat_shape_of(const struct rt_stat *s)
{
	return s->shape;
}
