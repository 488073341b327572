/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel image has no ELF symbols, but it has what /proc/kallsyms is made of: the names as strings of one-byte tokens, a table with
 * the text of each of the 256 tokens, and 32-bit offsets of the addresses.  Nothing says where these are, so they are found by their
 * form:
 *
 *	u32 offsets[count]; u64 base;           here until 6.3
 *	u32 count;
 *	names: for each, its length (1 byte, or 2 when the first has bit 7) and so many tokens
 *	u32 markers[]: where each 256th name begins
 *	3-byte order of names                   here from 6.2 to 6.3, and where that was ported back to
 *	tokens: 256 strings with their NULs
 *	u16 token_index[256]: where each begins
 *	u32 offsets[count]; u64 base;           here from 6.4 on
 *
 * each at a multiple of 8.  In 7.2 each is at a multiple of 4, and there is no base: an offset counts from its own place.  The first
 * character of a decoded name is its type.  (scripts/kallsyms.c of the kernel)
 */
#include "translator/debuginfo/kallsyms.h"

#include <string.h>

#include "base/str.h"

enum { TOKENS = 256, MARKED = 256, MIN_COUNT = 1000, MAX_COUNT = 4000000, MAX_NAME = 1024, MAX_STEPS = 32000000 };

struct image {
	const unsigned char *p;
	size_t n;
	uint64_t address; /* where the bytes are linked */
	size_t align;
	size_t tokens, index;  /* offsets of the tables */
	size_t count_at, names;
	size_t steps; /* names looked at: crafted bytes could look like names from any place on */
	uint32_t count;
	size_t offsets;
	uint64_t base; /* 0: offsets count from their own places */
	bool absolute; /* per-CPU symbols have their values instead */
};

static uint16_t get16(const struct image *m, size_t at)
{
	return (uint16_t)(m->p[at] | m->p[at + 1] << 8);
}

static uint32_t get32(const struct image *m, size_t at)
{
	return get16(m, at) | (uint32_t)get16(m, at + 2) << 16;
}

static uint64_t get64(const struct image *m, size_t at)
{
	return get32(m, at) | (uint64_t)get32(m, at + 4) << 32;
}

static size_t up(const struct image *m, size_t n)
{
	return (n + m->align - 1) & ~(m->align - 1);
}

/* ---- tokens ---- */

/* Each token is a string of at least one character, so indexes ascend by 2 or more. */
static bool is_token_index(const struct image *m, size_t at)
{
	unsigned i;

	if (get16(m, at) != 0)
		return false;
	for (i = 1; i < TOKENS; i++)
		if (get16(m, at + 2 * i) < get16(m, at + 2 * i - 2) + 2)
			return false;
	return true;
}

static bool is_token_table(const struct image *m, size_t at, size_t index)
{
	unsigned i;

	for (i = 1; i < TOKENS; i++)
		if (m->p[at + get16(m, index + 2 * i) - 1] != 0)
			return false;
	return memchr(m->p + at + get16(m, index + 2 * (TOKENS - 1)), 0,
		      index - at - get16(m, index + 2 * (TOKENS - 1))) != NULL;
}

/* The table is right before its index, which begins where the next table may. */
static bool find_tokens(struct image *m)
{
	for (size_t index = 0; index + 2 * TOKENS <= m->n; index += m->align) {
		size_t last, at;

		if (!is_token_index(m, index))
			continue;
		last = get16(m, index + 2 * (TOKENS - 1));
		for (at = index - up(m, last + 2); at < index && index - at <= last + MAX_NAME; at -= m->align) {
			if (!is_token_table(m, at, index))
				continue;
			m->tokens = at;
			m->index = index;
			return true;
		}
	}
	return false;
}

static const char *token(const struct image *m, unsigned char t)
{
	return (const char *)m->p + m->tokens + get16(m, m->index + 2 * t);
}

/* ---- names ---- */

/* The length of the name at *at, which is moved to its first token; 0: there is none. */
static unsigned name_length(const struct image *m, size_t *at)
{
	unsigned length;

	if (*at + 2 > m->tokens)
		return 0;
	length = m->p[(*at)++];
	if (length & 0x80)
		length = (length & 0x7f) | (unsigned)m->p[(*at)++] << 7;
	return length <= m->tokens - *at ? length : 0;
}

static bool is_type(char c)
{
	return c && strchr("aAbBcCdDgGiIrRsSnNtTuUvVwW?", c);
}

