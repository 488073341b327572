/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events open|exec|read|cached|disk|switch|call|connect N [FILE]: makes N events of a kind, to be run with and without a tracer that
 * reports them, and writes the seconds that it took to FILE, or standard output.
 *
 * open: openat() of a file that is not there, /no-such-file; exec: starts a copy of this program that is called true, beside it, which ends
 * at once; read: reads a byte of /dev/zero; cached: the first byte of a file in memory; disk: reads a block of /dev/nullb0, past the page
 * cache; switch: passes a byte to another process and back, which both wait for, N / 2 times; call: getpgid(); connect: connects to itself
 * over the loopback interface, and closes both ends.
 */
#define _GNU_SOURCE /* O_DIRECT */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096 };

static char buffer[BLOCK] __attribute__((aligned(BLOCK)));

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void opens(long n)
{
	while (n--)
		check(open("/no-such-file", O_RDONLY) < 0 && errno == ENOENT, "/no-such-file");
}

static void execs(long n, const char *self)
{
	char path[4096], *args[] = {path, NULL}, *none[] = {NULL};
	const char *slash = strrchr(self, '/');

	snprintf(path, sizeof path, "%.*s/true", slash ? (int)(slash - self) : 1, slash ? self : ".");
	pid_t child;

	while (n--) {
		check(!posix_spawn(&child, args[0], NULL, NULL, args, none), args[0]);
		check(waitpid(child, NULL, 0) == child, "waitpid");
	}
}

static void reads(long n, const char *path, int flags, size_t size)
{
	int fd = open(path, O_RDONLY | flags);

	check(fd >= 0, path);
	while (n--)
		check(read(fd, buffer, size) == (ssize_t)size, path);
	close(fd);
}

/* The first byte of a page is what makes the kernel note that the page was read. */
static void cached(long n, const char *path)
{
	int fd = open(path, O_RDONLY);

	check(fd >= 0, path);
	while (n--)
		check(pread(fd, buffer, 1, 0) == 1, path);
	close(fd);
}

static void switches(long n)
{
	int there[2], back[2];
	char byte = 0;

	check(!pipe(there) && !pipe(back), "pipe");
	pid_t child = fork();

	check(child >= 0, "fork");
	if (!child) {
		for (long i = 0; i < n / 2; i++)
			check(read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1, "child");
		_exit(0);
	}
	for (long i = 0; i < n / 2; i++)
		check(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1, "parent");
	check(waitpid(child, NULL, 0) == child, "waitpid");
}

/* Not inline: it is where a debugger stops. */
static __attribute__((noinline)) void calls(long n)
{
	while (n--)
		syscall(SYS_getpgid, 0);
}

static void connections(long n)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	check(listener >= 0 && !bind(listener, (struct sockaddr *)&at, sizeof at) && !listen(listener, 8), "listen");
	check(!getsockname(listener, (struct sockaddr *)&at, &size), "getsockname");
	while (n--) {
		int out = socket(AF_INET, SOCK_STREAM, 0), in;

		check(out >= 0 && !connect(out, (struct sockaddr *)&at, size), "connect");
		in = accept(listener, NULL, NULL);
		check(in >= 0, "accept");
		close(out);
		close(in);
	}
	close(listener);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1000;
	FILE *f = argc > 3 ? fopen(argv[3], "w") : stdout;
	struct timespec begin, end;

	if (argc == 1)
		return 0; /* the copy */
	check(f != NULL, "the file for the result");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (!strcmp(kind, "open"))
		opens(n);
	else if (!strcmp(kind, "exec"))
		execs(n, argv[0]);
	else if (!strcmp(kind, "read"))
		reads(n, "/dev/zero", 0, 1);
	else if (!strcmp(kind, "disk"))
		reads(n, "/dev/nullb0", O_DIRECT, BLOCK);
	else if (!strcmp(kind, "switch"))
		switches(n);
	else if (!strcmp(kind, "cached"))
		cached(n, argv[0]);
	else if (!strcmp(kind, "call"))
		calls(n);
	else if (!strcmp(kind, "connect"))
		connections(n);
	else {
		fprintf(stderr, "usage: events open|exec|read|cached|disk|switch|call|connect N [FILE]\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	fprintf(f, "%.6f\n", (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
	return f == stdout ? 0 : fclose(f) != 0;
}
