# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: a dd that needs 64 MB is killed in a control group of 8 MB.  What the kernel says about it is kept from the console, where it would look like
# a complaint.
printk=$(cat /proc/sys/kernel/printk)
dmesg -n 1
mkdir -p /dev/shm/groups
mount -t cgroup2 none /dev/shm/groups || exit
echo +memory >/dev/shm/groups/cgroup.subtree_control
mkdir /dev/shm/groups/small
echo 8M >/dev/shm/groups/small/memory.max
sh -c 'echo 0 >/dev/shm/groups/small/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=64M count=1'
rmdir /dev/shm/groups/small
umount /dev/shm/groups
echo "$printk" >/proc/sys/kernel/printk
