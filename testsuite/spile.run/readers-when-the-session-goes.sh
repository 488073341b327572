#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A child of what opened a session's files reads the output into memory whose page comes late, and meanwhile the session is given up, as who
# opened ctl has ended.  The read ends with what was there, or with less, and nothing else happens.  (The loader itself never does so.)
# timeout: 150
cd "$B" || exit 1
cat >late.c <<'X'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { ROOM = 4 << 20, START = 64 };
static int late;
static char *memory;

static void *give_page_late(void *unused)
{
	struct uffd_msg message;
	struct uffdio_zeropage zero = {.range = {(uintptr_t)memory, ROOM}};

	if (read(late, &message, sizeof message) == sizeof message) {
		sleep(3);
		ioctl(late, UFFDIO_ZEROPAGE, &zero);
	}
	return unused;
}

static void read_slowly(int trace)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register all = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	pthread_t thread;
	ssize_t n;

	late = syscall(SYS_userfaultfd, O_CLOEXEC);
	memory = mmap(0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	all.range.start = (uintptr_t)memory;
	all.range.len = ROOM;
	if (ioctl(late, UFFDIO_API, &api) || ioctl(late, UFFDIO_REGISTER, &all))
		perror("userfaultfd");
	pthread_create(&thread, 0, give_page_late, 0);
	n = read(trace, memory, ROOM);
	puts(n > 0 ? "some was read" : "nothing was read");
}

int main(int argc, char **argv)
{
	struct { uint32_t type, len; int32_t target; uint32_t flags; int32_t offset; char zone[16]; } start = {START, 28, 0, 0, 0, "UTC"};
	char path[200], ready[4096];
	cpu_set_t first;
	int ctl, trace;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof first, &first); /* begin runs here: its output is in trace0 */
	snprintf(path, sizeof path, "/proc/spile.%s/ctl", argv[argc - 1]);
	ctl = open(path, O_RDWR);
	snprintf(path, sizeof path, "/proc/spile.%s/trace0", argv[argc - 1]);
	trace = open(path, O_RDONLY);
	if (ctl < 0 || trace < 0 || read(ctl, ready, sizeof ready) < 0 || write(ctl, &start, sizeof start) < 0)
		perror("session");
	if (!fork()) {
		close(ctl);
		read_slowly(trace);
		return 0;
	}
	sleep(1);
	return 0;
}
X
gcc -O1 -pthread -o late late.c || exit 1
"$SPILE" -w -r "$RELEASE" -p4 -m latereader -D MAXACTION=1000000 -s 16 -e '
	probe begin { for (i = 0; i < 8000; i++) printf("%0490d\n", i) } probe timer.s(1000) {}' >/dev/null || exit 1
cat >late-run.sh <<X
cd $B
. $S/../lib/await.sh
gone() { rmmod latereader 2>/dev/null; ! grep -q '^latereader ' /proc/modules; }
insmod latereader.ko || exit 1
./late latereader >late.read
await_within $((60 * SLOW)) test -s late.read
await_within $((60 * SLOW)) gone || bad 'the module stays'
X
"$V" -t $((120 * SLOW)) exec "$G" -- sh "$B/late-run.sh" >late.said 2>&1 || { cat late.said; exit 1; }
grep -qx 'some was read' late.read || { cat late.said late.read; exit 1; }
