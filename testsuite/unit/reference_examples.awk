# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of doc/language.md as files: awk -v dir=FOLDER -f reference_examples.awk doc/language.md
#
# Each example is a fenced block "```spile [OPTIONS] [: ARGUMENTS]", or "```kernel ..." for one that only a kernel can run; the blocks
# "```output" and "```messages" after it are what it must print, to the letter.  LINE is where it begins:
#
#	FOLDER/LINE/script.stp  options  arguments  kind  output  messages
function start(info,    words) {
	split(info, words, " *: *")
	where = dir "/" sprintf("%04d", FNR)
	system("mkdir -p " where)
	file = where "/script.stp"
	kind = words[1]
	sub(/ .*/, "", kind)
	sub(/^[a-z]+ */, "", words[1])
	print kind > (where "/kind")
	print words[1] > (where "/options")
	print words[2] > (where "/arguments")
	printf "" > (where "/output")
	printf "" > (where "/messages")
}
/^```/ {
	info = substr($0, 4)
	if (file || text) {
		file = text = ""
	} else if (info ~ /^(spile|kernel)( |$)/) {
		start(info)
	} else if (info == "output" || info == "messages") {
		file = where "/" info
	} else {
		text = 1
	}
	next
}
file { print > file }
