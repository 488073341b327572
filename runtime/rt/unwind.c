// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of programs that have no frame pointers: each step looks up the row for the code in the tables that the translator made.  Nothing
 * is guessed: a step that is not certain ends the stack, with the reason.
 */
#include "rt/lib.h"

#define CODE_OFFSETS (1ULL << 32)

/* The code at addr, from those that were found already or the platform. */
static const struct rt_code *find_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	for (rt_u32 i = u->ncodes; i; i--) {
		const struct rt_code *code = &u->code[u->newest];

		if (addr - code->start < code->end - code->start)
			return code;
		u->newest = u->newest ? u->newest - 1 : u->ncodes - 1;
	}
	u->newest = u->ncodes < RT_UNWIND_CODES ? u->ncodes++ : (u->newest + 1) % RT_UNWIND_CODES;
	u->code[u->newest] = rt_port_unwind_code(c, u, addr);
	return &u->code[u->newest];
}

/* The last of at[first .. last] that is not above off; the first is not. */
static rt_u32 search(const rt_u32 *at, rt_u32 first, rt_u32 last, rt_u32 off)
{
	while (first < last) {
		rt_u32 middle = first + (last - first + 1) / 2;

		if (at[middle] <= off)
			first = middle;
		else
			last = middle - 1;
	}
	return first;
}

static const struct rt_unwind_rule *find_rule(const struct rt_image *m, rt_u64 off)
{
	rt_u64 block = off / RT_IMAGE_BLOCK;
	rt_u32 last;

	if (block >= m->nblocks)
		return 0;
	last = block + 1 < m->nblocks ? m->blocks[block + 1] : m->nrows - 1;
	return &m->rules[m->rule[search(m->at, m->blocks[block], last, (rt_u32)off)]];
}

/* What a register was. */
static rt_bool value_of(struct rt_ctx *c, struct rt_unwind *u, rt_u32 i, rt_u64 *value)
{
	rt_u32 bit = 1u << i;

	if (u->in_memory & bit && !rt_port_unwind_read(c, u, u->reg[i], &u->reg[i]))
		return 0;
	u->in_memory &= ~bit;
	*value = u->reg[i];
	return 1;
}

/* The registers of the caller are saved at places that are read only if they are needed: mostly they are not. */
static void restore(struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 cfa, rt_u64 base)
{
	for (rt_u32 left = r->changed; left; left &= left - 1) {
		rt_u32 i = (rt_u32)__builtin_ctz(left), how = r->saved[i] & 3;

		if (how == RT_SAVED_LOST) {
			u->lost |= 1u << i;
			continue;
		}
		u->reg[i] = (how == RT_SAVED_AT_CFA ? cfa : base) + (rt_u64)(rt_s64)(r->saved[i] >> 2);
		u->in_memory |= 1u << i;
		u->lost &= ~(1u << i);
	}
	u->reg[0] = cfa;
	u->in_memory &= ~1u;
}

/* From a frame to that of its caller; RT_END_LIMIT: done. */
static enum rt_stack_end step(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r)
{
	rt_u64 base, cfa, slot, before = u->reg[0];

	if (!r || r->cfa == RT_CFA_UNKNOWN)
		return RT_END_UNKNOWN;
	if (r->cfa == RT_CFA_OUTERMOST)
		return RT_END_OUTERMOST;
	if (u->lost >> r->reg & 1 || !(r->saved[0] & RT_SAVED_AT_CFA))
		return RT_END_UNKNOWN;
	if (!value_of(c, u, r->reg, &base))
		return RT_END_MEMORY;
	cfa = base + (rt_u64)(rt_s64)r->off;
	if (r->cfa == RT_CFA_STUB && (u->at & 15) >= r->n)
		cfa += sizeof cfa;
	if (r->cfa == RT_CFA_MEMORY && !rt_port_unwind_read(c, u, cfa, &cfa))
		return RT_END_MEMORY;
	if (cfa <= before && !r->is_signal) /* signals may have a stack of their own */
		return RT_END_DAMAGED;
	slot = ((r->saved[0] & 3) == RT_SAVED_AT_CFA ? cfa : base) + (rt_u64)(rt_s64)(r->saved[0] >> 2);
	if (!rt_port_unwind_read(c, u, slot, &u->at))
		return RT_END_MEMORY;
	restore(u, r, cfa, base);
	u->is_return = !r->is_signal;
	if (u->is_return && !rt_port_unwind_return(c, u, slot, &u->at))
		return RT_END_HOOKED;
	return u->at ? RT_END_LIMIT : RT_END_OUTERMOST;
}

static enum rt_stack_end walk(struct rt_ctx *c, struct rt_unwind *u, struct rt_frame *to, rt_u32 max, rt_u32 *n)
{
	for (;;) {
		const struct rt_code *code = find_code(c, u, u->at - u->is_return);
		rt_bool is_known = code->image != RT_NO_IMAGE && u->at - code->base < CODE_OFFSETS;
		const struct rt_unwind_rule *r = is_known ? find_rule(&rt_script.images[code->image], u->at - u->is_return - code->base) : 0;
		rt_bool is_return = u->is_return && !(r && r->is_signal); /* a handler of a signal returns to the first instruction of a function */
		enum rt_stack_end end;

		to[(*n)++] = (struct rt_frame){u->at, is_known ? RT_WHERE(code->image, u->at - code->base, is_return) : 0};
		if (*n == max || rt_charge(c, 1))
			return RT_END_LIMIT;
		end = is_known ? step(c, u, r) : code->why;
		if (end != RT_END_LIMIT)
			return end;
	}
}

