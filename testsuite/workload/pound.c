/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pound PROCESSES CALLS [PAUSE]: each process, on a CPU of its own while there are so many, calls pound_work() and the
 * system call getpgid so often.  CALLS 0: until it is killed; less than 0: dies in pound_die().  PAUSE: after each
 * hundred calls it sleeps so many microseconds.  PROCESSES 0: prints whether there is a breakpoint in pound_work().
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define BREAKPOINT 0xcc

PROBED long pound_work(long process, long call)
{
	return process ^ call;
}

PROBED long pound_die(volatile long *where)
{
	return *where;
}

static _Noreturn void run(long process, long calls, long pause)
{
	long sum = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)(process % sysconf(_SC_NPROCESSORS_ONLN)), &set);
	sched_setaffinity(0, sizeof(set), &set);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (long i = 1; !calls || i <= calls; i++) {
		sum += pound_work(process, i);
		syscall(SYS_getpgid, i);
		if (pause && i % 100 == 0)
			usleep((useconds_t)pause);
	}
	_exit(!sum);
}

int main(int argc, char **argv)
{
	long processes = argument(argc, argv, 1, 4), calls = argument(argc, argv, 2, 1000), pause = argument(argc, argv, 3, 0);

	if (calls < 0)
		return (int)pound_die((volatile long *)8);
	if (!processes) {
		const volatile unsigned char *code = (const volatile unsigned char *)pound_work;

		return puts(*code == BREAKPOINT ? "probed" : "not probed") < 0;
	}
	for (long i = 0; i < processes; i++)
		if (fork() == 0)
			run(i, calls, pause);
	while (wait(NULL) > 0)
		;
	printf("pound_work %ld\n", processes * calls);
	return 0;
}
