# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, on the host or in a guest.

# bad TEXT...: ends the test.  A test that has to clean up defines its own afterwards.
bad() {
	echo "$*"
	exit 1
}

# await_within SECONDS COMMAND...: waits until it succeeds, that long at least, and fails otherwise.  The command may itself wait for another.
await_within() {
	local tries=$(($1 * 20))
	shift
	until "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.05
	done
}

# await COMMAND...: the same for two minutes; then the test ends.
await() { await_within 120 "$@" || bad "in vain: $*"; }
