#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest that QEMU emulates, a session that watches memory of programs and probes functions of programs does not start (doc/safety.md); in one with
# KVM it does.
cd "$B" || exit 1
cat >emulated.stp <<X
probe process("$W/written").data("written_counter").write { n++ }
probe process("$W/written").function("main") { n++ }
probe end { println("ran ", n > 1) }
global n
X
"$SPILE" -r "$RELEASE" -p4 -m emulated emulated.stp >/dev/null || exit 1
if "$V" exec "$G" -- sh -c "dmesg | grep -q 'Hypervisor detected: KVM'"; then
	want="ran 1"
else
	want="ERROR: memory of programs cannot be watched beside probes of functions or markers of programs: this machine is emulated"
fi
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh -c "$SPILERUN -c '$W/written 1 1 >/dev/null' $B/emulated.ko; echo status \$?" 2>&1)
echo "$out"
case $want in
ran*) [ "$out" = "ran 1
status 0" ] ;;
*) [ "${out%" (QEMU"*}" = "$want" ] && [ "${out##*
}" = "status 1" ] ;;
esac
