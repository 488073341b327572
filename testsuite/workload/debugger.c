/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugger: has a child that calls debugged_work() 100 times and checks what it returns, again and again.  It acts on the child as a debugger does,
 * by the lines of its input: "set" puts a breakpoint into the function, keeping what was there, and "clear" puts that back;
 * "run" lets the child do its calls, "step" has it do them instruction by instruction.  After each line, prints how often the child stopped at the
 * breakpoint.  At any other breakpoint the child dies.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define BREAKPOINT 0xccL

static pid_t child;
static long kept;
static int is_set;

static inline long work(long a, long b)
{
	return a * 31 ^ b;
}

PROBED long debugged_work(long a, long b)
{
	return work(a, b);
}

static _Noreturn void be_debugged(void)
{
	prctl(PR_SET_NAME, "debugged");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		_exit(2);
	for (;;) {
		raise(SIGSTOP);
		for (long i = 0; i < 100; i++)
			if (debugged_work(i, 7) != work(i, 7))
				_exit(1);
	}
}

static void request(int what, void *address, long data)
{
	if (ptrace(what, child, address, data)) {
		printf("request %d: %s\n", what, strerror(errno));
		exit(1);
	}
}

/* The first byte of the function: what it was. */
static long poke(long byte)
{
	long word = ptrace(PTRACE_PEEKTEXT, child, debugged_work, 0);

	request(PTRACE_POKETEXT, debugged_work, (word & ~0xffL) | byte);
	return word & 0xff;
}

static int next_signal(int how)
{
	int status;

	request(how, 0, 0);
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
		puts("the child has ended");
		exit(1);
	}
	return WSTOPSIG(status);
}

/* Steps over the breakpoint at which the child has stopped. */
static void pass_breakpoint(struct user_regs_struct *regs)
{
	regs->rip--;
	request(PTRACE_SETREGS, 0, (long)regs);
	poke(kept);
	next_signal(PTRACE_SINGLESTEP);
	poke(BREAKPOINT);
}

static void run(int how)
{
	struct user_regs_struct regs;
	int stops = 0, signal;

	while ((signal = next_signal(how)) == SIGTRAP) {
		request(PTRACE_GETREGS, 0, (long)&regs);
		if (is_set && regs.rip == (unsigned long)debugged_work + 1) {
			stops++;
			pass_breakpoint(&regs);
		} else if (how == PTRACE_CONT) {
			break;
		}
	}
	if (signal != SIGSTOP) {
		printf("the child got signal %d\n", signal);
		exit(1);
	}
	printf("stops %d\n", stops);
}

int main(void)
{
	char line[20];

	setvbuf(stdout, NULL, _IOLBF, 0);
	child = fork();
	if (child == 0)
		be_debugged();
	if (waitpid(child, NULL, 0) != child)
		return 1;
	puts("begun");
	while (fgets(line, sizeof(line), stdin)) {
		if (strcmp(line, "set\n") == 0) {
			kept = poke(BREAKPOINT);
			is_set = 1;
			printf("set, there was %lx\n", kept);
		} else if (strcmp(line, "clear\n") == 0) {
			poke(kept);
			is_set = 0;
			puts("cleared");
		} else {
			run(strcmp(line, "step\n") == 0 ? PTRACE_SINGLESTEP : PTRACE_CONT);
		}
	}
	return 0;
}
