#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An unwinder is about to walk over a probed call whose return address is in a page that another program must bring: the address cannot
# be put back, which is reported; nothing waits, and the program goes on.
cd "$B" || exit 1
cat >away.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#define PROBED __attribute__((noinline, noclone))
enum { PAGE = 4096 };
static int uffd, frames;
static char *away, saved[PAGE] __attribute__((aligned(PAGE)));

/* The thread's stack: pages that were never there are zeroes; the one that was taken away comes back as it was. */
static void *bring(void *unused)
{
	struct uffd_msg m;

	while (read(uffd, &m, sizeof m) == sizeof m) {
		char *page = (char *)(m.arg.pagefault.address & -(unsigned long)PAGE);
		struct uffdio_zeropage zero = {.range = {(unsigned long)page, PAGE}};
		struct uffdio_copy copy = {.dst = (unsigned long)page, .src = (unsigned long)saved, .len = PAGE};

		if (page == away ? ioctl(uffd, UFFDIO_COPY, &copy) : ioctl(uffd, UFFDIO_ZEROPAGE, &zero))
			perror("page");
	}
	return unused;
}

static _Unwind_Reason_Code count(struct _Unwind_Context *c, void *unused)
{
	frames++;
	return _URC_NO_REASON;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

PROBED int walk(void)
{
	double begin;

	memcpy(saved, away, PAGE);
	if (madvise(away, PAGE, MADV_DONTNEED))
		perror("madvise");
	begin = now();
	_Unwind_Backtrace(count, NULL);
	if (now() - begin > LIMIT_S)
		printf("the walk took %.1f s\n", now() - begin);
	return frames > 0;
}

PROBED int below(void) /* far enough for the page not to be used meanwhile */
{
	volatile char room[4 * PAGE];

	memset((char *)room, 1, sizeof room);
	return walk() + room[0];
}

PROBED int outer(void)
{
	away = (char *)(((unsigned long)__builtin_frame_address(0) + 8) & -(unsigned long)PAGE);
	return below() + 1;
}

static void *work(void *unused)
{
	pthread_attr_t a;
	void *start;
	size_t size;
	struct uffdio_register all = {.mode = UFFDIO_REGISTER_MODE_MISSING};

	if (pthread_getattr_np(pthread_self(), &a) || pthread_attr_getstack(&a, &start, &size))
		return NULL;
	all.range.start = (unsigned long)start;
	all.range.len = size & -(unsigned long)PAGE;
	if (ioctl(uffd, UFFDIO_REGISTER, &all))
		return NULL;
	if (outer() == 3)
		puts("alive");
	fflush(stdout);
	return unused;
}

int main(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	pthread_t t;

	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		return 1;
	pthread_create(&t, NULL, bring, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	_exit(0);
}
EOF
# Addresses that have to be put back are waited for up to ten seconds, if that helps.
gcc -DLIMIT_S=$((5 * SLOW)) -O1 -g -fno-omit-frame-pointer -pthread -shared-libgcc -o away away.c -lgcc_s || exit 1
cat >away.stp <<'EOF'
probe process(@1).function("outer").call { println("entered") }
probe process(@1).function("outer").return { println("returned") }
EOF
"$SPILE" -r "$RELEASE" -p4 -m away away.stp "$B/away" >/dev/null || exit 1
"$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -v -o away.out -c ./away away.ko 2>away.err; cat away.out" >away.got 2>&1
printf '%s\n' alive entered returned >away.want
diff away.want away.got && grep -q 'memory of away (process [0-9]*) with return addresses of probed calls could not be reached' away.err && exit 0
cat away.err
exit 1
