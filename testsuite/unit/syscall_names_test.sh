#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The values of runtime/rt/call_names.def against the headers of this machine, as far as these know the names; and the system calls that
# call_args.def describes against the list syscalls.names: what is described stays so.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
def=$top/runtime/rt/call_names.def
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

for header in fcntl.h poll.h sched.h signal.h time.h unistd.h sys/epoll.h sys/eventfd.h sys/fanotify.h sys/file.h sys/inotify.h sys/ipc.h sys/mman.h \
	sys/msg.h sys/ptrace.h sys/resource.h sys/sem.h sys/shm.h sys/socket.h sys/stat.h sys/statvfs.h sys/swap.h sys/time.h sys/timerfd.h sys/wait.h \
	sys/xattr.h asm/prctl.h asm/termbits.h linux/bpf.h linux/capability.h linux/close_range.h linux/fs.h linux/futex.h linux/if.h linux/in.h linux/io_uring.h linux/ioprio.h linux/kcmp.h \
	linux/dqblk_xfs.h linux/kexec.h linux/keyctl.h linux/landlock.h linux/magic.h linux/membarrier.h linux/mempolicy.h linux/module.h linux/mount.h linux/net.h linux/openat2.h linux/perf_event.h linux/personality.h linux/pidfd.h linux/prctl.h linux/quota.h linux/random.h linux/reboot.h linux/rseq.h linux/sched.h \
	linux/seccomp.h linux/userfaultfd.h; do
	echo "#if __has_include(<$header>)"
	echo "#include <$header>"
	echo "#endif"
done >"$work/headers.h"

# One line for each name.  libc has O_LARGEFILE as 0, since all its files are large; SA_RESTORER is the kernel's own.
sed 's/) *N(/)\nN(/g' "$def" | sed -n 's/^[ \t]*N(\([0-9a-fx]*\), "\([A-Za-z_0-9]*\)").*/\1 \2/p' | grep -vw O_LARGEFILE | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -gt 800 ] || { echo "# FAIL: few names in call_names.def"; exit 1; }
make_test() {
	cat "$work/headers.h"
	awk '{ printf "_Static_assert((unsigned int)(%s) == (unsigned int)(%s), \"WRONG %s\");\n", $2, $1, $2 }' "$1"
}
make_test "$work/names" >"$work/names.c"
${CC:-cc} -D_GNU_SOURCE -w -fsyntax-only -fmax-errors=0 "$work/names.c" 2>"$work/errors"
wrong=$(sed -n 's/.*static assertion failed: "WRONG \(.*\)".*/\1/p' "$work/errors")
unknown=$(grep -c 'undeclared' "$work/errors")
if [ -n "$wrong" ]; then
	echo "# FAIL: other values in the headers:"
	echo "$wrong"
	exit 1
fi
[ "$unknown" -lt 150 ] || { echo "# FAIL: the headers know too few of the names"; head -5 "$work/errors"; exit 1; }
echo "# $(wc -l <"$work/names") names, $unknown of them not in the headers"

# ---- requests of ioctl() ----

