/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady NAME CALLS [breakpoint]: under this name, calls steady_work() and the system call getpgid so often and checks all that they
 * return.  CALLS 0: until SIGTERM, with pauses; then also reports a breakpoint that was left in steady_work().  breakpoint: has the
 * processor count by a debug register of its own how often steady_work() begins, and checks that too.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

static volatile sig_atomic_t ended;

static inline long work(long a, long b)
{
	return a * 31 ^ b;
}

PROBED long steady_work(long a, long b)
{
	return work(a, b);
}

static void on_end(int signal)
{
	ended = signal;
}

static int open_breakpoint(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = (unsigned long)steady_work,
		.bp_len = sizeof(long),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		perror("steady: no breakpoint");
	return fd;
}

static int check_breakpoint(int fd, long calls)
{
	unsigned long long count;

	if (read(fd, &count, sizeof(count)) == sizeof(count) && count == (unsigned long long)calls)
		return 0;
	printf("the processor counted %llu of %ld calls\n", count, calls);
	return 1;
}

int main(int argc, char **argv)
{
	long calls = argument(argc, argv, 2, 1000), group = getpgrp(), i;
	int fd = -1;

	if (argc < 2)
		return 2;
	prctl(PR_SET_NAME, argv[1]);
	signal(SIGTERM, on_end);
	if (argc > 3) {
		fd = open_breakpoint();
		if (fd < 0)
			return 1;
	}
	for (i = 1; !ended && (!calls || i <= calls); i++) {
		long work_said = steady_work(i, calls), kernel_said = syscall(SYS_getpgid, 0L);

		if (work_said != work(i, calls) || kernel_said != group) {
			printf("call %ld returned %ld and %ld\n", i, work_said, kernel_said);
			return 1;
		}
		if (!calls && i % 4 == 0)
			usleep(10000);
	}
	printf("steady_work %ld%s\n", i - 1, ended && *(const volatile unsigned char *)steady_work == 0xcc ? " probed" : "");
	return fd >= 0 ? check_breakpoint(fd, i - 1) : 0;
}
