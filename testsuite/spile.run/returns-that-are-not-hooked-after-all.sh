#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A session lets a return be hooked, and then it is not: because the next session at the same place finds that it may not be, or because the
# kernel cannot.  Each such return is counted in every session.
# cost: 10
cd "$B" || exit 1
cat >unhooked.c <<'EOF'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, CALL = 0xe8 };
static volatile int sum;

__attribute__((noinline, noclone)) void here(unsigned char *op) { sum += *op; }
__attribute__((noinline, noclone)) void memory_gone(void) { sum++; }
__attribute__((noinline, noclone)) void memory_back(void) { sum++; }
/* Its first instruction is one that the kernel does itself: it needs no page for a copy. */
asm(".text\n.type full, @function\n.globl full\nfull:\n\tpush %rbp\n\tmov %rsp, %rbp\n\tpop %rbp\n\tret\n.size full, . - full\n");
void full(void);
/* Calls here() with the address of that call. */
asm(".text\n.p2align 12\n.type there, @function\n.globl there\nthere:\n\tlea 1f(%rip), %rdi\n1:\tcall here\n\tret\n.size there, . - there\n"
    ".globl there_end\nthere_end:\n.p2align 12\n");
void there(void);
extern unsigned char there_end[];

/* Until no page is left, also where the machine has addresses of more than 47 bits, which are only used with a hint. */
static void fill_address_space(void)
{
	for (unsigned long size = 1ul << 55; size >= PAGE; size /= 2)
		while (mmap((void *)(1ul << 55), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)
			;
}

int main(int argc, char **argv)
{
	unsigned char other = 0, *op = there_end - 6;
	int i;

	puts("alive");
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "full")) {
		fill_address_space();
		for (i = 0; i < 10; i++)
			full();
		return sum;
	}
	if (mprotect((void *)((unsigned long)op & -(unsigned long)PAGE), PAGE, PROT_READ | PROT_WRITE | PROT_EXEC))
		return 1;
	memory_gone();
	for (i = 0; i < 10; i++) {
		*op = CALL;
		there();
		here(&other);
	}
	memory_back();
	return 0;
}
EOF
gcc -O1 -g -fcf-protection=none -o unhooked unhooked.c || exit 1
# The session that is called first removes the sign that a call led there.
cat >first.stp <<'EOF'
global entries, returns, saved
probe process(@1).function("here").call { entries++; $op[0] = 0x90 }
probe process(@1).function("here").return { returns++ }
probe process(@1).function("here").return { saved += @entry($op) != 0 }
probe end { printf("%d calls %d %d returns\n", entries, returns, saved) }
EOF
# The same without memory to find out whether the return was hooked: it is left out for all.
cat "$S/../lib/no-memory.stp" first.stp >scarce.stp
cat >beside.stp <<'EOF'
global entries, returns
probe process(@1).function("here").call { entries++ }
probe process(@1).function("here").return { returns++ }
probe end { printf("%d calls %d returns\n", entries, returns) }
EOF
cat >full.stp <<'EOF'
global entries, returns, saved
probe process(@1).function("full").call { entries++ }
probe process(@1).function("full").return { returns++ }
probe process(@1).function("full").return { saved += @entry(1) }
probe end { printf("%d calls %d %d returns\n", entries, returns, saved) }
EOF
for m in first scarce beside full; do "$SPILE" -g -r "$RELEASE" -p4 -m $m $m.stp "$B/unhooked" >/dev/null || exit 1; done
cat >unhooked-run.sh <<EOF
S=$S SPILERUN=$SPILERUN
. $S/../lib/session.sh
cd $B
for m in first scarce; do
	session_begin beside
	$SPILERUN -v -c ./unhooked \$m.ko 2>\$m.err; skipped \$m.err
	session_end
	cat beside.out; skipped beside.err
done
$SPILERUN -v -c './unhooked full' full.ko 2>full.err; skipped full.err
EOF
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/unhooked-run.sh" >unhooked.got 2>&1
cat >unhooked.want <<'EOF'
alive
20 calls 10 10 returns
a return that cannot be probed safely: 20
20 calls 10 returns
a return that cannot be probed safely: 10
alive
20 calls 0 0 returns
a return that cannot be probed safely: 40
20 calls 0 returns
a return that cannot be probed safely: 20
alive
10 calls 0 0 returns
the kernel could not deliver the hit: 20
EOF
diff unhooked.want unhooked.got || { echo 'not what was expected'; cat first.err scarce.err beside.err full.err; exit 1; }
