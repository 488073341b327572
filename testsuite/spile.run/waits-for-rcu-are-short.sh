#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While a session arms and removes its probes, what the kernel waits for meanwhile is expedited; not while handlers run, those of begin and
# end probes included, and not after a session, also one whose loader was killed while it began.
cd "$B" || exit 1
cat >others.stp <<'X'
global n
probe kernel.function("synchronize_rcu_expedited") { n++ }
probe end { println(n > 0) }
X
cat >hurried.stp <<'X'
%{
#include <linux/types.h>
extern bool rcu_gp_is_expedited(void);
%}
function hurried:long() %{ STAP_RETURN(rcu_gp_is_expedited()); %}
global during = -1, n
probe begin { printf("%d", hurried()) }
probe kernel.function("do_nanosleep") { n++ }
probe timer.ms(20) { during = hurried() }
probe end { printf(" %d %d %d\n", during, hurried(), n > 0) }
X
echo 'probe begin { while (1) n++ } global n probe kernel.function("do_nanosleep") { n++ }' >killed.stp
"$SPILE" -r "$RELEASE" -p4 -m others others.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -g -m hurried hurried.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -D MAXACTION=100000000 -m killed killed.stp >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "
	cd $B || exit 1
	$SPILERUN -c '$SPILERUN -c \"sleep 0.2\" hurried.ko' others.ko >rcu.out 2>rcu.err || { cat rcu.err; exit 1; }
	printf '0 0 0 1\n1\n' | cmp -s - rcu.out || { echo 'a session:'; cat rcu.out; exit 1; }
	$SPILERUN -w killed.ko >/dev/null 2>&1 & sleep 1; kill -9 \$!
	$SPILERUN -c 'sleep 0.2' hurried.ko >rcu.out 2>rcu.err || { cat rcu.err; exit 1; }
	echo '0 0 0 1' | cmp -s - rcu.out || { echo 'after one that was killed:'; cat rcu.out; exit 1; }"
