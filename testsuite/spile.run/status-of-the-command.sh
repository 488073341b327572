#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The status of the command of -c counts, however the session ends, unless the session ended the command; options come before or after the module; the name of
# -o may have the time in it.
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m Status_1 -e 'probe begin { println("begin") } probe process.end { if (pid() == target()) exit() }' >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -w -m Status_2 -e 'global soon = 0 probe begin { println("begin") } probe timer.ms(300) { if (soon) exit() }' >/dev/null || exit 1
cat >status.sh <<X
cd $B
run() { $SPILERUN "\$@" 2>&1; echo "status \$?"; }
run Status_2.ko -c 'sh -c "exit 3"'
run -c 'sh -c "exit 3"' Status_1.ko
run Status_1.ko -c 'sh -c "kill -9 \$\$"'
run Status_1.ko -c true
run Status_2.ko -c 'sleep 100' soon=1
run Status_1.ko -c true -o 'out%%-%Y'
cat out%-\$(date +%Y)
X
"$V" -t $((60 * SLOW)) exec "$G" -- bash "$B/status.sh" >got 2>&1
cat >want <<X
begin
WARNING: Child process exited with status 3
status 1
begin
WARNING: Child process exited with status 3
status 1
begin
WARNING: Child process exited with signal 9 (Killed)
status 1
begin
status 0
begin
status 0
status 0
begin
X
diff want got
