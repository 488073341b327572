#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A return that must not be hooked is not hooked when there is no memory to undo that after the hit: entries are still seen, returns
# again once there is memory, and those missed meanwhile are counted, in every session alike.
# cost: 10
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
cat >scarce.c <<'EOF'
#include <setjmp.h>
#include <stdio.h>
#include <ucontext.h>

#define PROBED __attribute__((noinline, noclone))

static volatile int sum;
static ucontext_t home, other;
static jmp_buf out;
static char stack[65536];

PROBED void here(int n) { sum += n; }
PROBED void memory_gone(void) { sum++; }
PROBED void memory_back(void) { sum++; }
PROBED int deep(int n)
{
	if (!n)
		longjmp(out, 1);
	return deep(n - 1) + sum;
}

static void call(int n)
{
	while (n--)
		here(n);
}

static void call_there(void) { call(10); }

int main(void)
{
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof stack;
	other.uc_link = &home;
	makecontext(&other, call_there, 0);

	call(10);
	memory_gone();
	swapcontext(&home, &other); /* on another stack, where no return may be hooked */
	call(10);
	memory_back();
	call(1); /* after this one returns are hooked again */
	call(10);
	memory_gone();
	if (!setjmp(out))
		deep(70);
	call(5); /* 64 calls were left: without memory there is no room for more */
	memory_back();
	call(10);
	puts("alive");
	return 0;
}
EOF
gcc -O1 -g -fno-optimize-sibling-calls -o scarce scarce.c || exit 1
cat "$S/../lib/no-memory.stp" - >scarce.stp <<'EOF'
global entries, returns, deep
probe process(@1).function("here").call { entries++ }
probe process(@1).function("here").return { returns++ }
probe process(@1).function("deep").return { deep++ }
probe end { printf("%d calls %d returns %d deep\n", entries, returns, deep) }
EOF
cat >beside.stp <<'EOF'
global entries, returns
probe process(@1).function("here").call { entries++ }
probe process(@1).function("here").return { returns++ }
probe end { printf("%d calls %d returns\n", entries, returns) }
EOF
"$SPILE" -g -r "$RELEASE" -p4 -m scarce scarce.stp "$B/scarce" >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m beside beside.stp "$B/scarce" >/dev/null || exit 1
cat >scarce-run.sh <<EOF
S=$S SPILERUN=$SPILERUN
. $S/../lib/session.sh
cd $B
$SPILERUN -v -c ./scarce scarce.ko 2>alone.err && skipped alone.err
# The other session began first, so the one without memory is called first.
session_begin beside
$SPILERUN -v -c ./scarce scarce.ko 2>scarce.err && skipped scarce.err
session_end
cat beside.out; skipped beside.err
EOF
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/scarce-run.sh" >scarce.got 2>&1
# Alone and without memory: 10 there, 10 here, 1 after that; the other session has memory, so that this 1 is hooked again.  Of the 10 here
# the session without memory could not learn whether the other lets them be hooked.  After the longjmp() 5, which the session with memory
# has to leave out too, alone 1 more; and 7 calls of deep() are more than the kernel follows.
cat >scarce.want <<'EOF'
alive
56 calls 29 returns 0 deep
too many calls of a function active at once: 8, a return that cannot be probed safely: 26
alive
56 calls 31 returns 0 deep
too many calls of a function active at once: 12, a return that cannot be probed safely: 20
56 calls 31 returns
a return that cannot be probed safely: 25
EOF
diff scarce.want scarce.got || fail "not what was expected: $(cat alone.err scarce.err beside.err)"
