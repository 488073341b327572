#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A variable of a module is watched until the module is unloaded; that is reported, and nothing that is at its place later is taken for it.
cd "$B" || exit 1
variable='module("dm_mod").data("reserved_bio_based_ios").length(4)'
if ! "$SPILE" -r "$RELEASE" -l "$variable.write" >/dev/null 2>&1; then
	echo "no dm_mod here: a small kernel"
	exit 0
fi
echo "global n probe $variable.write { n++ } probe end { println(n) }" >modules.stp
"$SPILE" -r "$RELEASE" -p4 -m watched_module modules.stp >/dev/null || exit 1
cat >"$B/modules.sh" <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
cat >write <<'Y'
for i in 1 2 3; do echo 2\$i >/sys/module/dm_mod/parameters/reserved_bio_based_ios; done
Y
cat >all <<'Y'
sh write
rmmod dm_mod && modprobe dm_mod || exit 1
sh write
Y
lsmod | grep -q "^dm_mod " && rmmod dm_mod
$SPILERUN $B/watched_module.ko 2>&1 | grep -o 'the module is not loaded'
modprobe dm_mod || exit 1
$SPILERUN -o out -c "sh all" $B/watched_module.ko 2>err || { cat err; exit 1; }
cat out
grep -o 'module dm_mod was unloaded.*' err
rmmod dm_mod
X
out=$("$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/modules.sh" 2>&1)
echo "$out"
[ "$out" = "the module is not loaded
3
module dm_mod was unloaded: what was watched in it (points: 1) is not watched any more" ]
