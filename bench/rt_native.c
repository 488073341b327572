// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time of runtime/rt/ natively: nanoseconds per operation for the most frequent operations of handlers.  "Interrupts off" takes no
 * time here; in the kernel a locked region takes a few nanoseconds more.
 *
 *	bench/rt_native [PART-OF-NAME]		prints: NAME NANOSECONDS
 *	bench/rt_native -t THREADS [PART]	prints: NAME and millions of operations per second by 1, 2 ...
 *						threads together, each of which is a CPU
 *
 * The first runs one thread, so no cache line moves and no lock is waited for.  The second also checks that nothing is lost: exit status
 * 1 otherwise.
 */
#include "rt/globals.h"
#include "rt/port.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ELEMENTS 2048

static struct rt_limits limits = {
	.string_max = 511,
	.action = 1000000,
	.nesting = 10,
	.lock_us = 100000,
	.arena = 16384,
	.iter = RT_ITER_ROOM(ELEMENTS),
	.out = 8192,
	.max_buckets = 128,
	.hist_width = 50,
	.hist_elision = 2,
	.quantile_kb = 4096,
};
static rt_s64 counter;
static struct rt_map *array, *names, *pairs, *stats, *shared;
static struct rt_stat *scalar, *histogram, *quantile;
static const struct rt_map_shape array_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_LONG, .max = ELEMENTS};
static const struct rt_map_shape names_shape = {
	.nkeys = 1, .key = {RT_STRING}, .value = RT_LONG, .max = ELEMENTS};
static const struct rt_map_shape pairs_shape = {
	.nkeys = 2, .key = {RT_LONG, RT_STRING}, .value = RT_LONG, .max = ELEMENTS};
static const struct rt_map_shape stats_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_STATS, .max = ELEMENTS, .stat = {.hist = RT_HIST_LOG}};
static const struct rt_map_shape shared_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_LONG, .max = ELEMENTS, .shared = 1};
static const struct rt_stat_shape scalar_shape = {.variance = 1}, histogram_shape = {.hist = RT_HIST_LOG},
				  quantile_shape = {.quantile = 1};
static const struct rt_global globals[] = {
	{"counter", RT_LONG, &counter, NULL, NULL},
	{"array", RT_LONG, &array, &array_shape, NULL},
	{"names", RT_LONG, &names, &names_shape, NULL},
	{"pairs", RT_LONG, &pairs, &pairs_shape, NULL},
	{"stats", RT_STATS, &stats, &stats_shape, NULL},
	{"scalar", RT_STATS, &scalar, NULL, &scalar_shape},
	{"hist", RT_STATS, &histogram, NULL, &histogram_shape},
	{"quantile", RT_STATS, &quantile, NULL, &quantile_shape},
	{"shared", RT_LONG, &shared, &shared_shape, NULL},
};
enum { COUNTER, ARRAY, NAMES, PAIRS };
static const struct rt_probe probes[] = {{.point = "a probe"}};
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.name = "bench",
	.limits = &limits,
	.probes = probes,
	.nprobes = 1,
	.globals = globals,
	.nglobals = sizeof globals / sizeof *globals,
};

/* ---- the platform, as fast as possible ---- */

void *rt_port_alloc(rt_size size)
{
	size = (size + 63) / 64 * 64;

	void *p = aligned_alloc(64, size);

	return p ? memset(p, 0, size) : NULL;
}

void rt_port_free(void *p)
{
	free(p);
}

#define CPUS 16

static _Thread_local rt_u32 this_cpu;

rt_u32 rt_port_ncpus(void)
{
	return CPUS;
}

rt_u32 rt_port_cpu(void)
{
	return this_cpu;
}

unsigned long rt_port_irq_save(void)
{
	return 0;
}

void rt_port_irq_restore(unsigned long flags)
{
	(void)flags;
}

rt_bool rt_port_in_nmi(void)
{
	return 0;
}

enum rt_error_kind rt_port_goes_on(struct rt_ctx *c)
{
	(void)c;
	return RT_OK;
}

