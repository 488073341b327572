# SPDX-License-Identifier: GPL-2.0-or-later
# swap.sh COMMAND...: in a guest, runs COMMAND while there is swap of 64 MB, on a disk in memory, and another such disk, /dev/ram1.
modprobe brd rd_nr=2 rd_size=65536 2>/dev/null
blockdev --getsize64 /dev/ram0 >/dev/null && mkswap /dev/ram0 >/dev/null 2>&1 && swapon /dev/ram0 || exit
"$@"
status=$?
swapoff /dev/ram0
rmmod brd
exit $status
