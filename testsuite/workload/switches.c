/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switches: four processes that give way to each other for three seconds.  Each keeps its process id at the same address, which a handler is
 * to write there again; prints how often one found another's id.
 */
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 4, SECONDS = 3 };
#define PLACE ((void *)0x600000)

static int give_way(void)
{
	volatile long *id = mmap(PLACE, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	time_t end = time(NULL) + SECONDS;
	int wrong = 0;

	if (id != PLACE)
		return 1;
	*id = getpid();
	while (time(NULL) < end) {
		sched_yield();
		if (*id == getpid())
			continue;
		wrong++;
		*id = getpid();
	}
	return wrong != 0;
}

int main(void)
{
	int wrong = 0, status;

	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0)
			_exit(give_way());
	while (wait(&status) > 0)
		wrong += status != 0;
	printf("%d found another's id\n", wrong);
	return wrong;
}
