// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of the probed code: the platform copies; widths, limits and messages are here. */
#include "rt/lib.h"

static const char *space_name(enum rt_space space)
{
	return space == RT_USER ? "user" : "kernel";
}

const char *rt_access_why(rt_s64 rc)
{
	switch ((enum rt_access)rc) {
	case RT_ACCESS_BAD:
		break;
	case RT_ACCESS_LATE:
		return ": the page is not in memory and did not come in time";
	case RT_ACCESS_OTHERS:
		return ": the page is not in memory, and comes from another program or a server";
	case RT_ACCESS_STACK:
		return ": the page is not in memory, and too little kernel stack is left to bring it in";
	}
	return "";
}

union number {
	rt_u8 b1;
	rt_u16 b2;
	rt_u32 b4;
	rt_u64 b8;
};

static rt_u64 widened(const union number *u, rt_u32 size)
{
	switch (size) {
	case 1:
		return u->b1;
	case 2:
		return u->b2;
	case 4:
		return u->b4;
	default:
		return u->b8;
	}
}

rt_u64 rt_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u32 size)
{
	union number u = {.b8 = 0};
	int rc = rt_port_read(c, space, addr, &u, size);

	if (RT_UNLIKELY(rc)) {
		rt_error(c, "%s read fault at 0x%llx%s", space_name(space), addr, rt_access_why(rc));
		return 0;
	}
	return widened(&u, size);
}

rt_u64 rt_read_or(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u32 size, rt_u64 otherwise)
{
	union number u = {.b8 = 0};

	return rt_port_read(c, space, addr, &u, size) ? otherwise : widened(&u, size);
}

/* Reads the bytes to where the string will be.  0, or enum rt_access when they cannot be read; no space is a soft error. */
static rt_s64 read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 max, struct rt_str *s)
{
	rt_u32 n = (rt_u32)rt_min(max, rt_script.limits->string_max);
	char *p = rt_space(c, n + 1ULL);
	rt_s64 got;

	*s = RT_EMPTY;
	if (!p)
		return 0;
	got = rt_port_read_str(c, space, addr, p, n);
	c->arena_pos = got < 0 ? p : p + got + 1;
	if (got < 0)
		return got;
	p[got] = 0;
	*s = (struct rt_str){p, (rt_u32)got};
	return 0;
}

struct rt_str rt_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 max)
{
	struct rt_str s;
	rt_s64 rc = read_str(c, space, addr, max, &s);

	if (rc)
		rt_error(c, "%s string copy fault at 0x%llx%s", space_name(space), addr, rt_access_why(rc));
	return s;
}

struct rt_str rt_read_str_or(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 max,
			     struct rt_str otherwise)
{
	struct rt_str s;

	return read_str(c, space, addr, max, &s) ? otherwise : s;
}

struct rt_str rt_read_bytes(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 n)
{
	rt_u32 size = (rt_u32)rt_min(n, rt_script.limits->string_max);
	char *p = rt_alloc(c, size + 1ULL);
	rt_s64 rc;

	if (!p)
		return RT_EMPTY;
	rc = size ? rt_port_read(c, space, addr, p, size) : 0;
	if (rc) {
		rt_error(c, "%s read fault at 0x%llx%s", space_name(space), addr, rt_access_why(rc));
		return RT_EMPTY;
	}
	p[size] = 0;
	return (struct rt_str){p, size};
}

/* A character as UTF-8; what is none becomes U+FFFD. */
static rt_u32 utf8(char to[4], rt_u32 ch)
{
	if (ch > 0x10ffff || (ch >= 0xd800 && ch < 0xe000))
		ch = 0xfffd;
	if (ch < 0x80) {
		to[0] = (char)ch;
		return 1;
	}
	if (ch < 0x800) {
		to[0] = (char)(0xc0 | ch >> 6);
		to[1] = (char)(0x80 | (ch & 63));
		return 2;
	}
	if (ch < 0x10000) {
		to[0] = (char)(0xe0 | ch >> 12);
		to[1] = (char)(0x80 | (ch >> 6 & 63));
		to[2] = (char)(0x80 | (ch & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | ch >> 18);
	to[1] = (char)(0x80 | (ch >> 12 & 63));
	to[2] = (char)(0x80 | (ch >> 6 & 63));
	to[3] = (char)(0x80 | (ch & 63));
	return 4;
}

struct rt_str rt_read_wide(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u32 size)
{
	struct rt_sink out = rt_sink_make(c);
	rt_u32 ch, low, n;
	char bytes[4];

	for (;; addr += size) {
		if (!(out.n & 63) && rt_charge(c, 1))
			return RT_EMPTY;
		ch = (rt_u32)rt_read(c, space, addr, size);
		if (RT_FAILED(c))
			return RT_EMPTY;
		if (size == 2 && (ch & 0xfc00) == 0xd800) { /* the first half of a pair */
			low = (rt_u32)rt_read_or(c, space, addr + 2, 2, 0);
			if ((low & 0xfc00) == 0xdc00) {
				ch = 0x10000 + ((ch & 0x3ff) << 10) + (low & 0x3ff);
				addr += 2;
			}
		}
		n = utf8(bytes, ch);
		if (!ch)
			break;
		if (out.n + n > out.max) {
			out.cut = 1;
			break;
		}
		rt_sink_put(&out, bytes, n);
	}
	return rt_sink_made(c, &out, 0);
}
