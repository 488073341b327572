# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: a file of 200000 bytes on a file system of a disk (of a loop device): 200 writes of 1000 bytes, then 400 reads of 500 bytes.
modprobe loop 2>/dev/null
modprobe ext4 2>/dev/null
truncate -s 8M /dev/shm/fs && mkfs.ext4 -q -O ^has_journal /dev/shm/fs 2>/dev/null && mkdir -p /mnt/fs && mount -o loop /dev/shm/fs /mnt/fs || exit
dd if=/dev/zero of=/mnt/fs/file bs=1000 count=200 2>/dev/null
dd if=/mnt/fs/file of=/dev/null bs=500 2>/dev/null
umount /mnt/fs
rm /dev/shm/fs
