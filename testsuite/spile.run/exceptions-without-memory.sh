#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An exception passes through probed calls while a session has no memory left to put the return addresses back after the hit: it waits for
# some, so that the session that is called after it at the same hit finds these calls too, and counts them.
# cost: 10
cd "$B" || exit 1
cat >thrown.cc <<'EOF'
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int sum;
static std::atomic<int> thrower, caught;

extern "C" __attribute__((noinline)) void memory_gone(void) { sum = sum + 1; }
extern "C" __attribute__((noinline)) void memory_back(void) { sum = sum + 1; }
extern "C" __attribute__((noinline)) int deep(int n)
{
	if (!n) {
		memory_gone();
		thrower = (int)syscall(SYS_gettid);
		throw 1;
	}
	sum = sum + deep(n - 1);
	return n;
}

static void *work(void *unused)
{
	try {
		deep(9);
	} catch (int) {
		caught = 1;
	}
	return unused;
}

static char state_of(int tid)
{
	char name[64], text[64] = "";
	int fd;

	std::snprintf(name, sizeof name, "/proc/self/task/%d/stat", tid);
	fd = open(name, O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
		text[0] = 0;
	close(fd);
	for (char *p = text; *p; p++)
		if (*p == ')')
			return p[2];
	return 0;
}

int main()
{
	pthread_t t;
	int waits = 0;

	pthread_create(&t, nullptr, work, nullptr);
	while (!caught && waits < 5) {
		waits += thrower && state_of(thrower) == 'D';
		usleep(10000);
	}
	memory_back();
	pthread_join(t, nullptr);
	std::puts(caught ? "caught" : "not caught");
	return 0;
}
EOF
g++ -O1 -g -pthread -o thrown thrown.cc || exit 1
cat "$S/../lib/no-memory.stp" - >scarce.stp <<'EOF'
probe process(@1).function("deep").return { println("returned") }
EOF
echo 'probe process(@1).function("deep").return { println("returned") }' >beside.stp
"$SPILE" -g -r "$RELEASE" -p4 -m scarce scarce.stp "$B/thrown" >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m beside beside.stp "$B/thrown" >/dev/null || exit 1
cat >thrown-run.sh <<EOF
S=$S SPILERUN=$SPILERUN
. $S/../lib/session.sh
cd $B
# The other session began first, so the one without memory is called first.
session_begin beside
$SPILERUN -v -o scarce.out -c ./thrown scarce.ko 2>scarce.err; skipped scarce.err
session_end
skipped beside.err
cat scarce.out beside.out
EOF
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/thrown-run.sh" >thrown.got 2>&1
unseen='a return that cannot be probed safely: 10'
printf '%s\n' caught "$unseen" "$unseen" >thrown.want
diff thrown.want thrown.got || { echo 'not what was expected'; cat scarce.err beside.err; exit 1; }
