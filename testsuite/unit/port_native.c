// SPDX-License-Identifier: GPL-2.0-or-later
/* rt/port.h on top of libc: see port_native.h. */
#include "testsuite/unit/port_native.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct rt_limits native_limits = {
	.string_max = 511,
	.action = 10000,
	.nesting = 10,
	.lock_us = 1000,
	.arena = 16384,
	.iter = 131072,
	.out = 8192,
	.max_buckets = 128,
	.hist_width = 50,
	.hist_elision = 2,
	.quantile_kb = 4096,
};

_Thread_local rt_u32 native_cpu;
_Thread_local unsigned long native_irq_depth;
_Thread_local rt_bool native_nmi;
_Thread_local void (*native_between)(void);
_Thread_local unsigned long native_stack_pointer;
char *native_out;
rt_size native_out_n;
unsigned native_records;
int native_allocs_left = -1;
rt_u64 native_bad_from, native_bad_to;
rt_u64 native_good_from, native_good_to;
rt_u64 native_reads;
int native_exits;
unsigned native_portions;
enum rt_error_kind native_goes_on;
unsigned native_goes_on_before;

static void die(const char *why)
{
	fprintf(stderr, "port_native: %s\n", why);
	abort();
}

void *rt_port_alloc(rt_size size)
{
	size_t whole = (size + 63) / 64 * 64;
	void *p;

	if (!native_allocs_left)
		return NULL;
	if (native_allocs_left > 0)
		native_allocs_left--;
	if (!size)
		die("an allocation of nothing");
	p = aligned_alloc(64, whole);
	if (!p)
		die("out of memory");
	return memset(p, 0, whole);
}

void rt_port_free(void *p)
{
	free(p);
}

rt_u32 rt_port_ncpus(void)
{
	return NATIVE_CPUS;
}

rt_u32 rt_port_cpu(void)
{
	if (!native_irq_depth)
		die("rt_port_cpu() with interrupts on");
	return native_cpu;
}

unsigned long rt_port_irq_save(void)
{
	return native_irq_depth++;
}

void rt_port_irq_restore(unsigned long flags)
{
	if (native_irq_depth != flags + 1)
		die("rt_port_irq_restore() does not match");
	native_irq_depth = flags;
	if (!flags && native_between)
		native_between();
}

rt_bool rt_port_in_nmi(void)
{
	return native_nmi;
}

void rt_port_relax(void)
{
	__builtin_ia32_pause();
}

void rt_port_breathe(struct rt_ctx *c)
{
	if (native_irq_depth || c->nlocked)
		die("rt_port_breathe() with interrupts off or a lock held");
}

enum rt_error_kind rt_port_goes_on(struct rt_ctx *c)
{
	(void)c;
	native_portions++;
	if (!native_goes_on_before)
		return native_goes_on;
	native_goes_on_before--;
	return RT_OK;
}

rt_u64 rt_port_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (rt_u64)t.tv_sec * 1000000000 + (rt_u64)t.tv_nsec;
}

static rt_bool is_bad(rt_u64 addr, rt_u64 n)
{
#ifdef NATIVE_MEASURED
	return 0;
#endif
	if (native_good_to && (addr < native_good_from || addr + n > native_good_to || addr + n < addr))
		return 1;
	return addr < native_bad_to && addr + n > native_bad_from;
}

int rt_port_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *dst, rt_u32 n)
{
	(void)c;
	(void)space;
	if (c->nlocked)
		die("memory is read in a locked region");
	native_reads++;
	if (is_bad(addr, n))
		return -1;
	memcpy(dst, (const void *)(uintptr_t)addr, n);
	return 0;
}

int rt_port_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, const void *src, rt_u32 n)
{
	(void)space;
	if (c->nlocked)
		die("memory is written in a locked region");
	if (is_bad(addr, n))
		return -1;
	memcpy((void *)(uintptr_t)addr, src, n);
	return 0;
}

rt_u32 rt_port_format(char *buf, rt_u32 size, const char *fmt, __builtin_va_list ap)
{
	int n = vsnprintf(buf, size, fmt, ap);

	return n < 0 ? 0 : (rt_u32)n < size ? (rt_u32)n : size - 1;
}

rt_s64 rt_port_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *dst, rt_u32 n)
{
	rt_u32 i;

	for (i = 0; i < n; i++) {
		if (rt_port_read(c, space, addr + i, dst + i, 1))
			return -1;
		if (!dst[i])
			break;
	}
	native_reads -= i == n ? n - 1 : i;
	return i;
}

void rt_port_flush(struct rt_ctx *c)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	if (c->out_part) {
		struct rt_part last = {.text = c->out_n - c->out_part};

		memcpy(c->out + c->out_n, &last, sizeof last);
		c->out_n += sizeof last;
	}
	native_out = realloc(native_out, native_out_n + c->out_n + 1);
	if (!native_out)
		die("out of memory");
	memcpy(native_out + native_out_n, c->out, c->out_n);
	native_out_n += c->out_n;
	native_out[native_out_n] = 0;
	native_records++;
	pthread_mutex_unlock(&lock);
}

