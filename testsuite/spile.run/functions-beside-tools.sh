#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Facts of a task, of its files, sockets, limits and memory, and of clocks, by functions of the library, are those that ps, ss, prlimit, findmnt, date
# and files of /proc give at the same moment.
# timeout: 500
# cost: 100
cd "$B" || exit 1
# WHERE | EXPRESSION | COMMAND.  WHERE: t, in a system call of a thread of the subject; p, for any task by its id; b, the same, and the command's
# number grows, so that the function's is between two of them.  The words of the commands: functions-beside-tools.commands, below.
cat >table <<'X'
t | pid() | status Tgid
t | tid() | status Pid
t | ppid() | of ppid
t | pgrp() | of pgrp
t | sid() | of sid
t | uid() | of ruid
t | euid() | of euid
t | gid() | of rgid
t | egid() | of egid
t | ns_pid() | status NStgid
t | ns_tid() | status NSpid
t | ns_ppid() | status PPid
t | ns_pgrp() | status NSpgid
t | ns_sid() | status NSsid
t | ns_uid() | of ruid
t | ns_euid() | of euid
t | ns_gid() | of rgid
t | ns_egid() | of egid
t | execname() | read_of /proc/$P/task/$T/comm
t | pexecname() | read_of /proc/$PP/comm
t | cpu() | stat_of $P/task/$T 39
t | cpuid() | stat_of $P/task/$T 39
t | cmdline_str() | of args
t | cmdline_arg(2) | tr "\\0" "\\n" </proc/$P/cmdline | sed -n 3p
t | cmdline_args(1, -1, "+") | tr "\\0" "+" </proc/$P/cmdline | sed "s/^[^+]*+//; s/+$//"
t | env_var("SUBJECT") | tr "\\0" "\\n" </proc/$P/environ | sed -n s/^SUBJECT=//p
t | d_path(&@cast(current_exe_file(), "file", "kernel")->f_path) | readlink /proc/$P/exe
t | task_tid(task_current()) | echo $T
p | module_name() | lsmod | awk "/^beside_tools/ { print \$1 }"
p | symname(K) | awk "/ vfs_read\$/ { print \$3 }" /proc/kallsyms
p | modname(OF_MODULE) | awk "\$1 == \"$OF_MODULE\" { print \$4 }" /proc/kallsyms | head -n 1 | tr -d "[]"
p | mem_page_size() | getconf PAGESIZE
p | task_pid(pid2task(T)) | status Tgid
p | task_tid(pid2task(T)) | status Pid
p | task_execname(pid2task(T)) | read_of /proc/$P/task/$T/comm
p | pid2execname(P) | of comm
p | task_pid(task_parent(pid2task(P))) | of ppid
p | task_execname(task_parent(pid2task(P))) | read_of /proc/$PP/comm
p | task_uid(pid2task(P)) | of ruid
p | task_euid(pid2task(P)) | of euid
p | task_gid(pid2task(P)) | of rgid
p | task_egid(pid2task(P)) | of egid
p | task_ns_pid(pid2task(T)) | status NStgid
p | task_ns_tid(pid2task(T)) | status NSpid
p | task_ns_uid(pid2task(P)) | of ruid
p | task_ns_euid(pid2task(P)) | of euid
p | task_ns_gid(pid2task(P)) | of rgid
p | task_ns_egid(pid2task(P)) | of egid
p | task_state(pid2task(P)) & 255 | state $P
p | task_state(pid2task(STOPPED)) & 255 | state $STOPPED
p | task_prio(pid2task(P)) | stat_of $P 18
p | task_nice(pid2task(P)) | of ni
p | task_prio(pid2task(STOPPED)) | stat_of $STOPPED 18
p | task_nice(pid2task(STOPPED)) | stat_of $STOPPED 19
p | task_cpu(pid2task(T)) | stat_of $P/task/$T 39
p | task_start_time(P) / 10000000 | stat_of $P 22
p | task_start_time(T) / 10000000 | stat_of $P/task/$T 22
p | task_open_file_handles(pid2task(P)) | ls /proc/$P/fd | wc -l
p | task_max_file_handles(pid2task(P)) | status FDSize
p | d_path(task_cwd_path(pid2task(P))) | readlink /proc/$P/cwd
p | d_path(&@cast(task_exe_file(pid2task(P)), "file", "kernel")->f_path) | readlink /proc/$P/exe
p | is_sig_blocked(pid2task(T), 10) | blocked 10
p | is_sig_blocked(pid2task(T), 12) | blocked 12
p | is_sig_blocked(pid2task(T), 37) | blocked 37
p | get_sigset(&@cast(pid2task(T), "task_struct", "kernel")->blocked) | echo $((0x$(status SigBlk)))
p | proc_mem_size(P) | memory 1
p | proc_mem_rss(P) | memory 2
p | proc_mem_shr(P) | memory 3
p | proc_mem_txt(P) | memory 4
p | proc_mem_data(P) | memory 6
p | proc_mem_size_pid(P) | memory 1
p | proc_mem_rss_pid(P) | memory 2
p | proc_mem_shr_pid(P) | memory 3
p | proc_mem_txt_pid(P) | memory 4
p | proc_mem_data_pid(P) | memory 6
p | task_rlimit_as(pid2task(P)) | limit as
p | task_rlimit_core(pid2task(P)) | limit core
p | task_rlimit_cpu(pid2task(P)) | limit cpu
p | task_rlimit_data(pid2task(P)) | limit data
p | task_rlimit_fsize(pid2task(P)) | limit fsize
p | task_rlimit_locks(pid2task(P)) | limit locks
p | task_rlimit_memlock(pid2task(P)) | limit memlock
p | task_rlimit_msgqueue(pid2task(P)) | limit msgqueue
p | task_rlimit_nice(pid2task(P)) | limit nice
p | task_rlimit_nofile(pid2task(P)) | limit nofile
p | task_rlimit_nproc(pid2task(P)) | limit nproc
p | task_rlimit_rss(pid2task(P)) | limit rss
p | task_rlimit_rtprio(pid2task(P)) | limit rtprio
p | task_rlimit_rttime(pid2task(P)) | limit rttime
p | task_rlimit_sigpending(pid2task(P)) | limit sigpending
p | task_rlimit_stack(pid2task(P)) | limit stack
p | task_rlimit(pid2task(P), "RLIMIT_RTTIME") | limit rttime
p | fullpath_struct_file(pid2task(P), file(77)) | readlink /proc/$P/fd/77
p | fullpath_struct_path(path(77)) | readlink /proc/$P/fd/77
p | task_dentry_path(pid2task(P), dentry(77), mnt(77)) | readlink /proc/$P/fd/77
p | d_path(path(78)) | readlink /proc/$P/fd/78
p | d_path(path(79)) | readlink /proc/$P/fd/79
p | d_path(path(80)) | readlink /proc/$P/fd/80
p | d_path(path(81)) | readlink /proc/$P/fd/81
p | d_path(path(82)) | readlink /proc/$P/fd/82
p | d_path(path(90)) | readlink /proc/$P/fd/90
p | d_name(dentry(77)) | f=$(readlink /proc/$P/fd/77); echo "${f##*/}"
p | inode_name(inode(77)) | f=$(readlink /proc/$P/fd/77); echo "${f##*/}"
p | inode_path(inode(77)) | within 77
p | reverse_path_walk(dentry(77)) | f=$(within 77); echo "${f#/}"
p | ppos_pos(&@cast(file(77), "file", "kernel")->f_pos) | info 77 pos
p | @cast(real_mount(mnt(77)), "mount", "kernel")->mnt_id | info 77 mnt_id
p | MAJOR(s_dev(77)) | stat -L -c %Hd /proc/$P/fd/77
p | MINOR(s_dev(77)) | stat -L -c %Ld /proc/$P/fd/77
p | usrdev2kerndev(DEV) == s_dev(77) | test $DEV = $(stat -L -c %d /proc/$P/fd/77) && echo 1
p | MKDEV(MAJOR(s_dev(77)), MINOR(s_dev(77))) == s_dev(77) | echo 1
p | bdevname(bdev(77)) | read_of $now/partition
p | disk_name(@cast(bdev(77), "block_device", "kernel")->bd_disk, 0) | read_of $now/disk
p | bdev_partno(bdev(77)) | read_of /sys/class/block/$(read_of $now/partition)/partition
p | inet_get_ip_source(sk(90)) | address 90 5
p | inet_get_local_port(sk(90)) | port 90 5
p | inet_get_ip_dest(sk(90)) | address 90 6
p | inet_get_dest_port(sk(90)) | port 90 6
p | inet_get_ip_source(sk(91)) | address 91 5
p | inet_get_local_port(sk(91)) | port 91 5
p | inet_get_ip_dest(sk(91)) | address 91 6
p | inet_get_dest_port(sk(91)) | port 91 6
p | inet_get_ip_dest(sk(92)) | address 92 6
p | inet_get_local_port(sk(92)) | port 92 5
p | ip_ntop(tcpmib_local_addr(sk(90))) | address 90 5
p | daddr_to_string(tcpmib_remote_addr(sk(90))) | address 90 6
p | tcpmib_local_port(sk(90)) | port 90 5
p | tcpmib_remote_port(sk(90)) | port 90 6
p | tcp_sockstate_str(tcp_ts_get_info_state(sk(90))) | tcp_state 90
p | tcp_sockstate_str(tcpmib_get_state(sk(93))) | tcp_state 93
p | tcp_sockstate_str(tcp_ts_get_info_state(sk(94))) | tcp_state 94
p | tcp_get_info_rto(sk(90)) / 1000 | of_tcp rto
p | tcp_get_info_snd_cwnd(sk(90)) | of_tcp cwnd
p | tcp_ts_get_info_rcv_mss(sk(90)) | of_tcp rcvmss
p | ctime(1234567890) | date -u -d @1234567890 "+%a %b %e %T %Y"
p | tz_ctime(1234567890) | TZ=ABC-5:30 date -d @1234567890 "+%a %b %e %T %Y %Z"
p | tz_name() | TZ=ABC-5:30 date +%Z
p | tz_gmtoff() | TZ=ABC-5:30 date +%z | sed "s/+0*\([0-9]*\)\(..\)/echo \$((-(\1*60+\2)*60))/" | sh
b | gettimeofday_ns() | read_of $now/date
b | gettimeofday_us() | echo $(($(read_of $now/date) / 1000))
b | gettimeofday_ms() | echo $(($(read_of $now/date) / 1000000))
b | gettimeofday_s() | echo $(($(read_of $now/date) / 1000000000))
b | ktime_get_ns() | timer "now at"
b | jiffies() | timer jiffies:
b | local_clock_ns() | echo $(log_clock)000
b | local_clock_us() | log_clock
b | local_clock_ms() | echo $(($(log_clock) / 1000))
b | local_clock_s() | echo $(($(log_clock) / 1000000))
b | cpu_clock_us(0) | log_clock
b | cpu_clock_ns(1) | echo $(log_clock)000
b | cpu_clock_ms(1) | echo $(($(log_clock) / 1000))
b | cpu_clock_s(0) | echo $(($(log_clock) / 1000000))
X
# The subject: an id of each kind of its own, a thread, files from 77 on, sockets from 90 on.
cat >subject.py <<'X'
import ctypes, mmap, os, resource, select, signal, socket, sys, threading
libc = ctypes.CDLL(None)
folder = sys.argv[1]
def named(name): libc.prctl(15, name)
def child():
    if os.fork() != 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.wait()
        os._exit(0)

