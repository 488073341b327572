/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of programs that have no frame pointers: each step looks up the row for the code in the tables that the translator made.  Nothing
 * is guessed: a step that is not certain ends the stack, with the reason.
 *
 * One file of the platform includes it, after the functions that port.h names, which are its own: a stack is walked up at every hit, and a
 * call for each word takes longer than the word.
 */
#ifndef RT_UNWIND_H
#define RT_UNWIND_H

#include "rt/arch/arch.h"
#include "rt/port.h"

/* ---- code and its rows ---- */

/* The code at addr, from the platform, with its tables. */
static inline struct rt_code find_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	struct rt_code code = rt_port_unwind_code(c, u, addr);

	if (code.image != RT_NO_IMAGE && code.end - code.base >= RT_CODE_OFFSETS)
		code.image = RT_NO_IMAGE;
	code.m = rt_image_of(code.image);
	code.where = code.m ? RT_WHERE(code.image, 0, 0) : 0;
	code.rules = code.m ? code.m->rules : 0;
	if (code.m && (code.image < rt_script.nimages || code.m->ncode))
		code.why = RT_END_UNKNOWN; /* the file has tables, but they say nothing of this code */
	return code;
}

static inline rt_bool is_in(const struct rt_code *code, rt_u64 addr)
{
	return addr - code->start < code->end - code->start;
}

/* The code at addr, from those that were found already or the platform. */
static __attribute__((__noinline__)) const struct rt_code *search_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	for (rt_u32 i = u->ncodes; i; i--) {
		const struct rt_code *code = &u->code[u->newest];

		if (is_in(code, addr))
			return code;
		u->newest = u->newest ? u->newest - 1 : u->ncodes - 1;
	}
	u->newest = u->ncodes < RT_UNWIND_CODES ? u->ncodes++ : (u->newest + 1) % RT_UNWIND_CODES;
	u->code[u->newest] = find_code(c, u, addr);
	return &u->code[u->newest];
}

/* The last of at[first .. last] that is not above off; the first is not. */
static inline rt_u32 search_row(const rt_u32 *at, rt_u32 first, rt_u32 last, rt_u32 off)
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

/*
 * The same code is in most stacks, so its rules are remembered.  A word has the code, as image + 1 and offset, and the number of the rule: it is
 * read and written at once, in any context and on all CPUs.  It is true for as long as the tables are, which do not change: which image is
 * at an address is asked for each stack.
 */
#define RULES_KNOWN 1024
#define RULE_BITS 16
static rt_u64 rules_known[RULES_KNOWN];

static __attribute__((__noinline__)) const struct rt_unwind_rule *search_rule(const struct rt_image *m, rt_u32 off, rt_u64 key, rt_u64 *known)
{
	rt_u32 block = off / RT_IMAGE_BLOCK, last;
	rt_u16 rule;

	if (block >= m->nblocks)
		return 0;
	last = block + 1 < m->nblocks ? m->blocks[block + 1] : m->nrows - 1;
	rule = m->rule[search_row(m->at, m->blocks[block], last, off)];
	__atomic_store_n(known, key | rule, __ATOMIC_RELAXED);
	return &m->rules[rule];
}

/* off must be below RT_CODE_OFFSETS, so it fits 32 bits. */
static inline rt_u64 *known_word(rt_u64 off)
{
	return &rules_known[(rt_u32)off * 0x9e3779b1u / (0xffffffffu / RULES_KNOWN + 1)];
}

/* The rule that is remembered, or NULL.  The word has the key's bits above the rule's number: equal keys cancel, and only the number is left. */
static inline __attribute__((__always_inline__)) const struct rt_unwind_rule *known_rule(rt_u64 where, const struct rt_unwind_rule *rules, rt_u64 off)
{
	rt_u64 rule = __atomic_load_n(known_word(off), __ATOMIC_RELAXED) ^ where ^ off << RULE_BITS;

	return RT_LIKELY(rule < 1 << RULE_BITS) ? &rules[rule] : 0;
}

static inline const struct rt_unwind_rule *find_rule(const struct rt_code *code, rt_u32 off)
{
	const struct rt_unwind_rule *r = known_rule(code->where, code->rules, off);

	return r ? r : search_rule(code->m, off, code->where | (rt_u64)off << RULE_BITS, known_word(off));
}

/* ---- a step ---- */

/* The stack has not ended: the walk goes on, as far as it may. */
#define GO_ON RT_END_LIMIT

