/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits CALLS: calls waits_here() so often, which comes back with each byte on the standard input. */
#include <unistd.h>

#include "workload.h"

PROBED long waits_here(long call)
{
	char byte;

	return read(STDIN_FILENO, &byte, 1) == 1 ? call : -1;
}

int main(int argc, char **argv)
{
	long calls = argument(argc, argv, 1, 1), sum = 0;

	for (long i = 1; i <= calls; i++)
		sum += waits_here(i);
	printf("waits_here %ld\n", calls);
	return sum < 0;
}
