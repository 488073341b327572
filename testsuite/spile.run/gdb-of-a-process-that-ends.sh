#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/modules/gdb_stub.c: a thread that waits for its core dump sleeps, but never goes to user mode again, and its stack goes before the process has
# ended.  So it is not taken for one that has stopped: gdb hears of the end.
# needs: kernel.function("mmu_notifier_register")
# cost: 30
. "$S/../lib/module.sh"
cd "$B" || exit 1
module_by_hand gdb_stub examples/modules/gdb_stub.c && cd gdb_stub || exit 1
cat >dumped <<'X'
. $S/../lib/await.sh
dir=$(mktemp -d) && cd $dir || exit 1
pattern=$(cat /proc/sys/kernel/core_pattern)
trap 'echo "$pattern" >/proc/sys/kernel/core_pattern; rm -f held' EXIT
printf '#!/bin/sh\n: >%s/dumps\nwhile [ -e %s/held ]; do sleep 0.1; done\ncat >/dev/null\n' $dir $dir >keep
chmod +x keep
echo "|$dir/keep" >/proc/sys/kernel/core_pattern
: >held
mkfifo in
sh -c 'read x; kill -ABRT $$' <in & child=$!
exec 3>in
insmod $M/gdb_stub.ko pid=$child || exit 1
exec 5<>/dev/gdb_stub
echo >&3
await test -e dumps
printf '$?#3f' >&5 & asks=$!
sleep 1
kill -0 $asks 2>/dev/null && echo waits
rm held
wait $asks
dd bs=4096 count=1 <&5 2>/dev/null | grep -o '[WXT][0-9a-f][0-9a-f]'
wait $child
exec 3>&- 5>&-
rmmod gdb_stub && echo gone
X
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh -c "W=$W S=$S M=$B/gdb_stub sh $B/gdb_stub/dumped" 2>&1)
echo "$out"
[ "$out" = "waits
X06
gone" ]