/* What a register was. */
static inline enum rt_stack_end value_of(struct rt_ctx *c, struct rt_unwind *u, rt_u32 i, rt_u64 *value)
{
	if (u->saved >> i & 1) {
		if (!u->reg[i])
			return RT_END_UNKNOWN;
		if (!rt_port_unwind_read(c, u, u->reg[i], value))
			return RT_END_MEMORY;
		u->reg[i] = *value;
		u->saved &= ~(1u << i);
	}
	*value = u->reg[i];
	return GO_ON;
}

/* Where the caller's i-th register is saved, or 0th: the return address. */
static inline rt_u64 place_of(const struct rt_unwind_rule *r, rt_u32 i, rt_u64 cfa, rt_u64 base)
{
	return ((r->saved[i] & 3) == RT_SAVED_AT_CFA ? cfa : base) + (rt_u64)(rt_s64)(r->saved[i] >> 2);
}

/* Places are read only if the registers are needed: mostly they are not. */
static inline void restore(struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 cfa, rt_u64 base)
{
	for (rt_u32 left = r->changed; left; left &= left - 1) {
		rt_u32 i = (rt_u32)__builtin_ctz(left);

		u->reg[i] = (r->saved[i] & 3) == RT_SAVED_LOST ? 0 : place_of(r, i, cfa, base);
	}
	u->saved |= r->changed;
	u->reg[0] = cfa;
}

/* May the frame have a caller, as far as registers of the code that runs say? */
static inline enum rt_stack_end ask_registers(const struct rt_unwind *u, const struct rt_unwind_rule *r, rt_bool innermost)
{
	if (r->cfa != RT_CFA_KEPT && r->cfa != RT_CFA_PARENT)
		return GO_ON;
	if (!innermost || r->n >= RT_UNWIND_REGISTERS)
		return RT_END_UNKNOWN;
	return u->reg[r->n] ? GO_ON : RT_END_OUTERMOST;
}

/* The caller's canonical frame address (cfa), and the value of the register from which the rule counts it (base). */
static enum rt_stack_end find_frame(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 *cfa, rt_u64 *base)
{
	enum rt_stack_end why;

	if (!r || r->cfa == RT_CFA_UNKNOWN)
		return RT_END_UNKNOWN;
	if (r->cfa == RT_CFA_OUTERMOST)
		return RT_END_OUTERMOST;
	if ((r->saved[0] & 3) < RT_SAVED_AT_CFA)
		return RT_END_UNKNOWN;
	if ((why = value_of(c, u, r->reg, base)) != GO_ON)
		return why;
	*cfa = *base + (rt_u64)(rt_s64)r->off;
	if (r->cfa == RT_CFA_STUB && (u->at & 15) >= r->n)
		*cfa += sizeof *cfa;
	if (r->cfa == RT_CFA_MEMORY) {
		if (!rt_port_unwind_read(c, u, *cfa, cfa))
			return RT_END_MEMORY;
		*cfa += r->n;
	}
	return GO_ON;
}

/* Callers are above; signals may have a stack of their own, and a return address that was taken from the stack leaves nothing there. */
static inline rt_bool is_above(const struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 cfa)
{
	return cfa > u->reg[0] || r->is_signal || (r->cfa == RT_CFA_KEPT && cfa == u->reg[0]);
}

/* From a frame to that of its caller. */
static __attribute__((__noinline__)) enum rt_stack_end step(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r, rt_bool innermost)
{
	rt_u64 base, cfa, slot, at;
	enum rt_stack_end why = find_frame(c, u, r, &cfa, &base);
	rt_bool known;

	if (why == GO_ON)
		why = ask_registers(u, r, innermost);
	if (why != GO_ON)
		return why;
	if (!is_above(u, r, cfa))
		return RT_END_DAMAGED;
	slot = place_of(r, 0, cfa, base);
	if (r->cfa == RT_CFA_KEPT)
		at = u->reg[r->n];
	else if (!rt_port_unwind_read(c, u, slot, &at))
		return RT_END_MEMORY;
	restore(u, r, cfa, base);
	u->is_return = !r->is_signal;
	known = !u->is_return || rt_port_unwind_return(c, u, slot, &at);
	u->at = at;
	if (!known)
		return RT_END_HOOKED;
	return at ? GO_ON : RT_END_OUTERMOST;
}

/* ---- many steps ---- */

#define QUICK static inline __attribute__((__always_inline__))

/* As place_of(), value_of() and restore() for a plain rule. */
QUICK rt_u64 plain_place(const struct rt_unwind_rule *r, rt_u64 i, rt_u64 cfa)
{
	return cfa + (rt_u64)((rt_s64)r->saved[i] >> 2);
}

