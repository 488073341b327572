# SPDX-License-Identifier: GPL-2.0-or-later
# Of doc/functions.md: "POINT|VARIABLE, VARIABLE ..." for each alias of the library.  What it says of an alias that has those of others is not in
# backquotes.
/^## Probe points of the library/ { on = 1 }
on && /^\| `/ {
	split($0, column, "|")
	gsub(/[` ]/, "", column[2])
	gsub(/^ +| +$/, "", column[3])
	if (column[3] !~ /^(`[A-Za-z_0-9]+` ?)*$/) column[3] = ""
	gsub(/`/, "", column[3])
	gsub(/ /, ", ", column[3])
	print column[2] "|" column[3]
}
