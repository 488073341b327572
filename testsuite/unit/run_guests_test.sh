#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run-guests that is ended stops its tests and their guest; a test of its list that has no result is an error.  Programs that only tell what they are
# asked for stand in for runtest and spile-vm.

. "${abs_top_srcdir:-.}/testsuite/lib/await.sh"
. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"

command -v runtest >/dev/null || exit 77
fake=$work/build
mkdir -p "$fake/testsuite/workload"
cat >"$fake/spile-vm" <<X
#!/bin/sh
echo "\$*" >>$work/asked
X
cat >"$fake/testsuite/workload/runtest" <<X
#!/bin/sh
trap 'echo ended >>$work/asked; exit 1' TERM
mkdir -p work
echo test-of-it >work/guest
echo \$\$ >$work/running
while :; do sleep 0.1; done
X
: >"$fake/spile"
: >"$fake/testsuite/workload/pound"
chmod +x "$fake/spile-vm" "$fake/spile" "$fake/testsuite/workload/pound" "$fake/testsuite/workload/runtest"

"$top/testsuite/run-guests" "$fake" -k 1.2.3 >"$work/out" 2>&1 &
session=$!
await test -s "$work/running"
kill -TERM $session
wait $session
status=$?
[ $status -eq 130 ] || bad "its status is $status: $(cat "$work/out")"
grep -qx "stop test-of-it" "$work/asked" || bad "the guest was not stopped"
grep -qx ended "$work/asked" || bad "the tests were not ended"
! kill -0 "$(cat "$work/running")" 2>/dev/null || bad "the tests still run"

# runtest does one test, whose result is there, takes another one and dies.
cat >"$fake/testsuite/workload/runtest" <<'X'
#!/bin/sh
todo=$(sed -n 's/^set spile_todo "\(.*\)"/\1/p' site.exp)
set -- $(ls "$todo/todo")
mv "$todo/todo/$1" "$todo/todo/$2" "$todo/taken"
IFS=:
set -- $1
echo "PASS: $3" >spile.sum
: >spile.log
echo "0.1 0.1 0.0 $2 $3" >times
X
JOBS=1 "$top/testsuite/run-guests" "$fake" -k 1.2.3 >"$work/out" 2>&1 && bad "tests without a result are no error"
wanted=$("$top/testsuite/pairs" 1.2.3 | wc -l)
lost=$(grep -c '^ERROR: lost: no result of ' "$work/out")
[ "$lost" -eq $((wanted - 1)) ] || bad "of $wanted tests one has a result, and $lost are lost: $(tail -3 "$work/out")"

# A test that has a result, but no time, because runtest died: it has not ended.
sed -i '/>times$/d' "$fake/testsuite/workload/runtest"
JOBS=1 "$top/testsuite/run-guests" "$fake" -k 1.2.3 >"$work/out" 2>&1 && bad "a board without times is no error"
[ "$(grep -c '^ERROR: lost: no result of ' "$work/out")" -eq "$wanted" ] || bad "not all are lost: $(tail -3 "$work/out")"
exit $((failures > 0))
