// SPDX-License-Identifier: GPL-2.0-or-later
/* What scripts ask about stacks and code of programs.  How stacks are walked up is in unwind.h. */
#include "rt/lib.h"

static rt_u32 frames_wanted(void)
{
	return (rt_u32)rt_min(rt_script.limits->backtrace, RT_FRAMES_MOST - 1);
}

static void print_stack(struct rt_ctx *c, rt_bool brief, rt_u64 mark_where)
{
	char *mark = rt_mark(c);
	rt_u32 max = frames_wanted(), n;
	struct rt_frame *to = (struct rt_frame *)rt_alloc(c, (max + 1) * sizeof *to);
	enum rt_stack_end end;

	if (!to || !max)
		return;
	n = rt_port_unwind_stack(c, to, max, &end);
	for (rt_u32 i = 0; i < n; i++)
		to[i].where |= to[i].where ? mark_where : 0;
	if (end > RT_END_LIMIT)
		to[n++] = (struct rt_frame){0, end};
	rt_print_user_stack(c, to, n, brief);
	rt_release(c, mark);
}

void rt_print_ubacktrace(struct rt_ctx *c, rt_bool brief)
{
	print_stack(c, brief, 0);
}

void rt_print_ubacktrace_lines(struct rt_ctx *c)
{
	print_stack(c, 0, RT_WHERE_LINE);
}

rt_u64 rt_ustack(struct rt_ctx *c, rt_s64 wanted)
{
	char *mark = rt_mark(c);
	struct rt_frame *to;
	enum rt_stack_end end;
	rt_u64 found = 0;

	if (wanted < 0 || wanted >= RT_FRAMES_MOST)
		return 0;
	to = (struct rt_frame *)rt_alloc(c, (rt_u32)(wanted + 1) * sizeof *to);
	if (to && rt_port_unwind_stack(c, to, (rt_u32)wanted + 1, &end) > wanted)
		found = to[wanted].at;
	rt_release(c, mark);
	return found;
}

/* ---- symbols ---- */

/* The symbol whose code has that offset, or NULL. */
static const struct rt_image_symbol *find_symbol(const struct rt_image *m, rt_u32 off)
{
	rt_u32 first = 0, last = m->nsymbols;

	while (first < last) {
		rt_u32 middle = first + (last - first) / 2;

		if (m->symbols[middle].at <= off)
			first = middle + 1;
		else
			last = middle;
	}
	if (!first || off - m->symbols[first - 1].at >= m->symbols[first - 1].size)
		return 0;
	return &m->symbols[first - 1];
}

static void put_text(struct rt_sink *s, const char *text)
{
	rt_sink_put(s, text, rt_cstr_len(text));
}

/* Of a longer one only this much is shown: what follows it must have room in struct wire_symbol. */
#define NAME_SHOWN 400u

/* Of a string that may be long: its length, or more than most. */
static rt_u32 length_within(const char *text, rt_u32 most)
{
	rt_u32 n = 0;

	while (n <= most && text[n])
		n++;
	return n;
}

static void put_name(struct rt_sink *s, const char *name)
{
	rt_u32 n = length_within(name, NAME_SHOWN);

	rt_sink_put(s, name, n < NAME_SHOWN ? n : NAME_SHOWN);
	if (n > NAME_SHOWN)
		put_text(s, "...");
}

/* " at FILE:LINE" */
static void put_line(struct rt_sink *s, const struct rt_image *m, rt_u64 where)
{
	rt_u32 off = RT_WHERE_OFFSET(where) - (rt_u32)RT_WHERE_IS_RETURN(where);

	if (!(where & RT_WHERE_LINE) || !rt_line_at(m->lines, off).file)
		return;
	put_text(s, " at ");
	rt_sink_line(s, m->lines, off, RT_LINE_FILE | RT_LINE_NUMBER, RT_FILE_SHOWN);
}

static void put_where(struct rt_sink *s, rt_u64 where)
{
	const struct rt_image *m = rt_image_of(RT_WHERE_IMAGE(where));
	rt_u32 off = RT_WHERE_OFFSET(where);
	const struct rt_image_symbol *symbol;
	rt_bool is_file;

	if (!m)
		return;
	symbol = find_symbol(m, off - (rt_u32)RT_WHERE_IS_RETURN(where));
	if (symbol) {
		put_name(s, m->names + symbol->name);
		put_text(s, "+");
		rt_sink_hex(s, off - symbol->at);
		put_text(s, "/");
		rt_sink_hex(s, symbol->size);
		put_line(s, m, where);
		put_text(s, " ");
	}
	is_file = m->path[0] != '['; /* "[vdso]" has brackets already */
	if (is_file)
		put_text(s, "[");
	put_text(s, m->path);
	if (!symbol) {
		put_text(s, "+");
		rt_sink_hex(s, off);
	}
	if (is_file)
		put_text(s, "]");
}

rt_u32 rt_where_text(rt_u64 where, char *buf, rt_u32 size)
{
	struct rt_sink s = {.buf = buf, .max = size - 1};

	if (rt_image_of(RT_WHERE_IMAGE(where)))
		put_where(&s, where);
	buf[s.n] = 0;
	return s.n;
}

