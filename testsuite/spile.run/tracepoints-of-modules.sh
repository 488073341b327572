#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tracepoints of a module that is loaded when the session runs already, unloaded, and loaded again: each hit is counted while it is there.
module=ext4
cd "$B" || exit 1
if ! "$SPILE" -r "$RELEASE" -l "module(\"$module\").tracepoint(\"*\")" >/dev/null 2>&1; then
	echo "no $module here: a small kernel, where only the messages are tested"
	"$SPILE" -r "$RELEASE" -l 'module("dummy").tracepoint("nope")' 2>&1 | grep 'module dummy has no tracepoint "nope"'
	exit
fi
cat >"$B/tracepoints.stp" <<'X'
global unlinks, syncs, systems
probe module("ext4").tracepoint("ext4_unlink_enter") { unlinks++ }
probe kernel.trace("ext4:ext4_sync_file_enter") { syncs[$datasync]++; systems[$$system]++ }
probe end { printf("unlinked %d, synced %d and %d, system %d\n", unlinks, syncs[0], syncs[1], systems["ext4"]) }
X
"$SPILE" -r "$RELEASE" -p4 -m tp_comes tracepoints.stp >/dev/null || exit 1
cat >"$B/tracepoints" <<X
PATH=\$PATH:/sbin:/usr/sbin
dir=\$(mktemp -d) && cd \$dir && mkdir mnt && truncate -s 16M image && mkfs.ext4 -q image || exit 1
cat >use <<'Y'
modprobe ext4 && mount -o loop image mnt || exit 1
for i in 1 2 3; do echo \$i >mnt/file && sync mnt/file && sync -d mnt/file && sync mnt/file && rm mnt/file; done
umount mnt && rmmod ext4
Y
lsmod | grep -q "^ext4 " && rmmod ext4
modprobe loop || exit 1
$SPILERUN -o out -c "sh use && sh use" $B/tp_comes.ko 2>err || { cat err; exit 1; }
sh use || echo "the module cannot be used after it"
cat out
grep -c 'module ext4 is not loaded; its tracepoints are probed as soon as it is' err
X
out=$("$V" -t 200 exec "$G" -- sh "$B/tracepoints" 2>&1)
echo "$out"
[ "$out" = "unlinked 6, synced 12 and 6, system 18
1" ]
