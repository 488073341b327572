// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that does what it reads, a command per line, and answers each with one line; to be probed by hand-written modules.  Its first
 * line: process id, and the addresses of counted, other, value, deep, own and a variable, in hexadecimal.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;
static volatile bool stopped;
static pthread_t spinners[8];
static unsigned int spinning;
static long variable;

__attribute__((noinline)) void counted(unsigned long i)
{
	sink += i;
}

__attribute__((noinline)) void other(unsigned long i)
{
	sink -= i;
}

__attribute__((noinline)) unsigned long value(unsigned long i, unsigned long j)
{
	sink = i;
	return 3 * i + j;
}

__attribute__((noinline)) unsigned long deep(unsigned long n)
{
	unsigned long below = n > 1 ? deep(n - 1) : 0;

	sink = n;
	return below + 1;
}

__attribute__((noinline)) void own(void)
{
	sink++;
}

static void *call(void *n)
{
	for (unsigned long i = 0; i < (unsigned long)n; i++)
		counted(i);
	return NULL;
}

static void *spin(void *unused)
{
	while (!stopped) {
		counted(1);
		other(1);
		value(1, 1);
	}
	return unused;
}

static void *ask_parent(void *n)
{
	for (unsigned long i = 0; i < (unsigned long)n; i++)
		syscall(SYS_getppid);
	return NULL;
}

static long in_threads(unsigned long n, void *(*work)(void *))
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)n);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 4 * (long)n;
}

static long in_child(unsigned long n, bool shared)
{
	int status = -1;
	pid_t pid = shared ? vfork() : fork();

	if (!pid) {
		call((void *)n);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	(void)number;
	caught++;
}

static long catch_signals(unsigned long n)
{
	caught = 0;
	signal(SIGUSR2, on_signal);
	for (unsigned long i = 0; i < n; i++)
		raise(SIGUSR2);
	return caught;
}

/* System calls, threads, processes and signals. */
static void *bustle(void *unused)
{
	pthread_t t;

	while (!stopped) {
		ask_parent((void *)100);
		if (!pthread_create(&t, NULL, ask_parent, (void *)1))
			pthread_join(t, NULL);
		in_child(1, false);
		raise(SIGUSR2);
	}
	return unused;
}

static pid_t kept;

/* A child that makes its calls when it is told to. */
static long keep_child(unsigned long n)
{
	sigset_t go;
	int signal;

	sigemptyset(&go);
	sigaddset(&go, SIGUSR1);
	sigprocmask(SIG_BLOCK, &go, NULL);
	kept = fork();
	if (!kept) {
		sigwait(&go, &signal);
		call((void *)n);
		_exit(3);
	}
	return kept;
}

static long let_child_go(void)
{
	int status = -1;

	kill(kept, SIGUSR1);
	waitpid(kept, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static long sum_of_values(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum += value(i, 1);
	return (long)sum;
}

static volatile sig_atomic_t traps;
static sigjmp_buf before_own;

static void on_trap(int signal)
{
	(void)signal;
	traps++;
	siglongjmp(before_own, 1);
}

/* A breakpoint of the program's own. */
static long set_own_breakpoint(void)
{
	unsigned long size = (unsigned long)sysconf(_SC_PAGESIZE), page = (unsigned long)own & -size;

	signal(SIGTRAP, on_trap);
	mprotect((void *)page, 2 * size, PROT_READ | PROT_WRITE | PROT_EXEC);
	*(volatile unsigned char *)own = 0xcc;
	return mprotect((void *)page, 2 * size, PROT_READ | PROT_EXEC);
}

/* How often it was hit, in n calls. */
static long hits_of_own_breakpoint(unsigned long n)
{
	for (volatile unsigned long i = 0; i < n; i++)
		if (!sigsetjmp(before_own, 1))
			own();
	return traps;
}

static long do_command(const char *what, unsigned long n)
{
	if (!strcmp(what, "calls"))
		return call((void *)n) ? -1 : (long)n;
	if (!strcmp(what, "threads"))
		return in_threads(n, call);
	if (!strcmp(what, "parents"))
		return ask_parent((void *)n) ? -1 : (long)n;
	if (!strcmp(what, "parents_in_threads"))
		return in_threads(n, ask_parent);
	if (!strcmp(what, "signals"))
		return catch_signals(n);
	if (!strcmp(what, "fork") || !strcmp(what, "vfork"))
		return in_child(n, *what == 'v');
	if (!strcmp(what, "child"))
		return keep_child(n);
	if (!strcmp(what, "go"))
		return let_child_go();
	if (!strcmp(what, "values"))
		return sum_of_values(n);
	if (!strcmp(what, "deep"))
		return (long)deep(n);
	if (!strcmp(what, "byte"))
		return *(const volatile unsigned char *)counted;
	if (!strcmp(what, "breakpoint"))
		return set_own_breakpoint();
	if (!strcmp(what, "owns"))
		return hits_of_own_breakpoint(n);
	if (!strcmp(what, "spin") || !strcmp(what, "bustle")) {
		signal(SIGUSR2, on_signal);
		while (spinning < n && spinning < 8)
			pthread_create(&spinners[spinning++], NULL, *what == 's' ? spin : bustle, NULL);
		return spinning;
	}
	if (!strcmp(what, "stop")) {
		for (stopped = true; spinning > 0;)
			pthread_join(spinners[--spinning], NULL);
		stopped = false;
		return 0;
	}
	return -1;
}

int main(int argc, char **argv)
{
	char what[32];
	unsigned long n;

	(void)argc;
	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%d %lx %lx %lx %lx %lx %lx\n", getpid(), (unsigned long)counted, (unsigned long)other, (unsigned long)value,
	       (unsigned long)deep, (unsigned long)own, (unsigned long)&variable);
	while (scanf("%31s %lu", what, &n) == 2) {
		if (!strcmp(what, "exit"))
			_exit((int)n);
		if (!strcmp(what, "exec"))
			execv("/proc/self/exe", argv);
		printf("%ld\n", do_command(what, n));
	}
	return 0;
}
