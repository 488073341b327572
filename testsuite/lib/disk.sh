# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: 16 writes of 64 KiB from sector 1024 on, and 7 reads of 4 KiB, of a disk that lies in a file, past the page cache.
modprobe loop 2>/dev/null
truncate -s 4M /dev/shm/disk && losetup /dev/loop6 /dev/shm/disk || exit
dd if=/dev/zero of=/dev/loop6 bs=64k count=16 seek=8 oflag=direct 2>/dev/null
dd if=/dev/loop6 of=/dev/null bs=4k count=7 iflag=direct 2>/dev/null
losetup -d /dev/loop6
rm /dev/shm/disk
