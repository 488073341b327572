# SPDX-License-Identifier: GPL-2.0-or-later
# For tests with another tool at the same functions as Spile, which comes first or later and goes first or later: all four.  beside_build, on
# the host, makes the module; the rest runs in the guest, in a folder of its own.
#
# A tool is functions by its name: TOOL_on, TOOL_off, TOOL_seen (prints what it counted since TOOL_on, in all), and TOOL_sees: which kinds
# (kernel calls and returns, user calls and returns).  Its count and that of Spile must be exactly the calls of "counted".  All the while,
# "load" calls the same functions, and waits only while there is counting.
t=/sys/kernel/tracing
calls=50
function=__x64_sys_getpgid

beside_build() {
	cat >beside.stp <<'X'
global ke, kr, ue, ur, us, bad
probe kernel.function("__x64_sys_getpgid") { if (execname() == "counted") ke++ }
probe kernel.function("__x64_sys_getpgid").return { if (execname() == "counted") { kr++; if ($return <= 0) bad++ } }
probe process(@1).function("steady_work") { if (execname() == "counted") ue++ }
probe process(@1).function("steady_work").return { if (execname() == "counted") ur++ }
probe process(@1).function("steady_work").return { if (execname() == "counted") { us++; if ($return != (@entry($a) * 31 ^ @entry($b))) bad++ } }
probe end { printf("%d %d %d %d %d %d\n", ke, kr, ue, ur, us, bad) }
X
	"$SPILE" -w -r "$RELEASE" -p4 -m beside beside.stp "$W/steady" >/dev/null || exit 1
	offset=0x$(nm "$W/steady" | awk '$3 == "steady_work" { print $1 }')
	printf '%s\n' "W='$W' S='$S' SPILERUN='$SPILERUN' offset=$offset RELEASE=$RELEASE" >beside-where.sh
}

# beside_run TOOL...: in the guest, with the functions of the tools in tools.sh; takes $limit seconds at most
beside_run() {
	cat >beside-all.sh <<X
. ./beside-where.sh
. $S/../lib/beside.sh
. ./tools.sh
home=\$(mktemp -d) && cp beside.ko \$home && cd \$home || exit 1
beside_orders $*
X
	"$V" -t ${limit:-500} exec "$G" -- sh -c "cd $B && sh beside-all.sh" || exit 1
}

. $S/../lib/await.sh

bad() {
	echo "$order: $*"
	[ -n "$load$spile" ] && kill -9 $load $spile
	exit 1
}

spile_on() {
	rm -f beside-up beside-end
	mkfifo beside-end
	$SPILERUN -w -o beside.out -c 'sh -c "touch beside-up; read x <beside-end"' beside.ko >beside.said 2>beside.err &
	spile=$!
	await test -e beside-up
	expected=0
}

spile_off() {
	echo >beside-end
	wait $spile || bad "spilerun: $(cat beside.err)"
	spile=
	set -- $(cat beside.out)
	e=$expected
	[ "$*" = "$e $e $e $e $e 0" ] || bad "Spile counted $* instead of $e $e $e $e $e 0: $(cat beside.err)"
}

tool_on() { ${tool}_on || bad "cannot be had"; on=1; }
tool_off() { ${tool}_off || bad "cannot be removed"; on=; }

load_is_stopped() { grep -q ') T' /proc/$load/stat; }

# Differences, word by word.
minus() { echo "$1 $2" | awk '{ for (i = 1; i <= NF / 2; i++) printf("%s%d", (i > 1 ? " " : ""), $i - $(i + NF / 2)) }'; }

count() {
	kill -STOP $load
	await load_is_stopped
	[ -n "$on" ] && before=$(${tool}_seen)
	[ "$($W/steady counted $calls)" = "steady_work $calls" ] || bad "counted does not do what it should"
	[ -n "$spile" ] && expected=$((expected + calls))
	if [ -n "$on" ]; then
		seen=$(minus "$(${tool}_seen)" "$before")
		[ "$seen" = "$(${tool}_sees)" ] || bad "it counted $seen instead of $(${tool}_sees), now $(${tool}_seen)"
	fi
	kill -CONT $load
}

nothing_is_left() { [ ! -s $t/enabled_functions ] && [ ! -s /sys/kernel/debug/kprobes/list ]; }

beside_orders() {
	load= on= spile=
	[ -d $t/events ] || mount -t tracefs tracefs $t
	$W/steady load 0 breakpoint >beside.load &
	load=$!
	for tool; do
		for step in spile_on tool_on count tool_off tool_on count spile_off count spile_on count spile_off spile_on tool_off count spile_off; do
			order="$tool, $step"
			echo "$(cut -d ' ' -f 1 /proc/uptime) $order"
			$step
		done
	done
	await nothing_is_left
	kill $load
	wait $load || bad "the load: $(cat beside.load)"
	grep -qx 'steady_work [1-9][0-9]*' beside.load || bad "the load: $(cat beside.load)"
}
