/* SPDX-License-Identifier: GPL-2.0-or-later */
/* library TIMES: calls a function of the C library that the compiler does not know about, through a pointer, so often. */
#include <dlfcn.h>
#include <unistd.h>

#include "workload.h"

int main(int argc, char **argv)
{
	long times = argument(argc, argv, 1, 1000), sum = 0;
	long (*labs_of_libc)(long);

	*(void **)&labs_of_libc = dlsym(RTLD_DEFAULT, "labs");
	if (!labs_of_libc)
		return 1;
	for (long i = 0; i < times; i++)
		sum += labs_of_libc(-i);
	printf("labs %ld\n", sum == times * (times - 1) / 2 ? times : -1);
	return 0;
}
