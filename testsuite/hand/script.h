/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What scripts written by hand have in common: the tables as the translator writes them, with its default
 * limits.
 */
#ifndef HAND_SCRIPT_H
#define HAND_SCRIPT_H

#include "rt/rt.h"

#ifndef ERRORS
#define ERRORS 0
#endif
#ifndef BUFFER_KB
#define BUFFER_KB 4096
#endif
#ifndef ACTION
#define ACTION 1000
#endif

static const struct rt_limits limits = {
	.string_max = 511,
	.action = ACTION,
	.nesting = 10,
	.errors = ERRORS,
	.skipped = 100,
	.lock_us = 1000000,
	.arena = 16384,
	.iter = 65536,
	.out = 8192,
	.overload_interval_us = 1000000,
	.overload_percent = OVERLOAD,
	.stack = 1024,
	.buffer_kb = BUFFER_KB,
	.backtrace = 20,
	.max_buckets = 128,
	.hist_width = 50,
	.hist_elision = 2,
};

extern const struct rt_mechanism rt_mechanism_begin, rt_mechanism_kprobe;

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define SCRIPT(the_tables, the_globals, nglobals_) \
	const struct rt_script rt_script = { \
		.abi = RT_ABI, \
		.name = "hand", \
		.limits = &limits, \
		.locs = locs, \
		.nlocs = COUNT(locs), \
		.probes = probes, \
		.nprobes = COUNT(probes), \
		.tables = the_tables, \
		.ntables = COUNT(the_tables), \
		.globals = the_globals, \
		.nglobals = nglobals_, \
	}

static inline void print(struct rt_ctx *c, const char *s, rt_u32 n)
{
	rt_print_str(c, (struct rt_str){s, n});
}
#define PRINT(c, literal) print((c), (literal), sizeof(literal) - 1)

#endif
