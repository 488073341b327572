# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: a dd reads 24 MB of a disk in a control group of 8 MB, so 16 MB of the page cache must be given up while it runs.
mkdir -p /dev/shm/groups
mount -t cgroup2 none /dev/shm/groups || exit
echo +memory >/dev/shm/groups/cgroup.subtree_control
mkdir /dev/shm/groups/small
echo 8M >/dev/shm/groups/small/memory.max
modprobe loop 2>/dev/null
truncate -s 24M /dev/shm/disk && losetup -r /dev/loop6 /dev/shm/disk
sh -c 'echo 0 >/dev/shm/groups/small/cgroup.procs; exec dd if=/dev/loop6 of=/dev/null bs=64k 2>/dev/null'
losetup -d /dev/loop6
rm /dev/shm/disk
rmdir /dev/shm/groups/small
umount /dev/shm/groups
rmdir /dev/shm/groups
