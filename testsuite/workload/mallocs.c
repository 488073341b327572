/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mallocs PROCESSES CALLS: each process calls malloc(12321) so often, all at the same time. */
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

int main(int argc, char **argv)
{
	long processes = argument(argc, argv, 1, 4), calls = argument(argc, argv, 2, 1000);

	for (long i = 0; i < processes; i++)
		if (fork() == 0) {
			for (long k = 0; k < calls; k++) {
				void *volatile p = malloc(12321);
				free(p);
			}
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	printf("mallocs %ld\n", processes * calls);
	return 0;
}
