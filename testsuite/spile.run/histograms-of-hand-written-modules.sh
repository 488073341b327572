#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/modules/task_histograms.c: a histogram for each thread, of arguments that the program knows, and of times, whose number it knows.
# needs: kernel.function("mmu_notifier_register")
# timeout: 180
# cost: 30
. "$S/../lib/module.sh"
cd "$B" || exit 1
module_by_hand histograms examples/modules/task_histograms.c && cd histograms || exit 1
cat >in-guest <<'X'
cd $(mktemp -d) || exit 1
mkfifo in out
$W/probed <in >out &
exec 3>in 4<out
read pid counted other value deep x <&4
tell() { echo $* >&3 && read answer <&4; }
insmod $M/task_histograms.ko pid=$pid vaddr=0x$counted argument=1 most=4 || exit 1
tell calls 1000
sed "s/^$pid /first /" /proc/task_histograms
tell threads 5
tell calls 1
awk '/probed/ { threads++ } /:/ { n += $2 } END { print threads, n }' /proc/task_histograms
grep missed /proc/task_histograms
sed -n "/^$pid /,/^[0-9m]/p" /proc/task_histograms | sed -n 2p
rmmod task_histograms
insmod $M/task_histograms.ko pid=$pid vaddr=0x$deep || exit 1
tell deep 10
tell deep 20
awk '/^  / { n += $2; if ($1 + 0 < 64 || $1 + 0 > 1e10) print } END { print n }' /proc/task_histograms
grep missed /proc/task_histograms
rmmod task_histograms
insmod $M/task_histograms.ko pid=$pid vaddr=0x$counted argument=7 2>/dev/null
ls /proc/task_histograms 2>&1 | grep -c 'No such'
dmesg | grep -E 'WARNING|BUG|Oops'
X
out=$("$V" -t $((120 * SLOW)) exec "$G" -- env M="$PWD" W="$W" sh "$PWD/in-guest" 2>&1)
echo "$out"
# 1000 calls with 0 to 999; four threads with 0 to 4, of which one is too many; 10 + 20 calls in each other, of which 4 are too many
[ "$out" = "first probed
  0: 1
  1: 1
  2: 2
  4: 4
  8: 8
  16: 16
  32: 32
  64: 64
  128: 128
  256: 256
  512: 488
4 1021
missed: 5
  0: 2
26
missed: 4
1" ]
