/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fragile: does what a tracer can break by a change on the stack, and checks the results: arguments and environment, setjmp() and
 * longjmp(), a jump out of a signal handler, a signal on a stack of its own, coroutines, vfork(), threads and their end, dlsym().
 * Prints "fragile ok", or what was wrong.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "workload.h"

enum { STACK = 64 * 1024, ROUNDS = 20 };
#define DISARMED (int)(1u << 31) /* SS_AUTODISARM: while a handler runs there, the kernel does not know of the stack */

static int wrong;

PROBED void check(bool holds, const char *what)
{
	if (!holds) {
		printf("wrong: %s\n", what);
		wrong = 1;
	}
}

/* ---- jumps ---- */

static jmp_buf jump;
static sigjmp_buf out_of_signal;
static volatile sig_atomic_t handled;

PROBED void jump_from(int depth)
{
	if (depth == 0)
		longjmp(jump, 7);
	if (depth > 0)
		jump_from(depth - 1);
	handled++;
}

PROBED void jumps(void)
{
	for (volatile int i = 0; i < ROUNDS; i++) {
		int got = setjmp(jump);

		if (got == 0)
			jump_from(i);
		check(got == 7, "longjmp");
	}
}

/* ---- signals ---- */

PROBED void on_signal(int number)
{
	handled++;
	if (number == SIGUSR2)
		siglongjmp(out_of_signal, number);
}

PROBED void interrupted(int number)
{
	check(raise(number) == 0, "raise");
}

/* On the stack that they interrupt, if stack is NULL; SIGUSR2 jumps out of its handler. */
PROBED void signals(void *stack, int flags)
{
	stack_t own = {.ss_sp = stack, .ss_size = STACK, .ss_flags = stack ? flags : SS_DISABLE};
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = stack ? SA_ONSTACK : 0};

	handled = 0;
	for (volatile int i = 0; i < ROUNDS; i++) {
		check(sigaltstack(&own, NULL) == 0, "sigaltstack");
		sigaction(SIGUSR1, &act, NULL);
		sigaction(SIGUSR2, &act, NULL);
		interrupted(SIGUSR1);
		if (sigsetjmp(out_of_signal, 1) == 0) {
			interrupted(SIGUSR2);
			check(false, "siglongjmp");
		}
	}
	check(handled == 2 * ROUNDS, "signals");
}

/* ---- coroutines ---- */

static ucontext_t here, there;
static int steps;

PROBED void yield(void)
{
	steps++;
	swapcontext(&there, &here);
}

PROBED void nested_yield(int depth)
{
	if (depth)
		nested_yield(depth - 1);
	else
		yield();
	steps++;
}

PROBED void coroutine(void)
{
	for (int i = 0; i < ROUNDS; i++)
		nested_yield(i % 4);
}

PROBED void resume(void)
{
	swapcontext(&here, &there);
}

PROBED void coroutines(void *stack)
{
	steps = 0;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK;
	there.uc_link = &here;
	makecontext(&there, coroutine, 0);
	for (int i = 0; i <= ROUNDS; i++)
		resume();
	check(steps == ROUNDS + ROUNDS / 4 * (1 + 2 + 3 + 4), "coroutines");
}

/* As a stack; flags as well as those that every such mapping has. */
static void *mapping(int flags)
{
	void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	check(stack != MAP_FAILED, "mmap");
	return stack;
}

/* ---- processes and threads ---- */

PROBED void child(void)
{
	_exit(3);
}

PROBED void vforks(void)
{
	int status = 0;
	pid_t pid = vfork();

	if (pid == 0)
		child();
	check(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 3, "vfork");
	check(system("exit 5") >> 8 == 5, "system");
}

PROBED void *ends(void *number)
{
	if (*(int *)number % 2)
		pthread_exit(number);
	return number;
}

PROBED void *in_thread(void *number)
{
	static char stack[ROUNDS][STACK];
	int *n = number;

	if (n[1])
		coroutines(stack[*n]);
	return ends(number);
}

PROBED void threads(bool with_coroutines)
{
	int numbers[4][2];
	pthread_t t[4];
	void *got;

	for (int i = 0; i < 4; i++) {
		numbers[i][0] = i;
		numbers[i][1] = with_coroutines && i == 0;
		check(pthread_create(&t[i], NULL, in_thread, numbers[i]) == 0, "pthread_create");
	}
	for (int i = 0; i < 4; i++)
		check(pthread_join(t[i], &got) == 0 && got == numbers[i], "pthread_join");
}

int main(int argc, char **argv)
{
	static char stack[STACK];
	char inner[STACK];

	check(argc == 3 && !strcmp(argv[1], "one") && !strcmp(argv[2], "two") && !argv[3], "arguments");
	check(getenv("FRAGILE") && !strcmp(getenv("FRAGILE"), "yes"), "environment");
	jumps();
	signals(NULL, 0);
	signals(malloc(STACK), 0);
	signals(inner, 0); /* within the stack of the thread itself, above the functions that are interrupted */
	signals(inner, DISARMED);
	signals(NULL, 0);
	coroutines(stack);
	coroutines(malloc(STACK));
	coroutines(mapping(MAP_GROWSDOWN)); /* as the stack that exec() made does */
	vforks();
	threads(false);
	threads(true);
#ifndef FRAGILE_STATIC
	check(dlsym(RTLD_NEXT, "malloc") != NULL, "dlsym");
#endif
	if (!wrong)
		puts("fragile ok");
	return wrong;
}
