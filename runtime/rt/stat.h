/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How statistics are stored: one cell per CPU, written only on its CPU with interrupts off, read from anywhere.  A cell's sequence
 * number is odd while it is being written.  Its birth says for which life of the variable or element it counts, so that clearing does
 * not touch other CPUs' cells.
 */
#ifndef RT_STAT_H
#define RT_STAT_H

#include "rt/quantile.h"

#define RT_LOG_ZERO 64 /* bucket of 0; i above it are 2^(i-1) .., i below it -2^(i-1) .. */

struct rt_cell {
	rt_u32 seq, birth;
	rt_u64 count; /* the number, and the bit RT_CELL_WRAPPED */
	rt_s64 sum, min, max;
	/*
	 * For variance: high word of the sum, sum of squares in 3 words.  Then the histogram; then the word
	 * of the percentiles.
	 */
	rt_u64 more[];
};

#define RT_CELL_WRAPPED (1ULL << 63) /* the sum was once more than 64 bits hold */

struct rt_sum {
	rt_u64 count;
	rt_bool wrapped; /* sum may lack a multiple of 2^64 */
	rt_s64 sum, min, max;
	rt_u64 high, square[3];
};

rt_u32 rt_shape_buckets(const struct rt_stat_shape *shape);
rt_u32 rt_cell_size(const struct rt_stat_shape *shape);

enum rt_added {
	RT_ADDED,
	RT_ADD_BUSY, /* this is an NMI that interrupted this CPU's writing of the cell */
	RT_ADD_FULL, /* there is no room in the pool, which is needed for percentiles only */
};

/* Adds everything or nothing. */
enum rt_added rt_cell_add(struct rt_cell *cell, const struct rt_stat_shape *shape,
			  struct rt_quantile_pool *pool, rt_u32 birth, rt_s64 v);
/* Sets the consequence: a skip or an error. */
void rt_cell_not_added(struct rt_ctx *c, enum rt_added result);
void rt_sum_init(struct rt_sum *sum);
/* Adds a cell to a sum; false: it cannot be read (see rt_wait). */
rt_bool rt_sum_cell(struct rt_sum *sum, const struct rt_cell *cell, const struct rt_stat_shape *shape,
		    rt_u32 birth);
/* Adds the histogram of a cell; single buckets are exact, the whole may lack values that are being added. */
void rt_hist_cell(rt_u64 *hist, const struct rt_cell *cell, const struct rt_stat_shape *shape, rt_u32 birth);
/* Where in more[] the word of the percentiles is. */
rt_u32 rt_shape_word(const struct rt_stat_shape *shape);
/* The percentile, between the smallest and the largest value.  [fails] as rt_stat_quantile() */
rt_s64 rt_sum_quantile(struct rt_ctx *c, const struct rt_sum *sum, const struct rt_quantile_view *view,
		       rt_s64 permille);
/* [fails] "empty aggregate", or when the average is not known */
rt_s64 rt_sum_get(struct rt_ctx *c, const struct rt_sum *sum, enum rt_stat_op op);
rt_s64 rt_sum_variance(const struct rt_sum *sum);

/* hist.c's access: adds the histograms of all CPUs.  Of an element: [fails] when it cannot be read. */
void rt_stat_hist(struct rt_stat *s, rt_u64 *hist);
const struct rt_stat_shape *rt_stat_shape_of(const struct rt_stat *s);
void rt_map_hist(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u64 *hist);
const struct rt_stat_shape *rt_map_stat_shape(const struct rt_map *m);

#endif
