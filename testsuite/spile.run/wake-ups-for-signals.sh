#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# signal.wakeup has each wake-up for a signal once, and no other: of a task that sleeps, blocks, ignores, is stopped, is traced, has threads, is ended by
# one of them, makes a fault, or gets work of io_uring.
# timeout: 120
rm -rf "$B/wakes" && mkdir -p "$B/wakes" && cd "$B/wakes" || exit 1
cat >wakes.c <<'X'
#define _GNU_SOURCE
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNALS = 5, RETURNS = 7 };
static struct shared { volatile int ready, handled; } *shared;
static sigset_t usr1;
static int ends[2];

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void on_signal(int sig)
{
	if (sig == SIGSEGV)
		_exit(RETURNS);
	shared->handled++;
}

/* Until another process has set it so far. */
static void wait_for(volatile int *n, int value)
{
	while (*n < value)
		usleep(1000);
}

static void wait_for_sleep(pid_t pid, char state)
{
	char path[64], line[256], *end;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	do {
		usleep(1000);
		f = fopen(path, "r");
		if (!f || !fgets(line, sizeof line, f) || !(end = strrchr(line, ')')))
			fail(path);
		fclose(f);
	} while (end[2] != state);
}

static pid_t start(const char *name, void (*run)(void))
{
	pid_t pid;

	shared->ready = shared->handled = 0;
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		prctl(PR_SET_NAME, name);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGUSR1, on_signal);
		run();
		_exit(0);
	}
	wait_for(&shared->ready, 1);
	wait_for_sleep(pid, 'S');
	return pid;
}

static void sleeps(void)
{
	shared->ready = 1;
	for (;;)
		pause();
}

static void blocks(void)
{
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	sleeps();
}

static void ignores(void)
{
	signal(SIGUSR1, SIG_IGN);
	sleeps();
}

static void *thread(void *arg)
{
	sigset_t all;

	prctl(PR_SET_NAME, arg);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	shared->ready++;
	for (;;)
		pause();
	return NULL;
}

static void has_threads(void)
{
	pthread_t t;
	char name[16];

	prctl(PR_GET_NAME, name);
	if (pthread_create(&t, NULL, thread, name))
		_exit(1);
	while (!shared->ready) /* without sleeping: who sees it sleep sees it in pause() */
		sched_yield();
	for (;;) {
		pause();
		if (shared->handled)
			_exit(0); /* ends the other one */
	}
}

static void faults(void)
{
	signal(SIGSEGV, on_signal);
	shared->ready = 1;
	pause();
	*(volatile char *)8 = 0;
}

/* Waits for io_uring to say that there is something to be read. */
static void polls(void)
{
	struct io_uring_params p = {0};
	int fd = (int)syscall(SYS_io_uring_setup, 4, &p);
	char *ring = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	struct io_uring_sqe *e = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);

	if (fd < 0 || ring == MAP_FAILED || e == MAP_FAILED)
		fail("io_uring");
	e[0] = (struct io_uring_sqe){.opcode = IORING_OP_POLL_ADD, .fd = ends[0], .poll_events = 1 /* POLLIN */};
	((uint32_t *)(ring + p.sq_off.array))[0] = 0;
	*(volatile uint32_t *)(ring + p.sq_off.tail) = 1;
	shared->ready = 1;
	if (syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		fail("io_uring_enter");
}

static void finish(pid_t pid, int sig)
{
	if (sig && kill(pid, sig))
		fail("kill");
	if (waitpid(pid, NULL, 0) != pid)
		fail("waitpid");
}

static void send(pid_t pid, int n)
{
	for (int i = 1; i <= n; i++) {
		kill(pid, SIGUSR1);
		wait_for(&shared->handled, i);
		wait_for_sleep(pid, 'S');
	}
}

static void stop(pid_t pid)
{
	int status;

	kill(pid, SIGSTOP);
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		fail("stop");
}

