// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * global n, mode
 * probe begin { print("begin\n"); if (mode == 1) x = 1 / n; if (mode == 2) exit(); if (mode == 3) abort() }
 * probe begin(1) { print("begin(1)\n") }
 * probe end(-1) { print("end(-1)\n"); if (mode == 4) x = 1 / n }
 * probe end { print("end\n") }
 * probe error { print("error\n") }
 * Also run without mode, interrupted or ended by -T.
 */
#define OVERLOAD 50
#include "hand/script.h"

static rt_s64 n, mode;

static void begin(struct rt_ctx *c)
{
	PRINT(c, "begin\n");
	if (mode == 1) {
		c->loc = 1;
		rt_div(c, 1, n);
		if (RT_FAILED(c))
			return;
	}
	if (mode == 2)
		rt_exit(c);
	if (mode == 3)
		rt_abort(c);
}

static void begin1(struct rt_ctx *c)
{
	PRINT(c, "begin(1)\n");
}

static void end_1(struct rt_ctx *c)
{
	PRINT(c, "end(-1)\n");
	if (mode == 4) {
		c->loc = 1;
		rt_div(c, 1, n);
	}
}

static void end(struct rt_ctx *c)
{
	PRINT(c, "end\n");
}

static void error(struct rt_ctx *c)
{
	PRINT(c, "error\n");
}

static const struct rt_loc locs[] = {{"errors.stp", 1, 1, "probe"}, {"errors.stp", 2, 62, "/"}};
static const struct rt_probe probes[] = {
	{.handler = begin, .flags = RT_PROBE_NO_LOCKS, .point = "begin", .function = ""},
	{.handler = begin1, .flags = RT_PROBE_NO_LOCKS, .point = "begin(1)", .function = ""},
	{.handler = end_1, .flags = RT_PROBE_NO_LOCKS, .point = "end(-1)", .function = ""},
	{.handler = end, .flags = RT_PROBE_NO_LOCKS, .point = "end", .function = ""},
	{.handler = error, .flags = RT_PROBE_NO_LOCKS, .point = "error", .function = ""},
};
/* Out of order on purpose. */
static const struct rt_site begin_sites[] = {
	{.probe = 3, .kind = 1},
	{.probe = 1, .kind = 0, .n = {1}},
	{.probe = 0, .kind = 0},
	{.probe = 4, .kind = 2},
	{.probe = 2, .kind = 1, .n = {-1}},
};
static const struct rt_site_table tables[] = {{&rt_mechanism_begin, begin_sites, COUNT(begin_sites)}};
static const struct rt_global globals[] = {
	{.name = "n", .type = RT_LONG, .storage = &n},
	{.name = "mode", .type = RT_LONG, .storage = &mode},
};
SCRIPT(tables, globals, 2);
