// SPDX-License-Identifier: GPL-2.0-or-later
/* print() and its like, and the names of the probe. */
#include "rt/lib.h"

void rt_print_str(struct rt_ctx *c, struct rt_str s)
{
	struct rt_sink out = rt_sink_print(c);

	rt_sink_put(&out, s.p, s.n);
	c->out_n = out.n;
}

void rt_print_char(struct rt_ctx *c, rt_s64 byte)
{
	struct rt_sink out = rt_sink_print(c);

	rt_sink_fill(&out, (char)byte, 1);
	c->out_n = out.n;
}

static void print_stack(struct rt_ctx *c, const void *frames, rt_u32 size, rt_u32 n, rt_u32 flags)
{
	struct rt_sink out = rt_sink_print(c);

	if (n)
		rt_sink_stack(&out, frames, size, n, flags);
	c->out_n = out.n;
}

void rt_print_stack(struct rt_ctx *c, const rt_u64 *at, rt_u32 n)
{
	print_stack(c, at, sizeof *at, n, 0);
}

void rt_print_user_stack(struct rt_ctx *c, const struct rt_frame *frames, rt_u32 n, rt_bool brief)
{
	print_stack(c, frames, sizeof *frames, n, RT_PART_USER | (brief ? RT_PART_BRIEF : 0));
}

void rt_log(struct rt_ctx *c, struct rt_str text)
{
	rt_print_str(c, text);
	rt_print_char(c, '\n');
}

static struct rt_str constant(const char *text)
{
	return (struct rt_str){text, (rt_u32)rt_min(rt_cstr_len(text), rt_script.limits->string_max)};
}

struct rt_str rt_pp(struct rt_ctx *c)
{
	return constant(c->probe->point);
}

struct rt_str rt_ppfunc(struct rt_ctx *c)
{
	return constant(c->probe->function ? c->probe->function : "");
}
