/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the examples of holes being closed are tried with.  Nothing here harms anything but the program itself; results are 0 or -errno.
 *
 * tries bind PORT...: binds a socket to each port.
 * tries calls: userfaultfd() and vmsplice() of no file, by the calls of 64-bit and of 32-bit programs, as root and as user 1234.
 * tries exec PATH...: runs each program with its name as the only argument and without any; prints how both end.
 * tries records LENGTH:TEXT...: believes the length, though there is room for 16 bytes, and behind them is a pointer.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static struct {
	char name[16];
	const char *owner;
} record;

static long result(long n)
{
	return n < 0 ? -errno : 0;
}

static long tries_bind(const char *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	long n = result(bind(s, (struct sockaddr *)&a, sizeof a));

	close(s);
	return n;
}

/* The call as 32-bit programs make it. */
static int call32(int nr, int a)
{
	int n;

	__asm__ volatile("int $0x80" : "=a"(n) : "a"(nr), "b"(a), "c"(0), "d"(0), "S"(0) : "memory", "r8", "r9", "r10", "r11");
	return n < 0 ? n : 0;
}

static void tries_calls(void)
{
	enum { VMSPLICE32 = 316, USERFAULTFD32 = 374, USER_MODE_ONLY = 1 };

	printf("userfaultfd %ld %d, ", result(syscall(SYS_userfaultfd, USER_MODE_ONLY)), call32(USERFAULTFD32, USER_MODE_ONLY));
	printf("vmsplice %ld %d\n", result(syscall(SYS_vmsplice, -1, NULL, 0, 0)), call32(VMSPLICE32, -1));
	fflush(stdout);
}

static int tries_exec(const char *path, char *first)
{
	char *argv[] = {first, NULL}, *envp[] = {NULL};
	int status;

	if (!vfork())
		_exit(execve(path, argv, envp) ? errno : 0);
	wait(&status);
	return WEXITSTATUS(status);
}

/* The hole: the length is that of the text, whoever wrote it. */
PROBED void tries_take(const char *text, long length)
{
	char *to = (char *)&record;

	while (length-- > 0)
		*to++ = *text++;
	__asm__ volatile("" : : : "memory");
}

static void tries_record(const char *argument)
{
	char *text;
	long length = strtol(argument, &text, 10);

	memset(&record, 0, sizeof record);
	record.owner = "somebody";
	tries_take(text + 1, length);
	printf("%.16s of %s\n", record.name, record.owner);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int i, named;

	if (!strcmp(what, "calls")) {
		tries_calls();
		if (setuid(1234))
			return 1;
		tries_calls();
	}
	for (i = 2; i < argc; i++) {
		if (!strcmp(what, "bind"))
			printf("%s %ld\n", argv[i], tries_bind(argv[i]));
		else if (!strcmp(what, "exec")) {
			named = tries_exec(argv[i], argv[i]);
			printf("%s %d %d\n", argv[i], named, tries_exec(argv[i], NULL));
		} else if (!strcmp(what, "records"))
			tries_record(argv[i]);
	}
	return 0;
}
