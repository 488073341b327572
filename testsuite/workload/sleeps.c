/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sleeps: a thread each sleeps in epoll_wait(), poll(), read() and select() until the standard input ends; how many were interrupted. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "workload.h"

static int ends[2], interrupted, kinds[4] = { 0, 1, 2, 3 };

static long sleep_in(int kind)
{
	struct pollfd polled = { .fd = ends[0], .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	fd_set set;
	char byte;
	int fd;

	switch (kind) {
	case 0:
		fd = epoll_create1(0);
		epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event);
		return epoll_wait(fd, &event, 1, -1);
	case 1:
		return poll(&polled, 1, -1);
	case 2:
		return read(ends[0], &byte, 1);
	default:
		FD_ZERO(&set);
		FD_SET(ends[0], &set);
		return select(ends[0] + 1, &set, NULL, NULL, NULL);
	}
}

static void *run(void *kind)
{
	if (sleep_in(*(int *)kind) < 0 && errno == EINTR)
		__atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	char byte;

	if (pipe(ends))
		return 1;
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, run, &kinds[i]))
			return 1;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	close(ends[1]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("interrupted %d\n", interrupted);
	return 0;
}
