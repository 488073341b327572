#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stack of a program that reads a clock goes through the code that the kernel has mapped there: where a sample interrupts it, and where that code
# calls the kernel.  Its functions have their names.
# cost: 30
cd "$B" || exit 1
cat >clocks.c <<'X'
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((noinline)) long clocks_read(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
int main(void)
{
	long sum = 0, end = clocks_read(CLOCK_MONOTONIC_COARSE) + 3000000000;

	while (clocks_read(CLOCK_MONOTONIC_COARSE) < end)
		;
	for (int i = 0; i < 3; i++)
		sum += clocks_read(CLOCK_THREAD_CPUTIME_ID) & 1; /* the kernel must be asked */
	return sum < 0;
}
X
gcc -O2 -o clocks clocks.c || exit 1
cat >vdso.stp <<'X'
global hits, whole, shown, calls, named, module
function look() {
	if (execname() != "clocks" || umodname(ustack(0)) != "[vdso]") return 0
	hits++
	s = sprint_ubacktrace()
	if (s =~ "^__vdso_clock_gettime[+]0x[0-9a-f]*/0x[0-9a-f]* [[]vdso[]]\n") named++
	if (isinstr(s, "\nclocks_read+") && isinstr(s, "\nmain+") && isinstr(s, "_start+")) whole++
	else if (shown++ < 3) print_ubacktrace()
	return 1
}
probe perf.sw.cpu_clock.sample(1000000) { look() }
probe timer.profile { look() }
probe process("@1").syscall {
	if ($syscall != 228) next
	calls += look()
	module = usymname(uaddr()) . " " . umodname(uaddr())
}
probe end {
	often = %( CONFIG_PREEMPT_RT == "y" %? calls %: hits > 20 %) # with PREEMPT_RT samples cannot look at the mappings
	printf("%d in the vdso, often %d, not whole %d, not named %d, calls %d, %s\n", hits, often > 0, hits - whole, hits - named, calls, module)
}
X
sed -i "s,@1,$B/clocks," vdso.stp
"$SPILE" -r "$RELEASE" -p4 -DMAXSTRINGLEN=4096 -DMAXBACKTRACE=32 -D STP_NO_OVERLOAD -m in_the_vdso vdso.stp -d "$B/clocks" >/dev/null || exit 1
out=$("$V" -t $((60 * SLOW)) exec "$G" -- "$SPILERUN" -c "$B/clocks" "$B/in_the_vdso.ko" 2>&1)
echo "$out"
echo "$out" | grep -Ex '[0-9]* in the vdso, often 1, not whole 0, not named 0, calls 3, __vdso_clock_gettime \[vdso\]' || exit 1
# The same in a program that was not known when the script was compiled.
grep -q "^CONFIG_PREEMPT_RT=y" /boot/config-"$RELEASE" && exit
cat >unknown.stp <<'X'
global hits, whole
probe timer.profile {
	if (execname() != "clocks") next
	s = sprint_ubacktrace()
	if (s !~ "^__vdso_clock_gettime[+]") next
	hits++
	whole += isinstr(s, "\nclocks_read+") && isinstr(s, "\nmain+") && isinstr(s, "_start+")
	if (whole) exit()
}
probe end { println(whole > 0 ? "whole" : sprintf("%d of %d", whole, hits)) }
X
"$SPILE" -r "$RELEASE" -p4 -DMAXSTRINGLEN=4096 -DMAXBACKTRACE=32 -D STP_NO_OVERLOAD -m unknown unknown.stp >/dev/null || exit 1
out=$("$V" -t $((60 * SLOW)) exec "$G" -- "$SPILERUN" -w -c "sh -c 'for i in 1 2 3 4 5 6 7 8; do $B/clocks; done'" "$B/unknown.ko" 2>&1)
echo "$out"
[ "$out" = whole ]