struct rt_str rt_addresses_text(struct rt_ctx *c, const rt_u64 *at, rt_u32 n, rt_u32 step)
{
	char *text = n ? rt_space(c, n * (RT_HEX_MOST + 1)) : 0, *end = text;

	if (!text)
		return RT_EMPTY;
	for (rt_u32 i = 0; i < n; i++, at += step) {
		end += rt_hex(end, *at);
		*end++ = ' ';
	}
	n = (rt_u32)rt_min((rt_u32)(end - text) - 1, rt_script.limits->string_max);
	text[n] = 0;
	return (struct rt_str){text, n};
}

/* A line for each frame. */
static struct rt_str names_text(struct rt_ctx *c, const struct rt_frame *frames, rt_u32 n)
{
	struct rt_sink s = {.max = rt_script.limits->string_max};

	s.buf = rt_alloc(c, s.max + 1);
	if (!s.buf)
		return RT_EMPTY;
	for (rt_u32 i = 0; i < n; i++) {
		rt_sink_put(&s, "\n", i ? 1 : 0);
		if (frames[i].where)
			put_where(&s, frames[i].where);
		else
			rt_sink_hex(&s, frames[i].at);
	}
	return (struct rt_str){s.buf, s.n};
}

struct rt_str rt_ubacktrace(struct rt_ctx *c, rt_s64 wanted, rt_bool named)
{
	rt_u32 max = wanted < 0 ? frames_wanted() : (rt_u32)rt_min((rt_u64)wanted, RT_FRAMES_MOST), n;
	struct rt_frame *to = (struct rt_frame *)rt_alloc(c, max * sizeof *to + 1);
	enum rt_stack_end end;

	if (!to || !max)
		return RT_EMPTY;
	n = rt_port_unwind_stack(c, to, max, &end);
	return named ? names_text(c, to, n) : rt_addresses_text(c, &to->at, n, sizeof *to / sizeof to->at);
}

#define ADDRESS_ROOM 24

static struct rt_str address_text(struct rt_ctx *c, rt_u64 addr)
{
	struct rt_sink s = {.max = ADDRESS_ROOM};

	s.buf = rt_alloc(c, ADDRESS_ROOM + 1);
	if (!s.buf)
		return RT_EMPTY;
	rt_sink_hex(&s, addr);
	return (struct rt_str){s.buf, s.n};
}

struct rt_str rt_usymdata(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = rt_port_unwind_where(c, addr);
	struct rt_sink s = {.max = rt_script.limits->string_max};

	if (!where)
		return address_text(c, addr);
	s.buf = rt_alloc(c, s.max + 1);
	if (!s.buf)
		return RT_EMPTY;
	put_where(&s, where);
	return (struct rt_str){s.buf, s.n};
}

static struct rt_str constant(const char *text)
{
	rt_u32 most = rt_script.limits->string_max;

	return (struct rt_str){text, rt_min(length_within(text, most), most)};
}

struct rt_str rt_usymname(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = rt_port_unwind_where(c, addr);
	const struct rt_image *m = where ? rt_image_of(RT_WHERE_IMAGE(where)) : 0;
	const struct rt_image_symbol *symbol = m ? find_symbol(m, RT_WHERE_OFFSET(where)) : 0;

	return symbol ? constant(m->names + symbol->name) : address_text(c, addr);
}

struct rt_str rt_umodname(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = rt_port_unwind_where(c, addr);
	const struct rt_image *m = where ? rt_image_of(RT_WHERE_IMAGE(where)) : 0;
	const char *path = m ? m->path : "", *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return constant(name);
}

struct rt_str rt_umodbuildid(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = rt_port_unwind_where(c, addr);
	const struct rt_image *m = where ? rt_image_of(RT_WHERE_IMAGE(where)) : 0;
	const char *id = m ? m->build_id : 0;

	return constant(id ? id : "");
}

struct rt_str rt_usymline(struct rt_ctx *c, rt_u64 addr, rt_u32 parts)
{
	rt_u64 where = rt_port_unwind_where(c, addr);
	const struct rt_image *m = where ? rt_image_of(RT_WHERE_IMAGE(where)) : 0;
	struct rt_sink s = {.max = rt_script.limits->string_max};

	s.buf = rt_alloc(c, s.max + 1);
	if (!s.buf)
		return RT_EMPTY;
	if (!m || !rt_sink_line(&s, m->lines, RT_WHERE_OFFSET(where), parts, s.max))
		rt_sink_hex(&s, addr);
	return (struct rt_str){s.buf, s.n};
}

rt_u64 rt_umodaddr(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = rt_port_unwind_where(c, addr);
	const struct rt_image *m = where ? rt_image_of(RT_WHERE_IMAGE(where)) : 0;

	for (rt_u32 i = 0; m && i < m->ncode; i++)
		if (RT_WHERE_OFFSET(where) - m->code[i].off < m->code[i].size)
			return RT_WHERE_OFFSET(where) - m->code[i].off + m->code[i].address;
	return 0;
}
