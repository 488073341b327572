// SPDX-License-Identifier: GPL-2.0-or-later
/* print() and its like, requests to the loader, and the names of the probe. */
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

/* What the hit has printed comes before it. */
static void request(struct rt_ctx *c, enum rt_request what, struct rt_str with)
{
	if (c->out_n)
		rt_port_flush(c);
	c->out_n = c->out_part = 0;
	rt_port_request(c, what, with);
}

void rt_system(struct rt_ctx *c, struct rt_str command)
{
	request(c, RT_REQUEST_COMMAND, command);
}

void rt_switch_file(struct rt_ctx *c)
{
	request(c, RT_REQUEST_NEW_FILE, RT_EMPTY);
}

static struct rt_str constant(const char *text)
{
	return (struct rt_str){text, (rt_u32)rt_min(rt_cstr_len(text), rt_script.limits->string_max)};
}

struct rt_str rt_pp(struct rt_ctx *c)
{
	return constant(c->probe->point);
}

struct rt_str rt_pn(struct rt_ctx *c)
{
	return constant(c->probe->name ? c->probe->name : c->probe->point);
}

struct rt_str rt_ppfunc(struct rt_ctx *c)
{
	return constant(c->probe->function ? c->probe->function : "");
}

struct rt_str rt_probe_type(struct rt_ctx *c)
{
	return constant(c->probe->mechanism ? c->probe->mechanism : "");
}
