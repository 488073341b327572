#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that would like to be read for what they are not: code of a file at an offset that no frame has room for, whose number would be that of another
# image; data where another program has code; a file that is overwritten in place by one of the same size; a script whose interpreter is a FIFO, at which
# a reader would wait for ever.  Names are right or not there, and the reader goes on to the next file.
# timeout: 200
# cost: 10
cd "$B" || exit 1
cat >mislead.c <<'X'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) long NAME(void)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(CALL) : "rcx", "r11", "memory");
	return r;
}

static void *map(void *at, int fd, off_t off, int rights, int flags)
{
	void *p = mmap(at, 4096, rights, flags, fd, off);

	if (p == MAP_FAILED)
		perror("mmap"), exit(1);
	return p;
}

static void offset(void)
{
	static const unsigned char code[] = {0xb8, 0x6e, 0, 0, 0, 0x0f, 0x05, 0xc3}; /* getppid() */
	off_t off = 0x3fff000000000000;
	int fd = (int)syscall(SYS_memfd_create, "offset", 0);

	if (fd < 0 || ftruncate(fd, off + 4096))
		perror("memfd"), exit(1);
	memcpy(map(NULL, fd, off, PROT_READ | PROT_WRITE, MAP_SHARED), code, sizeof code);
	((void (*)(void))map(NULL, fd, off, PROT_READ | PROT_EXEC, MAP_SHARED))();
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "offset"))
		offset();
	if (argc > 2 && !strcmp(argv[1], "data"))
		map((void *)(strtoul(argv[2], NULL, 16) & ~4095ul), -1, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE);
	if (argc > 2 && !strcmp(argv[1], "script"))
		map(NULL, open(argv[2], O_RDONLY), 0, PROT_READ | PROT_EXEC, MAP_PRIVATE);
	NAME();
	return 0;
}
X
gcc -O1 -DNAME=of_the_other -DCALL=110 -o mislead mislead.c && gcc -O1 -static -no-pie -DNAME=name_of_first -DCALL=110 -o first mislead.c &&
	gcc -O1 -static -no-pie -DNAME=name_of_second -DCALL=111 -o other mislead.c || exit 1
# of the same size
n=$(stat -c %s first other | sort -n | tail -1)
truncate -s "$n" first other
address=$(nm first | awk '$3 == "name_of_first" { print $1 }')
cat >mislead.stp <<X
global at
probe kernel.function("__x64_sys_getppid") {
	if (execname() == "offset") at[ubacktrace()]++
	if (execname() == "data") printf("data %s\n", usymdata(0x$address))
	if (execname() == "same") printf("named %s\n", sprint_ubacktrace())
}
probe kernel.function("__x64_sys_getpgrp") { if (execname() == "same") printf("second %s\n", sprint_ubacktrace()) }
probe end { foreach (s in at) print_usyms(s) println("end") }
X
"$SPILE" -w -r "$RELEASE" -p4 -m mislead mislead.stp >/dev/null || exit 1
cat >mislead.sh <<X
. $S/../lib/await.sh
cd \$(mktemp -d) && cp $B/mislead offset && cp offset data && cp offset script && chmod 755 . && mkfifo fifo && printf '#!%s/fifo\n' "\$PWD" >file || exit 1
./offset offset
./script script file
named() { ./same; grep -q "\$1" $B/mislead.out; }
cp $B/first same
await_within 60 named name_of_first
./data data $address
cp $B/other same
await_within 60 named name_of_second
true
X
"$V" -t $((150 * SLOW)) exec "$G" -- "$SPILERUN" -o "$B/mislead.out" -c "sh $B/mislead.sh" "$B/mislead.ko" >mislead.said 2>&1 || { cat mislead.said mislead.out; exit 1; }
grep -q name_of_first mislead.out && grep -q name_of_second mislead.out && grep -q '^end$' mislead.out || { echo "no names:"; cat mislead.said mislead.out; exit 1; }
grep '^second .*name_of_first' mislead.out && exit 1
[ "$(grep -c '^data 0x[0-9a-f]*$' mislead.out)" = 1 ] || { grep ^data mislead.out; exit 1; }
