#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Events of perf and debug registers at the functions that Spile probes: whichever comes or goes first, each counts all calls, and the program
# is not affected.
# timeout: 600
# cost: 30
cd "$B" || exit 1
. "$S/../lib/beside.sh"
beside_build
cat >tools.sh <<'EOF2'
watch_on() {
	rm -f watch.ready
	$W/watch $1 $function $W/steady $offset &
	watch=$!
	await test -e watch.ready
}
watch_off() { kill -9 $watch; wait $watch 2>/dev/null; true; }
watch_seen() {
	rm -f watch.counts
	kill -USR1 $watch
	await test -e watch.counts
	cat watch.counts
}

perf_on() { watch_on probes; }
perf_off() { watch_off; }
perf_seen() { watch_seen; }
perf_sees() { echo $calls $calls $calls $calls; }

register_on() { watch_on $(awk -v f=$function '$3 == f { print $1 }' /proc/kallsyms); }
register_off() { watch_off; }
register_seen() { watch_seen; }
register_sees() { echo $calls; }
EOF2
beside_run perf register
