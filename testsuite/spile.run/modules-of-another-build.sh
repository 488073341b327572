#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module of the same name, but of another build than the script was compiled for, is not probed and not read, whether it is there when the session
# begins or comes later.  It is made from the installed file: one bit of its build-id is another.
cat >"$B/build.stp" <<'X'
global inits, stats, why
probe module("dummy").function("dummy_init_module") { inits++ }
probe module("dummy").function("dummy_get_stats64") { if (execname() == "sh") stats++ }
probe kernel.function("dev_get_stats") { if (execname() == "sh") try { if (@cast(&@var("numdummies", "dummy"), "int")[0]) {} } catch (w) { why[w]++ } }
probe end { println(inits, " ", stats); foreach (w in why) println(w) }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m mod_build build.stp >/dev/null || exit 1
file=$(modinfo -b "${SPILE_KERNELS:-/}" -k "$RELEASE" -n dummy) || exit 1
case $file in
*.xz) xz -dc "$file" ;;
*.zst) zstd -dc "$file" ;;
*) cat "$file" ;;
esac >other.ko || exit 1
# The note: its header, "GNU", and the id.  A signature that is wrong would be refused.
perl -0777 -pi -e 's/(\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0)(.)/$1 . chr(ord($2) ^ 1)/se or exit 1; s/~Module signature appended~\n\z//' other.ko || exit 1
cat >"$B/builds" <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
cat >life <<'Y'
\$* numdummies=1 || exit 1
for i in 0 1 2 3 4; do read x </sys/class/net/dummy0/statistics/rx_packets; done
rmmod dummy
Y
$SPILERUN -o out -c "sh life insmod $B/other.ko; sh life insmod $B/other.ko; sh life modprobe dummy; sh life insmod $B/other.ko" $B/mod_build.ko 2>err || { cat err; exit 1; }
cat out
grep -o 'module dummy is loaded from another build.*' err
insmod $B/other.ko numdummies=1 || exit 1
$SPILERUN -c "true" $B/mod_build.ko 2>&1 | grep -o 'cannot probe.*'
rmmod dummy
X
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/builds" 2>&1)
echo "$out"
[ "$out" = '1 5
module dummy is not loaded, and "numdummies" is in it
module dummy is loaded from another build than the one that the script was compiled for: it is left alone; compile the script again
cannot probe dummy:dummy_init_module: the module is another build (error -116)
cannot probe dummy:dummy_get_stats64: the module is another build (error -116)' ]
