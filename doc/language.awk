# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the manual page of doc/language.md: awk -f doc/language.awk doc/language.md > spile-language.7
# It knows what that text uses of Markdown: headings, paragraphs, lists, fenced blocks, tables, `code`, *emphasis* and links.

# Text of a line in the form of roff, with bold `code`, italic *emphasis* and only the words of links.
function inline(s,    out, code) {
	gsub(/\\\|/, "|", s)
	gsub(/\\/, "\\e", s)
	while (match(s, /\[[^]]*\]\([^)]*\)/)) {
		code = substr(s, RSTART + 1, RLENGTH - 1)
		sub(/\].*/, "", code)
		s = substr(s, 1, RSTART - 1) code substr(s, RSTART + RLENGTH)
	}
	out = ""
	while (match(s, /`[^`]*`|\*[^ *][^*`]*\*/)) {
		code = substr(s, RSTART, 1) == "`" ? "\\fB" : "\\fI"
		out = out substr(s, 1, RSTART - 1) code substr(s, RSTART + 1, RLENGTH - 2) "\\fR"
		s = substr(s, RSTART + RLENGTH)
	}
	return guard(out s)
}
# Characters that are special to roff: a control character in front, and the dashes, carets and tildes of code.
function guard(s) {
	gsub(/-/, "\\-", s)
	gsub(/\^/, "\\(ha", s)
	gsub(/~/, "\\(ti", s)
	return s ~ /^[.']/ ? "\\&" s : s
}
function cells(row,    n, i, part, text) {
	gsub(/\\\|/, "\001", row)
	sub(/^\| */, "", row)
	sub(/ *\|$/, "", row)
	n = split(row, part, " *[|] *")
	for (i = 1; i <= n; i++) {
		gsub(/\001/, "|", part[i])
		text = text (i > 1 ? "\t" : "") "T{\n" inline(part[i]) "\nT}"
	}
	return text
}
function end_table() {
	if (table)
		print ".TE"
	table = 0
}
function begin_table(row,    n) {
	n = gsub(/\\\|/, "", row)
	n = split(row, unused, "|") - 2
	headed = 0
	print ".TS\n" (n == 2 ? "l lx" : "l lx l") "."
	table = 1
}
NR == 1 {
	print "'\\\" t\n.\\\" SPDX-License-Identifier: GPL-2.0-or-later\n.\\\" Made of doc/language.md.\n.TH SPILE\\-LANGUAGE 7 \"November 21, 2026\" Spile"
	headed = blank = 1
	print ".SH NAME\nspile\\-language \\- the language of spile scripts\n.ad l\n.SH DESCRIPTION"
	next
}
/^```/ {
	end_table()
	if (!headed && !fence)
		print ".PP"
	headed = 0
	print fence ? ".EE\n.RE" : (substr($0, 4) ~ /^(output|messages)/ ? "prints\n" : "") ".RS 4\n.EX"
	fence = !fence
	next
}
fence {
	gsub(/\\/, "\\e")
	gsub(/\t/, "    ")
	print guard($0)
	next
}
/^\|[-| ]*\|$/ { next }
/^\|/ {
	if (!table)
		begin_table($0)
	print cells($0)
	next
}
{ end_table() }
/^## / { print ".SH " toupper(inline(substr($0, 4))); headed = 1; next }
/^### / { print ".SS " inline(substr($0, 5)); headed = 1; next }
/^$/ { blank = 1; next }
/^- / {
	print ".IP \\(bu 2\n" inline(substr($0, 3))
	blank = headed = 0
	item = 1
	next
}
item && /^  / { print inline(substr($0, 3)); next }
{ item = 0 }
blank && !headed { print ".PP" }
{ blank = headed = 0 }
{ print inline($0) }
END { print ".SH SEE ALSO\n.BR spile (1),\n.BR spilerun (8)" }
