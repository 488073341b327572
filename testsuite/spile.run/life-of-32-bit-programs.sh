#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Begin, end, threads and system calls of a 32-bit program, by its path, by a pattern and by a script that it runs; its functions are refused.
# needs-config: CONFIG_IA32_EMULATION
# cost: 10
rm -rf "$B/narrow" && mkdir -p "$B/narrow" && cd "$B/narrow" || exit 1
cat >narrow.s <<'X'
.globl _start
_start:
	movl $20, %eax # getpid
	int $0x80
	movl $2, %eax # fork
	int $0x80
	testl %eax, %eax
	jz child
	movl %eax, %ebx
	movl $0, %ecx
	movl $0, %edx
	movl $7, %eax # waitpid
	int $0x80
	movl $252, %eax # exit_group
	movl $5, %ebx
	int $0x80
child:
	movl $64, %eax # getppid
	int $0x80
	movl $1, %eax # exit
	movl $3, %ebx
	int $0x80
X
as --32 -o narrow.o narrow.s && ld -m elf_i386 -o narrow narrow.o && printf '#!%s\n' "$B/narrow/narrow" >by-script && chmod +x by-script || exit 1
cat >read.stp <<'X'
global calls, events
function who() { return pid() == target() ? "parent" : "child" }
probe process(@1).begin { events[who(), "begin"]++ }
probe process(@1).end { events[who(), "end"]++ }
probe process(@1).thread.begin { events[who(), "thread begin"]++ }
probe process(@1).thread.end { events[who(), "thread end"]++ }
probe process(@1).syscall { calls[who(), $syscall, 0]++ }
probe process(@1).syscall.return { calls[who(), $syscall, 1]++ }
probe end {
	foreach ([w+, e] in events) println(w, " ", e, " ", events[w, e])
	foreach ([w+, n, r] in calls) println(w, " call ", n, r ? " returns " : " ", calls[w, n, r])
}
X
sort >want <<'X'
parent begin 1
parent end 1
child begin 1
child end 1
parent call 20 1
parent call 20 returns 1
parent call 2 1
parent call 2 returns 1
parent call 7 1
parent call 7 returns 1
parent call 252 1
child call 64 1
child call 64 returns 1
child call 1 1
WARNING: Child process exited with status 5
status 1
X
"$SPILE" -r "$RELEASE" -p2 -e "probe process(\"$B/narrow/narrow\").function(\"_start\") { exit() }" 2>said && { echo "functions are not refused"; exit 1; }
grep -q "process(\"$B/narrow/narrow\").begin, .end" said || { cat said; exit 1; }
for name in narrow 'nar*w' by-script; do
	"$SPILE" -r "$RELEASE" -p4 -m narrow read.stp "$B/narrow/$name" >/dev/null || exit 1
	"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B/narrow && $SPILERUN -c ./narrow narrow.ko; echo status \$?" >got 2>&1
	sort got | diff want - || { cat got; exit 1; }
done
