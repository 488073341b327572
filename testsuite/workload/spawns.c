/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spawns N: a thread calls spawn_one() N times; each makes a child as posix_spawn() does, which shares its parent's memory, has a stack of its
 * own, and stops its parent until it ends.  The child calls spawned().  The stack is below the thread's in even calls, and above in odd ones.
 * Prints "spawns ok", or what was wrong.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

enum { STACK = 64 * 1024 };

static char *stacks; /* below the thread's, the thread's, and above it */

PROBED long spawned(long n)
{
	return n + 1;
}

static int child(void *n)
{
	_exit((int)spawned((long)n));
}

PROBED long spawn_one(long n)
{
	int status = 0;
	pid_t pid = clone(child, stacks + STACK + n % 2 * 2 * STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)n);

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WEXITSTATUS(status);
}

static void *thread(void *n)
{
	for (long i = 0; i < (long)n; i++)
		if (spawn_one(i) != i + 1)
			return "a child";
	return "ok";
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t t;
	void *said;

	stacks = mmap(NULL, 3 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks == MAP_FAILED || pthread_attr_init(&attr) || pthread_attr_setstack(&attr, stacks + STACK, STACK) ||
	    pthread_create(&t, &attr, thread, (void *)argument(argc, argv, 1, 10)) || pthread_join(t, &said))
		return 1;
	printf("spawns %s\n", (char *)said);
	return 0;
}
