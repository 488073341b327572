# SPDX-License-Identifier: GPL-2.0-or-later
# node.def -> slots.h: a macro for each slot of each kind, and lists of kinds for `case'.
BEGIN {
	FS = "[(), \t]+"
	print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
	print "/* Made from node.def by slots.awk: what children a node has, by name.  Included by ast.h. */"
	print "/* Each is the child itself, which can be assigned to; n must be of that kind. */"
}
/^\/\* ---- / {
	group = $0 ~ /lowered/ ? "LOWERED" : $0 ~ /declarations/ ? "DECLARATIONS" : $0 ~ /statements/ ? "STATEMENTS" : "EXPRESSIONS"
}
/^NODE/ {
	kind = $2
	slot = 0
	gone = $0 ~ /, STAGE_BIND,/ ? "UNTIL_BIND" : group
	cases[gone] = cases[gone] (cases[gone] ? ": case " : "case ") kind
	if ($0 ~ /, STAGE_OPT,/)
		cases["UNTIL_LOWER"] = cases["UNTIL_LOWER"] (cases["UNTIL_LOWER"] ? ": case " : "case ") kind
}
$2 == "SLOT" {
	printf "#define %s_%s(n) (*ast_child((n), %s, %d))\n", $3, $4, kind, slot++
}
$2 == "MORE" {
	printf "#define %s_%s(n, i) (*ast_child((n), %s, %d + (i)))\n", $3, $4, kind, slot
	printf "#define %s_%sS(n) ast_children((n), %s, %d)\n", $3, $4, kind, slot
}
END {
	print "/* Kinds that a pass does not meet, or does not care about, in a switch.  Each kind is in one of these: declarations, */"
	print "/* statements, expressions that outlive the pass \"bind\", those that do not, and what the pass \"lower\" makes. */"
	printf "#define CASES_OF_DECLARATIONS %s\n", cases["DECLARATIONS"]
	printf "#define CASES_OF_STATEMENTS %s\n", cases["STATEMENTS"]
	printf "#define CASES_OF_EXPRESSIONS %s\n", cases["EXPRESSIONS"]
	print "/* Of statements and expressions: those that do not outlive \"opt\". */"
	printf "#define CASES_UNTIL_LOWER %s\n", cases["UNTIL_LOWER"]
	printf "#define CASES_LOWERED %s\n", cases["LOWERED"]
	printf "#define CASES_UNTIL_BIND %s\n", cases["UNTIL_BIND"]
}
