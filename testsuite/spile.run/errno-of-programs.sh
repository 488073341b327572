#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @errno is that of the thread in the C library of the program, in probes of the library's functions, of the program's, of its markers and of the
# kernel; an error where there is none.  It is made of addresses of variables by their symbols, which are there without debug information.
# timeout: 120
# kernel: any
# cost: 10
rm -rf "$B/errno" && mkdir -p "$B/errno" && cd "$B/errno" || exit 1
cat >fails.c <<'X'
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sdt.h>
#include <unistd.h>
__attribute__((noinline)) int step(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
static void *other(void *arg)
{
	step(10);
	open("/", O_WRONLY);
	step(11);
	return arg;
}
int main(void)
{
	pthread_t t;

	step(0);
	open("/no/such/file", O_RDONLY);
	DTRACE_PROBE1(fails, failed, 1);
	getpgid(0);
	if (pthread_create(&t, 0, other, 0) || pthread_join(t, 0))
		return 1;
	step(1);
	errno = -5;
	step(2);
	return 0;
}
X
cat >errno.stp <<'X'
function value() { try { return sprint(@errno) } catch { return "none" } }
function tell(what) { if (pid() == target()) println(what, ": ", value()) }
global worker
probe process(@1).function("step") { tell(sprint("step ", int_arg(1))) }
probe process(@1).function("step").return { if (returnval() == 3) tell("returned") }
probe process(@1).mark("failed") { tell("marker") }
probe syscall.getpgid { tell("call") }
probe kernel.function("schedule") if (worker == "") { if (@task(task_current())->mm == 0) worker = value() }
probe end { println("without memory: ", worker) }
X
cp errno.stp library.stp
echo 'probe process(@1).library("libc.so.6").function("open").return { if (returnval() & 0x80000000) tell("open") }' >>library.stp
gcc -O1 -I"$S/../../include" -pthread -o fails fails.c && gcc -O1 -I"$S/../../include" -static -pthread -o fails_static fails.c || exit 1

# compare SCRIPT PROGRAM NAME: its output and that of the script, to the file want.
compare() {
	"$SPILE" -r "$RELEASE" -p4 -m "$3" "$1" "$PWD/$2" >/dev/null || exit 1
	"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $PWD && $SPILERUN -c ./$2 $3.ko" >got 2>&1
	diff want got || { echo "$2"; exit 1; }
}
{
	printf '%s\n' 'step 0: 0' 'open: 2' 'marker: 2' 'call: 2' 'step 10: 0' 'open: 21' 'step 11: 21' 'step 1: 2' 'step 2: -5' 'returned: -5'
	echo 'without memory: none'
} >want
compare library.stp fails errno_dynamic
{
	for what in 'step 0' marker call 'step 10' 'step 11' 'step 1' 'step 2' returned 'without memory'; do echo "$what: none"; done
} >want
compare errno.stp fails_static errno_static

cat >inside.c <<'X'
int of_library = 11;
__thread int of_its_threads = 12;
__attribute__((noinline)) int inside(int n) { __asm__ volatile(""); of_library += n; of_its_threads += n; return of_library; }
X
cat >plain.c <<'X'
int inside(int n);
static int counted = 7;
int shared = 8;
static __thread int mine = 9;
__attribute__((noinline)) int step(int n) { __asm__ volatile(""); counted += n; shared += n; mine += n; return counted + shared + mine; }
int main(void) { return step(1) + inside(2) + step(3) == 0; }
X
cat >plain.stp <<'X'
function at(where) { return user_int32_error(where) }
probe process(@1).function("step") {
	println(at(&@var("counted")), " ", at(&@var("shared")), " ", at(&@var("mine")), " ", at(&@var("of_library", "=/libinside.so")), " ",
		at(&@var("of_its_threads", "=/libinside.so")))
	println(@defined(@var("counted")), @defined(&@var("counted")), @defined(&@var("no_such_variable")), @defined(&@var("counted@plain.c")))
}
probe process("=/libinside.so").function("inside") { println(at(&@var("of_library")), " ", at(&@var("of_its_threads")), " ", at(&@var("mine", @1))) }
X
sed -i "s|=/|$PWD/|" plain.stp
printf '%s\n' '7 8 9 11 12' 0100 '11 12 10' '8 9 10 13 14' 0100 >want
gcc -O1 -fPIC -shared -o libinside.so inside.c && strip libinside.so || exit 1
for how in pie no-pie; do
	gcc -O1 -$how -o plain plain.c -L. -linside -Wl,-rpath,"$PWD" || exit 1
	compare plain.stp plain "plain_$(echo $how | tr -d -)"
done
