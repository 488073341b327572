#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variables of one module of a process in probes of another one, or of the kernel: a program's in its libraries, a library's in the program and in
# another library, of threads too; with libraries that are loaded later, unloaded, loaded elsewhere and loaded twice, in children, and after an exec.
# kernel: any
rm -rf "$B/modules" && mkdir -p "$B/modules" && cd "$B/modules" || exit 1
cat >a.c <<'X'
static int state = 100;
__thread int of_a = 5;
__attribute__((noinline)) int a_work(int n) { asm volatile(""); state += n; of_a += n; return state; }
X
cat >b.c <<'X'
struct pair { int number; const char *text; int list[3]; };
static int state = 200;
struct pair pair = {7, "seven", {1, 2, 3}};
__attribute__((noinline)) int b_work(int n) { asm volatile(""); state += n; pair.list[1] += n; return state; }
X
cat >late.c <<'X'
int late_count = 300;
__thread int of_late = 1;
__attribute__((noinline)) int late_work(int n) { late_count += n; of_late += n; return late_count; }
X
cat >main.c <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int a_work(int), b_work(int);
static int own = 10;
static __thread int mine = 20;
__attribute__((noinline)) int step(const char *name) { asm volatile("" :: "r"(name)); return own; }
static void *thread(void *arg)
{
	mine += (int)(long)arg;
	a_work((int)(long)arg);
	return 0;
}
static void *load(const char *name, void *(*how)(const char *, int))
{
	void *l = how(name, RTLD_NOW), *f = l ? dlsym(l, "late_work") : 0;
	if (f)
		((int (*)(int))f)(1);
	return l;
}
int main(int argc, char **argv)
{
	pthread_t t;
	void *late;

	step("begin");
	b_work(1);
	a_work(1);
	for (long i = 1; i <= 2; i++)
		if (pthread_create(&t, 0, thread, (void *)(10 * i)) || pthread_join(t, 0))
			return 1;
	late = load("./late.so", dlopen);
	step("late");
	dlclose(late);
	step("gone");
	mmap(0, 1 << 21, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	late = load("./late.so", dlopen);
	step("again");
	if (!fork()) {
		own = 11;
		((int (*)(int))dlsym(late, "late_work"))(5);
		step("child");
		getpgid(0);
		_exit(0);
	}
	wait(0);
	step("parent");
	getpgid(0);
	dlmopen(LM_ID_NEWLM, "./late.so", RTLD_NOW);
	step("twice");
	b_work(0);
	execl("./other", "other", (char *)0);
	return 1;
}
X
printf '%s\n' 'int b_work(int);' 'int main(void) { return b_work(1) != 201; }' >other.c
# Libraries have their paths, or names where the program's own path leads to them.
sed "s|=/|$B/modules/|g" >read.stp <<'X'
function own() { return @var("own@main.c", @1) }
function tell(name, text) { println(name, ": ", text) }
probe process(@1).function("step") {
	name = user_string($name)
	try { late = sprint(@var("late_count", "late.so"), " ", @var("of_late", "late.so")) } catch (late) { late = late . "" }
	if (name == "late" || name == "again" || name == "child" || name == "parent" || late !~ "^[0-9]") tell(name, late)
	if (name == "begin" || name == "twice") /* the number of its name spaces */
		tell("linker", sprint(@defined(@var("_rtld_global", "/lib64/ld-linux-x86-64.so.2")) ?
				      @var("_rtld_global", "/lib64/ld-linux-x86-64.so.2")->_dl_nns : 1 + (name == "twice")))
	if (name == "begin") {
		printf("b: %d %s %d %s\n", @var("state@b.c", "libb.so"), user_string(@var("pair", "libb.so")->text), @var("pair", "libb.so")->list[1],
		       @var("pair", "libb.so")$)
		printf("a: %d %d\n", @var("state", "liba.so"), @var("of_a", "liba.so"))
		@var("state", "libb.so") = 1000
		println("defined: ", @defined(@var("state", "liba.so")), @defined(@var("nothing", "liba.so")))
	}
}
probe process("=/liba.so").function("a_work") {
	printf("in a: %d %d, b has %d %d\n", own(), @var("mine", @1), @var("state", "=/libb.so"), (&@var("pair", "=/libb.so"))->number)
}
probe process("=/libb.so").function("b_work") {
	try { printf("in b: %d, %d %d %d\n", @var("state"), @var("own", @1), @var("mine", @1), @var("state", "=/liba.so")) } catch (why) { tell("in b", why) }
}
probe process(@1).begin { if (pid() == target()) try { tell("begins", sprint(@var("own", @1))) tell("begins", sprint(@var("state", "=/liba.so"))) } catch (why) { tell("begins", why) } }
probe syscall.getpgid { if (pid() == target() || ppid() == target()) tell("in the kernel", sprint(own(), " ", @var("late_count", "=/late.so"))) }
probe begin { try { tell("begin", sprint(own())) } catch (why) { tell("begin", why) } }
X
for name in a b late; do
	gcc -g -O1 -fPIC -shared -o lib$name.so $name.c || exit 1
done
mv liblate.so late.so && gcc -g -O1 -o other other.c -L. -lb -Wl,-rpath,"$B/modules" || exit 1
for how in pie no-pie; do
	gcc -g -O1 -$how -pthread -o prog main.c -L. -la -lb -Wl,-rpath,"$B/modules" || exit 1
	{
		echo "begin: $B/modules/prog is not mapped in this process"
		echo "begins: 10"
		echo "begins: $B/modules/liba.so is not mapped in this process"
		echo "begin: $B/modules/late.so is not mapped in this process"
		echo "linker: 1"
		echo 'b: 200 seven 2 {.number=7, .text="seven", .list=[...]}'
		echo "a: 100 5"
		echo "defined: 10"
		echo "in b: 1000, 10 20 100"
		echo "in a: 10 20, b has 1001 7"
		echo "in a: 10 30, b has 1001 7"
		echo "in a: 10 40, b has 1001 7"
		echo "late: 301 2"
		echo "gone: $B/modules/late.so is not mapped in this process"
		echo "again: 301 2"
		echo "child: 306 7"
		echo "in the kernel: 11 306"
		echo "parent: 301 2"
		echo "in the kernel: 10 301"
		echo "twice: $B/modules/late.so is mapped more than once in this process"
		echo "linker: 2"
		echo "in b: 1001, 10 20 131"
		echo "in b: $B/modules/prog is not mapped in this process"
	} >want
	"$SPILE" -g -r "$RELEASE" -p4 -m other_modules read.stp "$B/modules/prog" >/dev/null || exit 1
	"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B/modules && $SPILERUN -c ./prog other_modules.ko" >got 2>&1
	diff want got || { echo "$how"; exit 1; }
done
