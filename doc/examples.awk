# SPDX-License-Identifier: GPL-2.0-or-later
# doc/examples.md of the heads of the examples and of what they printed: awk -f doc/examples.awk examples/*/*.stp, in the top folder.
# HACKING.md says how a head looks.

function finish(    out, line, n) {
	if (name == "")
		return
	out = path
	sub(/stp$/, "out", out)
	print "\n```text"
	for (n = 0; (getline line < out) > 0 && n < 14; n++) {
		if (!n && line ~ /^(tcp|udp) [0-9]+ [0-9]+$|^sent [0-9]+ refused/) { # the command's own
			n--
			continue
		}
		gsub(/\033\[[0-9;]*[A-Za-z]/, "", line)
		sub(/[ \t]+$/, "", line)
		print substr(line, 1, 150)
	}
	if (n == 14)
		print "..."
	print "```"
	close(out)
	name = ""
}

function begin_subject(    title) {
	title = toupper(substr(subject, 1, 1)) substr(subject, 2)
	printf "\n## %s\n", title
}

BEGIN {
	print "# The examples"
	print ""
	print "Scripts that answer frequent questions: `spile --examples` lists them, `spile --examples WORD` finds those that have to do with a"
	print "word, and `spile --example NAME` runs one; with `--vm` in a throwaway guest. They are short: copy one and change it."
	print "Each is run by the test suite in guests of all supported kernels. The outputs here are from such runs, the long ones cut."
	print "`testsuite/unit/examples_test.sh` makes this page of the scripts' first comments."
	print ""
	print "A target (`-c COMMAND`, `-x PID`) means that process and its descendants; without one, most examples see the whole machine."
}

FNR == 1 {
	finish()
	path = FILENAME
	split(path, part, "/")
	if (part[2] != subject) {
		subject = part[2]
		begin_subject()
	}
	in_head = 1
	next
}

!/^#/	{ in_head = 0 }
!in_head { next }

FNR == 2 {
	name = question = $0
	sub(/^# /, "", name)
	sub(/:.*/, "", name)
	sub(/^# [^:]*: /, "", question)
	printf "\n### %s\n\n%s ([%s](../%s))\n", name, question, path, path
	next
}
/^# Call: /	{ printf "\n    %s\n\n", substr($0, 9); indent = ""; next }
/^# Shows: /	{ print (called ? "\n" : "") "- Shows: " substr($0, 10); indent = "  "; called = 0; next }
/^# Look at: /	{ print "- Look at: " substr($0, 12); next }
/^# Cost: /	{ print "- Cost: " substr($0, 9); next }
/^#\t/		{ print indent substr($0, 3); called = indent == "" }

END {
	finish()
	print ""
	print "## Names of SystemTap's examples"
	print ""
	print "Of the jobs that SystemTap's examples do, some have another name here: func_time_stats is `funclatency`, functioncallcount is `funccount`,"
	print "para-callgraph and para-callgraph-verbose are `callgraph` with a second argument, tcp_connections is `tcpaccept`, and `breakpoints` is what"
	print "gdb -batch does with commands at a breakpoint. Those with -nd in their names are here without it."
	print ""
	print "The markers that `glibc-malloc` and `qemu_count` are about are in builds of others than Debian 12, and those of `libguestfs_log` in a library that"
	print "boots a guest: these three were run with a program of the tests that has such markers."
	print ""
	print "The band-aids of the subject security each show one kind: SystemTap's are for holes that today's kernels and libraries do not have, and the next one is"
	print "closed with a copy of `band-aid`, `cut-argument`, `setuid-env`, `empty-argv` or `closed-call`. The big kernel lock of `bkl` and `bkl_stats` is gone"
	print "from kernels: they show rtnl_mutex, the lock of the network configuration."
}
