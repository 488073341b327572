#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variables of a module by @var, and by the names that its code has for them, with the types that its debug information has: global ones, static ones of a file, and those of which each CPU has
# one.  Its own types are there for @cast.
cd "$B" || exit 1
. "$S/../lib/module.sh"
module_build lines_in_module || exit 1
m="$B/lines_in_module/lines_in_module.ko"
cat >variables_of_modules.stp <<EOF2
probe module("$m").statement("lines_sum@lines_in_module.c+20") {
	printf("%d: %d calls, last %d and %d, total %d, here %d, %d\n", \$calls, @var("lines_seen")->calls, @var("lines_seen")->last[0],
	       @var("lines_seen@lines_in_module.c")->last[1], @var("total"), @var("lines_here") - cpu(),
	       @cast(&@var("lines_seen"), "struct lines_seen", "lines_in_module")->calls)
	printf("%d calls, total %d, here %d, %d\n", \$lines_seen->calls, \$total, \$lines_here - cpu(), @defined(\$doubles) || @defined(\$no_such))
}
probe module("$m").function("lines_sum@lines_in_module.c").return { printf("returned %d, calls %d\n", \$return, \$lines_seen->calls) }
probe module("$m").statement("doubled@lines_in_module.c+6") { printf("doubles %d, %d\n", \$doubles, isinstr(\$\$locals, sprintf("doubles=%#x", \$doubles))) }
EOF2
"$SPILE" -r "$RELEASE" -p4 -m variables_of_modules variables_of_modules.stp >/dev/null || exit 1
cat >variables-of-modules-run <<EOF2
run=/sys/module/lines_in_module/parameters/run
insmod $m && echo 0 >\$run && $SPILERUN -c "sh -c 'echo 2 >\$run; echo 2 >\$run'" $B/variables_of_modules.ko
status=\$?
echo "status \$status"
# A line was refused once with EINVAL, in a kernel with all checkers, and nobody knows why: these are what the kernel looks at.
[ \$status = 0 ] || { grep lines_in_module /proc/kallsyms; cat /proc/modules; mount -t debugfs none /sys/kernel/debug; grep -v 0xffffffff8 /sys/kernel/debug/kprobes/blacklist; }
rmmod lines_in_module
EOF2
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/variables-of-modules-run" 2>&1)
echo "$out"
[ "$out" = "1: 1 calls, last 0 and 70, total 0, here 100, 1
1 calls, total 0, here 100, 0
doubles 2, 1
returned 70, calls 1
2: 2 calls, last 171 and 70, total 70, here 100, 2
2 calls, total 70, here 100, 0
doubles 3, 1
returned 171, calls 2
doubles 4, 1
1: 3 calls, last 171 and 70, total 0, here 100, 3
3 calls, total 0, here 100, 0
doubles 5, 1
returned 70, calls 3
2: 4 calls, last 171 and 70, total 70, here 100, 4
4 calls, total 70, here 100, 0
doubles 6, 1
returned 171, calls 4
doubles 7, 1
status 0" ]
