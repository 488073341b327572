#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All aliases of tasks, signals, interrupts, work and terminals, with all of their variables, while programs begin, send signals, and end: what the
# programs know is seen, no value of any hit is absurd, and those without hits are known.
# timeout: 500
# cost: 30
. "$S/../lib/aliases_fire.sh"
cat >"$B/known7.py" <<'X'
import ctypes, os, signal, struct, threading, time
libc = ctypes.CDLL(None)
quiet = lambda number, frame: 0

def called(name):
    libc.prctl(15, name)

def child(what):
    pid = os.fork()
    if not pid:
        what()
        os._exit(3)
    os.waitpid(pid, 0)

called(b"known7")
os.nice(10)
child(lambda: time.sleep(0.2))
thread = threading.Thread(target=lambda: (called(b"thread7"), time.sleep(0.2)))
thread.start()
thread.join()
try: os.execv("/no/such", ["such"])
except OSError: pass
for i in 1, 2, 3:
    os.sched_setaffinity(0, {0})
    os.sched_setaffinity(0, {1})
os.sched_setaffinity(0, {0, 1})

signal.signal(signal.SIGUSR1, quiet)
os.kill(os.getpid(), signal.SIGUSR1)
libc.syscall(200, threading.get_native_id(), 10)
libc.syscall(234, os.getpid(), threading.get_native_id(), 10)
libc.kill(4194305, 9)
child(lambda: (os.setuid(1234), libc.kill(1, 10)))
libc.syscall(13, 99, 0, bytes(32), 8)
libc.sigaction(12, struct.pack("QQ120xQQ", 1, 1 | 1 << 14, 0, 0), None)
libc.syscall(14, 99, bytes(8), 0, 8)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
signal.sigpending()
signal.signal(signal.SIGALRM, quiet)
timer = ctypes.c_void_p()
libc.timer_create(0, None, ctypes.byref(timer))
libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 10000000), None)
time.sleep(0.1)
child(lambda: (signal.signal(signal.SIGSEGV, signal.SIG_DFL), ctypes.string_at(0)))

def without_stack():
    """A handler whose stack cannot be written to."""
    memory = libc.mmap
    memory.restype = ctypes.c_void_p
    stack = memory(None, ctypes.c_size_t(65536), 0, 0x22, -1, ctypes.c_size_t(0))
    libc.sigaltstack(struct.pack("QiiQ", stack, 0, 0, 65536), None)
    action = (ctypes.c_long * 19)()
    libc.sigaction(10, None, action)
    ctypes.c_int.from_buffer(action, 136).value |= 0x08000000
    libc.sigaction(10, action, None)
    os.kill(os.getpid(), 10)

child(without_stack)
X
aliases_fire 'kprocess|dw_kprocess|tp_kprocess|scheduler|signal|irq_handler|softirq|workqueue|tty' '
$W/switches >/dev/null
$W/terminal
sh -c "trap : USR1; trap \"\" USR2; for i in 1 2 3; do kill -USR1 \$\$; done; kill -USR2 \$\$; sleep 60 & kill -TERM \$!; wait"
/bin/echo one "two three"
python3 $B/known7.py
modprobe brd rd_nr=2 rd_size=2048; mkfs.ext4 -q /dev/ram0 && mkdir -p /dev/shm/e && mount /dev/ram0 /dev/shm/e && umount /dev/shm/e
# A thread that drops its signals: the one of an array of disks.
modprobe raid1
echo md_a7 >/sys/module/md_mod/parameters/new_array
cd /sys/block/md_a7/md && {
	echo external:seven >metadata_version; echo raid1 >level; echo 2 >raid_disks
	for d in 0 1; do
		cat /sys/block/ram$d/dev >new_dev; echo 0 >dev-ram$d/offset; echo 2000 >dev-ram$d/size; echo insync >dev-ram$d/state; echo $d >dev-ram$d/slot
	done
	echo 2000 >component_size; echo 0 >layout; echo none >resync_start; echo readonly >array_state
	kill -KILL $(pgrep "^md_a7_raid1"); sleep 1
	echo clear >array_state
}
# A serial line that others would see at USB.
modprobe usb_f_acm; mount -t configfs configfs /sys/kernel/config
mkdir -p /sys/kernel/config/usb_gadget/g7/functions/acm.0; rmdir /sys/kernel/config/usb_gadget/g7/functions/acm.0 /sys/kernel/config/usb_gadget/g7
cd /; sleep 1; rmmod brd
sync; sleep 1
'
