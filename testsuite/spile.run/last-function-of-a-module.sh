#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The last function of a module: to place a breakpoint there the kernel reads on after the end of the module's code, where there may be no
# page (6.12 died of it).  Without guru mode only functions with a call of the function tracer are probed; with it, those that can be read to their end.
cd "$B" || exit 1
module=jbd2 function=journal_exit
"$SPILE" -r "$RELEASE" -l "module(\"$module\").function(\"$function\")" >/dev/null 2>&1 ||
	module=dummy function=dummy_cleanup_module # a small kernel has it
echo "probe module(\"$module\").function(\"$function\") { println(\"hit\") }" >last.stp
"$SPILE" -r "$RELEASE" -p4 -m last last.stp >/dev/null || exit 1
"$SPILE" -g -r "$RELEASE" -p4 -m last_guru last.stp >/dev/null || exit 1
cat >"$B/last" <<X
rmmod ext4 2>/dev/null # which uses it, if a test before has mounted such a file system
modprobe $module || exit 1
cd $B || exit 1
rm -f out # another test may have left one
$SPILERUN -o out -c true last.ko 2>&1 | sed -n "s/.*\(cannot probe $module.*\) (error.*/\1/p"
$SPILERUN -o out -c "rmmod $module" last_guru.ko 2>&1 | sed -n "s/.*\(cannot probe $module.*\) (error.*/\1/p"
cat out 2>/dev/null
grep ^last /proc/modules
echo end
X
out=$("$V" -t 100 exec "$G" -- sh "$B/last" 2>&1)
echo "$out"
refused="cannot probe $module:$function: the kernel's function tracer has no call in it; guru mode (-g) probes it by its name"
unreadable="cannot probe $module:$function: the kernel cannot read its code to the end"
# where something follows it, guru mode probes it
[ "$out" = "$refused
$unreadable
end" ] || [ "$out" = "$refused
hit
end" ]
