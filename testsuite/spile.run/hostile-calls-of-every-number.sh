#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program makes the call of every number, and of some that no kernel has, also as a 32-bit program and as one of x32 does, with what is hostile in every
# argument - memory that is not there, of the kernel, not canonical, not readable, of a file that was cut off, that a userfaultfd brings or never brings, the
# end of a page before nothing, arguments of execve() of 2 MB and without end, lengths of -1 and 2^63, control characters.  All calls are printed with
# their arguments: each is counted once and has one line of bounded length that forges no other.
# cost: 30
cd "$B" || exit 1
cat >hostile.c <<'X'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AREA 0x20000000ul
#define PAGE 4096ul

enum { NUMBERS = 600, X32 = 0x40000000, ARGV = 2 << 20 };

static volatile long *made; /* calls */
static unsigned long values[24];
static unsigned nvalues;

/* What they do to others or to the machine, or which cannot be counted: seccomp() and prctl() may have a later call refused before it is seen. */
static const int left_out[] = {SYS_fork, SYS_vfork, SYS_clone, SYS_clone3, SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal, SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
	SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_seccomp, SYS_prctl, SYS_sync, SYS_remap_file_pages, SYS_process_madvise};
static const int left_out_32[] = {2, 120, 190, 435, 37, 238, 270, 178, 335, 424, 88, 283, 79, 25, 264, 404, 124, 343, 405, 74, 121, 354, 172, 36, 257, 440};

static int is_left_out(int nr, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == nr)
			return 1;
	return 0;
}

