#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of bpftrace at the functions that Spile probes: by kprobes and uprobes and by one hook for several functions (which has the kernel's
# rethook follow returns, as Spile does), and by the trampolines of BPF, which call the function themselves.  Whichever comes or goes first, each
# counts all calls, and the program is not affected.  Most of the time goes to bpftrace, which compiles its script in the guest.
# timeout: 960
# cost: 100
cd "$B" || exit 1
. "$S/../lib/beside.sh"
beside_build
cat >tools.sh <<'EOF2'
# bpf_on PROBE...: a script that counts at each of them; others count as armed when they have seen the load.
bpf_on() {
	script= n=0
	for probe; do
		n=$((n + 1))
		script="$script $probe { if (comm == \"counted\") { @c$n = count() } else { @o$n = count() } }"
	done
	: >bpf.out
	bpftrace -e "$script" >>bpf.out 2>bpf.err &
	bpf=$!
	await grep -q Attaching bpf.out
	await bpf_is_there
}
# prints its maps to bpf.out, one in a line
bpf_tell() {
	: >bpf.out
	kill -USR1 $bpf || bad "bpftrace has ended: $(cat bpf.err)"
	await bpf_has_told
}
bpf_has_told() { [ "$(wc -l <bpf.out)" = $((2 * n)) ]; }
bpf_is_there() { bpf_tell; ! grep -q '^@o.*: 0$' bpf.out; }
# It only hears a signal while it waits for events.
bpf_is_over() { kill $bpf 2>/dev/null; sleep 0.2; ! grep -qs ') [^Z]' /proc/$bpf/stat; }
bpf_off() { await bpf_is_over; wait $bpf; }
bpf_seen() { bpf_tell; echo $(sort bpf.out | sed -n 's/^@c.*: //p'); }

probes_on() {
	bpf_on kprobe:$function kretprobe:$function uprobe:$W/steady:steady_work uretprobe:$W/steady:steady_work
}
probes_off() { bpf_off; }
probes_seen() { bpf_seen; }
probes_sees() { echo $calls $calls $calls $calls; }

# A pattern is one hook, where the kernel has that.
hooks_on() { bpf_on kfunc:$function kretfunc:$function "kprobe:${function%id}*" "kretprobe:${function%id}*"; }
hooks_off() { bpf_off; }
hooks_seen() { bpf_seen; }
hooks_sees() { echo $calls $calls $calls $calls; }
EOF2
limit=900
beside_run probes hooks
