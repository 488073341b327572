// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as tables for walking up stacks, of two files that are mapped at four places, as registers, and as a stack.  The tables
 * satisfy only the invariants that the translator guarantees for any file (elf_ask.h checks these).  A walk ends, stays within the stack, names code
 * that is there, and is the same whether words are read one by one or many at once, and rules are remembered or not.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/port_native.h"

enum { FILES = 2, RULES = 24, ROWS = 96, BLOCKS = 512, WORDS = 512, MOST = 40 };
#define BASE 0x7f0000400000ULL
#define APART 0x40000000ULL

static struct rt_image images[FILES];
static struct tables {
	struct rt_unwind_rule rules[RULES];
	rt_u32 at[ROWS], blocks[BLOCKS];
	rt_u16 rule[ROWS];
} tables[FILES];

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "fuzz", .limits = &native_limits, .probes = probes, .nprobes = 1, .images = images, .nimages = FILES,
};

/* ---- bytes; behind their end all are 0 ---- */

static const uint8_t *bytes, *bytes_end;
static rt_u64 stack[WORDS];
static struct rt_unwind first;
static rt_u64 code_size = 1 << 16; /* for addresses: of the first file, and somewhat more */

static rt_u64 take(unsigned n)
{
	rt_u64 value = 0;

	while (n-- && bytes != bytes_end)
		value = value << 8 | *bytes++;
	return value;
}

/* An address that is worth trying: of code, in the stack, or any. */
static rt_u64 take_address(void)
{
	rt_u64 how = take(1);

	switch (how & 3) {
	case 0:
		return BASE + (how >> 2 & 3) * APART + take(2) % code_size;
	case 1:
		return (rt_u64)(uintptr_t)stack + take(2) % sizeof stack;
	case 2:
		return take(1);
	default:
		return take(8);
	}
}

/* Mostly a few words up. */
static rt_s32 take_distance(void)
{
	rt_u64 how = take(1);

	if (how == 0xff)
		return (rt_s32)(take(4) << 2) >> 2;
	if (how == 0xfe)
		return (rt_s32)take(1);
	return how >= 0xe0 ? (rt_s32)(int8_t)how * 8 : (rt_s32)(how & 15) * 8;
}

/* Mostly plain rules that count from the stack pointer. */
static void take_rule(struct rt_unwind_rule *r)
{
	rt_u32 changed = (rt_u32)take(1) & 0xfe;

	rt_u64 cfa = take(1) % 16, reg = take(1);

	*r = (struct rt_unwind_rule){.cfa = cfa < 8 ? (rt_u8)cfa : RT_CFA_PLAIN, .reg = reg & 0x80 ? 0 : (rt_u8)(reg % 8), .n = (rt_u8)take(1),
				     .off = take_distance()};
	r->is_signal = r->cfa != RT_CFA_PLAIN && take(1) % 4 == 1;
	r->changed = changed;
	for (unsigned i = 0; i < RT_UNWIND_REGISTERS; i++) {
		rt_s32 how = r->cfa == RT_CFA_PLAIN ? RT_SAVED_AT_CFA : i ? RT_SAVED_LOST + (rt_s32)(take(1) % 3) : (rt_s32)(take(1) % 4);

		if (!i || changed >> i & 1)
			r->saved[i] = (rt_s32)((rt_u32)take_distance() * 4) + how;
	}
}

static void take_tables(struct rt_image *m, struct tables *t)
{
	rt_u32 nrules = 1 + (rt_u32)take(1) % RULES, nrows = 1 + (rt_u32)take(1) % ROWS, nblocks;

	for (rt_u32 i = 0; i < nrules; i++)
		take_rule(&t->rules[i]);
	for (rt_u32 i = 0; i < nrows; i++) {
		t->at[i] = i ? t->at[i - 1] + 1 + (rt_u32)take(1) : 0;
		t->rule[i] = (rt_u16)(take(1) % nrules);
	}
	nblocks = t->at[nrows - 1] / RT_IMAGE_BLOCK + 1;
	for (rt_u32 i = 0, row = 0; i < nblocks; i++) {
		while (row + 1 < nrows && t->at[row + 1] <= i * RT_IMAGE_BLOCK)
			row++;
		t->blocks[i] = row;
	}
	*m = (struct rt_image){.path = "/file", .at = t->at, .rule = t->rule, .rules = t->rules, .blocks = t->blocks, .nrows = nrows,
			       .nblocks = nblocks};
}

