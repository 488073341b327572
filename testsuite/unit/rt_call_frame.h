/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests of arguments of system calls begin with: a call with registers, shown at its entry, or saved there and shown at its return. */
#ifndef RT_CALL_FRAME_H
#define RT_CALL_FRAME_H

#include <sys/mman.h>

#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

static const struct rt_loc locs[] = {{"a.stp", 1, 2, "identifier 'x'"}};
static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .locs = locs, .nlocs = 1, .probes = probes, .nprobes = 1,
};

static struct rt_ctx *c;
static rt_u64 args[RT_CALL_ARGS];

#define KINDS(...) ((const char[]){__VA_ARGS__, RT_CALL_END})
#define ARGS(...) memcpy(args, (const rt_u64[RT_CALL_ARGS]){__VA_ARGS__}, sizeof(args))
#define AT(p) ((rt_u64)(unsigned long)(p))

static void check(struct rt_str got, const char *want, int line)
{
	unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, line, "text");
	unit_check(c->error == RT_OK, __FILE__, line, "no error");
	c->arena_pos = c->arena;
}

static struct rt_str frame_shown(enum rt_call_abi abi, const char *kinds)
{
	c->args = args;
	c->nargs = RT_CALL_ARGS;
	return rt_call_args(c, kinds, abi);
}

static struct rt_str frame_saved(enum rt_call_abi abi, const char *kinds, rt_s64 i, rt_bool plain)
{
	static char slots[600];
	struct rt_str s;

	c->args = args;
	c->nargs = RT_CALL_ARGS;
	s = rt_call_save(c, kinds, abi, i, plain);
	memcpy(slots, s.p, s.n);
	c->arena_pos = c->arena;
	return (struct rt_str){slots, s.n};
}

/* At the return of a call with these registers. */
static struct rt_str frame_later(enum rt_call_abi abi, const char *kinds, struct rt_str saved, rt_s64 i, rt_s64 room, rt_s64 returned,
				 rt_bool plain)
{
	struct rt_call_past past = {.kinds = kinds, .abi = abi, .saved = saved, .room = room, .result = returned};

	memcpy(past.args, args, sizeof(args));
	return rt_call_later(c, &past, i, plain);
}

#endif
