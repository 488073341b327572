// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers take.  Each CPU has a row for each probe.  Only handlers on that CPU change it, atomically, since an NMI's may interrupt
 * another.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/smp.h>

#include "kernel/timing.h"
#include "kernel/transport.h"
#include "rt/port.h"

#define LINE 2048

struct timing_row {
	atomic64_t hits, ns, most;
	atomic64_t least; /* ~ns of the shortest, so that 0 is none */
};
static struct timing_row **timing_cpus;
static char *timing_line;

int timing_init(void)
{
	unsigned int cpu;

	if (!timing_wanted())
		return 0;
	timing_line = rt_port_alloc(LINE);
	timing_cpus = rt_port_alloc(nr_cpu_ids * sizeof(*timing_cpus));
	if (!timing_line || !timing_cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		timing_cpus[cpu] = rt_port_alloc(rt_script.nprobes * sizeof(struct timing_row));
		if (!timing_cpus[cpu])
			return -ENOMEM;
	}
	return 0;
}

void timing_free(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (timing_cpus)
			rt_port_free(timing_cpus[cpu]);
	rt_port_free(timing_cpus);
	rt_port_free(timing_line);
	timing_cpus = NULL;
	timing_line = NULL;
}

static void raise(atomic64_t *to, u64 v)
{
	s64 old = atomic64_read(to);

	while ((u64)old < v && !atomic64_try_cmpxchg(to, &old, v))
		;
}

void timing_add(const struct rt_probe *p, u64 ns)
{
	struct timing_row *row = &timing_cpus[raw_smp_processor_id()][p - rt_script.probes];

	atomic64_inc(&row->hits);
	atomic64_add(ns, &row->ns);
	raise(&row->most, ns);
	raise(&row->least, ~ns);
}

static void put(const char *fmt, ...) __printf(1, 2);
static void put(const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vscnprintf(timing_line, LINE, fmt, args);
	va_end(args);
	transport_write_waiting(WIRE_TEXT, timing_line, n);
}

/* The line is as users of stap -t know it. */
static void report_probe(u32 i)
{
	const struct rt_probe *p = &rt_script.probes[i];
	const struct rt_loc *at = &rt_script.locs[p->loc];
	u64 hits = 0, ns = 0, most = 0, least = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct timing_row *row = &timing_cpus[cpu][i];

		hits += atomic64_read(&row->hits);
		ns += atomic64_read(&row->ns);
		most = max_t(u64, most, atomic64_read(&row->most));
		least = max_t(u64, least, atomic64_read(&row->least));
	}
	if (hits)
		put("%.1024s, (%.512s:%u:%u), hits: %llu, nsecs: %llumin/%lluavg/%llumax\n", p->point, at->file, at->line, at->column, hits,
		    ~least, ns / hits, most);
}

void timing_report(void)
{
	u32 i;

	if (!timing_wanted() || !timing_cpus)
		return;
	put("----- probe hit report: \n");
	for (i = 0; i < rt_script.nprobes; i++)
		report_probe(i);
}