/* ---- walks ---- */

static rt_u64 where_mapped[4]; /* the offset in the file, or ~0: another file */

static struct rt_code code_at(rt_u64 addr)
{
	rt_u64 i = (addr - BASE) / APART, start = BASE + i * APART;

	if (addr < BASE || i >= 4 || addr - start >= 1 << 16)
		return (struct rt_code){.start = addr, .end = addr + 1, .image = RT_NO_IMAGE, .why = RT_END_NO_CODE};
	if (where_mapped[i] == ~0ULL)
		return (struct rt_code){.start = start, .end = start + (1 << 16), .image = RT_NO_IMAGE, .why = RT_END_FOREIGN};
	return (struct rt_code){.start = start, .end = start + (1 << 16), .base = start - where_mapped[i], .image = (rt_u32)i % FILES};
}

static enum rt_stack_end begin_there(struct rt_unwind *u)
{
	u->at = first.at;
	u->is_return = first.is_return;
	memcpy(u->reg, first.reg, sizeof u->reg);
	return RT_END_LIMIT;
}

struct walked {
	struct rt_frame frames[MOST];
	rt_u32 n;
	enum rt_stack_end end;
	rt_s64 cost;
};

static void walk_up(struct rt_ctx *c, struct walked *w, rt_u32 most)
{
	char *mark = rt_mark(c);
	rt_s64 before = c->budget;

	memset(w, 0, sizeof *w);
	w->n = rt_port_unwind_stack(c, w->frames, most, &w->end);
	w->cost = before - c->budget;
	rt_release(c, mark);
	if (w->n > most || w->cost < 0 || (unsigned)w->end >= RT_ENDS)
		abort();
	for (rt_u32 i = 0; i < w->n; i++)
		if (w->frames[i].where && RT_WHERE_IMAGE(w->frames[i].where) >= FILES)
			abort();
}

static void ask_walks(struct rt_ctx *c, rt_u32 most)
{
	struct walked careful, other;

	native_unwind_forget();
	native_unwind_carefully = 1;
	walk_up(c, &careful, most);
	for (unsigned times = 0; times < 3; times++) {
		native_unwind_carefully = times == 2;
		walk_up(c, &other, most);
		if (memcmp(&careful, &other, sizeof other))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_ctx *c = native_ctx();
	rt_u32 most;

	bytes = data;
	bytes_end = data + size;
	native_unwind_begin = begin_there;
	native_unwind_code = code_at;
	native_good_from = (rt_u64)(uintptr_t)stack;
	native_good_to = native_good_from + sizeof stack;
	most = 1 + (rt_u32)take(1) % MOST;
	for (unsigned i = 0; i < 4; i++)
		where_mapped[i] = i == 3 ? ~0ULL : take(1) % 8 == 1 ? 4096 : 0;
	for (unsigned i = 0; i < FILES; i++)
		take_tables(&images[i], &tables[i]);
	code_size = images[0].at[images[0].nrows - 1] + 64;
	native_trampoline = take(1) % 8 == 1 ? take_address() : 0;
	first.is_return = (rt_bool)(take(1) % 2);
	first.at = take_address();
	for (unsigned i = 0; i < RT_UNWIND_REGISTERS; i++)
		first.reg[i] = i ? take_address() : (rt_u64)(uintptr_t)stack + take(1);
	memset(stack, 0, sizeof stack);
	for (unsigned i = 0; i < WORDS && bytes != bytes_end; i++)
		stack[i] = take_address();
	ask_walks(c, most);
	native_good_from = native_good_to = native_trampoline = 0;
	native_ctx_end(c);
	return 0;
}