static char *map(unsigned long at, unsigned long n, int prot, int fd)
{
	char *p = mmap((void *)at, n, prot, (fd < 0 ? MAP_ANONYMOUS : 0) | MAP_PRIVATE | MAP_FIXED, fd, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

/* Memory that is registered and that nobody ever brings; if the kernel waits for it, the call is killed. */
static void add_missing(unsigned long at)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.range = {at, PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	map(at, PAGE, PROT_READ | PROT_WRITE, -1);
	if (fd >= 0 && !ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &range))
		values[nvalues++] = at;
}

static void make_values(void)
{
	char *list = map(AREA, 4 * PAGE, PROT_READ | PROT_WRITE, -1), *end = list + 4 * PAGE;
	int fd = open("/dev/shm/cut", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char **argv;

	memset(list, '\n', PAGE); /* a text without an end for long, of what begins a line */
	memcpy(list, "\033[2J\r\nforged 1\n", 15);
	argv = (char **)(list + PAGE); /* no end of the list */
	for (char **p = argv; (char *)p < end; p++)
		*p = list;
	values[nvalues++] = 0;
	values[nvalues++] = ~0ul;
	values[nvalues++] = 1ul << 63;
	values[nvalues++] = 0xffff888000001000; /* the kernel's */
	values[nvalues++] = 0x800000000000;     /* not canonical */
	values[nvalues++] = 0x30000000;         /* nothing is there */
	values[nvalues++] = AREA;
	values[nvalues++] = (unsigned long)argv;
	values[nvalues++] = (unsigned long)end - 1;
	values[nvalues++] = (unsigned long)end - 12;
	values[nvalues++] = (unsigned long)map(AREA + 0x10000, PAGE, PROT_NONE, -1);
	if (fd < 0 || ftruncate(fd, PAGE))
		exit(2);
	values[nvalues++] = (unsigned long)map(AREA + 0x20000, PAGE, PROT_READ | PROT_WRITE, fd);
	if (ftruncate(fd, 0)) /* now SIGBUS */
		exit(2);
	close(fd);
	add_missing(AREA + 0x30000);
}

static long call_32(long nr, unsigned long a, unsigned long b)
{
	long result;

	__asm__ volatile("push %%rbp\n\txor %%ebp, %%ebp\n\tint $0x80\n\tpop %%rbp"
			 : "=a"(result) : "a"(nr), "b"(a), "c"(b), "d"(a), "S"(b), "D"(a) : "memory", "r8", "r9", "r10", "r11");
	return result;
}

enum kind { OF_64, OF_32, OF_X32 };

/* In a child: nothing else is called from the name on. */
static void make(enum kind kind, int nr)
{
	setsid();
	prctl(PR_SET_NAME, "hostile-child");
	for (unsigned i = 0; i < 2 * nvalues; i++) {
		unsigned long a = values[i % nvalues], b = i < nvalues ? a : values[(i * 5 + 3) % nvalues];

		++*made;
		if (kind == OF_32)
			call_32(nr, a, b);
		else
			syscall(kind == OF_X32 ? nr | X32 : nr, a, b, a, b, a, b);
	}
	++*made;
	_exit(0);
}

static void make_in_child(enum kind kind, int nr)
{
	const struct timespec moment = {0, 1000000};
	pid_t pid = fork();

	if (!pid)
		make(kind, nr);
	for (int i = 0; i < 300; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return;
		nanosleep(&moment, NULL);
	}
	kill(pid, SIGKILL); /* it waits */
	waitpid(pid, NULL, 0);
}

/* Programs that are not there, with 2 MB of arguments: in one, in many, and in a list without end. */
static void execute(void)
{
	char *text = malloc(ARGV), *one[] = {text, NULL}, **many = calloc(ARGV / 16, sizeof *many);

	memset(text, '\n', ARGV - 1);
	text[ARGV - 1] = 0;
	for (int i = 0; i < ARGV / 16 - 1; i++)
		many[i] = text + ARGV - 8;
	prctl(PR_SET_NAME, "hostile-child");
	*made += 5;
	syscall(SYS_execve, "/no/such", one, one);
	syscall(SYS_execve, "/bin/true", one, one);
	syscall(SYS_execve, "/bin/true", many, many);
	syscall(SYS_execve, text, many, one);
	_exit(0);
}

int main(void)
{
	static const int beyond[] = {601, 1000, 4095, 4096, 65535, 0x3fffffff, 0x7fffffff, -1};

	made = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
	make_values();
	for (int nr = 0; nr <= NUMBERS; nr++) {
		if (!is_left_out(nr, left_out, sizeof left_out / sizeof *left_out)) {
			make_in_child(OF_64, nr);
			make_in_child(OF_X32, nr);
		}
		if (!is_left_out(nr, left_out_32, sizeof left_out_32 / sizeof *left_out_32))
			make_in_child(OF_32, nr);
	}
	for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++) {
		make_in_child(OF_64, beyond[i]);
		make_in_child(OF_32, beyond[i]);
	}
	if (!fork())
		execute();
	wait(NULL);
	printf("made %ld, with a userfaultfd %d\n", *made, nvalues == 13);
	return 0;
}
X
gcc -O2 -o hostile hostile.c || exit 1
cat >hostile.stp <<'X'
global calls, known, raw, longest, results
function child() { return execname() == "hostile-child" }
probe syscall_any {
	if (child()) {
		calls <<< 1
		printf("%s(%s)\n", name, argstr)
	}
}
probe syscall.* { if (child()) known <<< 1 }
probe syscall_any.return { if (child()) { results <<< 1; if (strlen(retstr) > longest) longest = strlen(retstr) } }
probe kernel.trace("sys_enter") { if (child()) raw <<< 1 }
probe end { printf("counted %d %d, known %d, results %d, long %d\n", @count(calls), @count(raw), @count(known) > 10000, @count(results) > 10000, longest > 200) }
X
"$SPILE" -w -r "$RELEASE" -p4 -DMAXTRYLOCK=100000 -s 16 -m hostile hostile.stp >/dev/null || exit 1
"$V" -t $((500 * SLOW)) exec "$G" -- sh -c "cd $B; echo 0 >/proc/sys/debug/exception-trace; $SPILERUN -v -o hostile.out -c ./hostile hostile.ko 2>hostile.err; rm -f /dev/shm/cut; echo 1 >/proc/sys/debug/exception-trace" >got 2>&1 || exit 1
made=$(sed -n 's/^made \([0-9]*\), with a userfaultfd 1$/\1/p' got)
tail -n 1 hostile.out >>got
[ "$(tail -n 1 got)" = "counted $made $made, known 1, results 1, long 0" ] || { cat got; tail -n 20 hostile.err; exit 1; }
LC_ALL=C awk -v made="$made" '
	/^counted / { next }
	!/^-?[a-z_0-9]+\([ -~]*\)?$/ || length > 600 { if (bad++ < 10) print NR ": " substr($0, 1, 300) }
	{ n++ }
	END { if (n != made) print n " lines of " made; exit bad > 0 || n != made }' hostile.out
