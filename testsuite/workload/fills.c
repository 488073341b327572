/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fills MEGABYTES: sends so much by TCP through the loopback device to a child that begins to read only after 0.2 s, in one call, which has to wait.
 * As root: the device must be up.
 */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static long drain(struct sockaddr_in *to)
{
	static char buffer[1 << 16];
	int s = socket(AF_INET, SOCK_STREAM, 0);
	long sum = 0, n;

	if (connect(s, (struct sockaddr *)to, sizeof *to))
		return 1;
	usleep(200000);
	while ((n = read(s, buffer, sizeof buffer)) > 0)
		sum += n;
	return n < 0 || !sum;
}

int main(int argc, char **argv)
{
	size_t bytes = (size_t)argument(argc, argv, 1, 16) << 20;
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;
	int listener = socket(AF_INET, SOCK_STREAM, 0), s, status;
	char *data = calloc(1, bytes);

	if (!data || bind(listener, (struct sockaddr *)&a, size) || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&a, &size))
		return 1;
	if (!fork())
		_exit((int)drain(&a));
	s = accept(listener, NULL, NULL);
	if (write(s, data, bytes) != (ssize_t)bytes)
		return 1;
	close(s);
	wait(&status);
	printf("fills %zu\n", bytes);
	return status != 0;
}
