// SPDX-License-Identifier: GPL-2.0-or-later
/* String builder, nearness of names, globs, content hashes. */
#include "base/str.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Makes room for n more bytes and a NUL; returns where they go. */
static char *reserve(struct sb *b, size_t n)
{
	if (n >= PTRDIFF_MAX - b->n)
		mem_exhausted(SIZE_MAX);
	if (b->n + n >= b->cap) {
		size_t cap = b->cap ? b->cap : 64;

		while (cap <= b->n + n)
			cap *= 2;
		b->s = mem_realloc(b->s, cap, 1);
		b->cap = cap;
	}
	return b->s + b->n;
}

void sb_putc(struct sb *b, char c)
{
	char *p = reserve(b, 1);

	p[0] = c;
	p[1] = '\0';
	b->n++;
}

void sb_putn(struct sb *b, const char *s, size_t n)
{
	char *p = reserve(b, n);

	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	b->n += n;
}

void sb_puts(struct sb *b, const char *s)
{
	sb_putn(b, s, strlen(s));
}

void sb_vprintf(struct sb *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		mem_exhausted(SIZE_MAX);
	vsnprintf(reserve(b, (size_t)n), (size_t)n + 1, fmt, ap);
	b->n += (size_t)n;
}

void sb_printf(struct sb *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sb_vprintf(b, fmt, ap);
	va_end(ap);
}

static void put_c_char(struct sb *b, unsigned char c)
{
	switch (c) {
	case '\n':
		sb_puts(b, "\\n");
		break;
	case '\t':
		sb_puts(b, "\\t");
		break;
	case '"':
	case '\\':
	case '?': /* ??/ and friends */
		sb_putc(b, '\\');
		sb_putc(b, (char)c);
		break;
	default:
		if (c >= ' ' && c <= '~')
			sb_putc(b, (char)c);
		else
			sb_printf(b, "\\%03o", c); /* three digits: what follows cannot become part of it */
	}
}

void sb_put_c_string(struct sb *b, const char *s, size_t n)
{
	sb_putc(b, '"');
	for (size_t i = 0; i < n; i++)
		put_c_char(b, (unsigned char)s[i]);
	sb_putc(b, '"');
}

void sb_reset(struct sb *b)
{
	b->n = 0;
	if (b->s)
		b->s[0] = '\0';
}

void sb_free(struct sb *b)
{
	free(b->s);
	*b = (struct sb){0};
}

#define MAX_NAME 255

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Three rows of the classic matrix: the third one back is for swaps. */
static unsigned distance_rows(const char *a, size_t na, const char *b, size_t nb, unsigned limit)
{
	unsigned rows[3][MAX_NAME + 1];

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		unsigned best = row[0] = (unsigned)i;

		for (size_t j = 1; j <= nb; j++) {
			row[j] = min3(row[j - 1] + 1, up[j] + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    up2[j - 2] + 1 < row[j])
				row[j] = up2[j - 2] + 1;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return limit + 1;
	}
	return rows[na % 3][nb] <= limit ? rows[na % 3][nb] : limit + 1;
}

unsigned str_distance(const char *a, const char *b, unsigned limit)
{
	size_t na = strlen(a), nb = strlen(b);

	if (limit > MAX_NAME)
		limit = MAX_NAME;
	if (na > MAX_NAME || nb > MAX_NAME)
		return na == nb && !memcmp(a, b, na) ? 0 : limit + 1;
	if ((na > nb ? na - nb : nb - na) > limit)
		return limit + 1;
	return distance_rows(a, na, b, nb, limit);
}

#define NBEST (sizeof((struct nearest *)0)->best / sizeof((struct nearest *)0)->best[0])

/* The greatest distance that is still worth a mention. */
static unsigned near_limit(const char *name)
{
	size_t len = strlen(name), limit = len < 4 ? 1 : len / 3 > 2 ? len / 3 : 2;

	if (limit >= len)
		limit = len ? len - 1 : 0;
	return limit < MAX_NAME ? (unsigned)limit : MAX_NAME;
}

void nearest_init(struct nearest *near, const char *name)
{
	*near = (struct nearest){.name = name};
}

