# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, on the host or in a guest.

# bad TEXT...: reports a failure and ends the test.  A test that has to clean up defines its own bad() after it has read this file.
bad() {
	echo "$*"
	exit 1
}

# await_within SECONDS COMMAND...: runs COMMAND again and again until it succeeds.  Gives up and fails after SECONDS at the earliest: the time
# that COMMAND itself takes is not counted.  COMMAND may be a function that calls await_within too.
await_within() {
	local tries=$(($1 * 20))
	shift
	until "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.05
	done
}

# await COMMAND...: the same for two minutes; if it fails, the test ends.
await() { await_within 120 "$@" || bad "waited two minutes for: $*"; }
