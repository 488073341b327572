#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A hook of a family that the kernel was built without, with another one after it: the session does not start, which is said, and the
# kernel lives on.  With a ? only that hook is left out.  (Debian's kernels have all families: there both sessions run.)
cd "$B" || exit 1
hook() { echo "netfilter.hook(\"$1\").pf(\"$2\")$3"; }
body='{ n++ } global n probe end { println(n >= 0 ? "ran" : "") }'
rest=", $(hook NF_INET_LOCAL_IN NFPROTO_IPV4)"
echo "probe $(hook NF_BR_LOCAL_IN NFPROTO_BRIDGE)$rest $body" >needed.stp
echo "probe $(hook NF_BR_LOCAL_IN NFPROTO_BRIDGE ' ?')$rest $body" >optional.stp
echo '%( CONFIG_NETFILTER_FAMILY_BRIDGE == "y" %? probe begin { println("there") } %)' >family.stp
for name in needed optional; do
	"$SPILE" -w -r "$RELEASE" -p4 -m hooks_$name $name.stp >/dev/null || exit 1
done
cat >hooks.sh <<X
for name in needed optional; do
	$SPILERUN -c true $B/hooks_\$name.ko 2>err || echo "status \$?"
	grep -o 'probe n.*' err
done
X
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/hooks.sh" 2>&1)
if [ "$("$SPILE" -r "$RELEASE" -p1 family.stp 2>/dev/null | grep -c there)" = 1 ]; then
	set -- "$out" "ran
ran"
else
	lacks="probe $(hook NF_BR_LOCAL_IN NFPROTO_BRIDGE): this kernel was built without hooks of the protocol family"
	set -- "$out" "status 1
$lacks
ran
$lacks"
fi
[ "$1" = "$2" ] || { echo "$1"; exit 1; }
