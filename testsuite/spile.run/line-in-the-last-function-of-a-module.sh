#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A line in the last function of a module, which has a call of the function tracer: to place a breakpoint behind that call the kernel reads on after the end
# of the module's code, where there may be no page (6.12 died of it).  The line is refused there, or it is hit.
# cost: 10
cd "$B" || exit 1
. "$S/../lib/module.sh"
module_build lines_in_module || exit 1
m="$B/lines_in_module/lines_in_module.ko"
echo "probe module(\"$m\").statement(\"run_set@lines_in_module.c+13\") { println(\"hit\") }" >line_in_last.stp
"$SPILE" -r "$RELEASE" -p4 -m line_in_last line_in_last.stp >/dev/null || exit 1
cat >line-in-last-run <<EOF2
insmod $m && $SPILERUN -c "sh -c 'echo 2 >/sys/module/lines_in_module/parameters/run'" $B/line_in_last.ko 2>&1 |
	sed -n 's/.*\(cannot probe .*\) (error.*/\1/p; /^hit/p'
rmmod lines_in_module
echo end
EOF2
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/line-in-last-run" 2>&1)
echo "$out"
[ "$out" = "cannot probe lines_in_module:run_set: the kernel cannot read its code to the end
end" ] || [ "$out" = "hit
end" ]
