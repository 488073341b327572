#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While the loader is stopped, more errors come than are kept for it, and then the session takes too much of a CPU: that this is why it
# ended is not lost.
cd "$B" || exit 1
cat >many.stp <<'X'
probe kernel.function("__x64_sys_sched_get_priority_min") { error("one of many") }
probe kernel.function("__x64_sys_sched_get_priority_max") { for (i = 0; i < 20000; i++) n += i; if (n < 0) exit() }
X
"$SPILE" -r "$RELEASE" -p4 -m many_errors many.stp -D MAXERRORS=4000000000 -D MAXACTION=100000 \
	-D STP_OVERLOAD_THRESHOLD=20000000 -D STP_OVERLOAD_INTERVAL=100000000 >/dev/null || exit 1
cat >many.sh <<'X'
kill -STOP $PPID
perl -e 'for (1..600) { syscall(147, 1) } for (1..5000) { syscall(146, 1) }'
kill -CONT $PPID
X
"$V" -t $((120 * SLOW)) exec "$G" -- sh -c "cd $B && exec $SPILERUN -c 'sh many.sh' many_errors.ko" >many.out 2>many.err && { echo "status 0"; exit 1; }
grep -q '^WARNING: [1-9][0-9]* warnings or errors came too fast' many.err && grep -q '^ERROR: probe overhead' many.err && exit
grep -v 'one of many' many.err
exit 1
