#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variables that each thread of a program has of its own, in programs that are linked in each way, and in a library.
# kernel: any
cd "$B" || exit 1
own="$S/../unit/data/own.c"
gcc -g -O2 -DLIBRARY -fPIC -shared -o libown.so "$own" || exit 1
gcc -g -O0 -pthread -o own-pie "$own" "$B/libown.so" &&
	gcc -g -O2 -pthread -no-pie -o own-fixed "$own" "$B/libown.so" &&
	gcc -g -O2 -pthread -DLIBRARY -c -o own-part.o "$own" && gcc -g -O2 -pthread -static -o own-static "$own" own-part.o || exit 1
"$SPILE" -r "$RELEASE" -p4 -m own_library -e "probe process(\"$B/libown.so\").function(\"own_in_library\") { println(\$n, \" \", @var(\"of_library\")) }
	probe process(\"$B/libown.so\").function(\"own_in_library\").return { println(\$n, \" \", \$return, \" \", @var(\"of_library\")) }" >/dev/null || exit 1
echo "$SPILERUN -c \"$B/own-pie\" $B/own_library.ko" >own-library.sh
out=$("$V" -t 60 exec "$G" -- sh "$B/own-library.sh" 2>&1 | sort)
[ "$out" = '0 7
0 7 7
1 7
1 8 8
2 7
2 9 9
3 10 10
3 7' ] || { echo "library: $out"; exit 1; }
for how in pie fixed static; do
	cat >own-$how.stp <<X
probe process("$B/own-$how").function("own_work") {
	printf("%d %d %d %d %d %s %d %d %d\n", \$i, @var("number"), &@var("number") == \$where, @var("own_work::calls"), @var("calls"),
	       user_string(&@var("both")->name), @var("both")->b, @var("last"), &@var("both") & 63)
}
X
	"$SPILE" -r "$RELEASE" -p4 -m own_$how own-$how.stp >/dev/null || exit 1
	echo "$SPILERUN -c \"$B/own-$how\" $B/own_$how.ko" >own-$how.sh
	out=$("$V" -t 60 exec "$G" -- sh "$B/own-$how.sh" 2>&1 | sort)
	echo "$how: $out"
	[ "$out" = '0 100 1 10 10 thread 2 0 0
0 100 1 11 11 thread 2 97 0
1 101 1 10 10 thread 2 0 0
1 101 1 11 11 thread 3 98 0
2 102 1 10 10 thread 2 0 0
2 102 1 11 11 thread 4 99 0
3 103 1 10 10 thread 2 0 0
3 103 1 11 11 thread 5 100 0' ] || exit 1
done