QUICK rt_bool look_up_value(struct rt_unwind *u, rt_u32 i, rt_u64 from)
{
	rt_u64 value;

	if (!u->reg[i] || !rt_port_unwind_look(from, u->reg[i], &value))
		return 0;
	u->reg[i] = value;
	u->saved &= ~(1u << i);
	return 1;
}

QUICK void restore_plainly(struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 cfa)
{
	rt_u64 left = r->changed;

	u->reg[0] = cfa;
	if (!left)
		return;
	u->saved |= (rt_u32)left;
	do {
		rt_u64 i = (rt_u64)__builtin_ctzll(left);

		u->reg[i] = plain_place(r, i, cfa);
	} while (left &= left - 1);
}

/*
 * Nearly all frames are of the same code as the one before, have a plain rule that is remembered, and are found by a register that is known or
 * saved nearby.  This goes from one to the next, as step() would, and writes them down: up to before end.  One of which anything else is true is left
 * to the careful way, with the state as it is there.  So nothing ends a stack here.
 */
static inline struct rt_frame *step_quickly(struct rt_unwind *u, const struct rt_code *code, struct rt_frame *to, const struct rt_frame *end)
{
	const rt_u64 size = code->end - code->start, first_off = code->start - code->base, key = code->where;
	const rt_u64 start_after_call = code->start + 1; /* the rule is that of the call, so of the byte before the address */
	const rt_u64 where_after_call = (key | RT_WHERE_RETURN) - code->base;
	const struct rt_unwind_rule *rules = code->rules;
	/* Of this frame, which is at: what its offset in the code is counted from, and what at is added to for its place in the image. */
	rt_u64 at = u->at, start = code->start + u->is_return, where = u->is_return ? where_after_call : key - code->base, from;

	if (!rt_port_unwind_open(u, &from))
		return to;
	while (to != end) {
		const struct rt_unwind_rule *r;
		rt_u64 off = at - start, cfa, next;

		if (RT_UNLIKELY(off >= size))
			break;
		r = known_rule(key, rules, off + first_off);
		if (RT_UNLIKELY(!r || r->cfa != RT_CFA_PLAIN))
			break;
		if (RT_UNLIKELY(u->saved >> r->reg & 1)) {
			if (!look_up_value(u, r->reg, from))
				break;
			continue; /* with the same frame */
		}
		cfa = u->reg[r->reg] + (rt_u64)(rt_s64)r->off;
		if (RT_UNLIKELY(cfa <= u->reg[0]) || !rt_port_unwind_look(from, plain_place(r, 0, cfa), &next) ||
		    RT_UNLIKELY(!rt_port_unwind_is_return(next)))
			break;
		*to++ = (struct rt_frame){at, where + at};
		restore_plainly(u, r, cfa);
		at = next;
		start = start_after_call;
		where = where_after_call;
	}
	rt_port_unwind_close();
	u->is_return = start == start_after_call;
	u->at = at;
	return to;
}
#undef QUICK

/* ---- a stack ---- */

/* Each frame is charged.  The last frame that fits is left to walk(), and all of them if the budget may not suffice. */
static inline rt_u32 walk_quickly(struct rt_ctx *c, struct rt_unwind *u, const struct rt_code *code, struct rt_frame *to, rt_u32 max)
{
	rt_u32 n;

	if (!code->rules || c->budget < max)
		return 0;
	n = (rt_u32)(step_quickly(u, code, to, to + max - 1) - to);
	c->budget -= n;
	return n;
}

static inline enum rt_stack_end walk(struct rt_ctx *c, struct rt_unwind *u, struct rt_frame *to, rt_u32 max, rt_u32 *n)
{
	const struct rt_code *code = &u->code[0]; /* a step may make it empty: see port.h */

	for (;;) {
		const struct rt_unwind_rule *r = 0;
		enum rt_stack_end end;
		rt_u64 at, where = 0;
		rt_u32 quick;

		do {
			if (!is_in(code, u->at - u->is_return))
				code = search_code(c, u, u->at - u->is_return);
			quick = walk_quickly(c, u, code, to + *n, max - *n);
			*n += quick;
		} while (quick && !is_in(code, u->at - u->is_return));
		at = u->at;
		if (code->where) {
			if (code->rules)
				r = find_rule(code, (rt_u32)(at - u->is_return - code->base));
			where = code->where | (at - code->base);
			/* a handler of a signal returns to the first instruction of a function */
			if (u->is_return && !(r && r->cfa != RT_CFA_PLAIN && r->is_signal))
				where |= RT_WHERE_RETURN;
		}
		to[*n] = (struct rt_frame){at, where};
		if (++*n == max || rt_charge(c, 1))
			return RT_END_LIMIT;
		end = code->rules ? step(c, u, r, *n == 1) : code->why;
		if (end != GO_ON)
			return end;
	}
}

