#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stacks of real programs, stopped at random instructions and in system calls, are frame by frame those that gdb finds there: addresses and
# symbols, of all threads.  compare_stacks.py says where the two may differ and why.
# needs: kernel.function("cgroup_enter_frozen")
# timeout: 1500
# kernel: any
# cost: 100
cd "$B" || exit 1
w=$S/../workload
cat >gdb.stp <<'X'
probe kernel.function("cgroup_enter_frozen") {
	printf("stop %d %d\n", tid(), gettimeofday_us())
	print_ubacktrace()
}
X
# Programs that are missing are left out; ten must be there.  C++: cmake.  Rust: rg.  Go: gofmt, built here with its symbols.
programs="/usr/bin/python3 bash git perl cmake make openssl xz gzip sqlite3 rg find"
if command -v go >/dev/null; then
	HOME=$B GOCACHE=$B/go-cache GO111MODULE=off go build -o gofmt cmd/gofmt || exit 1
fi
files=
for p in $programs; do
	p=$(command -v $p) && files="$files -d $(readlink -f "$p")"
done
[ ! -e gofmt ] || files="$files -d $B/gofmt"
# what they load themselves
for l in /usr/lib/*/perl-base/auto/List/Util/Util.so /usr/lib/python3*/lib-dynload/_json.*.so; do
	[ ! -e "$l" ] || files="$files -d $l"
done
"$SPILE" -r "$RELEASE" -p4 -DMAXBACKTRACE=63 $files -m gdb_stacks gdb.stp >/dev/null || exit 1

cat >sort.py <<'X'
import json, re, zlib, functools
def key(a, b): return (a > b) - (a < b)
class A:
    def __lt__(self, other): return re.sub("[0-9]", lambda m: "x", "a1b2c3") < "b"
while True:
    sorted(map(str, range(3000)), key=functools.cmp_to_key(key))
    sorted([A() for i in range(300)])
    json.loads(json.dumps([[[i, {"a": str(i)}] for i in range(300)]]))
    zlib.decompress(zlib.compress(b"abc" * 30000, 9))
    open("/proc/self/status").read()
X
cat >sort.pl <<'X'
use List::Util qw(reduce first);
sub deep { my ($n) = @_; $n ? 1 + deep($n - 1) : scalar(() = sort { $b <=> $a || first { $_ > 5 } 1 .. 9 } map { ($_ * 7919) % 101 } 1 .. 200) }
while (1) { deep(20); my $s = "abc" x 500; $s =~ s/(b)(?{ 1 })/reduce { $a + $b } 1 .. 5/ge; eval "1+1; die"; open(F, "/proc/self/status"); @l = <F>; }
X
cat >work.bash <<'X'
f() { local i=$1; if ((i)); then f $((i - 1)); else case abc in a*) : "${x//[0-9]/y}" $(echo a | cat) ;; esac; fi; }
trap ': "$(pwd)"' CHLD
while :; do x=a1b2c3; f 8; read -r y </proc/self/status; done
X
cat >Makefile <<'X'
f = $(foreach i,$(1),$(if $(filter 1%,$(i)),$(call g,$(patsubst %,x%,$(i))),$(eval v$(i) := $(sort $(1)))$(shell echo $(i))))
g = $(subst x,y,$(foreach k,1 2 3 4 5 6,$(1)$(k)))
all:; @:
$(foreach a,1 2 3 4 5 6 7 8 9 10 11 12,$(foreach b,1 2 3 4 5 6 7 8 9,$(foreach c,1 2 3 4 5 6 7 8 9,$(call f,$(a)$(b)$(c) 1 2 3 4 5 6 7 11 12))))
X
cat >work.cmake <<'X'
cmake_minimum_required(VERSION 3.5)
function(deep n)
  if(n GREATER 0)
    math(EXPR m "${n} - 1")
    deep(${m})
  else()
    foreach(i RANGE 50)
      string(REGEX REPLACE "(a+)(b*)" "\\2\\1" r "aaabbbaaaabbbbaab${i}")
      list(APPEND l ${r})
      file(READ /proc/self/status s)
    endforeach()
    list(SORT l)
  endif()
endfunction()
while(TRUE)
  deep(15)
endwhile()
X
cat >work.sql <<'X'
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*), max(substr(hex(i * i), 1, 3)), group_concat(DISTINCT i % 7) FROM n;
X
echo '(a|b)+c[^x]*(?:foo|bar)' >patterns
cat >guest.sh <<X
cd "$B" || exit 1
# NAME STOPS SECONDS SYSTEM-CALLS PROGRAM...
run() {
	out=\$1; stops="\$2 \$3 \$4"
	shift 4
	command -v "\$1" >/dev/null || return
	STACKS="\$out.gdb \$stops" timeout \$((120 * SLOW)) gdb -nx -batch -x $w/gdb_stacks.py --args "\$@" >\$out.log 2>&1 </dev/null || tail -n 5 \$out.log
}
run python 6 0.4 'read close' /usr/bin/python3 sort.py
run bash 4 0.2 'read clone wait4' bash work.bash
run git 4 0.2 'write read openat' git diff --no-index --stat /usr/share/perl /usr/lib/python3
run perl 6 0.4 'read openat' perl sort.pl
run cmake 4 0.4 'read openat' cmake -P work.cmake
run make 4 0.2 'read wait4 pipe2' make -s
run openssl 3 0.2 'read' openssl dhparam 4096
run xz 4 0.3 'read futex' xz -T2 -9 -c /usr/bin/qemu-system-x86_64 /usr/bin/cmake
run gzip 3 0.1 'read' gzip -9 -c /usr/bin/cmake
run sqlite 4 0.3 'pread64' sqlite3 -init work.sql :memory:
run rg 4 0.2 'read getdents64' rg -j2 -f patterns /usr/lib/python3 /usr/share/perl /usr/lib/python3.11
run gofmt 5 0.3 'read futex' ./gofmt -l -d /usr/lib/go-1.19/src/cmd/compile /usr/lib/go-1.19/src/runtime
run find 3 0.1 'getdents64 newfstatat' find /usr -size +100000k -newer /etc/passwd
X
"$V" -t $((1400 * SLOW)) exec "$G" -- sh -c "cd $B && SLOW=$SLOW $SPILERUN -o gdb_stacks.out -c 'sh guest.sh' $B/gdb_stacks.ko" || exit 1
python3 $w/compare_stacks.py gdb_stacks.out *.gdb
