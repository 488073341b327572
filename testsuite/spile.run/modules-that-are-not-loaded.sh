#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module that spile has not made is not loaded, so nothing of it runs; a signed one is not changed to get another name; a signature that does not fit is
# told from one that is missing.
cd "$B" || exit 1
mkdir -p others && file=$(modinfo -b "${SPILE_KERNELS:-/}" -k "$RELEASE" -n dummy) && cp "$file" others/ || exit 1
xz -dq others/*.xz 2>/dev/null
"$SPILE" -w -r "$RELEASE" -p4 -m signed -e 'probe begin { println("begin") } probe timer.s(100) { exit() }' >/dev/null || exit 1
cp signed.ko others/spoiled.ko
cp signed.ko others/signed.ko
# The ends of signatures: of a kind that this kernel does not know, which is as none; and of a length that cannot be.
printf 'x\0\0\0\0\0\0\0\0\0\0\0\1~Module signature appended~\n' >>others/signed.ko
printf 'x\377\377\377\377\377\377\377\377\377\377\377\377~Module signature appended~\n' >>others/spoiled.ko
cat >others/run.sh <<E
. $S/../lib/await.sh
cd $B/others
$SPILERUN dummy.ko 2>&1
[ -d /sys/module/dummy ] && echo "loaded"
$SPILERUN signed 2>&1
$SPILERUN spoiled.ko 2>&1 | sed 's, fit\, .*, fit,'
$SPILERUN signed.ko >first 2>&1 & p=\$!
await grep -q begin first
$SPILERUN signed.ko 2>&1
kill -INT \$p
wait \$p
E
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/others/run.sh" 2>&1)
echo "$out"
[ "$out" = "ERROR: dummy.ko was not made by spile, so it is not loaded
ERROR: cannot open signed: No such file or directory
  hint: there is signed.ko
ERROR: cannot load spoiled.ko: its signature does not fit
ERROR: cannot load signed.ko: a session of it runs already, and a signed module cannot be renamed
  hint: wait until that session ends, or sign one with another name: spile -p4 -m NAME" ]
