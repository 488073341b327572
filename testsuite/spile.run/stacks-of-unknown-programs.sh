#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A stack of a program that was not known when the script was compiled is not empty, so that stacks that differ are not one key of an array: it has
# what is certain, the address where the program is, and as a name the place in the file.
# kernel: any
cat >"$B/program.stp" <<'X'
global at, named
probe kernel.function("ksys_write") {
	if (execname() != "stacks") next
	at[ubacktrace()]++
	named[sprint_ubacktrace()]++
	printf("first %s\nustack 0x%x\nmodule %s\ndata %s\nname %s\n", ucallers(1), ustack(0), umodname(ustack(0)), usymdata(ustack(0)), usymname(ustack(0)))
	print_ubacktrace()
}
probe end {
	foreach (s in at) printf("at %s\n", s)
	foreach (s in named) printf("named %s\n", s)
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m stacks_unknown program.stp >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -c '$W/stacks calls' stacks_unknown.ko" >got 2>&1 || { cat got; exit 1; }
awk '
	function bad(text) { print text; failed = 1 }
	$1 == "first" { first = $2; n++ }
	$1 == "ustack" { ustack = $2 }
	$1 == "module" { module = $2 }
	$1 == "data" { data = $2 }
	$1 == "name" { name = $2 }
	$1 == "at" && $2 == first { at = 1 }
	$1 == "named" && $2 ~ /^\[libc\.so\.6\+0x[0-9a-f]+\]$/ { named = $2 }
	$1 ~ /^0x/ && $2 == ":" { line = $1 == first && $3 == first ? $4 : "" }
	/^ \(this is code of no file that was known/ { end = 1 }
	END {
		if (!n || first !~ /^0x7[0-9a-f]+$/) bad(n " times " first)
		if (ustack != first || name != first) bad("ustack " ustack ", name " name)
		if (module != "libc.so.6") bad("module " module)
		if (!at) bad("no key " first)
		if (named == "" || data != named || line != named) bad("named " named ", data " data ", line " line)
		if (!end) bad("no reason")
		exit failed
	}' got || { cat got; exit 1; }
