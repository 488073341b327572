#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the library and decoded system calls cost a script: seconds of CPU, which do not depend on what else the machine does as much as the clock
# does, and the memory of all processes at the same time; of a child that runs the same program, which is a copy of its parent, only what is its own.
# The budgets: 10 ms for a script that uses nothing of the library; for all system calls in both directions, with their arguments and results as
# text, 0.3 s to a module, and 80 MB.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
. "$top/testsuite/lib/kits.sh"
command -v python3 >/dev/null || { echo "# no python3"; exit 77; }
releases=$(test_kernels)
[ -n "$releases" ] || { echo "# no kernel whose headers are installed"; exit 77; }
SPILE_DIR=$work/cache
export SPILE_DIR
kits_cache "$SPILE_DIR"
mkdir "$work/empty"
cat >"$work/cost.py" <<'X'
"""cost.py RUNS COMMAND...: prints the least seconds of CPU and the greatest MB of RUNS runs."""
import os, resource, subprocess, sys, time

def private(pid):
    return sum(int(line.split()[1]) * 1024 for line in open(f'/proc/{pid}/smaps_rollup') if line.startswith('Private_'))

def memory(root):
    children, size = {}, {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
            children.setdefault(int(fields[1]), []).append(int(pid))
            size[int(pid)] = int(fields[21]) * os.sysconf('SC_PAGE_SIZE')
        except OSError:
            pass
    total, left = 0, [(root, None)]
    while left:
        pid, parents = left.pop()
        try:
            program = os.readlink(f'/proc/{pid}/exe')
            total += private(pid) if program == parents else size.get(pid, 0)
        except OSError:
            continue
        left += [(child, program) for child in children.get(pid, [])]
    return total

least, most = 1e9, 0
for _ in range(int(sys.argv[1])):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
    while child.poll() is None:
        most = max(most, memory(child.pid))
        time.sleep(0.003)
    if child.returncode:
        sys.exit('%s: status %d' % (' '.join(sys.argv[2:]), child.returncode))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
print('%.4f %.1f' % (least, most / 1e6))
X

# cost RUNS OPTION...: $seconds and $mb of spile.
cost() {
	runs=$1
	shift
	cost=$(python3 "$work/cost.py" "$runs" "$build/spile" "$@") || bad "$*"
	seconds=${cost% *} mb=${cost#* }
}
# at_most WHAT VALUE LIMIT
at_most() {
	echo "# $1: $2, at most $3"
	awk "BEGIN { exit !($2 <= $3) }" || bad "$1: $2 instead of $3 at most"
}

all_calls='probe syscall.* { printf("%s(%s)\n", name, argstr) } probe syscall.*.return { printf("%s(%s) = %s\n", name, argstr, retstr) }'
for release in $releases; do
	# What is done once for a kernel: its runtime, and what its image says.
	"$build/spile" -p4 -r "$release" -e "$all_calls" >/dev/null || bad "nothing can be built for $release"
	cost 20 -p2 -r "$release" -e 'probe begin { println(1) }'
	with=$seconds
	SPILE_TAPSET=$work/empty cost 20 -p2 -r "$release" -e 'probe begin { println(1) }'
	at_most "seconds for the library, $release" "$(awk "BEGIN { print $with - $seconds }")" 0.010
	cost 3 -p4 --disable-cache -r "$release" -e "$all_calls"
	at_most "seconds for all system calls, $release" "$seconds" 0.3
	at_most "MB for them" "$mb" 80
done
exit $((failures > 0))
