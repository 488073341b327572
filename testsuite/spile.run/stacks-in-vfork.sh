#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stacks of a program that makes children, and of the children before they execute another one, are what its source says: of vfork(), which keeps its
# return address in a register while parent and child share a stack; of posix_spawn() and clone(), whose children have the parent's memory and a stack of their
# own, and begin where the system call ends; of a thread; in the parent during the call and afterwards.
cd "$B" || exit 1
cat >vforks.c <<'X'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline, noclone))
volatile long shared = 1;
extern char **environ;
NOINLINE long look(long who)
{
	shared += who;
	return shared;
}
NOINLINE long child_inner(long n)
{
	long r = look(n);

	for (volatile long i = 0; i < 100000000; i++) /* to be sampled */
		;
	return r + syscall(SYS_getppid);
}
NOINLINE long child_work(long n)
{
	char text[300];

	memset(text, 1, sizeof text);
	return child_inner(n) + text[shared];
}
static NOINLINE long ended(pid_t pid)
{
	int status = 1;

	return look(10) < 0 || waitpid(pid, &status, 0) != pid || status;
}
NOINLINE long with_vfork(long n)
{
	pid_t pid = vfork();

	if (!pid) {
		child_work(n);
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	return ended(pid) + n;
}
NOINLINE long with_spawn(long n)
{
	char *argv[] = {"true", NULL};
	pid_t pid = -1;

	posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ);
	return ended(pid) + n;
}
static int clone_begins(void *arg)
{
	_exit(child_work((long)arg) < 0);
}
NOINLINE long with_clone(long n)
{
	static char stack[65536];

	return ended(clone(clone_begins, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)n)) + n;
}
static void *thread_begins(void *arg)
{
	return (void *)(look((long)arg) + 1);
}
NOINLINE long with_thread(long n)
{
	pthread_t t;

	return pthread_create(&t, NULL, thread_begins, (void *)n) || pthread_join(t, NULL) || look(10) < 0;
}
int main(void)
{
	return with_vfork(1) + with_spawn(2) + with_clone(4) + with_thread(8) > 9;
}
X
gcc -g -O2 -o vforks vforks.c || exit 1
cat >vforks.stp <<X
global samples
function mine() { return execname() == "vforks" && target_set_pid(pid()) }
function show(what) {
	printf("at %s %s %d\n", what, pid() != target() ? "child" : tid() != pid() ? "thread" : "parent", @var("shared", "$B/vforks"))
	print_ubacktrace()
}
probe process("$B/vforks").function("look") { show("look") }
probe syscall.{vfork,clone,clone3,getppid} { if (mine()) show(name) }
probe syscall.{vfork,clone,clone3}.return { if (mine()) show(name . ".return") }
probe process.begin { if (mine() && pid() != target()) show("begin") }
probe syscall.execve { if (mine()) show("execve") }
probe timer.profile { if (mine() && pid() != target() && usymname(uaddr()) == "child_inner" && samples[pid()]++ < 20) show("sample") }
X
"$SPILE" -r "$RELEASE" -p4 -DMAXBACKTRACE=32 -m in_vfork vforks.stp -d "$B/vforks" >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- "$SPILERUN" -c "$B/vforks" "$B/in_vfork.ko" >got 2>&1
# Of each stack: the function that runs, those of the program, and why it ends if that is said.
awk '
	function finish() { if (what && !(what ~ /sample/ && seen[what frames]++)) print what ":" frames }
	/^at / { finish(); what = substr($0, 4); frames = ""; n = 0; next }
	/^ \(/ { frames = frames " " $0; next }
	{ sub(/\+0x.*/, "", $3); if (!n++ || $0 ~ /vforks\]$/) frames = frames " " $3 }
	END { finish() }' got >got.stacks
cat >want <<'X'
vfork parent 1: vfork with_vfork main _start
begin child 1: vfork with_vfork main _start
look child 1: look child_inner child_work with_vfork main _start
sample child 2: child_inner child_work with_vfork main _start
getppid child 2: syscall child_inner child_work with_vfork main _start
execve child 2: execve with_vfork main _start
vfork.return parent 2: vfork with_vfork main _start
look parent 2: look ended with_vfork main _start
clone3 parent 12: clone3 with_spawn main _start
begin child 12: clone3
execve child 12: execve
clone3.return parent 12: clone3 with_spawn main _start
look parent 12: look ended with_spawn main _start
clone parent 22: clone with_clone main _start
begin child 22: clone
look child 22: look child_inner child_work clone_begins
sample child 26: child_inner child_work clone_begins
getppid child 26: syscall child_inner child_work clone_begins
clone.return parent 26: clone with_clone main _start
look parent 26: look ended with_clone main _start
clone3 parent 36: clone3 with_thread main _start
X
# The thread and its parent run at the same time.
cat >want.last <<'X'
clone3.return parent with_thread main _start
look parent look with_thread main _start
look thread look thread_begins
X
head -n "$(wc -l <want)" got.stacks | diff want - && sed "1,$(wc -l <want)d; s/ [0-9]*: \(clone3 with\)*/ \1/; s/return parent clone3 /return parent /" got.stacks |
	sort | diff want.last - || { cat got; exit 1; }
