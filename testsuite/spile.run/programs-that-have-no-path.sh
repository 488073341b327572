#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process by its number is probed where its program was deleted, where another file took its path, where it runs in another mount namespace, and in
# a container whose root is an overlay; and a program in these by its path through /proc/PID/root. What has the path here is left alone. The modules
# name processes of the host: the guest's have the same numbers.
# timeout: 200
# cost: 30
mkdir -p "$B/no_path" && cd "$B/no_path" || exit 1
P=/tmp/pathless-$RELEASE # not below $B: 9p opens a file by its path again
trap 'rm -rf "$P"' EXIT
cat >pathless.c <<'E'
#include <signal.h>
#include <unistd.h>
volatile int sum;
__attribute__((noipa)) void work(int i) { sum += i; }
int main(void)
{
	sigset_t set;
	int got, i;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, 0);
	sigwait(&set, &got);
	for (i = 0; i < 100; i++)
		work(i);
	return 0;
}
E
gcc -O1 -static -o pathless pathless.c && gcc -O1 -g -DOTHER -o other pathless.c || exit 1
# $1: how; leaves the process's number in $pid, which is $want if that is set
cat >pathless_start.sh <<E
start() {
	rm -rf "$P"; mkdir "$P"
	case \$1 in
	overlay | overlay_root)
		mkdir "$P/lower" "$P/merged"
		cp "$PWD/pathless" "$P/lower/program"
		container="unshare -r chroot $P/lower /program"
		[ -z "\$want" ] || { modprobe overlay; container="sh $PWD/pathless_overlay.sh"; }
		[ -z "\$want" ] || echo \$((want - 1)) >/proc/sys/kernel/ns_last_pid
		\$container & ;;
	namespace | root)
		cp "$PWD/other" "$P/program" 2>/dev/null
		[ -z "\$want" ] || echo \$((want - 1)) >/proc/sys/kernel/ns_last_pid
		unshare -rm sh -c "mount -t tmpfs none $P && cp $PWD/pathless $P/program && exec $P/program" & ;;
	*)
		cp "$PWD/pathless" "$P/program"
		[ -z "\$want" ] || echo \$((want - 1)) >/proc/sys/kernel/ns_last_pid
		"$P/program" & ;;
	esac
	pid=\$!
	for i in 1 2 3 4 5 6 7 8 9 10; do
		case \$(readlink /proc/\$pid/exe) in */program) break ;; esac
		sleep 0.5
	done
	case \$1 in
	deleted) rm "$P/program" ;;
	replaced) rm "$P/program"; cp "$PWD/other" "$P/program" ;;
	esac
}
E
cat >pathless_overlay.sh <<E
exec unshare -m sh -c "mount -t tmpfs none $P/merged && mkdir $P/merged/up $P/merged/work $P/merged/root &&
	mount -t overlay -o lowerdir=$P/lower,upperdir=$P/merged/up,workdir=$P/merged/work none $P/merged/root && exec chroot $P/merged/root /program"
E
. ./pathless_start.sh
echo "echo 4194304 >/proc/sys/kernel/pid_max; . $PWD/pathless_start.sh" >pathless_guest.sh
for how in deleted replaced namespace root overlay overlay_root; do
	start $how
	point="$pid"
	case $how in
	root) point="\"/proc/$pid/root$P/program\"" ;;
	overlay_root) point="\"/proc/$pid/root/program\"" ;;
	esac
	echo "probe process($point).function(\"work\") { sum += register(\"rdi\"); n++ }" >pathless_$how.stp
	echo "probe end { println(\"$how \", n, \" \", sum) } global n, sum" >>pathless_$how.stp
	"$SPILE" -r "$RELEASE" -p4 -m pathless_$how pathless_$how.stp >/dev/null
	status=$?
	kill $pid
	[ $status = 0 ] || exit 1
	cat >>pathless_guest.sh <<E
want=$pid; start $how; [ \$pid = $pid ] || echo "$how: process \$pid, not $pid"
$SPILERUN -c "sh -c 'kill -USR1 $pid; while [ -d /proc/$pid/fd ] && ! grep -qs Z /proc/$pid/stat; do sleep 0.1; done'" $PWD/pathless_$how.ko
E
done
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh "$PWD/pathless_guest.sh" 2>&1)
echo "$out"
[ "$out" = "deleted 100 4950
replaced 100 4950
namespace 100 4950
root 100 4950
overlay 100 4950
overlay_root 100 4950" ]
