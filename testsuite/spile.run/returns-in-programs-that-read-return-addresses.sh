#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runtimes that find their frames by return addresses, as V8 and OCaml do, end where one is the kernel's.  A program of one, and what is called by code
# that it generates, is probed at the instructions that return.
cd "$B" || exit 1
cat >reads.c <<'EOS'
#include <stdio.h>

static int steps, moved;

/* A runtime's name, which makes the program one of it. */
#ifdef OWN
__attribute__((used)) void runtime(void) __asm__(OWN);
__attribute__((used)) void runtime(void) { steps--; }
#endif

__attribute__((noinline, noipa)) int step(int n)
{
	unsigned long from = (unsigned long)__builtin_return_address(0);

	steps++;
	moved += !(from % 4096); /* the kernel's is the first of a page */
	if (n % 3)
		return n + 1;
	return n + 2;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 30; i++)
		sum += step(i);
	printf("%d steps, %d moved, sum %d\n", steps, moved, sum);
	return 0;
}
EOS
# "other" is no runtime's: it shows that a changed address is noticed.
n=0
for own in _ZN2v88internal12Builtin_StepEiPmPNS0_7IsolateE camlMain__frametable coreclr_initialize RhpNewFast mono_jit_init JNI_CreateJavaVM graal_create_isolate \
	__svm_version_info stg_upd_frame_info ijl_gc_collect jl_image_pointers call_into_lisp other; do
	gcc -O2 -DOWN="\"$own\"" -o "reads_$n" reads.c || exit 1
	cat <<EOF
probe process("$B/reads_$n").function("step") { entries[$n]++ }
probe process("$B/reads_$n").function("step").return { returns[$n]++; sum[$n] += returnval() }
EOF
	n=$((n + 1))
done >reads.stp
cat >>reads.stp <<'EOF'
global entries, returns, sum
probe end { for (i = 0; i < 13; i++) printf("%d: %d entries, %d returns, sum %d\n", i, entries[i], returns[i], sum[i]) }
EOF
"$SPILE" -r "$RELEASE" -p4 -m reads reads.stp >/dev/null || exit 1
cat >reads-all.sh <<EOF
for i in \$(seq 0 12); do $B/reads_\$i; done
EOF
echo "$SPILERUN -c 'sh $B/reads-all.sh' $B/reads.ko" >reads-run.sh
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/reads-run.sh" >reads.got 2>&1
{
	for i in $(seq 0 11); do echo '30 steps, 0 moved, sum 475'; done
	echo '30 steps, 30 moved, sum 475'
	for i in $(seq 0 12); do echo "$i: 30 entries, 30 returns, sum 475"; done
} >reads.want
diff reads.want reads.got
