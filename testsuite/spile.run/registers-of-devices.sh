#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A read of a device's register may change it: that of the interrupts of a virtio device clears it.  So no handler reads what is mapped as a device.
cd "$B" || exit 1
echo 'global at = 0 probe begin { try { println(kernel_int(at)) } catch (text) { println(text) } exit() }' >device.stp
"$SPILE" -r "$RELEASE" -p4 -m device device.stp >/dev/null || exit 1
cat >device.sh <<X
cd $B || exit 1
sysctl -qw kernel.kptr_restrict=1
areas=\$(sed -n '/ioremap/{/pci/s/-.*//p}' /proc/vmallocinfo | head -n 4)
[ -n "\$areas" ] || { echo "no device is mapped"; exit 1; }
for at in \$areas; do
	$SPILERUN -o device.out device.ko at=\$at || exit 1
	grep -qx "kernel read fault at \$at.*" device.out || { cat device.out; exit 1; }
done
X
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/device.sh"
