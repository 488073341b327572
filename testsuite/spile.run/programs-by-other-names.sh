#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program is probed by its build-id, by its name in $PATH, and by a script that it runs ("#!", also with env); each counts every call of all that runs it.
# timeout: 300
# kernel: any
# cost: 10
mkdir -p "$B/named/bin" && cd "$B/named" || exit 1
N=named-$RELEASE
cat >named.c <<'E'
#include <stdlib.h>
volatile int sum;
__attribute__((noipa)) void work(int i) { sum += i; }
int main(int argc, char **argv)
{
	for (int i = 0, n = argc > 2 ? atoi(argv[2]) : 10; i < n; i++)
		work(i);
	return 0;
}
E
gcc -O1 -Wl,--build-id=sha1 -o "bin/$N" named.c && gcc -O1 -Wl,--build-id=sha1 -DOTHER -g -o other named.c || exit 1
id=$(readelf -n "bin/$N" | sed -n 's/.*Build ID: //p')
printf '#!%s\n' "$PWD/bin/$N" >direct
printf '#!/usr/bin/env %s\n' "$N" >through_env
chmod +x direct through_env
PATH="$PWD/bin:$PATH"
export PATH
named() { "$SPILE" -l "process(\"$1\").function(\"main\")"; }
[ "$(named "$(echo "$id" | tr a-f A-F)")" = "$(named "$PWD/bin/$N")" ] || { echo "the build-id in capitals is not found"; exit 1; }
# four runs of it: by path and by name, 10 and 20 calls; by the scripts, 30 and 40; and one of another program
cat >runs <<E
PATH="$PWD/bin:\$PATH"
"$PWD/bin/$N"; "$N" - 20; "$PWD/direct" 30; "$PWD/through_env" 40; "$PWD/other"
E
failed=0
n=0
for point in "\"$id\"" "\"$N\"" "\"$PWD/direct\"" "\"$PWD/through_env\""; do
	n=$((n + 1))
	cat >named$n.stp <<E
probe process($point).function("work") { calls++; sum += register("rdi") & 0xffffffff }
probe process($point).begin { begins++ }
probe end { println(calls, " ", sum, " ", begins) } global calls, sum, begins
E
	"$SPILE" -r "$RELEASE" -p4 -m named_by_$n named$n.stp >/dev/null || exit 1
	got=$("$V" -t $((100 * SLOW)) exec "$G" -- sh -c "$SPILERUN -c 'sh $PWD/runs' $PWD/named_by_$n.ko" 2>&1)
	[ "$got" = "100 1450 4" ] || { echo "$point: $got"; failed=1; }
done
exit $failed
