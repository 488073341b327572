# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, on the host or in a guest.

# bad TEXT...: ends the test.  A test that has to clean up defines its own afterwards.
bad() {
	echo "$*"
	exit 1
}

# await COMMAND...: waits until it succeeds, which may itself wait for another; two minutes at least, then the test ends.
await() {
	local tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 2400 ] || bad "in vain: $*"
		sleep 0.05
	done
}
