# SPDX-License-Identifier: GPL-2.0-or-later
# For tests, on the host: all aliases of some kinds in one session, with all of their variables.  Each must have hits, or be in the list
# aliases.unfired with the reason, at each hit the conditions of aliases.holds must hold, and at one hit at least each of aliases.known.

# aliases_fire KINDS COMMANDS: KINDS is a regular expression for the first words of their names; COMMANDS are carried out in the guest
aliases_fire() {
	cd "$B" || exit 1
	lib=$S/../lib
	awk -f "$lib/aliases.awk" "$S/../../doc/functions.md" >rows
	awk -v kinds="($1)[.]" -f "$lib/aliases_fire.awk" "$lib/aliases.holds" "$lib/aliases.known" rows >probes.stp || exit 1
	cat "$lib/aliases_fire.stp" probes.stp >fire.stp
	sed -n 's/^probe \(.*\) ? {$/\1/p' probes.stp | sort -u >all
	"$SPILE" -w -r "$RELEASE" -p4 -m aliases_fire fire.stp >/dev/null || exit 1
	printf '%s\n' "$2" >commands
	{
		echo ". $lib/await.sh"
		echo "S=$S W=$W B=$B"
		echo "$SPILERUN -w -v -o fired aliases_fire.ko 2>messages & session=\$!"
		echo 'await grep -q started messages'
		echo '. ./commands >commands.out 2>&1'
		echo 'kill -INT $session; wait $session'
	} >fire
	"$V" -t $((400 * SLOW)) exec "$G" -- bash -c "cd $B && . ./fire" || { cat messages commands.out; exit 1; }
	sed -n 's/^hit \([^ ]*\) .*/\1/p' fired | sort >hit
	[ -s hit ] || { cat messages commands.out; exit 1; }
	# A line that begins with ~ is of one that has hits on some kernels, or at times.
	sed -n 's/^~\{0,1\}\([a-z_][A-Za-z0-9_.]*\)[ \t].*/\1/p' "$lib/aliases.unfired" | sort >listed
	sed -n 's/^\([a-z_][A-Za-z0-9_.]*\)[ \t].*/\1/p' "$lib/aliases.unfired" | sort >never
	comm -23 all hit | comm -23 - listed | sed 's/^/no hits, and no reason in aliases.unfired: /' >errors
	comm -12 hit never | sed 's/^/has hits, but is in aliases.unfired: /' >>errors
	grep -E '^(wrong|never) ' fired >>errors
	grep -E '(skipped|errors) [1-9]|^ERROR|^WARNING' messages >>errors
	echo "$(wc -l <all) aliases, $(wc -l <hit) with hits"
	[ ! -s errors ] || { cat errors; tail -n 20 commands.out; exit 1; }
}
