#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --format=json: the same script, as text and as JSON, prints the same bytes; warnings, errors and what was counted are objects among
# them and not on stderr; a full disk and a reader that is gone end the session as they do with text.
# timeout: 200
# kernel: any
# cost: 10
cd "$B" || exit 1
cat >json.stp <<'Y'
global n
function part(i) { printf("part %d, ", i) }
probe begin {
	printf("a line\nanother\n\nan \"escaped\" \\ one\ttab\n")
	printf("%c%c%c no UTF-8 %c\n", 255, 195, 40, 27)
	printf("é, %c%c%c and %c%c%c%c%c\n", 0xe2, 0x80, 0xae, 0xf3, 0xa0, 0x81, 0x81, 0)
	for (i = 0; i < 1500; i++) printf("%100d", i)
	println("")
	print("a stack:"); print_backtrace(); print("after it, ")
	part(1); part(2)
	warn("a warning\xff")
}
probe begin { part(3); println("end of line"); error("an error") }
probe begin(1) { n++ }
probe end { printf("no newline: %d", n) }
Y
cat >more.stp <<'Y'
probe timer.ms(1) { for (i = 0; i < 100; i++) println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") }
probe end { println("the end") }
Y
"$SPILE" -w -r "$RELEASE" -D MAXERRORS=5 -p4 -m json json.stp >/dev/null || exit 1
"$SPILE" -w -r "$RELEASE" -p4 -m more more.stp >/dev/null || exit 1
cat >json.sh <<Y
cd \$(mktemp -d) || exit 1
$SPILERUN -T 1 -o text $B/json.ko 2>/dev/null
$SPILERUN -T 1 -o json --format=json $B/json.ko 2>err; echo "status \$?"
cat err
$W/json_lines <json >got 2>rest || { echo wrong; cat rest; }
cmp text got
# how the hits are counted depends only on the script
sed 's/"cpu":[0-9]*/"cpu":N/' rest
$SPILERUN --format=json -o /dev/full $B/more.ko 2>err; echo "full: \$?"; sed 's/[0-9]\{1,\}/N/g' err
{ $SPILERUN --format=json $B/more.ko 2>err; echo "gone: \$?" >status; } | head -n 3 | $W/json_lines
cat status err
$SPILERUN --format=json $B/json.ko no_such=1 | $W/json_lines 2>&1 | sed 's/.*"type":"\([a-z]*\)".*/\1/'
grep -E '^(json|more) ' /proc/modules
Y
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/json.sh" >got 2>&1
X31=$(printf '%071d' 0 | tr 0 x)
cat >want <<Y
status 1
{"type":"warning","message":{"text":"a warning�","base64":"YSB3YXJuaW5n/w=="}}
{"type":"error","message":"an error near identifier 'error' at json.stp:13:48 in probe begin"}
{"type":"ledger","hits":4,"handled":3,"errors":1,"own":0,"skipped":{"reentrant":0,"context":0,"lock":0,"stack":0,"return":0,"missed":0,"stopping":0,"frame":0},"records":N}
{"type":"end","status":1}
full: 1
ERROR: cannot write /dev/full: No space left on device
ERROR: of N bytes of output N were written and N were not
$X31
$X31
$X31
gone: 141
error
ledger
end
Y
sed -i 's/"records":[0-9]*/"records":N/' got
diff want got
