#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kretprobe of a session at a place of the function tracer, which finds itself broken and cannot give it back: it stays with the
# module, and with its calls, of which the kernel still takes and gives back one at each hit.  The session begins with the tracer
# broken, so that it makes kprobes, and has it mended, so that they can be armed.
# cost: 30
cd "$B" || exit 1
cat >relies.stp <<'EOF'
global on, r
probe process("/bin/true").begin { on = 1 }
probe kernel.function("vfs_read").return if (on) { r++ }
probe end { println(r > 0) }
EOF
cat >tracer.stp <<'EOF'
%{
#include <linux/kprobes.h>
#include <linux/module.h>
#include "kernel/ksyms.h"
%}
global disabled = 0, place = 0, owner = 0, value = 0
function set(address:long, value:long) %{ kwrite((int *)STAP_ARG_address, (int)STAP_ARG_value); %}
function missed:long(place:long) %{
	struct kprobe *p;

	preempt_disable(); /* get_kprobe() asks for it */
	p = (void *)ksyms_call3(ksyms_address("get_kprobe"), STAP_ARG_place, 0, 0);
	STAP_RETVALUE = p ? container_of(p, struct kretprobe, kp)->nmissed : -1;
	preempt_enable();
%}
function release(place:long, owner:long) %{
	struct kprobe *p;

	preempt_disable();
	p = (void *)ksyms_call3(ksyms_address("get_kprobe"), STAP_ARG_place, 0, 0);
	preempt_enable();
	unregister_kretprobe(container_of(p, struct kretprobe, kp));
	module_put((struct module *)STAP_ARG_owner);
%}
probe begin {
	set(disabled, value)
	if (place) println("missed ", missed(place))
	if (owner) release(place, owner)
	if (owner) println("left ", missed(place))
	exit()
}
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m relies relies.stp >/dev/null || exit 1
"$SPILE" -g -r "$RELEASE" -p4 -m tracer tracer.stp >/dev/null || exit 1
cat >stays-run.sh <<EOF
. $S/../lib/await.sh
cd $B
address() { awk -v name=\$1 -v module="\$2" '\$3 == name && \$4 == module { print "0x" \$1; exit }' /proc/kallsyms; }
read_files() { i=0; while [ \$i -lt 20 ]; do cat /proc/version >/dev/null; i=\$((i + 1)); done; }
disabled=\$(address ftrace_disabled)
tracer() { $SPILERUN tracer.ko disabled=\$disabled value=\$*; }
is_armed() { grep -q 'r  *vfs_read.*FTRACE' /sys/kernel/debug/kprobes/list && ! grep -q 'vfs_read.*DISABLED' /sys/kernel/debug/kprobes/list; }
mount -t debugfs none /sys/kernel/debug 2>/dev/null
tracer 1
$SPILERUN -v -o relies.out relies.ko 2>relies.err & pid=\$!
await_within 60 grep -q started relies.err
tracer 0
is_armed_now() { is_armed || { /bin/true; false; }; }
await_within 10 is_armed_now
is_armed || cat /sys/kernel/debug/kprobes/list relies.err
read_files
tracer 1
kill -INT \$pid
wait \$pid
echo "status \$?: \$(tail -n 1 relies.out)"
grep -o 'module relies stays loaded' relies.err || cat relies.err
place=\$(awk '/vfs_read/ { print "0x" \$1 }' /sys/kernel/debug/kprobes/list)
tracer 1 place=\$place
read_files
tracer 0 place=\$place owner=\$(address __this_module '[relies]')
rmmod relies && echo gone
EOF
"$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/stays-run.sh" >stays.got 2>&1
cat >stays.want <<'EOF'
status 1: 1
module relies stays loaded
missed 0
missed 0
left -1
gone
EOF
diff stays.want stays.got || { echo 'not what was expected:'; cat relies.err; exit 1; }