named(b"leader")
child()
os.setpgid(0, 0)
named(b"group")
child()
named(b"parent of it")
child()
named(b"subject")
os.nice(7)
os.sched_setaffinity(0, {1})
os.chdir(folder + "/a folder")
for i, soft in enumerate([111111, 1 << 40, 1 << 41, 7777 * 1024, 2222, 1 << 42, 999, 333, 70000, 1 << 43, 88, 4444, 55555, 17, 66, 1234567]):
    hard = resource.getrlimit(i)[1]
    resource.setrlimit(i, (soft, hard if hard < 0 or hard >= soft else soft))
os.dup2(os.open("a file", os.O_RDWR), 77)
os.lseek(77, 1234, os.SEEK_SET)
events = select.epoll()
others = [os.pipe()[0], events.fileno(), os.memfd_create("one"), os.open("/proc/self/ns/net", os.O_RDONLY), os.pidfd_open(os.getpid())]
for i, f in enumerate(others): os.dup2(f, 78 + i)
keep = []
def connected(family, here, accepted):
    server = socket.socket(family)
    server.bind((here, 0))
    server.listen(1)
    client = socket.socket(family)
    client.connect(server.getsockname())
    other = server.accept()[0]
    client.send(b"x" * 1000)
    other.recv(1000)
    other.send(b"y" * 600)
    client.recv(600)
    keep.extend([server, client, other])
    return server, client, other
