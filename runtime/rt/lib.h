/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of rt/ share, and no other file includes: memory primitives, short-term locks, waiting with a
 * limit, and the sink that all text goes through.
 */
#ifndef RT_LIB_H
#define RT_LIB_H

#include "rt/arch/arch.h"
#include "rt/port.h"

/* The compiler emits calls of these anyway; the kernel and libc have them. */
void *memcpy(void *dst, const void *src, rt_size n);
void *memmove(void *dst, const void *src, rt_size n);
void *memset(void *dst, int byte, rt_size n);
int memcmp(const void *a, const void *b, rt_size n);

#define RT_LINE 64 /* size of a cache line */
#define RT_S64_MAX ((rt_s64)(~0ULL >> 1))
#define RT_S64_MIN (-RT_S64_MAX - 1)

#define RT_LOAD(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define RT_STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define RT_LOAD_ACQUIRE(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define RT_STORE_RELEASE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

static inline rt_u64 rt_min(rt_u64 a, rt_u64 b)
{
	return a < b ? a : b;
}

static inline rt_size rt_round_up(rt_size n, rt_size to)
{
	return (n + to - 1) / to * to;
}

static inline rt_u32 rt_cstr_len(const char *s)
{
	rt_u32 n = 0;

	while (s[n])
		n++;
	return n;
}

/* The end of the message about an access that failed with rc (enum rt_access). */
const char *rt_access_why(rt_s64 rc);

/* Bytes before the first NUL, at most n. */
static inline rt_size rt_cut_len(const char *p, rt_size n)
{
	rt_size i = 0;

	while (i < n && p[i])
		i++;
	return i;
}

static inline rt_u64 rt_word_at(const char *p)
{
	rt_u64 v;

	__builtin_memcpy(&v, p, 8);
	return v;
}

/* The last 8 bytes at once, some of them perhaps again. */
static inline rt_bool rt_bytes_equal(const char *a, const char *b, rt_u32 n)
{
	rt_size i;

	if (n >= 8) {
		for (i = 0; i < n - 8; i += 8)
			if (rt_word_at(a + i) != rt_word_at(b + i))
				return 0;
		return rt_word_at(a + n - 8) == rt_word_at(b + n - 8);
	}
	while (n--)
		if (*a++ != *b++)
			return 0;
	return 1;
}

/* Value of a digit in bases up to 36; more than 36 for any other character. */
static inline rt_u32 rt_digit(char ch)
{
	char lower = ch | 0x20;

	if (ch >= '0' && ch <= '9')
		return (rt_u32)(ch - '0');
	return lower >= 'a' && lower <= 'z' ? (rt_u32)(lower - 'a' + 10) : 99;
}

/* ctx.c: rt_skip() ends the hit without a message; then: n bytes of string space, unaligned. */
void rt_skip(struct rt_ctx *c);
char *rt_space(struct rt_ctx *c, rt_size n);

/* regex.c: how much memory of a context it needs (a multiple of 8), and what to do when the context has it. */
rt_size rt_regex_size(void);
void rt_regex_init(struct rt_ctx *c, void *space);

/* ---- waiting and short-term locks (lock.c); interrupts are off around all of it ---- */

struct rt_wait {
	rt_u64 deadline;
	rt_u32 spins;
};

/* Waits a moment; false when limits->lock_us have passed in all since *w was zero, and at once in an NMI. */
rt_bool rt_wait(struct rt_wait *w);

/* Knows its owner, so that a nested hit on the owner's CPU gives up at once instead of waiting for itself. */
struct rt_spin {
	rt_u32 owner; /* CPU + 1, or 0 */
};

static inline rt_bool rt_spin_try(struct rt_spin *l, rt_u32 me)
{
	rt_u32 nobody = 0;

	return __atomic_compare_exchange_n(&l->owner, &nobody, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

rt_bool rt_spin_contend(struct rt_spin *l, rt_u32 me, struct rt_wait *w);

/* me is rt_port_cpu() + 1. */
static inline rt_bool rt_spin_lock(struct rt_spin *l, rt_u32 me, struct rt_wait *w)
{
	return RT_LIKELY(rt_spin_try(l, me)) || rt_spin_contend(l, me, w);
}

static inline void rt_spin_unlock(struct rt_spin *l)
{
	RT_STORE_RELEASE(&l->owner, 0);
}

int rt_locks_init(rt_u32 n);
void rt_locks_free(void);

/* ---- text (format.c) ---- */

/* Takes text until max; more is sent on (print) or dropped (cut is set then). */
struct rt_sink {
	struct rt_ctx *print; /* whose buffer it is, or NULL */
	char *buf;
	rt_u32 n, max;
	rt_u32 start; /* where this text begins in buf */
	rt_bool cut;
};

struct rt_spec {
	char conv;
	rt_u8 flags;
	int width, precision;
};

/* The hit's print buffer; rt_sink_printed() gives it back. */
struct rt_sink rt_sink_print(struct rt_ctx *c);
void rt_sink_printed(struct rt_sink *s);
/* A string being made at the end of the string space; rt_sink_made() ends it.  [fails] */
struct rt_sink rt_sink_make(struct rt_ctx *c);
struct rt_str rt_sink_made(struct rt_ctx *c, struct rt_sink *s, rt_bool may_hold_nul);

void rt_sink_put(struct rt_sink *s, const char *p, rt_size n);
void rt_sink_fill(struct rt_sink *s, char byte, rt_size n);
/*
 * The addresses or frames of a stack, size bytes each, as they are: only into a print buffer, for rt_port_flush().  As many as fit into an
 * empty one.  flags: RT_PART_...
 */
void rt_sink_stack(struct rt_sink *s, const void *frames, rt_u32 size, rt_u32 n, rt_u32 flags);
void rt_sink_number(struct rt_sink *s, const struct rt_spec *spec, rt_s64 v);
void rt_sink_long(struct rt_sink *s, rt_s64 v, int width);
void rt_sink_hex(struct rt_sink *s, rt_u64 v); /* "0x1f" */
/* The same into memory, of which it may write all of the most; returns the length. */
#define RT_HEX_MOST 18u
rt_u32 rt_hex(char *to, rt_u64 v);
/* A byte in printable form: C's escapes, \ooo for the rest; quote is escaped too.  Returns the number of bytes. */
rt_u32 rt_escape(char out[4], unsigned char byte, char quote);
/* Formats with the conversions of rt_error(). */
void rt_sink_vformat(struct rt_sink *s, const char *fmt, __builtin_va_list args);

/* ---- lines of source files (lines.c) ---- */

struct rt_line {
	rt_u32 file, line; /* file 0: not known */
};
struct rt_line rt_line_at(const struct rt_lines *l, rt_u32 off);
#define RT_FILE_SHOWN 160u /* in stacks */
/*
 * File and line, as parts says (RT_LINE_...), of the code at the offset.  Of a file's name that is longer than shown, only its last bytes,
 * after dots.  False: it is not known.
 */
rt_bool rt_sink_line(struct rt_sink *s, const struct rt_lines *l, rt_u32 off, rt_u32 parts, rt_u32 shown);

#endif