int main(void)
{
	pid_t pid;
	int status;

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	if (shared == MAP_FAILED || pipe(ends))
		fail("pipe");

	pid = start("sleeps", sleeps);
	send(pid, SIGNALS);
	finish(pid, SIGTERM);

	pid = start("blocks", blocks);
	for (int i = 0; i < SIGNALS; i++)
		kill(pid, SIGUSR1);
	finish(pid, SIGKILL);

	pid = start("ignores", ignores);
	for (int i = 0; i < SIGNALS; i++)
		kill(pid, SIGUSR1);
	finish(pid, SIGKILL);

	/* Stopped by a signal; what comes then does not wake it; SIGCONT does, but not as for a signal. */
	pid = start("stopped", sleeps);
	stop(pid);
	kill(pid, SIGUSR1);
	kill(pid, SIGCONT);
	wait_for(&shared->handled, 1);
	wait_for_sleep(pid, 'S');
	finish(pid, SIGKILL);

	/* Stopped once and let go as by a signal, without one. */
	pid = start("traced", sleeps);
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) || ptrace(PTRACE_INTERRUPT, pid, 0, 0) || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_DETACH, pid, 0, 0))
		fail("ptrace");
	wait_for_sleep(pid, 'S');
	finish(pid, SIGKILL);

	/* The one that stops tells the other; each is ended. */
	pid = start("threads", has_threads);
	stop(pid);
	finish(pid, SIGKILL);

	pid = start("exits", has_threads);
	kill(pid, SIGUSR1);
	finish(pid, 0);

	/* The signal that it waits for, and that of the fault, for which it is awake. */
	pid = start("faults", faults);
	kill(pid, SIGUSR1);
	finish(pid, 0);

	pid = start("polls", polls);
	if (write(ends[1], "", 1) != 1)
		fail("write");
	finish(pid, 0);
	return 0;
}
X
cat >wakes.stp <<'X'
global n, asleep, polled
probe signal.wakeup {
	if (pid_name !~ "^(sleeps|blocks|ignores|stopped|traced|threads|exits|faults|polls)$") next
	n[pid_name, state_mask, resume]++
	asleep[pid_name, state_mask, resume] += (task_state(task) & 1)
	if (name != "wakeup" || sig_pid != task_pid(task)) println("wrong: ", name, " ", sig_pid)
}
probe kernel.function("wake_up_state") { if ($state == 1 && task_execname($p) == "polls") polled++ }
probe end {
	foreach ([who, mask, resume] in n) {
		printf("%s %s %d: %d", who, mask, resume, n[who, mask, resume])
		if (who !~ "^(threads|exits)$") /* of two, one may be about to sleep only */
			printf(", asleep %d", asleep[who, mask, resume])
		println("")
	}
	println(polled ? "" : "not ", "woken for io_uring")
}
X
gcc -O1 -pthread -o wakes wakes.c || exit 1
sed 's/ 0:/ TASK_INTERRUPTIBLE 0:/; s/ K:/ TASK_INTERRUPTIBLE|TASK_TRACED|TASK_WAKEKILL 1:/; s/ T:/ TASK_INTERRUPTIBLE|TASK_TRACED 1:/' >want <<'X'
blocks K: 1, asleep 1
exits 0: 1
exits K: 1
faults 0: 2, asleep 1
ignores K: 1, asleep 1
sleeps 0: 5, asleep 5
sleeps K: 1, asleep 1
stopped 0: 1, asleep 1
stopped K: 1, asleep 1
threads 0: 2
threads K: 2
traced 0: 1, asleep 1
traced T: 1, asleep 0
traced K: 1, asleep 1
woken for io_uring
X
LC_ALL=C sort -o want want
"$SPILE" -r "$RELEASE" -p4 -m wake_ups wakes.stp >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $PWD && $SPILERUN -c ./wakes wake_ups.ko" >out 2>&1
LC_ALL=C sort out >got
diff want got