/* No loader takes them: they are written down. */
void rt_port_request(struct rt_ctx *c, enum rt_request what, struct rt_str with)
{
	rt_print_str(c, what == RT_REQUEST_COMMAND ? RT_STR("[command: ") : RT_STR("[new file"));
	rt_print_str(c, with);
	rt_print_str(c, RT_STR("]"));
	rt_port_flush(c);
	c->out_n = 0;
}

void native_out_reset(void)
{
	free(native_out);
	native_out = calloc(1, 1);
	native_out_n = 0;
	native_records = 0;
}

void rt_port_exit(struct rt_ctx *c)
{
	(void)c;
	__atomic_fetch_add(&native_exits, 1, __ATOMIC_RELAXED);
}

/* There is no program to look at, unless a test says so. */
enum rt_stack_end (*native_unwind_begin)(struct rt_unwind *u);
struct rt_code (*native_unwind_code)(rt_u64 addr);
rt_u64 (*native_unwind_seen)(rt_u64 addr);
rt_bool native_unwind_past;
rt_bool native_unwind_carefully;
rt_u64 native_trampoline;

static enum rt_stack_end rt_port_unwind_begin(struct rt_ctx *c, struct rt_unwind *u)
{
	(void)c;
	return native_unwind_begin ? native_unwind_begin(u) : RT_END_OUTERMOST;
}

static void rt_port_unwind_end(struct rt_ctx *c, struct rt_unwind *u)
{
	(void)c;
	(void)u;
}

static struct rt_code rt_port_unwind_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr)
{
	(void)c;
	(void)u;
	return native_unwind_code(addr);
}

static rt_bool rt_port_unwind_seen(rt_u64 addr, struct rt_code *code)
{
	if (!native_unwind_seen || !native_unwind_seen(addr))
		return 0;
	code->image = 0;
	code->base = native_unwind_seen(addr);
	return 1;
}

static rt_bool rt_port_unwind_is_past(struct rt_ctx *c)
{
	(void)c;
	return native_unwind_past;
}

static rt_bool rt_port_unwind_read(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr, rt_u64 *word)
{
	(void)u;
	return !rt_port_read(c, RT_USER, addr, word, sizeof *word);
}

static rt_bool rt_port_unwind_return(struct rt_ctx *c, struct rt_unwind *u, rt_u64 slot, rt_u64 *addr)
{
	(void)c;
	(void)u;
	(void)slot;
	return !native_trampoline || *addr != native_trampoline;
}

static rt_bool rt_port_unwind_open(struct rt_unwind *u, rt_u64 *from)
{
	*from = u->reg[0];
	return !native_unwind_carefully;
}

static rt_bool rt_port_unwind_look(rt_u64 from, rt_u64 addr, rt_u64 *word)
{
	if (addr - from > NATIVE_WINDOW - sizeof *word)
		return 0;
	if (is_bad(addr, sizeof *word))
		return 0;
	memcpy(word, (const void *)(uintptr_t)addr, sizeof *word);
	return 1;
}

static void rt_port_unwind_close(void)
{
}

static rt_bool rt_port_unwind_is_return(rt_u64 addr)
{
	return addr && addr != native_trampoline;
}

const struct rt_image *native_found;

const struct rt_image *rt_port_image(rt_u32 number)
{
	return number == rt_script.nimages ? native_found : 0;
}

#include "rt/unwind.h"

void native_unwind_forget(void)
{
	memset(rules_known, 0, sizeof rules_known);
}

rt_u64 rt_port_linker(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

unsigned long rt_port_stack_pointer(void)
{
	return native_stack_pointer;
}

struct rt_ctx *native_ctx(void)
{
	struct rt_ctx *c = calloc(1, sizeof(*c));

	if (!c || rt_ctx_init(c))
		die("out of memory");
	memset(c->arena, 0xa5, native_limits.arena); /* nothing may rely on NULs there */
	rt_hit_begin(c, &rt_script.probes[0]);
	return c;
}

void native_ctx_end(struct rt_ctx *c)
{
	rt_hit_end(c);
	if (native_irq_depth)
		die("interrupts are off at the end of a hit");
	rt_ctx_free(c);
	free(c);
}

void native_ctx_again(struct rt_ctx *c)
{
	rt_hit_end(c);
	rt_hit_begin(c, &rt_script.probes[0]);
}

rt_u64 native_random(void)
{
	static _Thread_local rt_u64 state;

	if (!state) {
		const char *seed = getenv("RT_SEED");

		state = seed ? strtoull(seed, NULL, 0) | 1 : 88172645463325252ULL + native_cpu;
	}
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL;
}

rt_u32 native_below(rt_u32 n)
{
	return (rt_u32)((native_random() >> 32) % n);
}

rt_s64 native_random_long(void)
{
	static const rt_s64 extremes[] = {
		0, 1, -1, 9, 10, 0x7fffffffffffffff, -0x7fffffffffffffff - 1, 0x80000000};

	if (!native_below(6))
		return extremes[native_below(sizeof(extremes) / sizeof(*extremes))];
	return (rt_s64)native_random() >> native_below(64);
}
