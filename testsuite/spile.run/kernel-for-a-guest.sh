#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --vm without a release: the running kernel if it is complete, else the newest complete one, those for real time last; a kernel that is
# named and lacks something is refused with what to install.  Tried in a guest, where kernels can be made and broken.
# Asks the kernel nothing, and expects Debian's packages around it.
# kernel: any
# cost: 10
[ -z "${SPILE_KERNELS:-}" ] || { echo "note: not on a kernel from elsewhere"; exit 0; }
cat >"$B/kernels.sh" <<Y
chosen() { $SPILE --vm -p1 -e 'probe begin { println(%( kernel_vr == "'\$1'" %? "it" %: "not" %)) }' | grep -q '"it"' || echo "\$1 was not chosen"; }
make() { # RELEASE PART...
	k=\$1; shift; mkdir -p /lib/modules/\$k
	for part; do case \$part in
	image) : >/boot/vmlinuz-\$k;;
	modules) : >/lib/modules/\$k/modules.dep;;
	headers) mkdir -p /lib/modules/\$k/build; : >/lib/modules/\$k/build/Makefile;;
	esac; done
}
r=\$(uname -r)
make 99.1.0-1-amd64 image modules headers
make 99.9.0-1-rt-amd64 image modules headers
make 99.10.0-1-amd64 image modules
make 99.11.0-1-amd64 modules headers
make 99.12.0-1-amd64 image headers
chosen \$r
cp /lib/modules/\$r/build/Makefile /tmp/Makefile.away; rm /lib/modules/\$r/build/Makefile
chosen 99.1.0-1-amd64
$SPILE --vm=99.10.0-1-amd64 -e 'probe begin { println(1) }' 2>&1 | grep -o 'install the package linux-headers-99.10.0-1-amd64'
Y
out=$("$V" -t 60 exec "$G" -- sh "$B/kernels.sh" 2>&1)
"$V" exec "$G" -- sh -c 'rm -rf /boot/vmlinuz-99.* /lib/modules/99.*; mv /tmp/Makefile.away /lib/modules/$(uname -r)/build/Makefile'
[ "$out" = "install the package linux-headers-99.10.0-1-amd64" ] || { echo "$out"; exit 1; }