# Other headers may have more, or other names for a number: of a name that both have, the table has the number of these.  The numbers are
# sorted, since they are searched.  To compile each header takes a while, so what they say is kept in the build until one of them is another.
made=$build/testsuite/unit/call_ioctls.made
key=$({
	cat "$top/testsuite/call_ioctls_make"
	${CC:-cc} --version
	find -L /usr/include/linux /usr/include/asm-generic /usr/include/sound /usr/include/drm /usr/include/rdma /usr/include/scsi /usr/include/mtd \
		/usr/include/misc /usr/include/video /usr/include/xen /usr/include/*/asm -type f -printf '%p %s %T@\n' 2>/dev/null
} | sha256sum)
if ! grep -qsxF "/* $key */" "$made"; then
	"$top/testsuite/call_ioctls_make" >"$work/made" && echo "/* $key */" >>"$work/made" || exit 1
	mv "$work/made" "$made"
fi
cp "$made" "$work/ioctls" || exit 1
lines() { sed -n 's/^\([NR]\)(\(0x[0-9a-f]*\), \([0-9]*, \)\{0,1\}"\([A-Za-z0-9_ ]*\)".*/\1 \2 \4/p' "$1"; }
lines "$work/ioctls" >"$work/here"
lines "$top/runtime/rt/call_ioctls.def" >"$work/there"
awk '
	FILENAME == ARGV[1] {
		for (i = 3; i <= NF; i++) {
			known[$i] = 1
			has[$1, $2, $i] = 1
		}
		next
	}
	{
		for (i = 3; i <= NF; i++)
			if ($i != "or" && $i in known) {
				same++
				if (!(($1, $2, $i) in has))
					wrong = wrong " " $i
			}
	}
	END { print same + 0 wrong }' "$work/there" "$work/here" >"$work/compared"
read -r same wrong <"$work/compared"
[ "$same" -gt 1000 ] || { echo "# FAIL: the headers know only $same requests of ioctl()"; exit 1; }
[ -z "$wrong" ] || { echo "# FAIL: other values in the headers: $wrong"; exit 1; }
sed -n 's/^N 0x\([0-9a-f]*\) .*/\1/p' "$work/there" | awk '{ printf "%8s\n", $1 }' >"$work/values"
LC_ALL=C sort -c -u "$work/values" || { echo "# FAIL: call_ioctls.def is not sorted"; exit 1; }
echo "# $(wc -l <"$work/there") requests of ioctl(), $same names of them in the headers"

# ---- calls ----

list=$top/testsuite/unit/data/syscalls.names
sed -n 's/^ARGS("\([a-z0-9_]*\)", .*/\1/p' "$top/translator/call_args.def" >"$work/described"
dup=$(sort "$work/described" | uniq -d)
[ -z "$dup" ] || { echo "# FAIL: described twice: $dup"; exit 1; }
# The same by names that scripts use: compat_NAME, NAME16 and NAME32 are NAME; the names that kernels have for one call are in syscall_names.def.
awk -v described="$work/described" -v names="$top/translator/debuginfo/syscall_names.def" '
	BEGIN {
		while ((getline line <described) > 0) is[line] = 1
		while ((getline line <names) > 0)
			if (split(line, part, "\"") >= 3 && line ~ /^NONE/) none[part[2]] = 1
	}
	/^#/ { print; next }
	{
		sub(/^- /, "")
		name = $0
		if (!(name in is)) sub(/^compat_(sys_)?/, "", name)
		if (!(name in is)) sub(/(16|32)$/, "", name)
		print (name in is || name in none ? "" : "- ") $0
	}' "$list" >"$work/list"
[ -z "$UPDATE" ] || cp "$work/list" "$list"
echo "# $(grep -c '^- ' "$work/list") system calls missing, $(grep -vc '^[-#]' "$work/list") there"
gone=$(diff "$list" "$work/list" | sed -n 's/^> - //p')
[ -z "$gone" ] || { echo "# FAIL: these are gone, which were described:"; echo "$gone"; exit 1; }

# All that a kernel has are described, but those that no kernel of today does anything for.
nothing='afs_syscall break create_module epoll_ctl_old epoll_wait_old ftime get_kernel_syms getpmsg gtty idle lock mpx prof profil putpmsg
query_module security stty tuxcall ulimit vm86 vm86old vserver'
. "$top/testsuite/lib/kernels.sh"
kernels=$(test_kernels)
[ -n "$kernels" ] || { echo "# no kernel whose headers are installed"; exit 77; }
for kernel in $kernels; do
	"$build/spile" -r "$kernel" -l 'syscall.*' | sed 's/^syscall\.//' >"$work/calls"
	[ "$(wc -l <"$work/calls")" -gt 350 ] || { echo "# FAIL: few calls in $kernel"; exit 1; }
	missing=$(grep -vxF -f "$work/described" "$work/calls" | while read -r call; do
		case " $(echo $nothing) " in *" $call "*) ;; *) echo "$call" ;; esac
	done)
	[ -z "$missing" ] || { echo "# FAIL: not described, of those that $kernel has:" $missing; exit 1; }
done
