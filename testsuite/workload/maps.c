// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes memory and gives it back: 0x123000 bytes that it maps and writes, page by page, and unmaps, and 0x45000 bytes by which it grows its
 * heap; then it makes a child that writes to a page of both.
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

enum { MAPPED = 0x123000, GROWN = 0x45000, PAGE = 4096 };

static volatile char shared[PAGE] = "both";

int main(void)
{
	char *p = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *heap = sbrk(0);
	pid_t child;

	if (p == MAP_FAILED || (madvise(p, MAPPED, MADV_NOHUGEPAGE) && errno != EINVAL)) /* EINVAL: the kernel has no huge pages */
		return 1;
	for (long i = 0; i < MAPPED; i += PAGE)
		p[i] = 1;
	if (munmap(p, MAPPED))
		return 1;
	heap = (char *)(((unsigned long)heap + PAGE - 1) & ~(PAGE - 1UL));
	if (brk(heap) || brk(heap + GROWN))
		return 1;
	child = fork();
	if (!child) {
		shared[0] = 'B';
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child;
}
