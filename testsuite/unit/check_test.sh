#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts that become modules without a word: those of testsuite/spile.check/good for the oldest and the newest kernel; those of testsuite/spile.run for
# one of these, in turn, and C for the other, since the suites in guests build them for all kernels.  That what -p1 prints parses back is in table_test.
# And what the command line refuses.  What is said about scripts is in testsuite/tables.

top=$(cd "${abs_top_srcdir:-.}" && pwd) build=$(cd "${abs_top_builddir:-.}" && pwd)
spile=$build/spile
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
PATH=$build/testsuite/workload:$PATH
export PATH SPILE_DIR="$work/cache"
. "$top/testsuite/lib/kits.sh"
kits_cache "$SPILE_DIR"
failures=0 tests=0

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

. "$top/testsuite/lib/kernels.sh"
releases=$(test_kernels)
[ -n "$releases" ] || { echo "# no kernel is installed that could be built for"; exit 99; }
release=${releases%%
*}

kernels=$(echo "$releases" | wc -l) scripts=0
for f in "$top"/testsuite/spile.check/good/*.stp "$top"/testsuite/spile.run/*.stp; do
	grep -qE '^# (compile-fails: yes|needs-package:)' "$f" && continue
	options=$(sed -n "s/^# run: //p; /^# cmd: /{ s/'/'\\\\''/g; s/^# cmd: \\(.*\\)/-c '\\1'/p }" "$f" | tr '\n' ' ' | sed "s|\$W/||g; s|\$S|${f%/*}|g")
	scripts=$((scripts + 1)) kernel=0
	for r in $releases; do
		tests=$((tests + 1)) kernel=$((kernel + 1)) pass=4
		case ${SPILE_ALL_KERNELS:-}$f in
		1*) ;;
		*/spile.run/*) [ $((scripts % kernels)) = $((kernel % kernels)) ] || pass=3 ;;
		esac
		(cd "$work" && eval "\"$spile\" -p$pass -r $r $options \"$f\"") >"$work/out" 2>"$work/err" || bad "${f##*/} for $r: $(cat "$work/err")"
		[ ! -s "$work/err" ] || bad "${f##*/} for $r: $(cat "$work/err")"
		[ $pass = 3 ] || (cd "$work" && [ -s "$(cat "$work/out")" ]) || bad "${f##*/} for $r: no module"
	done
done

# refused ID ARGUMENT...
refused() {
	id=$1
	shift
	tests=$((tests + 1))
	"$spile" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status -eq 1 ] && grep -q "error: .*\[$id\]$" "$work/err" && [ ! -s "$work/out" ] ||
		bad "spile $*: status $status, $(cat "$work/err")"
}
refused usage
refused usage --no-such-option -e 'probe begin { }'
head -c 16777217 /dev/zero | tr '\0' ' ' >"$work/big.stp"
refused too-big -p1 "$work/big.stp"
refused usage -p 9 -e 'probe begin { }'
"$build/spile" -r "$release" -p2 -d dumy -e 'probe begin { }' 2>"$work/err" || true
grep -q 'did you mean "dummy"' "$work/err" || bad "-d dumy: $(cat "$work/err")"
refused usage -x 12 -c true -e 'probe begin { }'
refused usage -x nobody -e 'probe begin { }'
refused usage -G x -e 'probe begin { }'
refused usage -r "$release" -p2 -G other=1 -e 'global x probe begin { x = 1 }'
refused usage --dump=prase -r "$release" -e 'probe begin { }'
refused usage --explain no-such-id
refused usage -m 'a b' -e 'probe begin { }'
refused limit -r "$release" -D MAXACTOIN=3 -e 'probe begin { }'
refused limit -r "$release" -D MAXACTION=many -e 'probe begin { }'
refused limit -r "$release" -D MAXSTRINGLEN=1 -e 'probe begin { }'
refused no-kernel -r 9.9.9-nowhere -p4 -e 'probe begin { }'
refused io /nowhere/script.stp
refused no-probes -r "$release" -e 'probe kernel.function("no_such_function") ? { }'
refused no-probes -r "$release" -e 'global x'
refused no-probes -r "$release" -e 'probe begin { }'
refused no-probes -r "$release" -e 'probe begin { x = 1 + 2 } probe end { if (0) println(1) }'
refused io -r "$release" -I /nowhere -e 'probe begin { }'

# warned ID ARGUMENT...: goes through with that warning and no other message
warned() {
	id=$1
	shift
	tests=$((tests + 1))
	"$spile" -r "$release" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status -eq 0 ] && grep -q "warning: .*\[$id\]$" "$work/err" && ! grep -E '(warning|error): ' "$work/err" | grep -qv "\[$id\]$" ||
		bad "spile $*: status $status, $(cat "$work/err")"
}
warned skipped-variable -p3 --skip-badvars -e 'probe kernel.function("vfs_read") { print($nope, $file->f_nope, $nope$, $$parms) f = $file print(f->nope) }'
warned skipped-variable -p3 --skip-badvars -e 'probe begin { print($x, @cast(0, "struct nope")->x) }'