/* The stack, of at most max > 0 frames; their number. */
static rt_u32 user_stack(struct rt_ctx *c, struct rt_frame *to, rt_u32 max, enum rt_stack_end *end)
{
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	rt_u32 n = 0;

	*end = RT_END_OUTERMOST;
	if (!u)
		return 0;
	memset(u, 0, __builtin_offsetof(struct rt_unwind, reg));
	*end = rt_port_unwind_begin(c, u);
	if (*end != RT_END_LIMIT)
		return 0;
	*end = walk(c, u, to, max, &n);
	rt_port_unwind_end(c, u);
	return n;
}

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
	n = user_stack(c, to, max, &end);
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
	if (to && user_stack(c, to, (rt_u32)wanted + 1, &end) > wanted)
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

static void put_name(struct rt_sink *s, const char *name)
{
	rt_u32 n = rt_cstr_len(name);

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
	const struct rt_image *m = &rt_script.images[RT_WHERE_IMAGE(where)];
	rt_u32 off = RT_WHERE_OFFSET(where);
	const struct rt_image_symbol *symbol = find_symbol(m, off - (rt_u32)RT_WHERE_IS_RETURN(where));

	if (symbol) {
		put_name(s, m->names + symbol->name);
		put_text(s, "+");
		rt_sink_hex(s, off - symbol->at);
		put_text(s, "/");
		rt_sink_hex(s, symbol->size);
		put_line(s, m, where);
		put_text(s, " ");
	}
	put_text(s, "[");
	put_text(s, m->path);
	if (!symbol) {
		put_text(s, "+");
		rt_sink_hex(s, off);
	}
	put_text(s, "]");
}

rt_u32 rt_where_text(rt_u64 where, char *buf, rt_u32 size)
{
	struct rt_sink s = {.buf = buf, .max = size - 1};

	if (RT_WHERE_IMAGE(where) < rt_script.nimages)
		put_where(&s, where);
	buf[s.n] = 0;
	return s.n;
}

struct rt_str rt_ubacktrace(struct rt_ctx *c, rt_s64 wanted, rt_bool named)
{
	rt_u32 max = wanted < 0 ? frames_wanted() : (rt_u32)rt_min((rt_u64)wanted, RT_FRAMES_MOST), n;
	struct rt_frame *to = (struct rt_frame *)rt_alloc(c, max * sizeof *to + 1);
	struct rt_sink s = {.max = rt_script.limits->string_max};
	enum rt_stack_end end;

	s.buf = to ? rt_alloc(c, s.max + 1) : 0;
	if (!s.buf || !max)
		return RT_EMPTY;
	n = user_stack(c, to, max, &end);
	for (rt_u32 i = 0; i < n; i++) {
		rt_sink_put(&s, named ? "\n" : " ", i ? 1 : 0);
		if (named && to[i].where)
			put_where(&s, to[i].where);
		else
			rt_sink_hex(&s, to[i].at);
	}
	return (struct rt_str){s.buf, s.n};
}

/* What code an address of the program is, as in a frame; 0: not known. */
static rt_u64 where_is(struct rt_ctx *c, rt_u64 addr)
{
	char *mark = rt_mark(c);
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	struct rt_code code = {.image = RT_NO_IMAGE};

	if (!u)
		return 0;
	memset(u, 0, __builtin_offsetof(struct rt_unwind, reg));
	if (rt_port_unwind_begin(c, u) == RT_END_LIMIT) {
		code = rt_port_unwind_code(c, u, addr);
		rt_port_unwind_end(c, u);
	}
	rt_release(c, mark);
	return code.image == RT_NO_IMAGE || addr - code.base >= CODE_OFFSETS ? 0 : RT_WHERE(code.image, addr - code.base, 0);
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
	rt_u64 where = where_is(c, addr);
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
	return (struct rt_str){text, (rt_u32)rt_min(rt_cstr_len(text), rt_script.limits->string_max)};
}

struct rt_str rt_usymname(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = where_is(c, addr);
	const struct rt_image *m = where ? &rt_script.images[RT_WHERE_IMAGE(where)] : 0;
	const struct rt_image_symbol *symbol = m ? find_symbol(m, RT_WHERE_OFFSET(where)) : 0;

	return symbol ? constant(m->names + symbol->name) : address_text(c, addr);
}

struct rt_str rt_umodname(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = where_is(c, addr);
	const char *path = where ? rt_script.images[RT_WHERE_IMAGE(where)].path : "", *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return constant(name);
}

struct rt_str rt_umodbuildid(struct rt_ctx *c, rt_u64 addr)
{
	rt_u64 where = where_is(c, addr);
	const char *id = where ? rt_script.images[RT_WHERE_IMAGE(where)].build_id : 0;

	return constant(id ? id : "");
}

struct rt_str rt_usymline(struct rt_ctx *c, rt_u64 addr, rt_u32 parts)
{
	rt_u64 where = where_is(c, addr);
	const struct rt_image *m = where ? &rt_script.images[RT_WHERE_IMAGE(where)] : 0;
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
	rt_u64 where = where_is(c, addr);
	const struct rt_image *m = where ? &rt_script.images[RT_WHERE_IMAGE(where)] : 0;

	for (rt_u32 i = 0; m && i < m->ncode; i++)
		if (RT_WHERE_OFFSET(where) - m->code[i].off < m->code[i].size)
			return RT_WHERE_OFFSET(where) - m->code[i].off + m->code[i].address;
	return 0;
}
