# SPDX-License-Identifier: GPL-2.0-or-later
# diag.def, doc/messages.md -> messages.h: the section of each id as a row of an array.  Fails unless both have the
# same areas and ids, in the same order, and each id has two examples or says why it has none.
function bad(text) {
	print FILENAME ":" FNR ": " text >"/dev/stderr"
	failed = 1
}
# The next heading must be the same in both files.
function expect(heading) {
	if (heading != order[++seen])
		bad("\"" heading "\" is where base/diag.def has \"" order[seen] "\"")
}
function end_section() {
	if (name != "" && examples != "FI" && examples != "N")
		bad(name " has no \"For example:\" and \"Instead:\", nor \"No example:\"")
	if (name != "")
		print "\t\t,"
	name = examples = ""
}
BEGIN {
	print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
	print "/* Made from doc/messages.md by messages.awk: what `spile --explain' prints. */"
	print "static const char *const explanations[DIAG_COUNT] = {"
}
FILENAME ~ /\.def$/ {
	split($0, part, "\"")
	if (/^AREA\(/)
		order[++n] = "## " part[2]
	else if (/^DIAG\(/) {
		order[++n] = "### " part[2]
		split($0, part, /[(,]/)
		id[n] = part[2]
	}
	next
}
/^##/ {
	end_section()
	expect($0)
}
/^### / {
	name = $2
	blank = 1
	printf "\t[%s] =\n", id[seen]
	next
}
name == "" { next }
length($0) > 78 { bad("the line has more than 78 bytes") }
/^For example:$/ { examples = examples "F" }
/^Instead:$/ { examples = examples "I" }
/^No example: / { examples = examples "N" }
# A blank line is printed with the line after it, so that none ends a section.
$0 == "" {
	blank = 1
	next
}
{
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	printf "\t\t\"%s%s\\n\"\n", blank ? "\\n" : "", $0
	blank = 0
}
END {
	end_section()
	print "};"
	if (seen != n)
		bad(n - seen " areas and ids of base/diag.def have no section")
	exit failed
}
