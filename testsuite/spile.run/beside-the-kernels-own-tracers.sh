#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Events of tracefs, the function tracer and the function graph tracer at the functions that Spile probes: whichever comes or goes first,
# each counts all calls, and the program is not affected.
# timeout: 600
# cost: 30
cd "$B" || exit 1
. "$S/../lib/beside.sh"
beside_build
cat >tools.sh <<'EOF2'
events_on() {
	{ echo "p:beside_entry $function"; echo "r:beside_return $function"; } >>$t/kprobe_events
	{ echo "p:beside_entry $W/steady:$offset"; echo "r:beside_return $W/steady:$offset"; } >>$t/uprobe_events
	echo 1 >$t/events/kprobes/enable && echo 1 >$t/events/uprobes/enable
}
events_off() {
	echo 0 >$t/events/kprobes/enable && echo 0 >$t/events/uprobes/enable
	echo >$t/kprobe_events && echo >$t/uprobe_events
}
events_seen() {
	echo $(awk '$1 ~ /^beside_/ { print $2 }' $t/kprobe_profile) $(awk '$2 ~ /^beside_/ { print $3 }' $t/uprobe_profile)
}
events_sees() { echo $calls $calls $calls $calls; }

traced() { echo >$t/trace; echo $1 >$t/current_tracer; }
not_traced() {
	echo nop >$t/current_tracer
	echo >$t/set_ftrace_filter
	echo >$t/set_graph_function
	echo >$t/trace
}
seen_in_trace() { grep -c "counted-.* $function" $t/trace; }

tracer_on() { echo $function >$t/set_ftrace_filter && traced function; }
tracer_off() { not_traced; }
tracer_seen() { seen_in_trace; }
tracer_sees() { echo $calls; }

graph_on() { echo 1 >$t/options/funcgraph-proc; echo $function >$t/set_ftrace_filter && traced function_graph; }
graph_off() { not_traced; }
graph_seen() { seen_in_trace; }
graph_sees() { echo $calls; }

# and what it calls
below_on() {
	echo 1 >$t/options/funcgraph-proc
	{ echo $function; echo '*pid*'; } >$t/set_ftrace_filter && echo $function >$t/set_graph_function && traced function_graph
}
below_off() { not_traced; }
below_seen() { grep -c "counted-.* $function() {" $t/trace; }
below_sees() { echo $calls; }
EOF2
beside_run events tracer graph below
