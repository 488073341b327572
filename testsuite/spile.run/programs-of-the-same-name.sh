#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# process("/path").begin means the file that the session sees there, also one that was installed anew, and in a mount namespace as services have them;
# not a program whose path is the same after chroot().
cd "$B" || exit 1
printf '#include <stdio.h>\nint main(void) { puts(WHO); return 0; }\n' >named.c
gcc -static -DWHO='"first"' -o named named.c && gcc -static -DWHO='"anew"' -o named_anew named.c && gcc -static -DWHO='"jailed"' -o named_jailed named.c || exit 1
cat >named.stp <<X
global n
probe process("/tmp/named").begin { n["begin"]++ }
probe process("/tmp/named").end { n["end"]++ }
probe end { println(n["begin"], " ", n["end"]) }
X
cp named /tmp/named; "$SPILE" -r "$RELEASE" -p4 -m named named.stp >/dev/null || exit 1
rm /tmp/named
cat >named_run <<X
/tmp/named
unshare -m /tmp/named
chroot /tmp/jail /tmp/named
cp $B/named_anew /tmp/named_anew && mv /tmp/named_anew /tmp/named
/tmp/named
unshare -m /tmp/named
X
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B && mkdir -p /tmp/jail/tmp && cp named /tmp/named && cp named_jailed /tmp/jail/tmp/named && $SPILERUN -c 'sh named_run' named.ko; rm -r /tmp/jail /tmp/named" 2>&1)
echo "$out"
[ "$out" = "first
first
jailed
anew
anew
4 4" ]
