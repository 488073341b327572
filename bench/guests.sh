# SPDX-License-Identifier: GPL-2.0-or-later
# What the programs share that measure in guests.  Each sources this file first of all, on the host and in its guest.

me=$(basename "$0")

# The first comment.
usage() {
	sed -n '3,/^$/s/^# \{0,1\}//p' "$0"
}

# For awk: the median of v[k, 1] to v[k, n[k]], which it sorts; "" if there is none.
median='function median(k,  i, j, t) {
	for (i = 2; i <= n[k]; i++)
		for (j = i; j > 1 && v[k, j - 1] > v[k, j]; j--) {
			t = v[k, j]; v[k, j] = v[k, j - 1]; v[k, j - 1] = t
		}
	return n[k] ? v[k, int((n[k] + 1) / 2)] : ""
}'

# check_number LETTER VALUE WHAT: of an option.
check_number() {
	case $2 in
	'' | *[!0-9]* | 0) echo "$me: -$1 takes a number of $3" >&2; exit 2 ;;
	esac
}

# After the options, which may have set $build and $releases: finds what they have not, makes $tmp, and cleans up at the end ($KEEP: not $tmp).
guests_begin() {
	for b in "$build" "$here/../build" "$here/.."; do
		[ -n "$b" ] && [ -x "$b/spile" ] && build=$(cd "$b" && pwd) && break
	done
	[ -x "$build/spile" ] || { echo "$me: no spile: build it first, or name its build folder with -b" >&2; exit 1; }
	[ -n "$releases" ] || releases=$("$build/spile-vm" list) || exit 1
	tmp=$(mktemp -d) || exit 1
	name=''
	trap '[ -n "$name" ] && "$build/spile-vm" stop "$name"; [ -n "$KEEP" ] || rm -rf "$tmp"' EXIT
	trap 'exit 130' INT TERM
}

# Guests that begin from now on have clocks which advance one ns with each instruction.  So does the time stamp counter, whatever the host's does, which
# spile-vm has told the guest.
guests_count_instructions() {
	printf '%s\n' '#!/bin/sh' 'for a; do' '	shift' \
		'	case $a in *tsc_early_khz=*) a=$(echo "$a" | sed "s/tsc_early_khz=[0-9]*/tsc_early_khz=1000000/") ;; esac' \
		'	set -- "$@" "$a"' 'done' \
		"exec ${SPILE_QEMU:-qemu-system-x86_64} \"\$@\" -icount shift=0,sleep=off" >"$tmp/qemu"
	chmod +x "$tmp/qemu"
	SPILE_QEMU=$tmp/qemu
	export SPILE_QEMU
}

# guest_start RELEASE CPUS [OPTION of spile-vm]: $name is that of the guest.
guest_start() {
	name=$me-$$
	"$build/spile-vm" --smp="$2" ${3:+"$3"} --share="$tmp" --boot-timeout=240 --name="$name" -k "$1" start >/dev/null
}

# guest_inside ARGUMENTS: this program again, in the guest; it begins with --inside, $tmp, $build.
guest_inside() {
	"$build/spile-vm" -n exec "$name" -- sh "$here/$me" --inside "$tmp" "$build" "$@"
}

guest_stop() {
	"$build/spile-vm" stop "$name"
	name=''
}

load() {
	cut -d' ' -f1-3 /proc/loadavg
}

# guest_run RELEASE ARGUMENTS: all of it in a guest with one CPU; $loads are those of the machine before and after.
guest_run() {
	guest_start "$1" 1 || return 1
	shift
	loads=$(load)
	guest_inside "$@"
	loads="$loads; $(load)"
	guest_stop
}

# What is below a table: the loads, and the lines of $tmp/notes.
put_notes() {
	printf '\nLoad of the machine (%s CPUs) before and after: %s.\n' "$(nproc)" "$loads"
	[ -s "$tmp/notes" ] && { echo; sort "$tmp/notes" | uniq -c | sed 's/^ *\([0-9]*\) /- \1 x /'; }
	echo
}
