#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A debugger's breakpoint in a function that Spile probes, set and removed before, during and after the session.  The kernel lets only the probe
# see a hit where both are, and takes out one int3 for both: that is reported.  The program works as without either.
# cost: 30
cd "$B" || exit 1
cat >debugger.stp <<'X'
global e, r, bad
probe process(@1).function("debugged_work") { if (execname() == "debugged") e++ }
probe process(@1).function("debugged_work").return { r++; if ($return != (@entry($a) * 31 ^ @entry($b))) bad++ }
probe end { printf("%d %d %d\n", e, r, bad) }
X
"$SPILE" -w -r "$RELEASE" -p4 -m debugger debugger.stp "$W/debugger" >/dev/null || exit 1
# Over some of what lib/beside.sh has.
cat >debugger-lib.sh <<'X'
bad() {
	echo "$case: $*"
	cat debugger.said debugger.err
	exit 1
}
has_said() { [ "$(wc -l <debugger.said)" -ge $lines ]; }
# a command, and the expected result
ask() {
	echo $1 >&3
	lines=$((lines + 1))
	await has_said
	case $(tail -n 1 debugger.said) in
	$2) ;;
	*) bad "$1: not $2" ;;
	esac
}
spile_on() {
	rm -f up end
	mkfifo end
	$SPILERUN -o debugger.out -c 'sh -c "touch up; read x <end"' debugger.ko >ran.said 2>debugger.err &
	spile=$!
	await test -e up
}
# what it counted
spile_off() {
	echo >end
	wait $spile || bad "spilerun: $(cat debugger.err)"
	[ "$(cat debugger.out)" = "$*" ] || bad "counted $(cat debugger.out) instead of $*"
	grep -q 'breakpoint' debugger.err || bad "no warning"
}
begin() {
	case=$1
	rm -f commands
	mkfifo commands
	: >debugger.err
	$W/debugger <commands >debugger.said &
	debugger=$!
	exec 3>commands
	lines=1
	await has_said
}
over() {
	exec 3>&-
	wait $debugger || bad "the debugger failed"
}
X
cat >debugger-all.sh <<X
W='$W' SPILERUN='$SPILERUN'
home=\$(mktemp -d) && cp $B/debugger.ko \$home && cd \$home || exit 1
. $S/../lib/beside.sh
. $B/debugger-lib.sh

begin 'debugger, Spile; Spile goes first'
ask set 'set*'; ask run 'stops 100'
spile_on; ask run 'stops 0'; spile_off 100 100 0
ask run 'stops *'; ask clear cleared; ask run 'stops 0'
over

begin 'debugger, Spile; the debugger goes first'
ask set 'set*'
spile_on; ask clear cleared; ask run 'stops 0'; spile_off 0 0 0
ask run 'stops 0'
over

begin 'Spile, debugger; the debugger goes first'
spile_on
ask run 'stops 0'; ask set 'set, there was cc'; ask run 'stops 0'; ask clear cleared; ask run 'stops 0'
spile_off 300 300 0
ask run 'stops 0'
over

begin 'Spile, debugger; Spile goes first'
spile_on; ask set 'set*'; ask run 'stops 0'; spile_off 100 100 0
ask run 'stops 0'
over

begin 'instruction by instruction'
spile_on; ask step 'stops 0'; spile_off 100 100 0
ask step 'stops 0'
over
X
"$V" -t 250 exec "$G" -- sh "$B/debugger-all.sh"
