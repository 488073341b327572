/* SPDX-License-Identifier: GPL-2.0-or-later */
/* again TIMES: adds 1 to each of four variables, and executes itself so many times. */
#include <stdio.h>
#include <unistd.h>

#include "workload.h"

volatile long again_a, again_b, again_c, again_d;

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 20);
	char left[24];

	again_a++;
	again_b++;
	again_c++;
	again_d++;
	if (n <= 0)
		return 0;
	snprintf(left, sizeof left, "%ld", n - 1);
	execl(argv[0], argv[0], left, NULL);
	return 1;
}
