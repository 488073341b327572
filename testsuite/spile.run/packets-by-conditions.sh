#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A condition puts a probe to the hooks of all network namespaces, and takes it away again: then packets are no hits any more.
# needs: netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")
cat >"$B/conditions.stp" <<'X'
global on, n
probe netfilter.hook("NF_INET_LOCAL_OUT").pf("NFPROTO_IPV4") if (on) { if ($skb->len == 100) n++ }
probe procfs("on").write { on = strtol($value, 10) }
probe procfs("n").read { $value = sprintf("%d\n", n) }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m packets_on conditions.stp >/dev/null || exit 1
cat >"$B/conditions" <<X
. $S/../lib/await.sh
mine=/proc/spile.packets_on
send() { $W/packets "\$@" >/dev/null; }
seen() { send -n 1; test \$(cat \$mine/n) -gt 0; }
$SPILERUN -v packets_on.ko 2>err & r=\$!
await test -e \$mine/n
send 5000
[ \$(cat \$mine/n) = 0 ] || bad "hits before the condition holds"
echo 1 >\$mine/on
await seen
before=\$(cat \$mine/n)
send 300; send -n 200; send -6 100
[ \$((\$(cat \$mine/n) - before)) = 500 ] || bad "\$before and then \$(cat \$mine/n)"
echo 0 >\$mine/on
before=\$(cat \$mine/n)
for i in 1 2 3 4 5 6 7 8; do send 1000; send -n 1000; done
[ \$(cat \$mine/n) = \$before ] || bad "hits while the condition does not hold"
kill -INT \$r; wait \$r || cat err
hits=\$(sed -n 's/.*: hits \([0-9]*\) = .*/\1/p' err)
[ "\$hits" -gt 500 ] && [ "\$hits" -lt 10000 ] || { cat err; bad "\$hits hits: not disarmed"; }
X
"$V" -t $((200 * SLOW)) exec "$G" -- sh -c "cd $B && sh conditions"
