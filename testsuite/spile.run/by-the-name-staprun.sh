#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Called by the name staprun, the loader takes -R and -T as that does: two sessions of a module run at once, and none ends after so many seconds.
# kernel: any
cd "$B" && rm -f staprun stop first second && ln -s "$SPILERUN" staprun || exit 1
"$SPILE" -r "$RELEASE" -p4 -m by_that_name -e 'probe begin { println("begin") } probe end { println("end") }' >/dev/null || exit 1
cat >two.sh <<X
. $S/../lib/await.sh
cd $B
./staprun -R -T 1 -o first by_that_name.ko & first=\$!
await grep -q begin first
./staprun -R -T 1 -c 'sleep 2' by_that_name.ko
kill -0 \$first && echo 'the first one still runs'
kill -INT \$first
wait \$first
cat first
X
"$V" -t $((60 * SLOW)) exec "$G" -- bash "$B/two.sh" >got 2>&1
printf '%s\n' begin end 'the first one still runs' begin end >want
diff want got