# lists STATUS FIRST-LINE ARGUMENT...
lists() {
	want=$1 line=$2
	shift 2
	tests=$((tests + 1))
	"$spile" -r "$release" "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq "$want" ] && [ "$(head -1 "$work/out")" = "$line" ] && sort -c "$work/out" 2>/dev/null ||
		bad "spile $*: status $status, $(head -1 "$work/out") $(cat "$work/err")"
}
lists 0 'kernel.function("vfs_read")' -l 'kernel.function("vfs_read")'
lists 0 'kernel.function("vfs_read").return $return:ssize_t $file:struct file* $buf:char* $count:size_t $pos:loff_t*' \
	-L 'kernel.function("vfs_read").return'
lists 0 "process(\"$build/testsuite/workload/shapes\").function(\"shapes_distance\") \$p:struct point \$scale:long int" \
	-L 'process("shapes").function("shapes_d*")'
lists 0 'vfs.open name:string path:long pathname:string argstr:string $path:struct path const* $file:struct file*' \
	-L vfs.open
lists 1 '' -l 'kernel.function("vfs_no_such_thing")'
lists 1 '' -l 'kernel.function("vfs_no_such_thing") ?'
lists 0 'begin' -l 'begin'
lists 0 "timer.ms(5)" -L 'timer.ms(5)'
lists 0 "process(\"$build/testsuite/workload/threads\").function(\"main\")" -l 'process("threads").function("m*")'

# Wildcards in the names of a point list what can be typed as it is listed.
for pattern in '*' 'kernel.*' 'timer.*' 'process.*'; do
	"$spile" -r "$release" -l "$pattern" >"$work/points" 2>"$work/err" || bad "-l '$pattern': $(cat "$work/err")"
	[ -s "$work/points" ] || bad "-l '$pattern' lists nothing"
	while read -r point; do
		case $point in
		*'("*'*) continue ;; # a pattern: it lists many
		esac
		tests=$((tests + 1))
		[ "$("$spile" -r "$release" -l "$point" 2>&1)" = "$point" ] || bad "-l '$pattern' lists $point, which cannot be typed back"
	done <"$work/points"
done
"$spile" -r "$release" -l '*' 2>/dev/null | grep -qxF 'kernel.function("*")' || bad "-l '*' has no kernel functions"

# It is the same wherever it is called: no program of the folder is looked into, not even one that is in $PATH too.
mkdir "$work/programs" && cp "$build/testsuite/workload/threads" "$work/programs" || bad "no copy"
spile_at_root=$(cd "$(dirname "$spile")" && pwd)/${spile##*/}
(cd / && PATH=/usr/bin:/bin "$spile_at_root" -r "$release" -l '*') >"$work/points" 2>&1
(cd "$work/programs" && PATH=$work/programs:/usr/bin:/bin "$spile_at_root" -r "$release" -l '*') 2>&1 | cmp -s - "$work/points" || bad "-l '*' looks into programs"

# A program without the function is left out, if another has it.
mkdir "$work/several" && cp "$build/testsuite/workload/threads" "$work/several/one" && cp "$work/several/one" "$work/several/two" &&
	strip "$work/several/two"
warned program-skipped -p2 -e "probe process(\"$work/several/*\").function(\"threads_work\") { println(\$call) }"
rm "$work/several/one"; cp "$work/several/two" "$work/several/three"
refused no-match -r "$release" -p2 -e "probe process(\"$work/several/*\").function(\"threads_work\") { println(1) }"

# A pattern takes libraries, which need not be executable, and a file with several names once; no other files.
mkdir "$work/names" && cp "$build/testsuite/workload/threads" "$work/names/program" && cp "$work/names/program" "$work/names/libx.so.1.0" &&
	cp "$work/names/program" "$work/names/data" && chmod 644 "$work/names/libx.so.1.0" "$work/names/data" && mkdir "$work/names/folder.so" &&
	ln -s libx.so.1.0 "$work/names/libx.so" && ln -s program "$work/names/other"
tests=$((tests + 1))
"$spile" -r "$release" -p3 -e "probe process(\"$work/names/*\").function(\"threads_work\") { println(1) }" >"$work/points" 2>"$work/err" ||
	bad "a pattern of programs: $(cat "$work/err")"
[ "$(sed -n 's|.*{\.probe = .*"[^"]*/names/\([^"]*\)".*|\1|p' "$work/points" | tr '\n' ' ')" = 'libx.so.1.0 program ' ] ||
	bad "a pattern takes $(grep names/ "$work/points")"

# A list keeps what it took out of the kernel's image, as a build does, though nothing was built yet; not with --disable-cache.
for option in '' --disable-cache; do
	tests=$((tests + 1))
	SPILE_DIR=$work/kept$option "$spile" -r "$release" $option -l 'kernel.function("vfs_read")' >/dev/null 2>"$work/err" ||
		bad "$option -l: $(cat "$work/err")"
	find "$work/kept$option" -name "*-$release-*" 2>/dev/null | grep -q . || [ -n "$option" ] || bad "-l keeps nothing"
	[ -z "$option" ] || [ ! -e "$work/kept$option" ] || bad "-l with $option makes the cache"
