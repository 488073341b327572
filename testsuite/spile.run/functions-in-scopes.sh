#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of a C++ program by their scopes: overloads, templates and a place, with their values.
# kernel: any
command -v g++ >/dev/null || { echo "g++ is not installed"; exit 1; }
cd "$B" || exit 1
g++ -g -O1 -o scopes "$S/../unit/data/scopes.cc" || exit 1
line=$(grep -n 'int twice' "$S/../unit/data/scopes.cc" | sed -n '2s/:.*//p')
cat >scopes.stp <<X
probe process("$B/scopes").function("space::counter::add") { printf("%s %d\n", ppfunc(), \$this->n) }
probe process("$B/scopes").function("box::get").return { printf("%s %d\n", ppfunc(), @entry(\$a)) }
probe process("$B/scopes").function("twice@scopes.cc:$line").return { printf("%s %d %d\n", ppfunc(), @entry(\$a), \$return) }
X
"$SPILE" -r "$RELEASE" -p4 -m in_scopes scopes.stp >/dev/null || exit 1
cat >scopes.sh <<X
$SPILERUN -c "$B/scopes" $B/in_scopes.ko
X
out=$("$V" -t 60 exec "$G" -- sh "$B/scopes.sh" 2>&1 | sort)
echo "$out"
[ "$out" = 'space::box<char*>::get 2
space::box<int>::get 1
space::counter::add 40
space::counter::add 45
space::twice 3 6' ]
