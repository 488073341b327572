#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's function tracer finds itself broken while a session relies on it, and gives no call back: the session reports it and ends, and
# its module stays, so that further calls find it.  Another module breaks the tracer here, and mends it.
# cost: 30
cd "$B" || exit 1
cat >relies.stp <<'EOF'
global n, r
probe kernel.function("vfs_read") { n++ }
probe kernel.function("vfs_read").return { r++ }
probe kernel.function("vfs_open") { n++ }
probe end { println(n > 0 && r > 0) }
EOF
cat >break.stp <<'EOF'
%{
#include <linux/ftrace.h>
#include <linux/module.h>
%}
global disabled = 0, ops = 0, owner = 0, value = 0
function set(address:long, value:long) %{ kwrite((int *)STAP_ARG_address, (int)STAP_ARG_value); %}
function release:long(ops:long, owner:long) %{
	struct ftrace_ops *ops = (void *)STAP_ARG_ops; /* one for each way of arming */

	STAP_RETVALUE = unregister_ftrace_function(&ops[0]) ?: unregister_ftrace_function(&ops[1]);
	module_put((struct module *)STAP_ARG_owner);
%}
probe begin {
	set(disabled, value)
	if (ops) println("released ", release(ops, owner))
	exit()
}
EOF
"$SPILE" -r "$RELEASE" -p4 -m relies relies.stp >/dev/null || exit 1
"$SPILE" -g -r "$RELEASE" -p4 -m breaks break.stp >/dev/null || exit 1
cat >broken-run.sh <<EOF
. $S/../lib/await.sh
cd $B
address() { awk -v name=\$1 -v module="\$2" '\$3 == name && \$4 == module { print "0x" \$1; exit }' /proc/kallsyms; }
read_files() { i=0; while [ \$i -lt 20 ]; do cat /proc/version >/dev/null; i=\$((i + 1)); done; }
session() { # WHAT: runs it while the session is there
	: >relies.err
	$SPILERUN -v -o relies.out relies.ko 2>relies.err & pid=\$!
	await_within 60 grep -q started relies.err
	read_files
	"\$@"
	kill -INT \$pid
	wait \$pid
	echo "status \$?: \$(tail -n 1 relies.out)"
}
disabled=\$(address ftrace_disabled)
breaks() { $SPILERUN breaks.ko disabled=\$disabled value=1; }
session breaks
grep -o 'module relies stays loaded' relies.err || cat relies.err
read_files
grep -c '^relies ' /proc/modules
$SPILERUN breaks.ko disabled=\$disabled ops=\$(address kpoint_ops '[relies]') owner=\$(address __this_module '[relies]')
rmmod relies
session true
EOF
"$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/broken-run.sh" >broken.got 2>&1
cat >broken.want <<'EOF'
status 1: 1
module relies stays loaded
1
released 0
status 0: 1
EOF
diff broken.want broken.got || { echo "not what was expected:"; cat relies.err; exit 1; }