server, client, other = connected(socket.AF_INET, "127.0.0.1", 90)
os.dup2(client.fileno(), 90)
os.dup2(server.fileno(), 93)
client.close()
server.close()
server, client, other = connected(socket.AF_INET6, "::1", 91)
os.dup2(client.fileno(), 91)
client.close()
server, client, other = connected(socket.AF_INET, "127.0.0.1", 94)
os.dup2(client.fileno(), 94)
client.close()
other.close()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("127.0.0.1", 0))
u.connect(("127.0.0.1", 9))
os.dup2(u.fileno(), 92)
u.close()
memory = [mmap.mmap(-1, 5 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), mmap.mmap(-1, 3 << 20)]
for m in memory: m.write(b"m" * len(m))

def thread():
    named(b"thread of it")
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, 37])
    with open(folder + "/ids.new", "w") as f:
        f.write("P=%d T=%d PP=%d\n" % (os.getpid(), threading.get_native_id(), os.getppid()))
    os.rename(folder + "/ids.new", folder + "/ids")
    os.read(wait, 1)
    os.sched_rr_get_interval(0)
    os.read(wait, 1)
wait = os.open(folder + "/wait", os.O_RDWR)
os.chmod(folder, 0o777)
os.setresgid(1001, 1002, 1003)
os.setresuid(2001, 2002, 2003)
t = threading.Thread(target=thread)
t.start()
t.join()
X
awk -F ' [|] ' '
{ line = sprintf("\ttry { %s = sprintf(\"%%s\", sprint(%s)) } catch (m) { %s = \"error: \" . m }\n", "v", $2, "v") }
$1 == "t" { t = t line sprintf("\tprintf(\"%d\\t%%s\\n\", v)\n", NR) }
$1 != "t" { p[$1] = p[$1] line sprintf("\t$value .= sprintf(\"%d\\t%%s\\n\", v)\n", NR) }
END {
	print "global P = 0, T = 0, STOPPED = 0, DEV = 0, K = 0, OF_MODULE = 0"
	print "function file(fd) { return task_fd_lookup(pid2task(P), fd) }"
	print "function path(fd) { return &@cast(file(fd), \"file\", \"kernel\")->f_path }"
	print "function dentry(fd) { return @cast(path(fd), \"path\", \"kernel\")->dentry }"
	print "function mnt(fd) { return @cast(path(fd), \"path\", \"kernel\")->mnt }"
	print "function inode(fd) { return @cast(file(fd), \"file\", \"kernel\")->f_inode }"
	print "function s_dev(fd) { return @cast(inode(fd), \"inode\", \"kernel\")->i_sb->s_dev }"
	print "function bdev(fd) { return @cast(inode(fd), \"inode\", \"kernel\")->i_sb->s_bdev }"
	print "function sk(fd) { return @cast(@cast(file(fd), \"file\", \"kernel\")->private_data, \"socket\", \"kernel\")->sk }"
	print "probe syscall.sched_rr_get_interval {\n\tif (tid() != T) next\n" t "\tprintln(\"done\")\n}"
	print "probe procfs(\"p\").read.maxsize(20000) {\n" p["p"] "}"
	print "probe procfs(\"b\").read.maxsize(20000) {\n" p["b"] "}"
}' table >script.stp
"$SPILE" -r "$RELEASE" -p4 -DMAXACTION=100000 -m beside_tools script.stp >/dev/null || exit 1
cat >commands <<'X'
# What the tools say now, into the folder $now.
look() {
	mkdir -p $now
	cat /proc/$P/task/$T/status >$now/status
	ps -p $P -o ppid=,pgrp=,sid=,ruid=,euid=,rgid=,egid=,ni=,comm= >$now/ps
	ps -p $P -ww -o args= >$now/args
	prlimit --pid $P --raw --noheadings --output RESOURCE,SOFT >$now/limits
	ss -H -t -u -n -a -p >$now/ends
	ss -H -t -n -i "sport = :$(port 90 5)" >$now/tcp
	f=$(readlink /proc/$P/fd/77)
	findmnt -n -o TARGET -T "$f" >$now/target
	f=$(findmnt -n -o SOURCE -T "$f")
	echo ${f##*/} >$now/partition
	lsblk -n -o PKNAME $f >$now/disk
	date +%s%N >$now/date
	cat /proc/timer_list >$now/timers
	echo beside >/dev/kmsg; dmesg | tail -n 1 >$now/log
}
read_of() { local line; read -r line <$1; echo "$line"; }
field() { local n=$1; shift; echo ${!n}; }
line_of() { while read -r k rest; do [ "$k" = "$1" ] && echo $rest; done <$2; }
status() { field 1 $(line_of $1: $now/status); }
of() {
	local a b c d e f g h i
	[ $1 != args ] || { read_of $now/args; return; }
	read -r a b c d e f g h i <$now/ps
	case $1 in
	ppid) echo $a ;; pgrp) echo $b ;; sid) echo $c ;; ruid) echo $d ;; euid) echo $e ;;
	rgid) echo $f ;; egid) echo $g ;; ni) echo $h ;; *) echo $i ;;
	esac
}
stat_of() { local line; read -r line </proc/$1/stat; field $(($2 - 2)) ${line##*) }; }
state() { case $(stat_of $1 3) in R) echo 0 ;; S) echo 1 ;; D) echo 2 ;; T) echo 4 ;; *) echo ? ;; esac; }
blocked() { echo $((0x$(status SigBlk) >> ($1 - 1) & 1)); }
memory() { field $1 $(read_of /proc/$P/statm); }
limit() { local soft; soft=$(line_of ${1^^} $now/limits); echo ${soft/unlimited/-1}; }
within() { local f; f=$(readlink /proc/$P/fd/$1); echo "${f#"$(read_of $now/target)"}"; }
info() { line_of $2: /proc/$P/fdinfo/$1; }
end_of() { while read -r line; do case $line in *"pid=$P,fd=$1)"*) field $2 $line ;; esac; done <$now/ends; }
address() { local a; a=$(end_of $1 $2); a=${a%:*}; a=${a#[}; echo ${a%]}; }
port() { local a; a=$(end_of $1 $2); echo ${a##*:}; }
tcp_state() { case $(end_of $1 2) in ESTAB) echo TCP_ESTABLISHED ;; LISTEN) echo TCP_LISTEN ;; CLOSE-WAIT) echo TCP_CLOSE_WAIT ;; *) echo ? ;; esac; }
of_tcp() { grep -o " $1:[0-9]*" $now/tcp | sed 's/.*://'; }
timer() { grep -m 1 "^$1" $now/timers | grep -o '[0-9][0-9]*'; }
log_clock() { sed 's/^\[ *\([0-9]*\)\.\([0-9]*\)\].*/\1\2/; s/^0*//' $now/log; }
X
cat >beside <<'X'
. $S/../lib/await.sh
. ./commands
d=/dev/shm/beside
tidy() {
	kill -INT $session; kill -KILL $STOPPED $P $subject
	await_within 20 umount $d/at; losetup -d $loop; rm -rf $d
}
trap 'tidy 2>/dev/null' EXIT
umount -l $d/at 2>/dev/null; rm -rf $d; mkdir -p $d/at
ip link set lo up
modprobe loop 2>/dev/null
truncate -s 8M $d/image; loop=$(losetup -f); losetup -P $loop $d/image
addpart $loop 3 2048 10240; await test -b ${loop}p3
mkfs.ext4 -q ${loop}p3; mount ${loop}p3 $d/at; mkdir "$d/at/a folder"; truncate -s 5000 "$d/at/a folder/a file"
ln -s "at/a folder" "$d/a folder"
mkfifo $d/wait; chmod 666 $d/wait
SUBJECT="some=value of it" setsid python3 subject.py $d "two words" last & subject=$!
await test -s $d/ids
. $d/ids
sleep 1000 & STOPPED=$!
chrt -f -p 5 $STOPPED; kill -STOP $STOPPED
stopped() { [ $(ps -o stat= -p $STOPPED | cut -c1) = T ]; }
await stopped
K=$(awk '/ vfs_read$/ { print $1 }' /proc/kallsyms)
OF_MODULE=$(awk '$4 == "[loop]" && $2 ~ /^[tT]$/ && $3 !~ /^_/ { print $1; exit }' /proc/kallsyms)
DEV=$(stat -L -c %d /proc/$P/fd/77)
TZ=ABC-5:30 $SPILERUN -v -o seen beside_tools.ko P=$P T=$T STOPPED=$STOPPED DEV=$DEV K=$((0x$K)) OF_MODULE=$((0x$OF_MODULE)) 2>messages & session=$!
await grep -q started messages
rows=0
while IFS= read -r line; do
	rows=$((rows + 1))
	where[rows]=${line%% | *}
	line=${line#* | }
	what[rows]=${line%% | *} how[rows]=${line#* | }
done <table
now=before; look
for i in $(seq $rows); do eval "${how[i]}" >before/row.$i 2>&1; done
echo >$d/wait
await grep -q done seen
cat /proc/spile.beside_tools/p /proc/spile.beside_tools/b >asked
now=after; look
while IFS='	' read -r i v; do is[i]=$v; done <<<"$(grep '	' seen asked | sed 's/^[a-z]*://')"
same=0
for i in $(seq $rows); do
	before=$(cat before/row.$i)
	[ "${is[i]}" = "$before" ] && [ -n "$before" ] && { same=$((same + 1)); continue; }
	# it may have changed meanwhile
	after=$(eval "${how[i]}" 2>&1)
	[ "${is[i]}" = "$after" ] && [ -n "$after" ] && { same=$((same + 1)); continue; }
	[ ${where[i]} = b ] && [ "$before" -le "${is[i]}" ] && [ "${is[i]}" -le "$after" ] && { same=$((same + 1)); continue; }
	echo "${what[i]} is ${is[i]}, but ${how[i]} says $before before and $after after"
done
echo "$same of $rows"
kill -INT $session; wait $session; session=
X
"$V" -t $((450 * SLOW)) exec "$G" -- bash -c "cd $B && S=$S SPILERUN=$SPILERUN && . ./beside" >out 2>&1
grep -qx "$(wc -l <table) of $(wc -l <table)" out || { cat out messages; exit 1; }
