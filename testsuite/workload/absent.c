/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * absent TIMES: absent_work() gets a pointer to text in a page that is not in memory at the call, and does not touch it: a
 * handler that reads it must fault it in.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

PROBED int absent_work(const char *text, long call)
{
	return text != NULL && call >= 0;
}

int main(int argc, char **argv)
{
	static const char text[] = "only on disk";
	long times = argument(argc, argv, 1, 100);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	FILE *f = tmpfile();
	char *map;

	if (!f || fwrite(text, sizeof(text), 1, f) != 1 || fflush(f) || ftruncate(fileno(f), (off_t)page))
		return 1;
	map = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fileno(f), 0);
	if (map == MAP_FAILED)
		return 1;
	for (long i = 0; i < times; i++) {
		madvise(map, page, MADV_DONTNEED);
		if (!absent_work(map, i))
			return 1;
	}
	printf("absent_work %ld\n", times);
	return 0;
}
