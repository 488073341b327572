// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of the program that the current task runs and of its libraries, as the dynamic linker finds them: in memory. */
#include "rt/lib.h"
#include "rt/embed.h"

enum { TAGS = 64, CHAIN = 64, NAME_MOST = 64 };
/* struct link_map, Elf64_Dyn, Elf64_Sym, and the head of a GNU hash table */
enum { L_LD = 16, DYN = 16, D_VAL = 8, SYMBOL = 24, ST_VALUE = 8, BLOOM = 16 };
enum { DT_STRTAB = 5, DT_SYMTAB = 6, DT_GNU_HASH = 0x6ffffef5 };

struct tables {
	rt_u64 bias, strings, symbols, hashes;
};

/* Some have the addresses in the file. */
static rt_bool find_tables(struct rt_ctx *c, rt_u64 image, struct tables *t)
{
	rt_u64 at = rt_read(c, RT_USER, image + L_LD, 8), tag, value;

	*t = (struct tables){.bias = rt_read(c, RT_USER, image, 8)};
	for (rt_u32 i = 0; at && i < TAGS && !RT_FAILED(c); i++, at += DYN) {
		tag = rt_read(c, RT_USER, at, 8);
		if (!tag)
			break;
		if (tag != DT_STRTAB && tag != DT_SYMTAB && tag != DT_GNU_HASH)
			continue;
		value = rt_read(c, RT_USER, at + D_VAL, 8);
		*(tag == DT_STRTAB ? &t->strings : tag == DT_SYMTAB ? &t->symbols : &t->hashes) = value < t->bias ? value + t->bias : value;
	}
	return !RT_FAILED(c) && t->strings && t->symbols && t->hashes;
}

static rt_u32 hash_of(struct rt_str name)
{
	rt_u32 hash = 5381;

	for (rt_u32 i = 0; i < name.n; i++)
		hash = 33 * hash + (rt_u8)name.p[i];
	return hash;
}

/* The value of the i-th symbol if that has the name, else 0. */
static rt_u64 value_if(struct rt_ctx *c, const struct tables *t, rt_u32 i, struct rt_str name)
{
	rt_u64 symbol = t->symbols + (rt_u64)SYMBOL * i;
	rt_u64 at = t->strings + (rt_u32)rt_read(c, RT_USER, symbol, 4);
	char text[NAME_MOST];

	if (RT_FAILED(c) || rt_port_read(c, RT_USER, at, text, name.n + 1))
		return 0;
	if (!rt_bytes_equal(text, name.p, name.n) || text[name.n])
		return 0;
	return rt_read(c, RT_USER, symbol + ST_VALUE, 8) + t->bias;
}

rt_u64 rt_elf_symbol(struct rt_ctx *c, rt_u64 image, struct rt_str name)
{
	rt_u32 hash = hash_of(name), buckets, first, words, shift, i;
	rt_u64 bloom, at, found = 0;
	struct tables t;

	if (name.n >= NAME_MOST || !find_tables(c, image, &t))
		return 0;
	buckets = (rt_u32)rt_read(c, RT_USER, t.hashes, 4);
	first = (rt_u32)rt_read(c, RT_USER, t.hashes + 4, 4);
	words = (rt_u32)rt_read(c, RT_USER, t.hashes + 8, 4);
	shift = (rt_u32)rt_read(c, RT_USER, t.hashes + 12, 4) & 31;
	if (!buckets || !words)
		return 0;
	bloom = rt_read(c, RT_USER, t.hashes + BLOOM + 8ULL * (hash / 64 & (words - 1)), 8);
	if (!(bloom >> (hash & 63) & bloom >> (hash >> shift & 63) & 1))
		return 0;
	at = t.hashes + BLOOM + 8ULL * words;
	i = (rt_u32)rt_read(c, RT_USER, at + 4ULL * (hash % buckets), 4);
	for (rt_u32 k = 0; i >= first && i && k < CHAIN && !RT_FAILED(c); i++, k++) {
		rt_u32 other = (rt_u32)rt_read(c, RT_USER, at + 4ULL * buckets + 4ULL * (i - first), 4);

		if ((other | 1) == (hash | 1) && (found = value_if(c, &t, i, name)))
			break;
		if (other & 1)
			break;
	}
	return RT_FAILED(c) ? 0 : found;
}
