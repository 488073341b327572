#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of a header of the kernel are in most of its 2,400 units: all of them are looked at, with no more than 200 MB of memory.
# needs-package: kernel.statement("do_getpgid@kernel/sys.c:*")
# kernel: any
cd "$B" || exit 1
python3 - "$SPILE" -r "$RELEASE" -l 'kernel.statement("*@include/linux/pid.h:*")' >lines-of-a-header.out 2>&1 <<'EOF2' || { cat lines-of-a-header.out; exit 1; }
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print("most memory:", most if most > 200 else "200 MB at most")
sys.exit(status)
EOF2
grep -q '^most memory: 200 MB at most$' lines-of-a-header.out && grep -q 'statement("get_pid@.*include/linux/pid.h:[0-9]*")' lines-of-a-header.out && exit
cat lines-of-a-header.out
exit 1
