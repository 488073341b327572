// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of the program that the current task runs and of its libraries, as the dynamic linker finds them: in memory. */
#include "rt/lib.h"
#include "rt/embed.h"

enum { TAGS = 64, CHAIN = 64, NAME_MOST = 64, IMAGES_MOST = 64, SEGMENTS_MOST = 16 };
/* struct link_map, Elf64_Dyn, Elf64_Sym, and the head of a GNU hash table */
enum { L_LD = 16, L_NEXT = 24, L_PREV = 32, DYN = 16, D_VAL = 8, SYMBOL = 24, ST_VALUE = 8, BLOOM = 16 };
/* Elf64_Ehdr and Elf64_Phdr */
enum { E_PHOFF = 32, E_PHNUM = 56, SEGMENT = 56, P_FLAGS = 4, P_VADDR = 16, P_MEMSZ = 40, PT_LOAD = 1, PF_X = 1 };
enum { DT_STRTAB = 5, DT_SYMTAB = 6, DT_GNU_HASH = 0x6ffffef5 };

struct tables {
	rt_u64 bias, strings, symbols, hashes;
};

/* ld.so relocates these in place, but not where the dynamic section is read-only, as in the vdso. */
static rt_bool find_tables(struct rt_ctx *c, rt_u64 image, struct tables *t)
{
	rt_u64 at = rt_read(c, RT_USER, image + L_LD, 8), tag, value;

	*t = (struct tables){.bias = rt_read(c, RT_USER, image, 8)};
	for (rt_u32 i = 0; at && i < TAGS && !RT_FAILED(c); i++, at += DYN) {
		tag = rt_read(c, RT_USER, at, 8);
		if (!tag || (i % 4 == 3 && rt_charge(c, 1)))
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

/* Is the name at this address?  It is read in pieces, none of which goes beyond its end. */
static rt_bool is_name(struct rt_ctx *c, rt_u64 at, struct rt_str name)
{
	rt_u32 part;
	char piece[8];

	for (rt_u32 done = 0; done <= name.n; done += part) {
		part = (rt_u32)rt_min(name.n + 1 - done, sizeof piece);
		if (rt_port_read(c, RT_USER, at + done, piece, part))
			return 0;
		for (rt_u32 k = 0; k < part; k++)
			if (piece[k] != (done + k < name.n ? name.p[done + k] : 0))
				return 0;
	}
	return 1;
}

/* The value of the i-th symbol if that has the name, else 0. */
static rt_u64 value_if(struct rt_ctx *c, const struct tables *t, rt_u32 i, struct rt_str name)
{
	rt_u64 symbol = t->symbols + (rt_u64)SYMBOL * i;
	rt_u64 at = t->strings + (rt_u32)rt_read(c, RT_USER, symbol, 4);

	return RT_FAILED(c) || !is_name(c, at, name) ? 0 : rt_read(c, RT_USER, symbol + ST_VALUE, 8) + t->bias;
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

		if (rt_charge(c, 1))
			break;
		if ((other | 1) == (hash | 1) && (found = value_if(c, &t, i, name)))
			break;
		if (other & 1)
			break;
	}
	return RT_FAILED(c) ? 0 : found;
}

/* Which of the entries from image on is loaded at the highest address that is not above addr? */
static rt_u64 nearest(struct rt_ctx *c, rt_u64 image, rt_u64 link, rt_u64 addr, rt_u64 *base)
{
	rt_u64 found = 0, at;

	for (rt_u32 i = 0; image && i < IMAGES_MOST && !RT_FAILED(c) && !rt_charge(c, 1); i++) {
		at = rt_read(c, RT_USER, image, 8);
		if (!RT_FAILED(c) && at <= addr && at > *base) {
			*base = at;
			found = image;
		}
		image = RT_FAILED(c) ? 0 : rt_read(c, RT_USER, image + link, 8);
	}
	return found;
}

static rt_bool has_code(struct rt_ctx *c, rt_u64 base, rt_u64 off)
{
	rt_u64 n, at, from;

	if ((rt_u32)rt_read(c, RT_USER, base, 4) != 0x464c457f || RT_FAILED(c))
		return 0;
	n = rt_read(c, RT_USER, base + E_PHNUM, 2);
	at = base + rt_read(c, RT_USER, base + E_PHOFF, 8);
	for (rt_u64 i = 0; i < n && i < SEGMENTS_MOST && !RT_FAILED(c) && !rt_charge(c, 1); i++, at += SEGMENT) {
		if ((rt_u32)rt_read(c, RT_USER, at, 4) != PT_LOAD || !(rt_read(c, RT_USER, at + P_FLAGS, 4) & PF_X))
			continue;
		from = rt_read(c, RT_USER, at + P_VADDR, 8);
		if (off >= from && off - from < rt_read(c, RT_USER, at + P_MEMSZ, 8))
			return !RT_FAILED(c);
	}
	return 0;
}

rt_u64 rt_elf_image_at(struct rt_ctx *c, rt_u64 image, rt_u64 addr)
{
	rt_u64 base = 0, below = nearest(c, image, L_NEXT, addr, &base), above = nearest(c, image, L_PREV, addr, &base);
	rt_u64 found = above ? above : below;

	return found && !RT_FAILED(c) && has_code(c, base, addr - base) ? found : 0;
}
