#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine has few watchpoints.  A point that finds none is an error, or a warning where it may be missing; those of a session are free again when
# it ends, also when it failed; and points with conditions take turns.  What cannot be watched at all is refused with the reason.
# cost: 30
cd "$B" || exit 1
variables="panic_timeout panic_on_oops print_fatal_signals randomize_va_space"
counted() { for v in $variables; do echo "probe kernel.data(\"$v\").length(4).write { n++ }"; done; }
{
	echo 'global n probe end { println(n, " writes") }'
	counted
} >four.stp
{ cat four.stp; echo 'probe kernel.data("page_cluster").length(4).write { n++ }'; } >five.stp
{ cat four.stp; echo 'probe kernel.data("page_cluster").length(4).write ? { n++ }'; } >perhaps.stp
cat >turns.stp <<'Y'
global on, n
probe kernel.data("panic_on_oops").length(4).write if (on == 1) { n["of two"]++ }
probe kernel.data("print_fatal_signals").length(4).write if (on == 1) { n["of two"]++ }
probe kernel.data("randomize_va_space").length(4).write if (on == 2) { n["of four"]++ }
probe kernel.data("page_cluster").length(4).write if (on == 2) { n["of four"]++ }
probe kernel.data("panic_on_warn").length(1).write if (on == 2) { n["of four"]++ }
probe kernel.data("panic_timeout").length(4).write { on = $after }
probe end { foreach (k+ in n) println(k, " ", n[k]) }
Y
echo 'probe kernel.data("panic_timeout").length(4).rw { println(1) } probe module("dummy").data("numdummies").rw { println(1) }' >absent.stp
echo 'probe kernel.data("__per_cpu_offset").length(8).rw { println(1) }' >needed.stp
echo 'probe kernel.data("linux_banner").write { println(1) } probe end { println("goes on") }' >unknown.stp
echo 'probe kernel.data("linux_banner").length(8).rw ?, kernel.data("no_such").rw?, kernel.data("__per_cpu_offset").length(8).rw?, end { println("goes on") }' >without.stp
for name in four five perhaps turns absent needed unknown without; do
	"$SPILE" -r "$RELEASE" -p4 -m few_$name $name.stp >/dev/null || exit 1
done
cat >few.sh <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
cat >all <<'Y'
cd /proc/sys/kernel
for f in panic_on_oops print-fatal-signals randomize_va_space panic_on_warn ../vm/page-cluster; do
	x=\$(cat \$f)
	for i in 1 2 3; do echo \$x >\$f; done
done
Y
cat >some <<'Y'
panic() { echo \$1 >/proc/sys/kernel/panic; sleep $SLOW; }
sh all
panic 1
sh all
panic 2
sh all
panic 1
sh all
panic 0
Y
run() {
	echo "\$1:"
	rm -f out # a session that does not begin leaves what is there
	$SPILERUN -o out -c "sh \$2" $B/few_\$1.ko 2>err || echo "status \$?"
	cat out 2>/dev/null
	grep -o 'probe [km].*' err
}
run five all
run four all
run perhaps all
run turns some
run absent all
run needed all
run unknown all
run without all
X
out=$("$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/few.sh" 2>&1)
echo "$out" | sed 's/in use, .*/in use/' | tee few.out
diff - few.out <<'Y'
five:
status 1
probe kernel.data("page_cluster").length(4).write: all watchpoints of the machine are in use
four:
9 writes
perhaps:
9 writes
probe kernel.data("page_cluster").length(4).write: all watchpoints of the machine are in use
turns:
of four 9
of two 12
absent:
status 1
probe module("dummy").data("numdummies").rw: the module is not loaded
needed:
status 1
probe kernel.data("__per_cpu_offset").length(8).rw: the kernel does not let this memory be watched: it uses it on the way into an exception
unknown:
goes on
probe kernel.data("linux_banner").write: the kernel's symbols do not tell how large it is, so its first byte is watched: .length(N) says how many, 1, 2, 4 or 8
without:
goes on
probe kernel.data("__per_cpu_offset").length(8).rw: the kernel does not let this memory be watched: it uses it on the way into an exception
Y
