// SPDX-License-Identifier: GPL-2.0-or-later
/* Around C in a script: its strings are buffers with a NUL, its messages are formatted by the platform. */
#include "rt/body.h"

#include "rt/lib.h"

static struct rt_str formatted(struct rt_ctx *c, const char *fmt, __builtin_va_list ap)
{
	char *at = c->arena_pos; /* the free part of the string space: nothing else uses it meanwhile */
	rt_size room = (rt_size)(c->arena_end - at);

	if (room < 2)
		return RT_STR("string space exhausted");
	return (struct rt_str){at, rt_port_format(at, (rt_u32)rt_min(room, 1 << 30), fmt, ap)};
}

void rt_body_error(struct rt_ctx *c, const char *fmt, ...)
{
	__builtin_va_list ap;

	__builtin_va_start(ap, fmt);
	rt_error_str(c, formatted(c, fmt, ap));
	__builtin_va_end(ap);
}

void rt_body_printf(struct rt_ctx *c, const char *fmt, ...)
{
	__builtin_va_list ap;

	__builtin_va_start(ap, fmt);
	rt_print_str(c, formatted(c, fmt, ap));
	__builtin_va_end(ap);
}

struct rt_str rt_body_text(struct rt_ctx *c, const char *fmt, ...)
{
	__builtin_va_list ap;
	struct rt_str s;

	__builtin_va_start(ap, fmt);
	s = formatted(c, fmt, ap);
	__builtin_va_end(ap);
	return s;
}

void rt_body_fault(struct rt_ctx *c)
{
	if (!c->error)
		rt_error(c, "memory access fault in embedded C");
}

int rt_body_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *to, rt_u32 size)
{
	int rc = rt_port_read(c, space, addr, to, size);

	if (!rc)
		return 0;
	rt_error(c, "%s read fault at 0x%llx%s", space == RT_USER ? "user" : "kernel", addr, rt_access_why(rc));
	return -1;
}

int rt_body_read_string(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *to, rt_u32 size)
{
	rt_s64 n = size ? rt_port_read_str(c, space, addr, to, size - 1) : 0;

	if (n >= 0) {
		if (size)
			to[n] = 0;
		return 0;
	}
	*to = 0;
	rt_error(c, "%s string copy fault at 0x%llx%s", space == RT_USER ? "user" : "kernel", addr, rt_access_why(n));
	return -1;
}

char *rt_body_string(struct rt_ctx *c, struct rt_str s)
{
	static char empty[1];
	char *p = rt_alloc(c, rt_script.limits->string_max + 1);

	if (!p)
		return empty;
	s.n = (rt_u32)rt_min(s.n, rt_script.limits->string_max); /* names of functions are not cut yet */
	memcpy(p, s.p, s.n);
	p[s.n] = 0;
	return p;
}

struct rt_str rt_body_result(const char *buffer)
{
	return (struct rt_str){buffer, (rt_u32)rt_cut_len(buffer, rt_script.limits->string_max)};
}

struct rt_str rt_body_slice(const char *text)
{
	return text ? rt_body_result(text) : RT_EMPTY;
}

void rt_body_copy(char *buffer, const char *text)
{
	struct rt_str s = rt_body_slice(text);

	memmove(buffer, s.p, s.n);
	buffer[s.n] = 0;
}
