#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The variables that each thread has of a library, in all ways that compilers reach them: of a library that the program is linked with, of libraries
# that it loads when threads run already, and of one that takes the number of another one which was unloaded.  A thread that has not got them yet has none.
# Names that two libraries export differ here: the dynamic linker gives both libraries the first one's, but each has its own, which is shown.
# kernel: any
cd "$B" || exit 1
cat >tls.c <<'X'
#include <string.h>
struct pair { int a; char text[8]; };
__thread long tls_count = 1000;
static __thread struct pair tls_pair = {7, "pair"};
__thread char tls_room[3000];
__attribute__((noinline)) long PLACE(long n)
{
	asm volatile("");
	return n;
}
__attribute__((noinline)) long USE(long n)
{
	tls_count += n;
	tls_pair.a += 2 * (int)n;
	tls_room[0] = (char)n;
	PLACE(n);
	return tls_count + tls_pair.a + tls_pair.text[0];
}
X
cat >early.c <<'X'
static __thread int early_number __attribute__((tls_model("initial-exec"))) = 50;
__attribute__((noinline)) int early_place(int n) { asm volatile(""); return n; }
__attribute__((noinline)) int early_use(int n) { early_number += n; early_place(n); return early_number; }
X
cat >main.c <<'X'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
long linked_use(long), linked_place(long);
static pthread_barrier_t turn;
static void *library;
static long call(const char *name, long n)
{
	long (*f)(long);
	*(void **)&f = dlsym(library, name);
	return f ? f(n) : -1;
}
static void *thread(void *arg)
{
	long n = (long)arg;
	linked_place(10 + n); /* the program began with the library, so they are there */
	linked_use(n);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn); /* late is loaded */
	call("late_place", 20 + n); /* none yet */
	call("late_use", n);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn); /* next has taken its place */
	call("next_place", 30 + n); /* none yet: what the thread has is of late */
	call("next_use", n);
	call("next_use", n);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn); /* early is loaded: its variables are in each thread at once */
	call("early_place", 40 + n);
	call("early_use", n);
	return 0;
}
static void load(const char *name)
{
	pthread_barrier_wait(&turn);
	if (library)
		dlclose(library);
	library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		puts(dlerror());
	pthread_barrier_wait(&turn);
}
int main(void)
{
	pthread_t t[3];
	pthread_barrier_init(&turn, 0, 4);
	linked_use(100);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, thread, (void *)(i + 1));
	load("./late.so");
	load("./next.so");
	load("./early.so");
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
X
cat >tls.stp <<X
probe process("$B/liblinked.so").function("linked_place") {
	try { printf("linked %d: %d %d %s %d\n", \$n, @var("tls_count"), @var("tls_pair")->a, user_string(@var("tls_pair")->text), @var("tls_room")[0]) }
	catch (why) { printf("linked %d: %s\n", \$n, why) }
}
probe process("$B/late.so").function("late_place") {
	try { printf("late %d: %d %d %d\n", \$n, @var("tls_late"), @var("tls_pair")->a, @var("room_late")[0]) } catch (why) { printf("late %d: %s\n", \$n, why) }
}
probe process("$B/next.so").function("next_place") {
	try { printf("next %d: %d %d %d\n", \$n, @var("tls_next"), @var("tls_pair")->a, @var("room_next")[0]) } catch (why) { printf("next %d: %s\n", \$n, why) }
}
probe process("$B/early.so").function("early_place") {
	try { printf("early %d: %d\n", \$n, @var("early_number")) } catch (why) { printf("early %d: %s\n", \$n, why) }
}
probe process("$B/liblinked.so").function("linked_use") { printf("use %d: %d\n", \$n, \$tls_count) }
X
none="this thread has no variables of the library yet: it gets them when it first uses one"
{
	echo "linked 100: 1100 207 pair 100"
	echo "use 100: 1000"
	for n in 1 2 3; do
		echo "early $((40 + n)): 50"
		echo "early $n: $((50 + n))"
		echo "late $((20 + n)): $none"
		echo "late $n: $((1000 + n)) $((7 + 2 * n)) $n"
		echo "linked $((10 + n)): 1000 7 pair 0"
		echo "linked $n: $((1000 + n)) $((7 + 2 * n)) pair $n"
		echo "next $((30 + n)): $none"
		echo "next $n: $((1000 + n)) $((7 + 2 * n)) $n"
		echo "next $n: $((1000 + 2 * n)) $((7 + 4 * n)) $n"
		echo "use $n: 1000"
	done
} | sort >want
# By calls of __tls_get_addr(), and by descriptors.
for dialect in gnu gnu2; do
	flags="-g -O1 -fPIC -shared -mtls-dialect=$dialect"
	gcc $flags -DPLACE=linked_place -DUSE=linked_use -o liblinked.so tls.c && gcc $flags -DPLACE=late_place -DUSE=late_use -Dtls_count=tls_late -Dtls_room=room_late -o late.so tls.c &&
		gcc $flags -DPLACE=next_place -DUSE=next_use -Dtls_count=tls_next -Dtls_room=room_next -o next.so tls.c && gcc $flags -o early.so early.c &&
		gcc -g -O1 -o threads_main main.c -L. -llinked -Wl,-rpath,"$B" -pthread || exit 1
	"$SPILE" -r "$RELEASE" -p4 -m thread_variables tls.stp >/dev/null || exit 1
	"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -c ./threads_main thread_variables.ko" 2>&1 | sort >got.$dialect
	diff want got.$dialect || { echo "with -mtls-dialect=$dialect"; exit 1; }
done
