#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of a program that was not known when the script was compiled.  The first one is not empty, so that different stacks are different keys: it
# has what is certain, the address where the program is, and as a name the place in the file.  Soon after that the program and its libraries have been
# read, and stacks are whole and have names, as when they are known from the beginning.  What reads them is part of the session, and its calls are left
# out.
# kernel: any
# cost: 10
cat >"$B/program.stp" <<'X'
global at, named, own, opened
probe syscall.openat {
	own += execname() == "spile-tables"
	opened++
}
probe kernel.function("ksys_write") {
	if (execname() != "stacks") next
	at[ubacktrace()]++
	named[sprint_ubacktrace()]++
	printf("first %s\nustack 0x%x\nmodule %s\ndata %s\nname %s\nid %s\naddress 0x%x\n", ucallers(1), ustack(0), umodname(ustack(0)),
	       usymdata(ustack(0)), usymname(ustack(0)), umodbuildid(ustack(0)), umodaddr(ustack(0)))
	print_ubacktrace()
}
probe end {
	printf("own %d of %d\n", own, opened)
	foreach (s in at) {
		printf("at %s\n", s)
		print_usyms(s)
		println("end of at")
	}
	foreach (s in named) printf("named %s\nend\n", s)
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m stacks_unknown -D MAXSTRINGLEN=4096 program.stp >/dev/null || exit 1
# The session goes on until the program's own function is named.  The program is at a path that only its mount namespace has.
cat >"$B/program" <<X
mount -t tmpfs none /mnt && cp $W/stacks /mnt/stacks || exit 1
for i in \$(seq 100); do
	/mnt/stacks calls
	grep -q ": main+" out && exit 0
	sleep 0.2
done
echo "no names"
X
"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -o out -c 'unshare -m sh program' stacks_unknown.ko; cat out" >got 2>&1 || { cat got; exit 1; }
awk '
	function bad(text) { print text; failed = 1 }
	$1 == "first" { last = $2; lines = 0; if (!n++) first = $2 }
	n == 1 && $1 == "ustack" { ustack = $2 }
	n == 1 && $1 == "module" { module = $2 }
	n == 1 && $1 == "data" { data = $2 }
	n == 1 && $1 == "name" { name = $2 }
	$1 == "name" && $2 == "write" { names = 1 }
	$1 == "data" && $2 ~ /^write\+0x/ && $3 ~ /\/libc\.so\.6\]$/ { files = 1 }
	/^own 0 of [1-9]/ { own = 1 }
	$1 == "id" && $2 ~ /^[0-9a-f]+$/ && length($2) == 40 { id = 1 }
	$1 == "address" && $2 ~ /^0x[0-9a-f][0-9a-f]+$/ { address = 1 }
	$1 == "at" && $2 == first { at = 1 }
	$1 == "at" { depth = 0 }
	$2 == ":" { depth++; called[depth] = $3; in_file[depth] = $NF }
	/^end of at/ && called[depth] ~ /^_start\+/ && called[depth - 3] ~ /^main\+/ && in_file[depth] ~ /\/stacks\]$/ { later = 1 }
	$1 == "named" && $2 ~ /^\[libc\.so\.6\+0x[0-9a-f]+\]$/ { short = $2 }
	$1 == "named" { text = "" }
	{ text = text " " $1 }
	$1 == "end" && text ~ / stacks_end\+.* stacks_registers\+.* stacks_variable\+.* stacks_aligned\+.* stacks_large\+.* stacks_main\+.* main\+.* _start\+/ { whole = 1 }
	$1 ~ /^0x/ && $2 == ":" { lines++; if (/ main\+0x[0-9a-f]+\/0x[0-9a-f]+ \[.*\/stacks\]$/) main = lines }
	$1 ~ /^0x/ && $2 == ":" && / _start\+/ && lines == main + 3 { printed = 1 }
	END {
		if (first !~ /^0x7[0-9a-f]+$/) bad("first " first)
		if (ustack != first || name != first) bad("ustack " ustack ", name " name)
		if (module != "libc.so.6") bad("module " module)
		if (!at) bad("no key " first)
		if (short == "" || data != short) bad("named " short ", data " data)
		if (!names || !files || !id || !address) bad("what libc is, is not known: " names files id address)
		if (!whole) bad("no key with all names")
		if (!later) bad("no names at the end")
		if (!own) bad("what the session itself opens is counted")
		if (!printed) bad("no stack with all names")
		exit failed
	}' got || { cat got; exit 1; }