/* True if `count' names are at `names' and matching markers after them. */
static bool are_names(struct image *m, size_t names, uint32_t count)
{
	size_t at = names, first = names, end, i;
	unsigned length;

	for (i = 0; i < count; i++) {
		length = name_length(m, &at);
		if (!length || !is_type(token(m, m->p[at])[0]) || ++m->steps > MAX_STEPS)
			return false;
		at += length;
	}
	end = up(m, at);
	if ((count + MARKED - 1) / MARKED * 4 > m->tokens - end)
		return false;
	for (i = 0; i < count; i++) {
		if (i % MARKED == 0 && get32(m, end + i / MARKED * 4) != first - names)
			return false;
		length = name_length(m, &first);
		first += length;
	}
	return true;
}

static bool find_names(struct image *m)
{
	for (size_t at = up(m, m->tokens); at >= 2 * m->align; at -= m->align) {
		size_t names = at - m->align, count_at = names - m->align;
		uint32_t count = get32(m, count_at);

		if (count < MIN_COUNT || count > MAX_COUNT || (m->align == 8 && get32(m, count_at + 4) != 0) ||
		    !are_names(m, names, count))
			continue;
		m->count_at = count_at;
		m->names = names;
		m->count = count;
		return true;
	}
	return false;
}

/* ---- addresses ---- */

static bool is_kernel_address(uint64_t v)
{
	return v >> 47 == 0x1ffff;
}

static uint64_t from_its_place(const struct image *m, size_t i)
{
	size_t at = m->offsets + 4 * i;

	return m->address + at + (uint64_t)(int64_t)(int32_t)get32(m, at);
}

/*
 * In kernels where per-CPU symbols are absolute, these have positive offsets, which are their values, and all others negative ones.
 * Positive offsets occur only then: no kernel has 2 GB of anything else.
 */
static bool has_absolute(const struct image *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (get32(m, m->offsets + 4 * i) >> 31)
			return true;
	return false;
}

static uint64_t address(const struct image *m, size_t i)
{
	int32_t offset = (int32_t)get32(m, m->offsets + 4 * i);

	if (!m->base)
		return from_its_place(m, i);
	if (!m->absolute)
		return m->base + (uint32_t)offset;
	return offset < 0 ? m->base - 1 - (uint64_t)(int64_t)offset : (uint64_t)offset;
}

/*
 * Takes the offsets to be there, with this base or none (0), and says whether the addresses are then as those of symbols: of the kernel, and in
 * ascending order, which other bytes are not.
 */
static bool try_offsets(struct image *m, size_t offsets, uint64_t base)
{
	m->offsets = offsets;
	m->base = base;
	m->absolute = base && has_absolute(m);
	for (size_t i = 0; i < m->count; i++) {
		uint64_t at = address(m, i);

		if ((!is_kernel_address(at) && !m->absolute) || (i && at < address(m, i - 1)))
			return false;
	}
	return address(m, 0) < address(m, m->count - 1);
}

static bool find_offsets(struct image *m)
{
	size_t size = (size_t)m->count * 4, base = up(m, size), after = m->index + 2 * TOKENS;

	if (m->count_at >= base + 8 && is_kernel_address(get64(m, m->count_at - 8)) &&
	    try_offsets(m, m->count_at - 8 - base, get64(m, m->count_at - 8)))
		return true;
	if (m->n < after || m->n - after < size)
		return false;
	if (m->n - after >= base + 8 && is_kernel_address(get64(m, after + base)) && try_offsets(m, after, get64(m, after + base)))
		return true;
	return try_offsets(m, after, 0);
}

static const char *decode(struct arena *a, const struct image *m, size_t *at, struct sb *text)
{
	unsigned length = name_length(m, at);

	sb_reset(text);
	for (; length; length--)
		sb_puts(text, token(m, m->p[(*at)++]));
	return text->n > MAX_NAME ? "?" : arena_strndup(a, text->s, text->n);
}

static bool find_tables(struct image *m, size_t align)
{
	m->align = align;
	m->steps = 0;
	return find_tokens(m) && find_names(m) && find_offsets(m);
}

size_t kallsyms_read(struct arena *a, const unsigned char *rodata, size_t n, uint64_t place, const struct kallsyms_symbol **out)
{
	struct image m = {.p = rodata, .n = n, .address = place};
	struct kallsyms_symbol *v;
	struct sb text = {0};
	size_t at;

	*out = NULL;
	if (!find_tables(&m, 8) && !find_tables(&m, 4))
		return 0;
	v = arena_array(a, struct kallsyms_symbol, m.count);
	at = m.names;
	for (size_t i = 0; i < m.count; i++) {
		const char *name = decode(a, &m, &at, &text);

		v[i] = (struct kallsyms_symbol){.address = address(&m, i), .type = name[0], .name = name + 1};
	}
	sb_free(&text);
	*out = v;
	return m.count;
}
