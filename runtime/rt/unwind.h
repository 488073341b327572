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

#include "rt/port.h"

/* ---- code and its rows ---- */

/* A frame has room for offsets below 4 GB only. */
#define CODE_OFFSETS (1ULL << 32)

/* The code at addr, from the platform, with its tables. */
static inline struct rt_code find_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	struct rt_code code = rt_port_unwind_code(c, u, addr);

	if (code.image != RT_NO_IMAGE && code.end - code.base >= CODE_OFFSETS)
		code.image = RT_NO_IMAGE;
	code.where = code.image == RT_NO_IMAGE ? 0 : RT_WHERE(code.image, 0, 0);
	code.rules = code.image == RT_NO_IMAGE ? 0 : rt_script.images[code.image].rules;
	return code;
}

/* The code at addr, from those that were found already or the platform. */
static __attribute__((__noinline__)) const struct rt_code *search_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	for (rt_u32 i = u->ncodes; i; i--) {
		const struct rt_code *code = &u->code[u->newest];

		if (addr - code->start < code->end - code->start)
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

static inline const struct rt_unwind_rule *find_rule(const struct rt_code *code, rt_u32 off)
{
	rt_u64 key = code->where | (rt_u64)off << RULE_BITS;
	rt_u64 *known = &rules_known[off * 0x9e3779b1u / (0xffffffffu / RULES_KNOWN + 1)];
	rt_u64 rule = __atomic_load_n(known, __ATOMIC_RELAXED) ^ key;

	return RT_LIKELY(!(rule >> RULE_BITS)) ? &code->rules[rule] : search_rule(&rt_script.images[code->image], off, key, known);
}

/* ---- a step ---- */

/* What a register was. */
static inline rt_bool value_of(struct rt_ctx *c, struct rt_unwind *u, rt_u32 i, rt_u64 *value)
{
	rt_u32 bit = 1u << i;

	if (u->in_memory & bit) {
		if (!rt_port_unwind_read(c, u, u->reg[i], value))
			return 0;
		u->reg[i] = *value;
		u->in_memory &= ~bit;
	}
	*value = u->reg[i];
	return 1;
}

/*
 * A step: of any rule, or (is_plain) of the most frequent kind with a register that is known.  It is one function so that both do the same, and is
 * compiled for each, so that the frequent one is short.
 */
#define STEP static inline __attribute__((__always_inline__))

/* Where the caller's i-th register is saved, or 0th: the return address. */
STEP rt_u64 place_of(const struct rt_unwind_rule *r, rt_u32 i, rt_u64 cfa, rt_u64 base, rt_bool is_plain)
{
	return (is_plain || (r->saved[i] & 3) == RT_SAVED_AT_CFA ? cfa : base) + (rt_u64)(rt_s64)(r->saved[i] >> 2);
}

/* Places are read only if the registers are needed: mostly they are not. */
STEP void restore(struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 cfa, rt_u64 base, rt_bool is_plain)
{
	rt_u32 lost = 0;

	for (rt_u32 left = r->changed; left; left &= left - 1) {
		rt_u32 i = (rt_u32)__builtin_ctz(left);

		if (!is_plain && (r->saved[i] & 3) == RT_SAVED_LOST)
			lost |= 1u << i;
		else
			u->reg[i] = place_of(r, i, cfa, base, is_plain);
	}
	u->in_memory |= r->changed & ~lost;
	u->lost = (u->lost & ~r->changed) | lost;
	u->reg[0] = cfa;
}

/* The stack has not ended: the walk goes on, as far as it may. */
#define GO_ON RT_END_LIMIT

/* The caller's canonical frame address (cfa), and the value of the register from which the rule counts it (base). */
STEP enum rt_stack_end find_frame(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r, rt_u64 *cfa, rt_u64 *base)
{
	if (!r || r->cfa == RT_CFA_UNKNOWN)
		return RT_END_UNKNOWN;
	if (r->cfa == RT_CFA_OUTERMOST)
		return RT_END_OUTERMOST;
	if (u->lost >> r->reg & 1 || !(r->saved[0] & RT_SAVED_AT_CFA))
		return RT_END_UNKNOWN;
	if (!value_of(c, u, r->reg, base))
		return RT_END_MEMORY;
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

/* From a frame to that of its caller. */
STEP enum rt_stack_end step_by(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r, rt_bool is_plain)
{
	rt_u64 base = 0, cfa = 0, slot, at;
	enum rt_stack_end why;
	rt_bool known;

	if (is_plain)
		cfa = u->reg[r->reg] + (rt_u64)(rt_s64)r->off;
	else if ((why = find_frame(c, u, r, &cfa, &base)) != GO_ON)
		return why;
	if (RT_UNLIKELY(cfa <= u->reg[0]) && (is_plain || !r->is_signal)) /* signals may have a stack of their own */
		return RT_END_DAMAGED;
	slot = place_of(r, 0, cfa, base, is_plain);
	if (RT_UNLIKELY(!rt_port_unwind_read(c, u, slot, &at)))
		return RT_END_MEMORY;
	restore(u, r, cfa, base, is_plain);
	u->is_return = is_plain || !r->is_signal;
	known = !u->is_return || rt_port_unwind_return(c, u, slot, &at);
	u->at = at;
	if (RT_UNLIKELY(!known))
		return RT_END_HOOKED;
	return RT_LIKELY(at) ? GO_ON : RT_END_OUTERMOST;
}
#undef STEP

static __attribute__((__noinline__)) enum rt_stack_end step_of_any(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r)
{
	return step_by(c, u, r, 0);
}

static inline enum rt_stack_end step(struct rt_ctx *c, struct rt_unwind *u, const struct rt_unwind_rule *r)
{
	if (RT_UNLIKELY(!r || r->cfa != RT_CFA_PLAIN || (u->lost | u->in_memory) >> r->reg & 1))
		return step_of_any(c, u, r);
	return step_by(c, u, r, 1);
}

/* ---- a stack ---- */

static inline enum rt_stack_end walk(struct rt_ctx *c, struct rt_unwind *u, struct rt_frame *to, rt_u32 max, rt_u32 *n)
{
	const struct rt_code *code = &u->code[0]; /* a step may make it empty: see port.h */

	for (;;) {
		rt_u64 at = u->at, addr = at - u->is_return, where = 0;
		const struct rt_unwind_rule *r = 0;
		enum rt_stack_end end;

		if (RT_UNLIKELY(addr - code->start >= code->end - code->start))
			code = search_code(c, u, addr);
		if (RT_LIKELY(code->where)) {
			r = find_rule(code, (rt_u32)(addr - code->base));
			where = code->where | (at - code->base);
			/* a handler of a signal returns to the first instruction of a function */
			if (u->is_return && !(r && r->cfa != RT_CFA_PLAIN && r->is_signal))
				where |= RT_WHERE_RETURN;
		}
		to[*n] = (struct rt_frame){at, where};
		if (++*n == max || rt_charge(c, 1))
			return RT_END_LIMIT;
		end = RT_LIKELY(where) ? step(c, u, r) : code->why;
		if (RT_UNLIKELY(end != GO_ON))
			return end;
	}
}

/* As rt_port_unwind_begin() gives it. */
static inline enum rt_stack_end unwind_begin(struct rt_ctx *c, struct rt_unwind *u)
{
	u->at = u->lost = u->in_memory = u->ncodes = u->newest = u->port = 0;
	u->is_return = 0;
	u->code[0].start = u->code[0].end = 0; /* none */
	return rt_port_unwind_begin(c, u);
}

rt_u32 rt_port_unwind_stack(struct rt_ctx *c, struct rt_frame *to, rt_u32 max, enum rt_stack_end *end)
{
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	rt_u32 n = 0;

	*end = RT_END_OUTERMOST;
	if (!u)
		return 0;
	*end = unwind_begin(c, u);
	if (*end != GO_ON)
		return 0;
	*end = walk(c, u, to, max, &n);
	rt_port_unwind_end(c, u);
	return n;
}

rt_u64 rt_port_unwind_where(struct rt_ctx *c, rt_u64 addr)
{
	char *mark = rt_mark(c);
	struct rt_unwind *u = (struct rt_unwind *)rt_alloc(c, sizeof *u);
	struct rt_code code = {.image = RT_NO_IMAGE};

	if (!u)
		return 0;
	if (unwind_begin(c, u) == GO_ON) {
		code = find_code(c, u, addr);
		rt_port_unwind_end(c, u);
	}
	rt_release(c, mark);
	return code.where ? code.where | (addr - code.base) : 0;
}

#endif
