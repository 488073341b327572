// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing to the memory of the probed code: the counterpart of read.c. */
#include "rt/lib.h"

static void put(struct rt_ctx *c, enum rt_space space, rt_u64 addr, const void *src, rt_u32 n)
{
	int rc = c->error ? 0 : rt_port_write(c, space, addr, src, n);

	if (rc)
		rt_error(c, "%s write fault at 0x%llx%s", space == RT_USER ? "user" : "kernel", addr, rt_access_why(rc));
}

void rt_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 v, rt_u32 size)
{
	rt_u8 b1 = (rt_u8)v;
	rt_u16 b2 = (rt_u16)v;
	rt_u32 b4 = (rt_u32)v;

	put(c, space, addr, size == 1 ? (void *)&b1 : size == 2 ? (void *)&b2 : size == 4 ? (void *)&b4 : &v, size);
}

void rt_write_bits(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 v, rt_u32 off, rt_u32 width)
{
	while (width && !c->error) {
		rt_u32 part = (rt_u32)rt_min(8 - off, width);
		rt_u8 byte = part < 8 ? (rt_u8)rt_read(c, space, addr, 1) : 0;

		byte = (rt_u8)rt_replace_bits(byte, off, part, v);
		put(c, space, addr++, &byte, 1);
		v >>= part;
		width -= part;
		off = 0;
	}
}
