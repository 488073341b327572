// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe kernel.function("__x64_sys_getpgid") { for (i = 0; i < 20000; i++) ; }  with a budget that allows it:
 * too much of a CPU. probe end { print("end\n") }  probe error { print("error\n") }
 */
#define OVERLOAD 50
#define ACTION 1000000
#include "hand/script.h"

static void hit(struct rt_ctx *c)
{
	volatile rt_s64 i;

	for (i = 0; i < 20000; i++)
		if (rt_charge(c, 1))
			return;
}

static void end(struct rt_ctx *c)
{
	PRINT(c, "end\n");
}

static void error(struct rt_ctx *c)
{
	PRINT(c, "error\n");
}

static const struct rt_loc locs[] = {{"overload.stp", 1, 1, "probe"}};
static const struct rt_probe probes[] = {
	{.handler = hit, .point = "kernel.function(\"__x64_sys_getpgid\")", .function = "__x64_sys_getpgid"},
	{.handler = end, .flags = RT_PROBE_NO_LOCKS, .point = "end", .function = ""},
	{.handler = error, .flags = RT_PROBE_NO_LOCKS, .point = "error", .function = ""},
};
static const struct rt_site kprobe_sites[] = {{.probe = 0, .kind = 0, .s = {"__x64_sys_getpgid", 0}}};
static const struct rt_site begin_sites[] = {{.probe = 1, .kind = 1}, {.probe = 2, .kind = 2}};
static const struct rt_site_table tables[] = {{&rt_mechanism_begin, begin_sites, 2}, {&rt_mechanism_kprobe, kprobe_sites, 1}};
SCRIPT(tables, 0, 0);
