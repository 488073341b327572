# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, in a guest: sessions beside others.  $SPILERUN and $S are set.
. $S/../lib/await.sh

# session_begin NAME [GLOBAL=VALUE]: runs NAME.ko, and waits until it has started; its output goes to NAME.out and its messages to NAME.err.
session_begin() {
	$SPILERUN -v -o $1.out $1.ko ${2+"$2"} 2>$1.err &
	session=$!
	await grep -q started $1.err
}

# session_end: interrupts the last session that was begun, and waits for it.
session_end() {
	kill -INT $session
	wait $session
}

# skipped FILE: how many hits were skipped, by cause, as the messages in FILE say.
skipped() { sed -n 's/.*skipped[^(]*(\(.*\)).*/\1/p' $1 | head -n 1; }