done

# The one-liners of the README become modules, as they are written there.
sed -nE '/^    \.\/spile --vm/,/^$/p' "$top/README.md" | awk -v RS= '{ gsub(/--vm/, "-p4 -r " r); print > (w "/readme" NR ".sh") }' \
	w="$work" r="$release"
for f in "$work"/readme*.sh; do
	tests=$((tests + 1))
	(cd "$build" && sh "$f") >"$work/out" 2>"$work/err" && [ -s "$(cat "$work/out")" ] || bad "README: $(cat "$f" "$work/err")"
done
[ -e "$work/readme5.sh" ] || bad "the README has fewer than five one-liners"

# Without a kernel's headers, asking for less than a module still works.
tests=$((tests + 1))
"$spile" -p2 -e 'probe begin { println(1) }' >/dev/null 2>"$work/err" || bad "-p2 for this kernel: $(cat "$work/err")"

# The examples of messages that only a build gives; the others are tested alone.
tests=$((tests + 1))
"$top/testsuite/unit/explain_test.sh" build || bad "examples of --explain"

# Feeding statistics takes no lock.
tests=$((tests + 1))
"$spile" -p3 -r "$release" -e 'global a, s probe timer.s(1) { a[tid(), execname()] <<< cpu(); s <<< 2 }
	probe end { foreach ([t, n] in a) println(t, n, @p99(a[t, n]), @count(s)) }' >"$work/out" 2>"$work/err"
awk '/^static void h/ { locks = 0 } /rt_lock/ { locks = 1 } /rt_(map_)?stat_add/ { n++; bad += locks }
	END { exit n != 2 || bad }' "$work/out" || bad "a handler that feeds statistics takes a lock: $(cat "$work/err")"

# Nor does a plain global that is the limit of a foreach.
tests=$((tests + 1))
"$spile" -p3 -r "$release" -e 'global a, n = 3 probe timer.ms(1) { a[1]++; n++; foreach (k in a limit n) println(k) } probe timer.ms(2) { a[2]++ }' >"$work/out" 2>"$work/err" &&
	! grep -q 'rt_lock' "$work/out" && grep -q 'atomic_load_n(&g_n' "$work/out" || bad "the limit of a foreach takes a lock: $(cat "$work/err")"

# Without the cache, the loader is given a copy of the module, which is gone afterwards.
tests=$((tests + 1))
mkdir "$work/bin"
cp "$spile" "$work/bin"
printf '#!/bin/sh\nfor module; do :; done\ntest -s "$module" && echo "$module"\n' >"$work/bin/spilerun"
chmod 4755 "$work/bin/spilerun" # with rights of its own it is asked in any case
SPILE_TAPSET=$top/tapset SPILE_RUNTIME=$top/runtime "$work/bin/spile" --disable-cache -r "$release" -e 'probe begin { exit() }' \
	>"$work/out" 2>"$work/err" && [ -s "$work/out" ] || bad "--disable-cache: $(cat "$work/err")"
[ ! -e "$(cat "$work/out")" ] || bad "the module of --disable-cache is left behind"

# Where no module can be loaded, none is built to be run.
tests=$((tests + 1))
mkdir "$work/bare"
cp "$work/bin/"* "$work/bare"
chmod 755 "$work/bare/spilerun"
echo 1 >"$work/disabled"
cat >"$work/barely" <<'X'
disabled=/proc/sys/kernel/modules_disabled
[ ! -e $disabled ] || mount --bind "$0d" $disabled || exit 77
exec "$@"
X
mv "$work/disabled" "$work/barelyd"
as=
[ ! -e /proc/modules ] || [ "$(id -u)" != 0 ] || as="unshare -m sh $work/barely"
SPILE_TAPSET=$top/tapset SPILE_RUNTIME=$top/runtime SPILE_DIR=$work/unused $as "$work/bare/spile" -r "$release" -e 'probe begin { exit() }' \
	>"$work/out" 2>"$work/err"
[ $? = 77 ] || { grep '^error: no module can be loaded: ' "$work/err" | grep -qF '[no-modules]' && grep -q 'hint: --vm runs' "$work/err" && [ ! -e "$work/unused" ]; } ||
	bad "a kernel that takes no module: $(cat "$work/out" "$work/err")"

# The file that -m leaves in this folder is not the one that is loaded: another session may have replaced it by then.
for option in '' --disable-cache; do
	tests=$((tests + 1))
	(cd "$work" && SPILE_TAPSET=$top/tapset SPILE_RUNTIME=$top/runtime "$work/bin/spile" $option -m mine -r "$release" \
		-e 'probe begin { println(2) exit() }' >"$work/out" 2>"$work/err") || bad "-m $option: $(cat "$work/err")"
	[ -s "$work/mine.ko" ] || bad "-m $option leaves no module"
	case $(cat "$work/out") in
	*/*mine*.ko) ;;
	*) bad "-m $option loads $(cat "$work/out")" ;;
	esac
	rm -f "$work/mine.ko"
done

echo "# $tests tests, $failures failures"
[ $failures -eq 0 ]
