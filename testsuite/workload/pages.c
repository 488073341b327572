/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages WHAT N: does something N times to its memory, and prints "WHAT N", or why it cannot.
 *
 *	huge		N huge pages are touched for the first time
 *	pool		the same with pages of the pool of huge pages, which must have 2 * N free ones; then a child writes to each, which copies it
 *	join		N huge pages are made of small ones, by madvise()
 *	split		N huge pages are made and split again, by madvise()
 *	swap		N small pages are moved to the swap, and read back; there must be some
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
enum { HUGE_PAGE = 2 << 20, SMALL_PAGE = 4096 };

static void check(int failed, const char *what)
{
	if (!failed)
		return;
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

/* So many huge pages' room, which begins where one can. */
static char *room(size_t n, int flags)
{
	char *all = mmap(NULL, (n + 1) * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	check(all == MAP_FAILED, "mmap");
	return (char *)(((unsigned long)all + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1UL));
}

static void touch(char *at, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++)
		*(volatile char *)(at + i * size) = 1;
}

static char *huge(size_t n)
{
	char *at = room(n, 0);

	check(madvise(at, n * HUGE_PAGE, MADV_HUGEPAGE), "MADV_HUGEPAGE");
	touch(at, n, HUGE_PAGE);
	return at;
}

static void pool(size_t n)
{
	char *at = mmap(NULL, n * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	int status;

	check(at == MAP_FAILED, "mmap of the pool");
	touch(at, n, HUGE_PAGE);
	pid_t child = fork();

	check(child < 0, "fork");
	if (!child) {
		touch(at, n, HUGE_PAGE);
		_exit(0);
	}
	check(waitpid(child, &status, 0) != child || status, "child");
}

static void join(size_t n)
{
	char *at = room(n, 0);

	check(madvise(at, n * HUGE_PAGE, MADV_NOHUGEPAGE), "MADV_NOHUGEPAGE");
	touch(at, n * HUGE_PAGE / SMALL_PAGE, SMALL_PAGE);
	check(madvise(at, n * HUGE_PAGE, MADV_HUGEPAGE), "MADV_HUGEPAGE");
	check(madvise(at, n * HUGE_PAGE, MADV_COLLAPSE), "MADV_COLLAPSE");
}

static void split(size_t n)
{
	char *at = huge(n);

	for (size_t i = 0; i < n; i++)
		check(madvise(at + i * HUGE_PAGE, SMALL_PAGE, MADV_COLD), "MADV_COLD");
}

static void swap(size_t n)
{
	char *at = room(n * SMALL_PAGE / HUGE_PAGE + 1, 0);

	madvise(at, n * SMALL_PAGE, MADV_NOHUGEPAGE); /* fails where there are none */
	touch(at, n, SMALL_PAGE);
	check(madvise(at, n * SMALL_PAGE, MADV_PAGEOUT), "MADV_PAGEOUT");
	check(madvise(at, n * SMALL_PAGE, MADV_RANDOM), "MADV_RANDOM"); /* nothing is read ahead */
	touch(at, n, SMALL_PAGE);
}

int main(int argc, char **argv)
{
	size_t n = (size_t)argument(argc, argv, 2, 4);
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "huge"))
		huge(n);
	else if (!strcmp(what, "pool"))
		pool(n);
	else if (!strcmp(what, "join"))
		join(n);
	else if (!strcmp(what, "split"))
		split(n);
	else if (!strcmp(what, "swap"))
		swap(n);
	else
		return 2;
	printf("%s %zu\n", what, n);
	return 0;
}
