// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Histograms as text, in SystemTap's form: a row per bucket, bars scaled to HIST_WIDTH, two empty rows as margin.  A tilde replaces
 * runs of empty rows, except HIST_ELISION rows on each side.
 */
#include "rt/stat.h"

#define MARGIN 2
#define MIN_VALUE_WIDTH 5 /* "value" */

struct view {
	const struct rt_stat_shape *shape;
	const rt_u64 *hist;
	rt_u32 n, first, last; /* buckets; those shown */
	rt_u64 max;
	int value_width, count_width;
};

/* Lower bound of bucket i; of an underflow or overflow bucket the bound that its values are beyond. */
static rt_s64 bucket_value(const struct rt_stat_shape *shape, rt_u32 n, rt_u32 i)
{
	rt_u64 steps;

	if (shape->hist == RT_HIST_LOG) {
		if (i > RT_LOG_ZERO)
			return (rt_s64)(1ULL << (i - RT_LOG_ZERO - 1));
		return i < RT_LOG_ZERO ? (rt_s64)(0 - (1ULL << (RT_LOG_ZERO - i - 1))) : 0;
	}
	steps = i == 0 ? 0 : i == n - 1 ? i - 2 : i - 1;
	return (rt_s64)((rt_u64)shape->low + steps * (rt_u64)shape->step);
}

/* '<' and '>' mark the buckets beyond the ends of a linear histogram. */
static char bucket_mark(const struct rt_stat_shape *shape, rt_u32 n, rt_u32 i)
{
	if (shape->hist == RT_HIST_LOG)
		return 0;
	return i == 0 ? '<' : i == n - 1 ? '>' : 0;
}

static int width_of(rt_s64 v)
{
	rt_u64 u = v < 0 ? 0 - (rt_u64)v : (rt_u64)v;
	int width = 1 + (v < 0);

	for (; u > 9; u /= 10)
		width++;
	return width;
}

static int label_width(const struct view *v, rt_u32 i)
{
	return width_of(bucket_value(v->shape, v->n, i)) + (bucket_mark(v->shape, v->n, i) != 0);
}

static void widen(struct view *v)
{
	rt_bool linear = v->shape->hist == RT_HIST_LINEAR;
	rt_u32 i;

	for (i = 0; i < MARGIN; i++) {
		/* No negative rows where there are no negative values. */
		if (v->first > 0 && (linear || v->first != RT_LOG_ZERO))
			v->first--;
		if (v->last < v->n - 1)
			v->last++;
	}
	if (linear && v->first == 0 && !v->hist[0])
		v->first = 1;
	if (linear && v->last == v->n - 1 && !v->hist[v->last])
		v->last--;
}

/* False when there is nothing to show. */
static rt_bool view_init(struct view *v, const struct rt_stat_shape *shape, const rt_u64 *hist)
{
	rt_u32 i;

	*v = (struct view){
		.shape = shape, .hist = hist, .n = rt_shape_buckets(shape), .value_width = MIN_VALUE_WIDTH};
	v->first = v->n;
	for (i = 0; i < v->n; i++) {
		if (!hist[i])
			continue;
		if (v->first == v->n)
			v->first = i;
		v->last = i;
		if (hist[i] > v->max)
			v->max = hist[i];
	}
	if (v->first == v->n)
		return 0;
	widen(v);
	for (i = v->first; i <= v->last; i++)
		if (label_width(v, i) > v->value_width)
			v->value_width = label_width(v, i);
	v->count_width = width_of((rt_s64)v->max);
	return 1;
}

static rt_bool is_elided(const struct view *v, rt_u32 i)
{
	rt_u64 near = rt_script.limits->hist_elision;
	rt_u32 from = i > v->first + near ? i - (rt_u32)near : v->first;
	rt_u32 to = (rt_u32)rt_min(i + near, v->last);

	if (near == RT_NO_LIMIT)
		return 0;
	for (; from <= to; from++)
		if (v->hist[from])
			return 0;
	return 1;
}

