#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What kprobes.txt says about kprobes, kretprobes and jprobes (runtime/modules/jprobes.h): a module tries it on its own functions, and this looks
# at the kernel's files meanwhile.
# timeout: 120
# cost: 30
. "$S/../lib/module.sh"
cd "$B" || exit 1
module_by_hand kernel_probes testsuite/workload/module/kernel_probes.c && cd kernel_probes || exit 1
cat >in-guest <<'X'
d=/sys/kernel/debug
[ -d $d/kprobes ] || mount -t debugfs debugfs $d || exit 1
p=/sys/module/kernel_probes/parameters
insmod $M/kernel_probes.ko || exit 1
echo "$(cat $p/claims) claims, broken: $(cat $p/broken)"
echo 1 >$p/keep
awk '/kernel_probes/ { print $2, $3, ($0 ~ /DISABLED/ ? "disabled" : "") }' $d/kprobes/list | sed 's/+0x[0-9a-f]*//' | sort -k2
hits() { echo 1 >$p/call; echo "$1 $(cat $p/trail) $(cat $p/returns)"; }
hits on
echo 0 >$d/kprobes/enabled
hits off
echo 1 >$d/kprobes/enabled
hits on
rmmod kernel_probes
grep -c kernel_probes $d/kprobes/list
dmesg | grep -E 'WARNING|BUG|Oops'
X
out=$("$V" -t $((100 * SLOW)) exec "$G" -- env M="$PWD" sh "$PWD/in-guest" 2>&1)
echo "$out"
[ "$out" = "91 claims, broken: 
r probed_deep 
k probed_inner disabled
k probed_outer 
on a 1
off a 1
on aa 2
0" ]
