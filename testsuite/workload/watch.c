/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch PROBES|ADDRESS KERNEL-FUNCTION PROGRAM OFFSET: another tracer.  "probes": counts, with events of perf on all CPUs, calls and returns
 * of the kernel's function and of that at the offset in the program's file.  An ADDRESS instead, in hex: counts with a debug register on
 * each CPU how often the kernel reaches it.  Writes "watch.ready" when it counts; for each SIGUSR1 the counts, in a line, to
 * "watch.counts".
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

#define CPUS 64
#define KINDS 4

static int events[KINDS][CPUS];

static unsigned int pmu_type(const char *pmu)
{
	char path[100];
	unsigned int type = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &type) != 1) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return type;
}

static void open_on_all_cpus(int kind, struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	for (long i = 0; i < CPUS; i++)
		events[kind][i] = -1;
	for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN) && i < CPUS; i++) {
		events[kind][i] = (int)syscall(SYS_perf_event_open, attr, -1, (int)i, -1, 0);
		if (events[kind][i] < 0) {
			perror("watch: perf_event_open");
			exit(1);
		}
	}
}

static void open_probes(const char *function, const char *program, unsigned long offset)
{
	unsigned int kernel = pmu_type("kprobe"), user = pmu_type("uprobe");

	for (int kind = 0; kind < KINDS; kind++) {
		struct perf_event_attr attr = { .type = kind < 2 ? kernel : user, .config = (unsigned int)kind & 1 };

		attr.config1 = (unsigned long)(kind < 2 ? function : program);
		attr.config2 = kind < 2 ? 0 : offset;
		open_on_all_cpus(kind, &attr);
	}
}

static void open_breakpoints(unsigned long address)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_X, .bp_len = sizeof(long) };

	attr.bp_addr = address;
	open_on_all_cpus(0, &attr);
}

static void tell(int kinds)
{
	FILE *f = fopen("watch.new", "w");

	if (!f)
		exit(1);
	for (int kind = 0; kind < kinds; kind++) {
		unsigned long long sum = 0, count;

		for (int i = 0; i < CPUS && events[kind][i] >= 0; i++)
			if (read(events[kind][i], &count, sizeof(count)) == sizeof(count))
				sum += count;
		fprintf(f, "%llu%c", sum, kind == kinds - 1 ? '\n' : ' ');
	}
	fclose(f);
	rename("watch.new", "watch.counts");
}

int main(int argc, char **argv)
{
	int kinds = KINDS, signal;
	sigset_t set;
	FILE *f;

	if (argc != 5)
		return 2;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (strcmp(argv[1], "probes") == 0) {
		open_probes(argv[2], argv[3], strtoul(argv[4], NULL, 0));
	} else {
		open_breakpoints(strtoul(argv[1], NULL, 16));
		kinds = 1;
	}
	f = fopen("watch.ready", "w");
	if (!f || fclose(f))
		return 1;
	while (sigwait(&set, &signal) == 0)
		tell(kinds);
	return 0;
}
