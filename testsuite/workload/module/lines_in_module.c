/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module whose lines are probed.  "echo N >/sys/module/lines_in_module/parameters/run" calls lines_sum() for 1 to N; reading gives the
 * total.  Tests count lines from those of the functions' names.
 */
#include <linux/module.h>
#include <linux/percpu.h>

/* The compiler must have the value at hand there, in a register or in memory. */
#define KEEP(x) __asm__ volatile("nop" : "+r"(x))

struct pair {
	int low;
	unsigned int high : 5;
};

struct lines_seen {
	long calls, last[2];
};

struct lines_seen lines_seen;
static DEFINE_PER_CPU(long, lines_here);
static long total;
static DEFINE_MUTEX(lines_mutex);

static __always_inline long squared(long side)
{
	long area = side * side;

	KEEP(area);
	return area;
}

static noinline long doubled(long number)
{
	static long doubles;

	doubles++;
	__asm__ volatile("" : "+m"(doubles));
	KEEP(number);
	return number * 2;
}

noinline long lines_sum(long calls, const char *name);
noinline long lines_sum(long calls, const char *name)
{
	struct pair pair = {(int)calls, 9};
	long sum = 0;

	__asm__ volatile("" ::"r"(&pair) : "memory");
	for (long i = 0; i < calls; i++) {
		long part = i * 10;

		KEEP(part); KEEP(i);
		sum += squared(part);
	}
	if (calls > 1000)
		goto out;
	sum += name[0] + pair.low;
	KEEP(sum);
out:
	sum += squared(2);
	lines_seen.calls++;
	lines_seen.last[calls & 1] = sum;
	return sum + doubled(calls) - 2 * calls;
}

/* Not the last function, in which no probe may be where the kernel reads on. */
static noinline long sum_of(long calls)
{
	long sum = lines_sum(calls, "A");

	KEEP(sum);
	return sum;
}

static int run_set(const char *text, const struct kernel_param *kp)
{
	long i, n;
	int rc = kstrtol(text, 0, &n);

	if (rc)
		return rc;
	mutex_lock(&lines_mutex);
	total = 0;
	for (i = 1; i <= n; i++)
		total += sum_of(i);
	for_each_possible_cpu(i)
		per_cpu(lines_here, i) = 100 + i;
	doubled(0);
	mutex_unlock(&lines_mutex);
	return 0;
}

static int run_get(char *buffer, const struct kernel_param *kp)
{
	return sprintf(buffer, "%ld\n", total);
}

static const struct kernel_param_ops run_ops = {.set = run_set, .get = run_get};
module_param_cb(run, &run_ops, NULL, 0600);

MODULE_DESCRIPTION("what Spile's tests probe");
MODULE_LICENSE("GPL");
