#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The memory that decoded system calls cost a script: at most 80 MB of all processes at the same time, for all calls in both directions, with their
# arguments and results as text, to a module.  What other work does on the machine can only make that less.  bench/budgets has the seconds.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
. "$top/testsuite/lib/kits.sh"
command -v python3 >/dev/null || { echo "# no python3"; exit 77; }
releases=$(test_kernels)
[ -n "$releases" ] || { echo "# no kernel whose headers are installed"; exit 77; }
SPILE_DIR=$work/cache
export SPILE_DIR
kits_cache "$SPILE_DIR"
cat >"$work/memory.py" <<'X'
"""memory.py RUNS COMMAND...: prints the greatest MB of all processes of RUNS runs."""
import ctypes, os, subprocess, sys, time

libc = ctypes.CDLL(None)
SYS_KCMP, KCMP_VM = 312, 1 # of x86-64

def private(pid):
    return sum(int(line.split()[1]) * 1024 for line in open(f'/proc/{pid}/smaps_rollup') if line.startswith('Private_'))

# A child that runs the same program is a copy of its parent, of which only what is its own counts; before it runs another, it may be in its parent's memory.
def of_copy(pid, parent):
    return 0 if libc.syscall(SYS_KCMP, pid, parent, KCMP_VM, 0, 0) == 0 else private(pid)

def memory(root):
    children, size = {}, {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
            children.setdefault(int(fields[1]), []).append(int(pid))
            size[int(pid)] = int(fields[21]) * os.sysconf('SC_PAGE_SIZE')
        except OSError:
            pass
    total, left = 0, [(root, 0, None)]
    while left:
        pid, parent, parents = left.pop()
        try:
            program = os.readlink(f'/proc/{pid}/exe')
            total += of_copy(pid, parent) if program == parents else size.get(pid, 0)
        except OSError:
            continue
        left += [(child, pid, program) for child in children.get(pid, [])]
    return total

most = 0
for _ in range(int(sys.argv[1])):
    child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
    while child.poll() is None:
        most = max(most, memory(child.pid))
        time.sleep(0.003)
    if child.returncode:
        sys.exit('%s: status %d' % (' '.join(sys.argv[2:]), child.returncode))
print('%.1f' % (most / 1e6))
X

all_calls='probe syscall.* { printf("%s(%s)\n", name, argstr) } probe syscall.*.return { printf("%s(%s) = %s\n", name, argstr, retstr) }'
for release in $releases; do
	# What is done once for a kernel: its runtime, and what its image says.
	"$build/spile" -p4 -r "$release" -e "$all_calls" >/dev/null || bad "nothing can be built for $release"
	# All calls in one direction have one handler: 400 of them took ten times as long.
	"$build/spile" -v -p2 -r "$release" -e "$all_calls" 2>&1 >/dev/null | grep -q '^Pass 2: analyzed script: 2 probes,' || bad "more than 2 handlers for $release"
	mb=$(python3 "$work/memory.py" 2 "$build/spile" -p4 --disable-cache -r "$release" -e "$all_calls") || bad "it fails for $release"
	echo "# MB for all system calls, $release: $mb, at most 80"
	awk "BEGIN { exit !(0 < $mb && $mb <= 80) }" || bad "$mb MB for $release instead of 80 at most"
done
exit $((failures > 0))
