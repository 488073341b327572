#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With the kernel's function tracer switched off no probe at a function's entry can fire: an error, not silence.  And while a
# session relies on it, it cannot be switched off.
cd "$B" || exit 1
echo 'global n probe kernel.function("__x64_sys_newuname") { n++ } probe end { println(n > 0) }' >tracer.stp
"$SPILE" -r "$RELEASE" -p4 -m tracer tracer.stp >/dev/null || exit 1
"$V" -t 60 exec "$G" -- sh -c "
	cd $B && sysctl -q kernel.ftrace_enabled=0
	$SPILERUN -c true tracer.ko >tracer.out 2>tracer.err && { echo 'no error'; exit 1; }
	sysctl -q kernel.ftrace_enabled=1
	grep -q 'sysctl kernel.ftrace_enabled=1' tracer.err || { cat tracer.err; exit 1; }
	$SPILERUN -c 'sh -c \"sysctl -q kernel.ftrace_enabled=0; uname\"' tracer.ko >tracer.out 2>/dev/null || exit 1
	grep -qx 1 tracer.out || { echo \"no hits: \$(cat tracer.out)\"; exit 1; }
	[ \$(cat /proc/sys/kernel/ftrace_enabled) = 1 ]"
