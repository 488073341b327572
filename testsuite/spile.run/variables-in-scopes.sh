#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variables of a C++ program by their scopes, one of several overloads, and what constructors of virtual bases get, with and without optimisation.
# kernel: any
command -v g++ >/dev/null || { echo "g++ is not installed"; exit 1; }
cd "$B" || exit 1
for how in O0 O2; do
	g++ -g -$how -o members-$how "$S/../unit/data/members.cc" || exit 1
	cat >members-$how.stp <<X
probe process("$B/members-$how").function("space::calls") {
	println("levels ", @var("level"), " ", @var("space::level"), " made ", @var("counter::made"), " statics ", @var("::calls::calls"), " ",
		@var("space::calls::calls"), " ", @var("counter::step::calls"), " boxes ", @var("box<int>::count"), " ", @var("box<char>::count"),
		" constants ", @var("space::most"), " ", @var("counter::limit"), " last ", @var("space::counter::last")\$)
}
probe process("$B/members-$how").function("space::area(const pair&)") { println("area ", \$p->first, " ", \$p->second) }
probe process("$B/members-$how").function("space::area(unsigned, long)") { println("area ", \$\$parms) }
probe process("$B/members-$how").function("space::solid::solid") { println("solid ", \$w, " ", \$h) }
probe process("$B/members-$how").function("space::flat::flat") { println("flat ", \$n, " ", \$w) }
probe process("$B/members-$how").function("space::tall::tall") { println("tall ", \$n, " ", \$h) }
X
	"$SPILE" -r "$RELEASE" -p4 -m members_$(echo $how | tr O o) members-$how.stp >/dev/null || exit 1
	cat >members-$how.sh <<X
$SPILERUN -c "$B/members-$how" $B/members_$(echo $how | tr O o).ko
X
	out=$("$V" -t 60 exec "$G" -- sh "$B/members-$how.sh" 2>&1)
	echo "$out"
	[ "$out" = 'levels 1 2 made 42 statics 30 20 13 boxes 5 2 constants 200 300 last {.first=5, .second=6}
area a=0x2 b=0x3
area 3 4
solid 11 22
flat 7 11
tall 8 22' ] || exit 1
done