void rt_port_breathe(struct rt_ctx *c)
{
	(void)c;
}

void rt_port_relax(void)
{
	__builtin_ia32_pause();
}

rt_u64 rt_port_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (rt_u64)t.tv_sec * 1000000000 + (rt_u64)t.tv_nsec;
}

int rt_port_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *dst, rt_u32 n)
{
	(void)c;
	(void)space;
	memcpy(dst, (const void *)(rt_size)addr, n);
	return 0;
}

int rt_port_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, const void *src, rt_u32 n)
{
	(void)c;
	(void)space;
	memcpy((void *)(rt_size)addr, src, n);
	return 0;
}

rt_u32 rt_port_format(char *buf, rt_u32 size, const char *fmt, __builtin_va_list ap)
{
	int n = vsnprintf(buf, size, fmt, ap);

	return n < 0 ? 0 : (rt_u32)n < size ? (rt_u32)n : size - 1;
}

rt_s64 rt_port_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *dst, rt_u32 n)
{
	const char *from = (const char *)(rt_size)addr;

	(void)c;
	(void)space;
	n = (rt_u32)strnlen(from, n);
	memcpy(dst, from, n);
	return n;
}

void rt_port_flush(struct rt_ctx *c)
{
	(void)c;
}

void rt_port_request(struct rt_ctx *c, enum rt_request what, struct rt_str with)
{
	(void)c;
	(void)what;
	(void)with;
}

void rt_port_exit(struct rt_ctx *c)
{
	(void)c;
}

static enum rt_stack_end rt_port_unwind_begin(struct rt_ctx *c, struct rt_unwind *u)
{
	(void)c;
	(void)u;
	return RT_END_OUTERMOST;
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
	(void)addr;
	return (struct rt_code){.image = RT_NO_IMAGE};
}

static rt_bool rt_port_unwind_seen(rt_u64 addr, struct rt_code *code)
{
	(void)addr;
	(void)code;
	return 0;
}

