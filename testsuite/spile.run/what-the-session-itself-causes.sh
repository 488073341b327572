#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the loader does while it runs a session, and its child before it executes the command of -c, is not seen by probes of the whole
# system, however much is printed: of kernel functions, of a library, of processes.  It is counted, and the counts add up; with -O it
# is seen; probes that name the loader's program see it anyway; the exec call counts as the command's.  A parent that passes on what the loader
# prints is seen, but not with -R.  Nor are the returns seen of calls of the loader that began while probes were being armed: while those of
# a program are, it waits in poll() again and again.
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
bash=$(command -v bash) || fail "there is no bash"
libc=$(ldd "$SPILERUN" | sed -n 's/.* => \(.*libc\.so[^ ]*\).*/\1/p')
cat >own.stp <<EOF
global threads, calls, returns, library, child, begun, named, commands
function ours() { return execname() == "spilerun" }
probe kernel.function("vfs_write") { if (ours()) calls++ }
probe kernel.function("vfs_write").return { if (ours()) returns++ }
probe kernel.function("vfs_read").return { if (ours() && @entry(ours())) returns++ }
probe kernel.function("do_sys_poll") { if (ours()) calls++ }
probe kernel.function("do_sys_poll").return { if (ours()) returns++ }
probe process("$bash").function("[a-m]*") { next }
probe process("$libc").function("write") { if (ours()) library++ }
probe process("$libc").function("execvp") { if (pid() == target()) child++ }
probe process.begin { if (ours()) begun++ }
probe process("$SPILERUN").function("stream_drain") { named++ }
probe kernel.function("__x64_sys_execve") { if (pid() == target() && ours()) commands++ }
probe kernel.function("do_exit") { if (pid() == target() && tid() != target()) threads++ }
probe timer.ms(20) { for (i = 0; i < 100; i++) printf("%d xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", i) }
probe end
{
	printf("ours %d %d %d %d %d\n", calls > 0, returns > 0, library > 0, child, begun > 0)
	printf("named %d commands %d threads %d\n", named > 0, commands, threads)
}
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m own own.stp >/dev/null || fail "own.stp does not compile"
cat >relayed.stp <<'EOF'
global us, writes
probe kernel.function("vfs_write") { if (pid() == us) writes++ }
probe timer.ms(20) { println("x") }
probe end { println("relayed ", writes > 0) }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m relayed relayed.stp >/dev/null || fail "relayed.stp does not compile"
cat >relay.sh <<EOF
cd $B
for o in -w -wR; do
	rm -f /dev/shm/relay && mkfifo /dev/shm/relay
	$SPILERUN \$o -T 1 relayed.ko us=\$\$ >/dev/shm/relay &
	while read -r line; do echo "\$line"; done </dev/shm/relay >relay.out
	wait
	tail -1 relay.out
done
EOF
cat >own-command.sh <<'EOF'
until [ "$(stat -c %s own.out)" -gt 100000 ]; do sleep 0.1; done
EOF
cat >own-run.sh <<EOF
cd $B
for o in -v -vO; do
	$SPILERUN \$o -o own.out -c '/bin/sh own-command.sh' own.ko 2>own.err || { cat own.err; exit 1; }
	tail -2 own.out | sed 's/ threads.*//'
	sed -n 's/^spilerun: hits \([0-9]*\) = handled \([0-9]*\) + errors \([0-9]*\) + skipped \([0-9]*\)\( + own \)*/\1 \2 \3 \4 /p' own.err | {
		read -r hits handled errors skipped own
		[ "\$hits" = \$((handled + errors + skipped + \${own:-0})) ] || cat own.err
		echo "own \$((\${own:-0} > 10))"
	}
done
$SPILERUN -c '$W/threads 4' own.ko 2>&1 | tail -1 | sed 's/.*command/command/'
bash relay.sh
EOF
"$V" -t 100 exec "$G" -- sh "$B/own-run.sh" >own.got 2>&1
cat >own.want <<'EOF'
ours 0 0 0 0 0
named 1 commands 1
own 1
ours 1 1 1 1 1
named 1 commands 1
own 0
commands 1 threads 4
relayed 1
relayed 0
EOF
diff own.want own.got || fail "not what was expected: $(cat own.err)"