static void put_row(struct rt_sink *s, const struct view *v, rt_u32 i)
{
	rt_u64 width = rt_script.limits->hist_width;
	rt_u64 scale = v->max <= width ? 1 : (v->max - 1) / width + 1;
	rt_u64 bar = v->hist[i] / scale;
	char mark = bucket_mark(v->shape, v->n, i);

	if (mark) {
		rt_sink_fill(s, ' ', (rt_size)(v->value_width - label_width(v, i)));
		rt_sink_put(s, &mark, 1);
		rt_sink_long(s, bucket_value(v->shape, v->n, i), 0);
	} else {
		rt_sink_long(s, bucket_value(v->shape, v->n, i), v->value_width);
	}
	rt_sink_put(s, " |", 2);
	rt_sink_fill(s, '@', bar);
	rt_sink_long(s, (rt_s64)v->hist[i], (int)(width - bar) + 1 + v->count_width);
	rt_sink_put(s, "\n", 1);
}

static void put_hist(struct rt_sink *s, const struct view *v)
{
	rt_bool eliding = 0;
	rt_u32 i;

	rt_sink_fill(s, ' ', (rt_size)(v->value_width - MIN_VALUE_WIDTH));
	rt_sink_put(s, "value |", 7);
	rt_sink_fill(s, '-', rt_script.limits->hist_width);
	rt_sink_put(s, " count\n", 7);
	for (i = v->first; i <= v->last; i++) {
		if (is_elided(v, i)) {
			eliding = 1;
			continue;
		}
		if (eliding) {
			rt_sink_fill(s, ' ', (rt_size)v->value_width);
			rt_sink_put(s, " ~\n", 3);
			eliding = 0;
		}
		put_row(s, v, i);
	}
	rt_sink_put(s, "\n", 1);
}

/* The histogram summed over CPUs, in string space; NULL with an error. */
static rt_u64 *gather(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key,
		      struct view *v)
{
	const struct rt_stat_shape *shape = key ? rt_map_stat_shape(m) : rt_stat_shape_of(s);
	rt_u32 size = rt_shape_buckets(shape) * (rt_u32)sizeof(rt_u64);
	rt_u64 *hist = (rt_u64 *)rt_alloc(c, size);

	if (!hist)
		return 0;
	memset(hist, 0, size);
	if (key)
		rt_map_hist(c, m, key, hist);
	else
		rt_stat_hist(s, hist);
	if (!c->error && !view_init(v, shape, hist))
		rt_error(c, "empty aggregate");
	return c->error ? 0 : hist;
}

void rt_print_hist(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key)
{
	char *mark = rt_mark(c);
	struct rt_sink out = rt_sink_print(c);
	struct view v;

	if (gather(c, s, m, key, &v)) {
		put_hist(&out, &v);
		rt_sink_printed(&out);
	}
	rt_release(c, mark);
}

/* The text is made after the buckets, then moved over them. */
struct rt_str rt_sprint_hist(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key)
{
	char *mark = rt_mark(c);
	struct rt_str made = RT_EMPTY;
	struct rt_sink out;
	struct view v;

	if (gather(c, s, m, key, &v)) {
		out = rt_sink_make(c);
		put_hist(&out, &v);
		made = rt_sink_made(c, &out, 0);
	}
	rt_release(c, mark);
	if (c->error)
		return RT_EMPTY;
	memmove(mark, made.p, made.n + 1ULL);
	c->arena_pos = mark + made.n + 1;
	return (struct rt_str){mark, made.n};
}

rt_s64 rt_hist_bucket(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key,
		      rt_s64 i)
{
	char *mark = rt_mark(c);
	rt_s64 count = 0;
	struct view v;
	rt_u64 *hist = gather(c, s, m, key, &v);

	if (hist && (i < 0 || i >= v.n))
		rt_error(c, "histogram index out of range");
	else if (hist)
		count = (rt_s64)hist[i];
	rt_release(c, mark);
	return count;
}
