#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A thousand functions of the kernel, entry and return, are armed and removed in seconds: one pass over the kernel text, not a thousand.
cd "$B" || exit 1
points='kernel.function("tcp_*")SUFFIX, kernel.function("__x64_sys_*")SUFFIX, kernel.function("xfrm_*")SUFFIX?'
for suffix in '' .return; do
	echo "global n probe $points { n++ } probe end { println(n > 0) }" | sed "s/SUFFIX/$suffix/g" >many.stp
	"$SPILE" -r "$RELEASE" -p4 -m many many.stp >/dev/null || exit 1
	"$V" -t 120 exec "$G" -- sh -c "
		cd $B && before=\$(cut -d. -f1 /proc/uptime) && $SPILERUN -w -c true many.ko >many.out || exit 1
		seconds=\$((\$(cut -d. -f1 /proc/uptime) - before))
		[ \"\$(cat many.out)\" = 1 ] || { echo \"no hits: \$(cat many.out)\"; exit 1; }
		[ \$seconds -le $((40 * SLOW)) ] || { echo \"$suffix: took \$seconds seconds\"; exit 1; }" || exit 1
done
