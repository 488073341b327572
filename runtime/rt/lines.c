// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of source files: reads the packed tables (struct rt_lines) that the translator made. */
#include "rt/lib.h"

struct reader {
	const struct rt_lines *l;
	rt_u32 pos;
};

/* A number, its lowest 7 bits first; the last byte is below 128. */
static rt_u32 number(struct reader *r)
{
	rt_u32 value = 0, byte = 128;

	for (rt_u32 shift = 0; shift < 32 && byte & 128 && r->pos < r->l->npacked; shift += 7) {
		byte = r->l->packed[r->pos++];
		value |= (byte & 127) << shift;
	}
	return value;
}

/* The last block that begins at off or before it; there is one. */
static const struct rt_lines_block *block_of(const struct rt_lines *l, rt_u32 off)
{
	rt_u32 first = 0, last = l->nblocks - 1;

	while (first < last) {
		rt_u32 middle = first + (last - first + 1) / 2;

		if (l->blocks[middle].at <= off)
			first = middle;
		else
			last = middle - 1;
	}
	return &l->blocks[first];
}

/* A row after another one. */
static void next_row(struct reader *r, rt_u32 *at, struct rt_line *row)
{
	rt_u32 change;

	*at += number(r);
	change = number(r);
	if (change & 1)
		row->file = number(r);
	change >>= 1;
	row->line += change & 1 ? ~(change >> 1) : change >> 1;
}

struct rt_line rt_line_at(const struct rt_lines *l, rt_u32 off)
{
	struct rt_line row = {0}, found = {0};
	struct reader r = {.l = l};
	const struct rt_lines_block *b;
	rt_u32 at;

	if (!l || !l->nblocks || off < l->blocks[0].at)
		return found;
	b = block_of(l, off);
	r.pos = b->pos;
	at = b->at;
	for (rt_u32 i = 0; i < RT_LINES_BLOCK && r.pos < l->npacked; i++) {
		next_row(&r, &at, &row);
		if (at > off)
			break;
		found = row;
	}
	return found.file && found.file < l->nfiles ? found : (struct rt_line){0};
}

rt_bool rt_sink_line(struct rt_sink *s, const struct rt_lines *l, rt_u32 off, rt_u32 parts, rt_u32 shown)
{
	struct rt_line found = rt_line_at(l, off);
	const char *file;
	rt_u32 n;

	if (!found.file)
		return 0;
	file = l->names + l->files[found.file];
	n = rt_cstr_len(file);
	if (parts & RT_LINE_FILE && n > shown) {
		rt_sink_put(s, "...", 3);
		rt_sink_put(s, file + n - shown, shown);
	} else if (parts & RT_LINE_FILE) {
		rt_sink_put(s, file, n);
	}
	if (parts == (RT_LINE_FILE | RT_LINE_NUMBER))
		rt_sink_put(s, ":", 1);
	if (parts & RT_LINE_NUMBER)
		rt_sink_long(s, found.line, 0);
	return 1;
}

/* ---- of the kernel ---- */

/* The lines of code that has this address now, and where in them; NULL: not known. */
static const struct rt_lines *find_lines(rt_u64 addr, rt_u32 *off)
{
	for (rt_u32 i = 0; i < rt_script.nkernel_lines; i++) {
		const struct rt_kernel_lines *k = &rt_script.kernel_lines[i];
		rt_u64 base = RT_LOAD(&rt_script.ksymbols[k->symbol].address);

		if (!base || addr < base || addr - base > ~(rt_u32)0)
			continue;
		*off = (rt_u32)(addr - base);
		if (rt_line_at(k->lines, *off).file)
			return k->lines;
	}
	return 0;
}

struct rt_str rt_symline(struct rt_ctx *c, rt_u64 addr, rt_u32 parts)
{
	struct rt_sink s = {.max = rt_script.limits->string_max};
	const struct rt_lines *l;
	rt_u32 off;

	s.buf = rt_alloc(c, s.max + 1);
	if (!s.buf)
		return RT_EMPTY;
	l = find_lines(addr, &off);
	if (l)
		rt_sink_line(&s, l, off, parts, s.max);
	else
		rt_sink_hex(&s, addr);
	return (struct rt_str){s.buf, s.n};
}

rt_u32 rt_line_text(rt_u64 addr, char *buf, rt_u32 size)
{
	struct rt_sink s = {.buf = buf, .max = size - 1};
	const struct rt_lines *l;
	rt_u32 off;

	l = find_lines(addr, &off);
	if (l) {
		rt_sink_put(&s, " at ", 4);
		rt_sink_line(&s, l, off, RT_LINE_FILE | RT_LINE_NUMBER, RT_FILE_SHOWN);
	}
	buf[s.n] = 0;
	return s.n;
}
