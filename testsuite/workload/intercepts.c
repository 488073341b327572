/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intercepts HOW N: calls step() N times while somebody intercepts the system calls of the program, which makes none meanwhile.  HOW:
 *	dispatch  Syscall User Dispatch; it is switched on by begin(), which calls step() and returns then
 *	sysemu    a tracer, by PTRACE_SYSEMU, as user-mode Linux does
 *	filter    a filter of seccomp that knows the calls of the program only
 *	strict    seccomp's first mode
 *	none      nobody
 * Prints "HOW: S steps, C calls": what step() counted, and how many system calls were intercepted.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#ifndef PTRACE_SYSEMU
#define PTRACE_SYSEMU 31
#endif

static volatile long steps;
static volatile sig_atomic_t calls;
static volatile char blocked;

PROBED long step(long n)
{
	steps++;
	return n + 1;
}

PROBED long all(long n)
{
	for (long i = 0; i < n; i++)
		if (step(i) != i + 1)
			return -1;
	return n;
}

/* ---- dispatch ---- */

static void on_call(int number)
{
	calls += number == SIGSYS;
	blocked = 0;
}

PROBED long begin(long n)
{
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, &blocked))
		return -1;
	blocked = 1;
	return all(n);
}

static int dispatch(long n)
{
	struct sigaction act = {.sa_handler = on_call};

	sigaction(SIGSYS, &act, NULL);
	begin(n);
	all(n);
	blocked = 0;
	prctl(PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0);
	all(n);
	return 0;
}

/* ---- sysemu ---- */

static _Noreturn void traced(long n)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	all(n);
	syscall(SYS_getpid);
	for (;;)
		;
}

/* The first system call of its own ends the child. */
static int sysemu(long n)
{
	pid_t child = fork();
	int status;

	if (!child)
		traced(n);
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status) || ptrace(PTRACE_SYSEMU, child, NULL, NULL))
		return 1;
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		return printf("the child ended with %x\n", status), 1;
	calls = ptrace(PTRACE_PEEKUSER, child, offsetof(struct user, regs.orig_rax), NULL) != SYS_getpid;
	steps = ptrace(PTRACE_PEEKDATA, child, &steps, NULL);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 0;
}

/* ---- seccomp ---- */

static int filter(long n)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 1;
	all(n);
	return 0;
}

static int strict(long n)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 1;
	all(n);
	return 0;
}

static int none(long n)
{
	all(n);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(long n);
	} ways[] = {{"dispatch", dispatch}, {"sysemu", sysemu}, {"filter", filter}, {"strict", strict}, {"none", none}};
	long n = argument(argc, argv, 2, 10);
	char said[100];
	int length, rc = 1;

	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(argv[1], ways[i].name))
			rc = ways[i].run(n);
	length = snprintf(said, sizeof said, "%s: %ld steps, %d calls\n", argv[1], steps, (int)calls);
	if (rc || write(1, said, (size_t)length) != length)
		return 1;
	syscall(SYS_exit, 0); /* the only one that both modes of seccomp let pass */
	return 0;
}