/* As rt_port_unwind_begin() gives it. */
static inline enum rt_stack_end unwind_begin(struct rt_ctx *c, struct rt_unwind *u)
{
	u->at = u->saved = u->ncodes = u->newest = u->port = 0;
	u->is_return = u->is_stack = 0;
	u->code[0].start = u->code[0].end = 0; /* none */
	return rt_port_unwind_begin(c, u);
}

/* The innermost frame, where no others can be known. */
static inline struct rt_frame where_it_is(struct rt_ctx *c, struct rt_unwind *u)
{
	struct rt_code code = find_code(c, u, u->at);

	return (struct rt_frame){u->at, code.where ? code.where | (u->at - code.base) : 0};
}

rt_u32 rt_port_unwind_stack(struct rt_ctx *c, struct rt_frame *to, rt_u32 max, enum rt_stack_end *end)
{
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	rt_u32 n = 0;

	*end = RT_END_OUTERMOST;
	if (!u)
		return 0;
	*end = unwind_begin(c, u);
	u->is_stack = 1;
	if (*end == RT_END_MACHINE)
		to[n++] = where_it_is(c, u);
	else if (*end != GO_ON)
		return 0;
	else
		*end = walk(c, u, to, max, &n);
	rt_port_unwind_end(c, u);
	return n;
}

/* The value of the register that DWARF gives this number; 0: it is not known. */
static rt_u64 register_of(struct rt_ctx *c, struct rt_unwind *u, rt_u8 number)
{
	rt_u64 value = 0;

	for (rt_u32 i = 1; i < RT_UNWIND_REGISTERS; i++)
		if (rt_script.followed[i] == number)
			return value_of(c, u, i, &value) == GO_ON ? value : 0;
	return 0;
}

/* Continues a walk that was begun. */
static enum rt_stack_end walk_to(struct rt_ctx *c, struct rt_unwind *u, rt_u64 low, rt_u64 high, struct rt_place *p)
{
	for (rt_u32 n = 1; u->at < low || u->at >= high; n++) {
		rt_u64 at = u->at - u->is_return;
		const struct rt_code *code = search_code(c, u, at);
		enum rt_stack_end end;

		if (!code->rules) {
			p->at = u->at;
			return code->why;
		}
		if (n == RT_FRAMES_MOST || rt_charge(c, 1))
			return RT_END_UNKNOWN;
		end = step(c, u, find_rule(code, (rt_u32)(at - code->base)), n == 1);
		if (end != GO_ON)
			return end;
	}
	*p = (struct rt_place){u->at, u->reg[0], register_of(c, u, RT_FRAME_POINTER), !u->is_return};
	return GO_ON;
}

enum rt_stack_end rt_port_unwind_to(struct rt_ctx *c, rt_u64 low, rt_u64 high, struct rt_place *p)
{
	char *mark = rt_mark(c);
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	enum rt_stack_end end = u ? unwind_begin(c, u) : RT_END_UNKNOWN;

	if (end == GO_ON) {
		end = walk_to(c, u, low, high, p);
		rt_port_unwind_end(c, u);
	}
	rt_release(c, mark);
	return end;
}

rt_u64 rt_port_unwind_where(struct rt_ctx *c, rt_u64 addr)
{
	char *mark = rt_mark(c);
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	rt_bool is_past = rt_port_unwind_is_past(c);
	enum rt_stack_end end = u && !is_past ? unwind_begin(c, u) : RT_END_UNKNOWN;
	struct rt_code code = {.image = RT_NO_IMAGE, .is_unmapped = is_past || end == RT_END_OUTERMOST};

	if (end == GO_ON || end == RT_END_MACHINE) {
		code = find_code(c, u, addr);
		rt_port_unwind_end(c, u);
	}
	rt_release(c, mark);
	/* the address may be of another process, which may have ended */
	if (code.is_unmapped && rt_port_unwind_seen(addr, &code) && addr - code.base < RT_CODE_OFFSETS && rt_image_of(code.image))
		code.where = RT_WHERE(code.image, 0, 0);
	return code.where ? code.where | (addr - code.base) : 0;
}

#endif
