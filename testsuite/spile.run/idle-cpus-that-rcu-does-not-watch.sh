#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler may need RCU, which does not watch a CPU in the middle of its idle loop: hits there are not handled, but counted as skipped.
# Before and after it handlers run in the idle loop as everywhere.  Kernels mark such functions as not to be traced, but 6.1 not all.
cd "$B" || exit 1
cat >idle.stp <<'X'
global idle, returned, around
probe kernel.function("arch_cpu_idle")?, kernel.function("default_idle")? { idle++ }
probe kernel.function("arch_cpu_idle").return?, kernel.function("default_idle").return? { returned++ }
probe kernel.function("tick_nohz_idle_enter") { around++ }
probe end { printf("%d %d %d\n", idle, returned, around > 5) }
X
"$SPILE" -w -r "$RELEASE" -p4 -m idle idle.stp >/dev/null || exit 1
has() { "$SPILE" -w -r "$RELEASE" -l "kernel.function(\"$1\")" >/dev/null 2>&1; }
has arch_cpu_idle || has default_idle || echo "$RELEASE allows no probe in arch_cpu_idle or default_idle: nothing to be skipped"
"$V" -t 60 exec "$G" -- sh -c "cd $B && $SPILERUN -c 'sleep 2' idle.ko >idle.out 2>idle.err" || { cat idle.err; exit 1; }
[ "$(cat idle.out)" = "0 0 1" ] || { echo "handled, returned and around: $(cat idle.out)"; exit 1; }
! has arch_cpu_idle || grep -q 'skipped [1-9].*the kernel could not deliver the hit' idle.err || { cat idle.err; exit 1; }