static rt_bool rt_port_unwind_is_past(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

const struct rt_image *rt_port_image(rt_u32 number)
{
	(void)number;
	return 0;
}

static rt_bool rt_port_unwind_read(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr, rt_u64 *word)
{
	(void)c;
	(void)u;
	(void)addr;
	(void)word;
	return 0;
}

static rt_bool rt_port_unwind_return(struct rt_ctx *c, struct rt_unwind *u, rt_u64 slot, rt_u64 *addr)
{
	(void)c;
	(void)u;
	(void)slot;
	(void)addr;
	return 1;
}

static rt_bool rt_port_unwind_open(struct rt_unwind *u, rt_u64 *from)
{
	(void)u;
	(void)from;
	return 0;
}

static rt_bool rt_port_unwind_look(rt_u64 from, rt_u64 addr, rt_u64 *word)
{
	(void)from;
	(void)addr;
	(void)word;
	return 0;
}

static void rt_port_unwind_close(void)
{
}

static rt_bool rt_port_unwind_is_return(rt_u64 addr)
{
	return addr != 0;
}

#include "rt/unwind.h"

rt_u64 rt_port_linker(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

unsigned long rt_port_stack_pointer(void)
{
	return 0;
}

/* ---- what is measured, on full arrays ---- */

static rt_u64 seed = 88172645463325252;

static rt_s64 next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (rt_s64)(seed >> 20) % ELEMENTS;
}

static struct rt_str name_of(rt_s64 i, char buf[16])
{
	memcpy(buf, "process-0000", 12);
	for (int at = 11; at > 7; at--, i /= 10)
		buf[at] = (char)('0' + i % 10);
	return (struct rt_str){buf, 12};
}

static void fill(struct rt_ctx *c)
{
	char buf[16];

	for (rt_s64 i = 0; i < ELEMENTS; i++) {
		rt_map_set_long(c, array, &(union rt_val){.l = i}, next());
		rt_map_set_long(c, names, &(union rt_val){.s = name_of(i, buf)}, 1);
		rt_map_stat_add(c, stats, &(union rt_val){.l = i}, next());
	}
}

static void empty_hit(struct rt_ctx *c)
{
	(void)c;
}

static void count_global(struct rt_ctx *c)
{
	if (rt_lock1(c, COUNTER))
		counter++;
	rt_unlock(c);
}

static void increment(struct rt_ctx *c, rt_u32 global, struct rt_map *m, const union rt_val *key)
{
	rt_s64 *place;

	if (rt_lock1(c, global)) {
		place = rt_map_ref(c, m, key);
		if (place)
			++*place;
	}
	rt_unlock(c);
}

static void count_by_tid(struct rt_ctx *c)
{
	increment(c, ARRAY, array, &(union rt_val){.l = 1234});
}

static void count_by_random_tid(struct rt_ctx *c)
{
	increment(c, ARRAY, array, &(union rt_val){.l = next()});
}

static void count_by_name(struct rt_ctx *c)
{
	char buf[16];

	increment(c, NAMES, names, &(union rt_val){.s = name_of(next(), buf)});
}

static void count_by_tid_and_name(struct rt_ctx *c)
{
	union rt_val key[2] = {{.l = next()}, {.s = RT_STR("process-name")}};

	increment(c, PAIRS, pairs, key);
}

/* a[k]++ as emitted when nothing needs the array's lock: on one element, and on one for each thread */
static void add_shared(struct rt_ctx *c)
{
	rt_map_add(c, shared, &(union rt_val){.l = 1234}, 1);
}

static void add_shared_own(struct rt_ctx *c)
{
	rt_map_add(c, shared, &(union rt_val){.l = this_cpu}, 1);
}

static void make_and_delete(struct rt_ctx *c)
{
	union rt_val key = {.l = next()};

	if (rt_lock1(c, ARRAY)) {
		rt_map_set_long(c, array, &key, 5);
		rt_map_delete(c, array, &key);
	}
	rt_unlock(c);
}

static void add_scalar(struct rt_ctx *c)
{
	rt_stat_add(c, scalar, 1234567);
}

static void add_hist(struct rt_ctx *c)
{
	rt_stat_add(c, histogram, 1234567);
}

static void add_quantile(struct rt_ctx *c)
{
	rt_stat_add(c, quantile, 1234567);
}

static void count_unlocked(struct rt_ctx *c)
{
	(void)c;
	__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}

static void add_by_tid(struct rt_ctx *c)
{
	rt_map_stat_add(c, stats, &(union rt_val){.l = 1234}, 777);
}

static void add_by_random_tid(struct rt_ctx *c)
{
	rt_map_stat_add(c, stats, &(union rt_val){.l = next()}, 777);
}

static void print_line(struct rt_ctx *c)
{
	static const struct rt_fmt_piece pieces[] = {
		{RT_STR(""), 's', 0, -1, -1},       {RT_STR("("), 'd', 0, -1, -1},
		{RT_STR(") read "), 'd', 0, 8, -1}, {RT_STR(" bytes at "), 'p', 0, -1, -1},
		{RT_STR("\n"), 0, 0, -1, -1},
	};
	union rt_val args[] = {
		{.s = RT_STR("process-name")}, {.l = 12345}, {.l = 4096}, {.l = 0xffff888012345678}};

	rt_printf(c, &(struct rt_fmt){pieces, 5}, args);
}

static void concatenate(struct rt_ctx *c)
{
	struct rt_str parts[] = {RT_STR("some"), RT_STR(" words "), RT_STR("in a string")};

	rt_str_cat(c, parts, 3);
}

static void foreach_sorted(struct rt_ctx *c)
{
	static const struct rt_order order = {.limit = -1, .direction = -1};
	struct rt_iter it;
	union rt_val key;

	rt_iter_begin(c, &it, array, &order, NULL, 0);
	while (rt_iter_next(c, &it, &key, NULL))
		;
	rt_iter_end(c, &it);
}

static void foreach_top10(struct rt_ctx *c)
{
	static const struct rt_order order = {.limit = 10, .direction = -1};
	struct rt_iter it;
	union rt_val key;

	rt_iter_begin(c, &it, array, &order, NULL, 0);
	while (rt_iter_next(c, &it, &key, NULL))
		;
	rt_iter_end(c, &it);
}

static void foreach_stats(struct rt_ctx *c)
{
	static const struct rt_order order = {.limit = -1, .direction = -1, .stat = RT_SUM};
	struct rt_iter it;
	union rt_val key;

	rt_iter_begin(c, &it, stats, &order, NULL, 0);
	while (rt_iter_next(c, &it, &key, NULL))
		;
	rt_iter_end(c, &it);
}

/* The best of many short batches, so that other work on the machine does not count. */
static void measure(struct rt_ctx *c, const char *name, void (*fn)(struct rt_ctx *), const char *only,
		    unsigned batch)
{
	rt_u64 best = ~0ULL, start;

	if (!strstr(name, only))
		return;
	for (unsigned i = 0; i < 300; i++) {
		start = rt_port_clock_ns();
		for (unsigned k = 0; k < batch; k++) {
			rt_hit_begin(c, probes);
			fn(c);
			rt_hit_end(c);
		}
		start = rt_port_clock_ns() - start;
		best = start < best ? start : best;
	}
	printf("%-24s %10.1f\n", name, (double)best / batch);
}

/* ---- several threads ---- */

#define TOGETHER 100000 /* operations of each thread: few enough that some tries are not disturbed */
#define TRIES 60

struct worker {
	pthread_t thread;
	void (*fn)(struct rt_ctx *);
	rt_u32 cpu;
	pthread_barrier_t *begin;
	rt_u64 start, stop; /* clock */
	unsigned failed;
} __attribute__((aligned(128))); /* aligned like all that threads write here: they must not share cache lines */

static void *work(void *arg)
{
	static struct {
		struct rt_ctx c;
	} __attribute__((aligned(128))) contexts[CPUS];
	struct worker *w = arg;
	struct rt_ctx *c = &contexts[w->cpu].c;

	cpu_set_t set;

	this_cpu = w->cpu;
	CPU_ZERO(&set);
	CPU_SET(w->cpu % (rt_u32)sysconf(_SC_NPROCESSORS_ONLN), &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	if (!c->arena && rt_ctx_init(c))
		exit(1);
	pthread_barrier_wait(w->begin);
	w->start = rt_port_clock_ns();
	for (unsigned i = 0; i < TOGETHER; i++) {
		rt_hit_begin(c, probes);
		w->fn(c);
		w->failed += c->error != RT_OK;
		rt_hit_end(c);
	}
	w->stop = rt_port_clock_ns();
	return NULL;
}

/* Nanoseconds from the first start to the last stop; failures are added to *failed. */
static rt_u64 run_threads(void (*fn)(struct rt_ctx *), unsigned n, unsigned *failed)
{
	struct worker workers[CPUS] = {0};
	rt_u64 start = ~0ULL, stop = 0;
	pthread_barrier_t begin;

	pthread_barrier_init(&begin, NULL, n);
	for (unsigned i = 0; i < n; i++) {
		workers[i].fn = fn;
		workers[i].cpu = i;
		workers[i].begin = &begin;
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (unsigned i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		start = workers[i].start < start ? workers[i].start : start;
		stop = workers[i].stop > stop ? workers[i].stop : stop;
		*failed += workers[i].failed;
	}
	pthread_barrier_destroy(&begin);
	return stop - start;
}

/* A line: the best of several tries for each number of threads.  Then counted() must have grown by all of
 * them. */
static int curve(struct rt_ctx *c, const char *name, void (*fn)(struct rt_ctx *),
		 rt_s64 (*counted)(struct rt_ctx *), const char *only, unsigned threads)
{
	rt_s64 before = counted(c), expected = 0;
	unsigned failed = 0;

	if (!strstr(name, only))
		return 0;
	printf("%-24s", name);
	for (unsigned n = 1; n <= threads; n++) {
		rt_u64 best = ~0ULL, ns;

		for (unsigned i = 0; i < TRIES; i++) {
			ns = run_threads(fn, n, &failed);
			best = ns < best ? ns : best;
			expected += (rt_s64)n * TOGETHER;
		}
		printf(" %10.1f", 1e3 * n * TOGETHER / (double)best);
	}
	expected -= failed;
	printf("   lost %lld, given up %u\n", expected - (counted(c) - before), failed);
	return counted(c) - before != expected;
}

static rt_s64 global_count(struct rt_ctx *c)
{
	(void)c;
	return counter;
}

static rt_s64 element_count(struct rt_ctx *c)
{
	return rt_map_get_long(c, array, &(union rt_val){.l = 1234});
}

static rt_s64 shared_count(struct rt_ctx *c)
{
	rt_s64 sum = rt_map_get_long(c, shared, &(union rt_val){.l = 1234});

	for (rt_u32 i = 0; i < CPUS; i++)
		sum += rt_map_get_long(c, shared, &(union rt_val){.l = i});
	return sum;
}

static rt_s64 scalar_count(struct rt_ctx *c)
{
	return rt_stat_get(c, scalar, RT_COUNT);
}

static rt_s64 quantile_count(struct rt_ctx *c)
{
	return rt_stat_get(c, quantile, RT_COUNT);
}

static rt_s64 stats_count(struct rt_ctx *c)
{
	return rt_map_stat_get(c, stats, &(union rt_val){.l = 1234}, RT_COUNT);
}

static int curves(struct rt_ctx *c, const char *only, unsigned threads)
{
	int lost = 0;

	lost |= curve(c, "count_unlocked", count_unlocked, global_count, only, threads);
	lost |= curve(c, "count_global", count_global, global_count, only, threads);
	lost |= curve(c, "count_by_tid", count_by_tid, element_count, only, threads);
	lost |= curve(c, "add_shared", add_shared, shared_count, only, threads);
	lost |= curve(c, "add_shared_own", add_shared_own, shared_count, only, threads);
	lost |= curve(c, "add_scalar", add_scalar, scalar_count, only, threads);
	lost |= curve(c, "add_quantile", add_quantile, quantile_count, only, threads);
	lost |= curve(c, "add_by_tid", add_by_tid, stats_count, only, threads);
	return lost;
}

int main(int argc, char **argv)
{
	static struct rt_ctx c;
	unsigned threads = argc > 2 && !strcmp(argv[1], "-t") ? (unsigned)atoi(argv[2]) : 0;
	int first = threads ? 3 : 1;
	const char *only = argc > first ? argv[first] : "", *what;

	if (threads > CPUS || rt_globals_init(&what) || rt_ctx_init(&c)) {
		fprintf(stderr, "no memory, or more than %d threads\n", CPUS);
		return 1;
	}
	fill(&c);
	if (threads)
		return curves(&c, only, threads);
#define MEASURE(fn, rounds) measure(&c, #fn, fn, only, rounds)
	MEASURE(empty_hit, 5000);
	MEASURE(count_unlocked, 5000);
	MEASURE(count_global, 5000);
	MEASURE(count_by_tid, 5000);
	MEASURE(count_by_random_tid, 5000);
	MEASURE(add_shared, 5000);
	MEASURE(count_by_name, 5000);
	MEASURE(count_by_tid_and_name, 5000);
	MEASURE(add_scalar, 5000);
	MEASURE(add_hist, 5000);
	MEASURE(add_quantile, 5000);
	MEASURE(add_by_tid, 5000);
	MEASURE(add_by_random_tid, 5000);
	MEASURE(print_line, 5000);
	MEASURE(concatenate, 5000);
	MEASURE(foreach_sorted, 2);
	MEASURE(foreach_top10, 2);
	MEASURE(foreach_stats, 2);
	MEASURE(make_and_delete, 5000);
	rt_ctx_free(&c);
	rt_globals_free();
	return 0;
}
