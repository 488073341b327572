#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# process("/path").begin means the file that the session sees there, also one that was installed anew, and in a mount namespace as services have them;
# not a program whose path is the same after chroot().
cd "$B" || exit 1
printf '#include <stdio.h>\nint main(void) { puts(WHO); return 0; }\n' >same_name.c
gcc -static -DWHO='"first"' -o same_name same_name.c && gcc -static -DWHO='"anew"' -o same_name_anew same_name.c && gcc -static -DWHO='"jailed"' -o same_name_jailed same_name.c || exit 1
cat >same_name.stp <<X
global n
probe process("/tmp/named").begin { n["begin"]++ }
probe process("/tmp/named").end { n["end"]++ }
probe end { println(n["begin"], " ", n["end"]) }
X
cp same_name /tmp/named; "$SPILE" -r "$RELEASE" -p4 -m same_name same_name.stp >/dev/null || exit 1
rm /tmp/named
cat >same_name_run <<X
/tmp/named
unshare -m /tmp/named
chroot /tmp/jail /tmp/named
cp $B/same_name_anew /tmp/same_name_anew && mv /tmp/same_name_anew /tmp/named
/tmp/named
unshare -m /tmp/named
X
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B && mkdir -p /tmp/jail/tmp && cp same_name /tmp/named && cp same_name_jailed /tmp/jail/tmp/named && $SPILERUN -c 'sh same_name_run' same_name.ko; rm -r /tmp/jail /tmp/named" 2>&1)
echo "$out"
[ "$out" = "first
first
jailed
anew
anew
4 4" ]
