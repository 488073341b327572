#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own tracers at the functions that Spile probes, there before it, during it and after it: both see every call, in
# any order of coming and going.  One of them reads a string, through functions whose returns Spile probes.
# cost: 10
cd "$B" || exit 1
cat >tracers.stp <<'EOF'
global n, r, inner
probe kernel.function("do_filp_open") { if (execname() == "tracers-cat") n++ }
probe kernel.function("do_filp_open").return { if (execname() == "tracers-cat") r++ }
probe kernel.function("*_from_kernel_nofault"), kernel.function("*_from_kernel_nofault").return { inner++ }
probe end { printf("%d %d %d\n", n, n - r, inner > 0) }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m tracers tracers.stp >/dev/null || exit 1
cat >tracers-lib.sh <<'EOF'
t=/sys/kernel/tracing
[ -d $t/events ] || mount -t tracefs tracefs $t || exit 1
opens() { i=0; while [ $i -lt 4 ]; do ./tracers-cat /proc/version >/dev/null; i=$((i + 1)); done; }
events() {
	{ echo 'p:spile_entry do_filp_open name=+0(+0(%si)):string'; echo 'r:spile_return do_filp_open'; } >>$t/kprobe_events 2>/dev/null
	grep -q spile_return $t/kprobe_events && echo 1 >$t/events/kprobes/enable
}
no_events() { echo 0 >$t/events/kprobes/enable; echo >$t/kprobe_events; }
tracer() { echo do_filp_open >$t/set_ftrace_filter && echo $1 >$t/current_tracer; }
no_tracer() { echo nop >$t/current_tracer; echo >$t/set_ftrace_filter; }
seen() { awk -v e=$1 '$1 == e { print $2 }' $t/kprobe_profile; }
both() { # what was seen by the tracers since the last call is as much as asked for
	for e in spile_entry spile_return; do [ "$(seen $e)" -ge $1 ] || echo "$e: $(seen $e), not $1" >>tracers.bad; done
}
EOF
cat >tracers-during.sh <<'EOF'
. ./tracers-lib.sh
opens; both 8; no_events; opens; events; opens; both 4
tracer function; opens; no_tracer; tracer function_graph; opens
EOF
cat >tracers-all.sh <<EOF
. ./tracers-lib.sh
cp /bin/cat tracers-cat; rm -f tracers.bad
events || exit 1
opens
$SPILERUN -w -c 'sh tracers-during.sh' tracers.ko >tracers.out 2>tracers.err || { cat tracers.err; exit 1; }
opens; no_tracer; opens; both 20; no_events
tracer function_graph; $SPILERUN -w -c 'sh -c ". ./tracers-lib.sh; opens; no_tracer; opens"' tracers.ko >>tracers.out 2>>tracers.err
opens
cat tracers.bad 2>/dev/null && exit 1
exit 0
EOF
"$V" -t 120 exec "$G" -- sh -c "cd $B && sh tracers-all.sh" || exit 1
awk '$1 < 8 || $2 != 0 || $3 != 1 { bad = 1; print } END { exit bad || NR != 2 }' tracers.out
