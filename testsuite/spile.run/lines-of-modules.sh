#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines, labels, inlined functions and callees of a module, with the parameters and locals that it has there, from the debug information in its file: each is
# hit as often as it is reached, with the values that the module computes.
# cost: 30
cd "$B" || exit 1
. "$S/../lib/module.sh"
module_build lines_in_module || exit 1
m="module(\"$B/lines_in_module/lines_in_module.ko\")"
cat >lines_of_modules.stp <<EOF2
global pairs, parts, areas, sides, sums, entries, returns, exported, nearest, plain, places, called, callees, deep, near
probe $m.function("lines_sum").callee("doubled") { called .= sprintf(" %d", \$number) }
probe $m.function("lines_sum").callees { callees[ppfunc()]++ }
probe $m.function("sum_of").callees(1) { near[ppfunc()]++ }
probe $m.function("sum_of").callees(2) { deep[ppfunc()]++ }
probe $m.function("doubled").return { plain .= sprintf(" %d", \$return) }
probe $m.statement("lines_sum@lines_in_module.c+6") { pairs .= sprintf(" %d %d %s,", \$pair->low, \$pair->high, kernel_string(\$name)) }
probe $m.statement("lines_sum@lines_in_module.c+9") { parts .= sprintf(" %d %d %d,", \$i, \$part, \$sum) }
probe $m.statement("squared@lines_in_module.c+4") { areas .= sprintf(" %d", \$area) }
probe $m.function("squared").inline { sides .= sprintf(" %d", \$side) }
probe $m.function("squared"), $m.function("squ*@lines_in_module.c") { places .= sprintf(" %d", \$side) }
probe $m.function("lines_sum").label("out") { sums .= sprintf(" %d", \$sum) }
probe $m.function("lines_sum@lines_in_module.c") { entries .= sprintf(" %d", \$calls) }
probe $m.function("lines_sum@lines_in_module.c").return { returns .= sprintf(" %d", \$return) }
probe $m.function("*").exported { exported .= sprintf(" %s", ppfunc()) }
probe $m.statement("lines_sum@lines_in_module.c+1").nearest { nearest .= sprintf(" %d", \$calls) }
probe end {
	printf("pairs:%s\nparts:%s\nareas:%s\nsides:%s\nsums:%s\nentries:%s\nreturns:%s\nexported:%s\nnearest:%s\nplain:%s\n",
	       pairs, parts, areas, sides, sums, entries, returns, exported, nearest, plain)
	printf("places:%s\ncalled:%s\n", places, called)
	foreach (f+ in callees) printf("%s %d\n", f, callees[f])
	printf("near %d %d %d, deep %d %d %d\n", near["lines_sum"], near["doubled"], near["squared"], deep["lines_sum"], deep["doubled"], deep["squared"])
}
EOF2
"$SPILE" -r "$RELEASE" -p4 -m lines_of_modules lines_of_modules.stp >/dev/null || exit 1
cat >lines-of-modules-run <<EOF2
run=/sys/module/lines_in_module/parameters/run
insmod $B/lines_in_module/lines_in_module.ko && $SPILERUN -c "sh -c 'echo 3 >\$run; cat \$run'" $B/lines_of_modules.ko
echo "status \$?"
rmmod lines_in_module
EOF2
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/lines-of-modules-run" 2>&1)
echo "$out"
[ "$out" = "813
pairs: 1 9 A, 2 9 A, 3 9 A,
parts: 0 0 0, 0 0 0, 1 10 0, 0 0 0, 1 10 0, 2 20 100,
areas: 0 4 0 100 4 0 100 400 4
sides: 0 2 0 10 2 0 10 20 2
sums: 66 167 568
entries: 1 2 3
returns: 70 171 572
exported: lines_sum lines_sum lines_sum
nearest: 1 2 3
plain: 2 4 6 0
places: 0 0 2 2 0 0 10 10 2 2 0 0 10 10 20 20 2 2
called: 1 2 3
doubled 3
squared 9
near 3 0 0, deep 3 3 9
status 0" ]