void nearest_add(struct nearest *near, const char *candidate)
{
	bool full = near->n == NBEST;
	unsigned limit = near_limit(near->name);

	if (full && near->best[NBEST - 1].distance <= limit) {
		if (!near->best[NBEST - 1].distance)
			return;
		limit = near->best[NBEST - 1].distance - 1;
	}

	unsigned distance = str_distance(near->name, candidate, limit);

	if (distance > limit)
		return;
	for (unsigned i = 0; i < near->n; i++)
		if (!strcmp(near->best[i].s, candidate))
			return;
	if (!full)
		near->n++;

	unsigned i = near->n - 1;

	for (; i > 0 && near->best[i - 1].distance > distance; i--)
		near->best[i] = near->best[i - 1];
	near->best[i].s = candidate;
	near->best[i].distance = distance;
}

const char *nearest_text(const struct nearest *near, struct arena *a)
{
	unsigned n = 0;

	while (n < near->n && near->best[n].distance <= near->best[0].distance + 1)
		n++;
	if (!n)
		return NULL;

	const char *text = arena_printf(a, "\"%s\"", near->best[0].s);

	for (unsigned i = 1; i < n; i++)
		text = arena_printf(a, "%s%s\"%s\"", text, i + 1 < n ? ", " : " or ", near->best[i].s);
	return text;
}

/* p is after the '[': whether c is in the set; *end is after its ']', or NULL when there is none. */
static bool in_set(const char *p, unsigned char c, const char **end)
{
	bool negated = *p == '!' || *p == '^', found = false;
	const char *first = p += negated;

	for (; *p && (*p != ']' || p == first); p++) {
		unsigned char low = (unsigned char)*p, high = low;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			high = (unsigned char)p[2];
			p += 2;
		}
		if (c >= low && c <= high)
			found = true;
	}
	*end = *p ? p + 1 : NULL;
	return found != negated;
}

/* Matches one character other than a star; where the pattern goes on, or NULL. */
static const char *match_one(const char *pattern, char c)
{
	const char *end;

	if (*pattern == '?')
		return pattern + 1;
	if (*pattern == '[') {
		bool in = in_set(pattern + 1, (unsigned char)c, &end);

		if (end)
			return in ? end : NULL;
	}
	return *pattern == c ? pattern + 1 : NULL;
}

bool str_glob(const char *pattern, const char *s)
{
	const char *star = NULL, *retry = NULL;

	while (*s) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = s;
			continue;
		}

		const char *next = match_one(pattern, *s);

		if (next) {
			pattern = next;
			s++;
		} else if (star) {
			pattern = star;
			s = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool str_has_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

const char *str_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

struct hash128 hash128_init(void)
{
	return (struct hash128){.hi = 0x6c62272e07bb0142, .lo = 0x62b821756295c58d};
}

struct hash128 hash128_add(struct hash128 h, const void *p, size_t n)
{
	const unsigned __int128 prime = (unsigned __int128)1 << 88 | 0x13b;
	unsigned __int128 x = (unsigned __int128)h.hi << 64 | h.lo;
	const unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		x = (x ^ bytes[i]) * prime;
	return (struct hash128){.hi = (unsigned long long)(x >> 64), .lo = (unsigned long long)x};
}

/* One half of a word's product with what was before; the turn keeps what was before when a factor is 0. */
static uint64_t fold(uint64_t before, uint64_t x, uint64_t y)
{
	unsigned __int128 product = (unsigned __int128)x * (y ^ before);

	return (before << 23 | before >> 41) ^ (uint64_t)product ^ (uint64_t)(product >> 64);
}

struct hash128 hash128_add_bulk(struct hash128 h, const void *p, size_t n)
{
	enum { BLOCK = 32 };
	const uint64_t odd[] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db};
	uint64_t sums[] = {h.lo, h.hi}, size = n;
	const char *bytes = p;

	while (n) {
		uint64_t w[BLOCK / 8] = {0};
		size_t some = n < BLOCK ? n : BLOCK;

		memcpy(w, bytes, some);
		sums[0] = fold(sums[0], w[0] ^ odd[0], w[1]);
		sums[1] = fold(sums[1], w[2] ^ odd[1], w[3]);
		bytes += some;
		n -= some;
	}
	return hash128_add(hash128_add(h, sums, sizeof sums), &size, sizeof size);
}

struct hash128 hash128_add_str(struct hash128 h, const char *s)
{
	uint64_t len = strlen(s);

	return hash128_add(hash128_add(h, &len, sizeof len), s, len);
}

void hash128_hex(struct hash128 h, char out[33])
{
	snprintf(out, 33, "%016llx%016llx", h.hi, h.lo);
}
