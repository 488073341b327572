#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program whose returns are all probed throws exceptions through probed calls, walks up its stack and ends threads as without
# probes, whether the unwinder is a library's or its own.  Calls that were walked over are counted as not seen to return.
# cost: 30
cd "$B" || exit 1
cat >throws.stp <<'EOF'
global called, returned
probe process(@1).function("*er").call { called[ppfunc()]++ }
probe process(@1).function("*").return ? { returned[ppfunc()]++ }
probe end { foreach (f+ in called) if (f =~ "^[a-z]*er$") printf("%s %d %d\n", f, called[f], returned[f]) }
EOF
for linked in -shared-libgcc '-static-libgcc -static-libstdc++' -static; do
	rounds=$((100 / SLOW * 3))
	[ "$linked" = -static ] && rounds=$((4 / SLOW * 3 + 3)) # the functions of the unwinder itself are probed as well
	calls=$((2 * rounds)) returns=$((2 * rounds * 2 / 3))
	g++ -O2 -g -pthread $linked -o throws "$S/../workload/throws.cc" || exit 1
	"$V" -t 60 exec "$G" -- "$B/throws" $rounds >expected || { echo "throws fails without probes"; exit 1; }
	"$SPILE" -r "$RELEASE" -p4 -m throws throws.stp "$B/throws" >/dev/null || exit 1
	for f in catcher rethrower thrower; do echo "$f $calls $returns"; done >>expected
	"$V" -t 60 exec "$G" -- sh -c "cd $B && $SPILERUN -o throws.out -c './throws $rounds' throws.ko >throws.said 2>throws.err" ||
		{ echo "$linked: status $?"; cat throws.said throws.err; exit 1; }
	cat throws.said throws.out | diff expected - || { echo "$linked: does not do what it does without probes"; exit 1; }
	grep -q 'a return that cannot be probed safely: ' throws.err || { echo "$linked: no account"; cat throws.err; exit 1; }
done
exit 0
