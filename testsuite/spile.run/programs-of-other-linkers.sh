#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs and libraries that lld linked, by its own name and as the linker of Rust: their markers and arguments, functions, returns, statements,
# parameters, variables and stacks are the same as of those that GNU ld linked.  Stripped ones too.
# needs-package: process("/usr/bin/ld.lld").begin
# cost: 30
rm -rf "$B/linkers" && mkdir "$B/linkers" && cd "$B/linkers" || exit 1
cat >prog.c <<'Y'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include <unistd.h>

__attribute__((section(".probes"), used)) volatile unsigned short linked_here_semaphore;
long linked_total = 3;
static const char *const names[] = {"zero", "one", "two"};
extern long in_library(long n);

__attribute__((noinline)) long deep(long n)
{
	long rest = n ? deep(n - 1) : in_library(linked_total);

	STAP_PROBE3(linked, here, n, names[n % 3], linked_here_semaphore);
	return rest + n;
}

int main(void)
{
	return deep(3) != 10;
}
Y
cat >lib.c <<'Y'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

__attribute__((section(".probes"), used)) volatile unsigned short library_there_semaphore;
static __thread long calls = 40;

__attribute__((noinline, used)) static long hidden(long n)
{
	STAP_PROBE2(library, there, n, library_there_semaphore);
	return n + 1;
}

long in_library(long n)
{
	calls++;
	return hidden(n);
}
Y
cat >linked.stp <<'Y'
probe process(@1).begin { println("begins") }
probe process(@1).function("deep") { printf("deep %d of %d\n", $n, @var("linked_total")) }
probe process(@1).function("deep").return { printf("deep gives %d\n", $return) }
probe process(@1).statement("deep@prog.c:15") { printf("line 15, rest %d\n", $rest) }
probe process(@1).mark("here") { printf("here %d %s\n", $arg1, user_string($arg2)) }
probe process(@1).library("*linked.so").mark("there") { printf("there %d\n", $arg1) }
probe process(@1).library("*linked.so").function("hidden") {
	printf("hidden %d, calls %d:", $n, @var("calls"))
	for (i = 0; i < 7; i++)
		printf(" %s", usymname(ustack(i)))
	println("")
}
probe process(@1).end { println("ends") }
Y
cat >bare.stp <<'Y'
probe process(@1).mark("here") { printf("here %d %s\n", $arg1, user_string($arg2)) }
probe process(@1).library("*linked.so").mark("there") { printf("there %d\n", $arg1) }
probe process(@1).library("*linked.so").function("in_library") { printf("in the library, %s\n", usymname(uaddr())) }
probe process(@1).library("*linked.so").function("in_library").return { printf("%d is returned\n", returnval()) }
Y
cat >want <<'Y'
begins
deep 3 of 3
deep 2 of 3
deep 1 of 3
deep 0 of 3
hidden 3, calls 41: hidden in_library deep deep deep deep main
there 3
here 0 zero
line 15, rest 4
deep gives 4
here 1 one
line 15, rest 4
deep gives 5
here 2 two
line 15, rest 5
deep gives 7
here 3 zero
line 15, rest 7
deep gives 10
ends
Y
cat >want.bare <<'Y'
in the library, in_library
there 3
4 is returned
here 0 zero
here 1 one
here 2 two
here 3 zero
Y

cat >semaphore.stp <<'Y'
probe process(@1).mark("here") { printf("semaphore %d\n", $arg3) }
Y
# build LINKER OPTIONS: for gcc.
build() {
	mkdir "$1" || exit 1
	for what in prog lib; do
		gcc -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-cp -I"$S/../../include" -fPIC -c $what.c || exit 1
	done
	gcc $2 -shared -Wl,--build-id -o "$1/liblinked.so" lib.o && gcc $2 -Wl,--build-id -o "$1/prog" prog.o "$1/liblinked.so" -Wl,-rpath,"$PWD/$1" || exit 1
	mkdir "$1.bare" && cp "$1/prog" "$1/liblinked.so" "$1.bare/" && strip "$1.bare/prog" "$1.bare/liblinked.so" || exit 1
}

build gnu -fuse-ld=bfd
build lld -fuse-ld=lld
build separate "-fuse-ld=lld -Wl,-z,separate-loadable-segments"
linkers="gnu lld separate"
rust=$(rustc --print sysroot 2>/dev/null)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
if [ -x "$rust" ]; then
	mkdir as && ln -s "$rust" as/ld.lld
	build rust "-Bas -fuse-ld=lld"
	linkers="$linkers rust"
fi
readelf -p .comment lld/prog | grep -q 'Linker: .*LLD' || { echo "not linked by lld"; exit 1; }
failed=0
# Where the page of a semaphore is mapped twice, the kernel raises the other copy; where it is not, the right one.
"$SPILE" -r "$RELEASE" -p2 semaphore.stp "$PWD/lld/prog" 2>&1 >/dev/null | grep -q "the semaphore of the marker here is not raised in processes that begin .*/lld/prog later" ||
	{ echo "no warning"; failed=1; }
for linker in gnu separate; do
	"$SPILE" -r "$RELEASE" -p4 -m "semaphore_$linker" semaphore.stp "$PWD/$linker/prog" >said 2>&1 && ! grep warning said || failed=1
	echo "$SPILERUN -c $PWD/$linker/prog semaphore_$linker.ko 2>&1 | uniq >$linker.semaphore.got"
	printf 'semaphore 1\n' >"$linker.semaphore"
done >run
for linker in $linkers; do
	"$SPILE" -r "$RELEASE" -p4 -m "linked_$linker" linked.stp "$PWD/$linker/prog" >/dev/null || failed=1
	LD_LIBRARY_PATH=$PWD/$linker.bare "$SPILE" -r "$RELEASE" -p4 -m "bare_$linker" bare.stp "$PWD/$linker.bare/prog" >/dev/null || failed=1
	echo "$SPILERUN -c $PWD/$linker/prog linked_$linker.ko >$linker.got 2>&1"
	echo "LD_LIBRARY_PATH=$PWD/$linker.bare $SPILERUN -c $PWD/$linker.bare/prog bare_$linker.ko >$linker.bare.got 2>&1"
done >>run
"$V" -t $((150 * SLOW)) exec "$G" -- sh -c "cd $PWD && . ./run" || failed=1
for linker in $linkers; do
	diff want $linker.got || { echo "$linker"; failed=1; }
	diff want.bare $linker.bare.got || { echo "$linker, stripped"; failed=1; }
done
for linker in gnu separate; do
	diff $linker.semaphore $linker.semaphore.got || failed=1
done
exit $failed
