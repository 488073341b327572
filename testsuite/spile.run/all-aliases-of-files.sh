#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All aliases of files, disks and memory, with all of their variables, while files are worked with on a disk that a module pretends: no value of any
# hit is absurd, and those without hits are known.
# needs: module("scsi_debug").function("*")
# timeout: 500
# cost: 30
. "$S/../lib/aliases_fire.sh"
aliases_fire 'vfs|generic|ioblock|ioblock_trace|ioscheduler|ioscheduler_trace|scsi|vm' '
modprobe loop; modprobe minix; modprobe sr_mod
truncate -s 4M /dev/shm/disk9; mkfs.minix /dev/shm/disk9; mkdir -p /dev/shm/at9
losetup /dev/loop9 /dev/shm/disk9; mount -t minix /dev/loop9 /dev/shm/at9
cd /dev/shm/at9
dd if=/dev/zero of=file9 bs=4k count=40 conv=fsync
sync; cd /; umount /dev/shm/at9; mount -t minix /dev/loop9 /dev/shm/at9; cd /dev/shm/at9
dd if=file9 of=/dev/null bs=4k
python3 -c "
import mmap, os
f = open(\"file9\", \"r+b\")
m = mmap.mmap(f.fileno(), 8192)
m[0:1] = b\"x\"
m.flush()
os.lseek(f.fileno(), 10, os.SEEK_CUR)
r, w = os.pipe()
os.splice(f.fileno(), w, 4096)
g = open(\"/dev/shm/copy9\", \"wb\")
os.splice(r, g.fileno(), 4096)
os.writev(g.fileno(), [b\"one\", b\"two\"])
os.preadv(f.fileno(), [bytearray(10), bytearray(20)], 0)
os.sendfile(g.fileno(), f.fileno(), 0, 4096)
"
rm file9 /dev/shm/copy9; cd /; umount /dev/shm/at9; losetup -d /dev/loop9; rm /dev/shm/disk9
modprobe ext4
truncate -s 4M /dev/shm/disk8; mkfs.ext4 -q /dev/shm/disk8; mkdir -p /dev/shm/at8
losetup /dev/loop8 /dev/shm/disk8; mount -t ext4 /dev/loop8 /dev/shm/at8
echo one >/dev/shm/at8/file8; cat /dev/shm/at8/file8; umount /dev/shm/at8; losetup -d /dev/loop8; rm /dev/shm/disk8
sh $S/../lib/oom.sh
$W/maps
modprobe sd_mod
modprobe scsi_debug dev_size_mb=8 delay=0 max_queue=1; sleep 2
for d in /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block/*; do d=$(basename $d); done
dd if=/dev/zero of=/dev/$d bs=64k count=16 oflag=direct
echo mq-deadline >/sys/block/$d/queue/scheduler; sleep 1
dd if=/dev/zero of=/dev/$d bs=64k count=16 oflag=direct
dd if=/dev/$d of=/dev/null bs=4k count=4 iflag=direct
dd if=/dev/zero of=/dev/$d bs=4k count=512; sync
rmmod scsi_debug
'
