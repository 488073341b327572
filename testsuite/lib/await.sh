# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, on the host or in a guest.

# bad TEXT...: reports a failure and ends the test.  A test that has to clean up defines its own bad() after it has read this file.
bad() {
	echo "$*"
	exit 1
}

# await_within SECONDS COMMAND...: runs COMMAND again and again until it succeeds.  Gives up and fails after SECONDS at the earliest: the time
# that COMMAND itself takes is not counted.  COMMAND may be a function that calls await_within too.  After half a second it is run less often, since in a guest
# each try takes 50 ms of CPU.
await_within() {
	local left=$(($1 * 20)) tries=0
	shift
	until "$@"; do
		[ $left -gt 0 ] || return 1
		tries=$((tries + 1))
		if [ $tries -lt 10 ]; then
			left=$((left - 1))
			sleep 0.05
		else
			left=$((left - 4))
			sleep 0.2
		fi
	done
}

# await COMMAND...: the same for two minutes; if it fails, the test ends.
await() { await_within 120 "$@" || bad "waited two minutes for: $*"; }
