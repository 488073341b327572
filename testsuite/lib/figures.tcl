# SPDX-License-Identifier: GPL-2.0-or-later
# area calls square twice for each of four numbers.
proc square {n} { return [expr {$n * $n}] }
proc area {first second third fourth} {
	foreach n [list 1 2 3 4] {
		square $n
		square [incr n]
	}
	return $first
}
puts "area [area 4 7 "a\n" x]"
