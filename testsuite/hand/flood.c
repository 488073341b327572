// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * global n
 * probe kernel.function("__x64_sys_getpgid") { printf("%d %d\n", tid(), the argument); n++ }
 * probe end { printf("n=%d\n", n) }
 * Driven by `hammer', which numbers its calls.
 */
#define OVERLOAD 0
#include "hand/script.h"

static rt_s64 n;

static void hit(struct rt_ctx *c)
{
	static const struct rt_fmt_piece pieces[] = {
		{RT_STR(""), 'd', 0, -1, -1},
		{RT_STR(" "), 'd', 0, -1, -1},
		{RT_STR(" abcdefghijklmnopqrstuvwxyz\n"), 0, 0, -1, -1},
	};
	static const struct rt_fmt fmt = {pieces, COUNT(pieces)};
	union rt_val args[2];

	if (rt_charge(c, 3))
		return;
	args[0].l = rt_tid();
	args[1].l = (rt_s64)rt_read(c, RT_KERNEL, rt_arg(c, 0) + 112, 8);
	if (RT_FAILED(c))
		return;
	rt_printf(c, &fmt, args);
	if (!rt_lock1(c, 0))
		return;
	n++;
	rt_unlock(c);
}

static void end(struct rt_ctx *c)
{
	static const struct rt_fmt_piece pieces[] = {{RT_STR("n="), 'd', 0, -1, -1},
						     {RT_STR("\n"), 0, 0, -1, -1}};
	static const struct rt_fmt fmt = {pieces, COUNT(pieces)};
	union rt_val args[1] = {{.l = n}};

	rt_printf(c, &fmt, args);
}

static const struct rt_loc locs[] = {{"flood.stp", 1, 1, "probe"}};
static const struct rt_probe probes[] = {
	{.handler = hit, .point = "kernel.function(\"__x64_sys_getpgid\")", .function = "__x64_sys_getpgid"},
	{.handler = end, .flags = RT_PROBE_NO_LOCKS, .point = "end", .function = ""},
};
static const struct rt_site kprobe_sites[] = {{.probe = 0, .kind = 0, .s = {"__x64_sys_getpgid", 0}}};
static const struct rt_site begin_sites[] = {{.probe = 1, .kind = 1}};
static const struct rt_site_table tables[] = {{&rt_mechanism_begin, begin_sites, 1}, {&rt_mechanism_kprobe, kprobe_sites, 1}};
static const struct rt_global globals[] = {{.name = "n", .type = RT_LONG, .storage = &n}};
SCRIPT(tables, globals, 1);
