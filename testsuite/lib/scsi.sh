# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: 16 writes of 64 KiB to a SCSI disk of 8 MB that lies in memory, past the page cache.
modprobe sd_mod
modprobe scsi_debug dev_size_mb=8 delay=0 || exit
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	disk=$(ls -d /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block/* 2>/dev/null) && break
	sleep 0.1
done
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ -b "/dev/${disk##*/}" ] && break
	sleep 0.1
done
dd if=/dev/zero of="/dev/${disk##*/}" bs=64k count=16 oflag=direct 2>/dev/null
rmmod scsi_debug
