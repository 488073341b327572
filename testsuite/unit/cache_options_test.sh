#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --disable-cache, --poison-cache, --clean-cache and --debug: which file a module is, of the same script. What is said when a module's spilerun is killed.

. "${abs_top_srcdir:-.}/testsuite/lib/await.sh"
. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
. "$top/testsuite/lib/kits.sh"
release=$(test_kernel)
[ -n "$release" ] || { echo "# no kernel whose headers are installed"; exit 77; }
SPILE_DIR=$work/cache TMPDIR=$work
export SPILE_DIR TMPDIR
kits_cache "$SPILE_DIR"

# module OPTION...: $path of the module, and $inode, which another build changes.
module() {
	path=$("$build/spile" "$@" -p4 -r "$release" -e 'probe begin { println("which") }' 2>"$work/err") || bad "$*: $(cat "$work/err")"
	inode=$(stat -c %i "$path")
}
module
first=$path first_inode=$inode
case $first in "$SPILE_DIR"/script/*) ;; *) bad "the module is not in the cache: $first" ;; esac
ln "$first" "$work/held" # else its inode may be taken again
module
[ "$inode" = "$first_inode" ] || bad "the same script is built again"
module --disable-cache
[ "$path" != "$first" ] && [ -e "$path" ] || bad "--disable-cache: $path"
module
[ "$inode" = "$first_inode" ] || bad "--disable-cache changed what is in the cache"
module --poison-cache
[ "$path" = "$first" ] && [ "$inode" != "$first_inode" ] || bad "--poison-cache: $path is still the old one"
poisoned=$inode
module
[ "$inode" = "$poisoned" ] || bad "--poison-cache did not store what it built"
module --debug
[ "$path" != "$first" ] && grep -q "$(dirname "$path")" "$work/err" || bad "--debug does not keep its folder, or does not say where: $path, $(cat "$work/err")"
mkdir -p "$work/prefix/bin"
cp "$build/spile" "$work/prefix/bin"
printf '#!/bin/sh\nkill -9 $$\n' >"$work/prefix/bin/spilerun"
chmod 4755 "$work/prefix/bin/spilerun" # with rights of its own it is asked in any case
SPILE_TAPSET=$top/tapset SPILE_RUNTIME=$top/runtime "$work/prefix/bin/spile" -r "$release" -e 'probe begin { println("which") }' >"$work/out" 2>"$work/err"
status=$?
[ $status = 137 ] && grep -q '^error: spilerun was killed by signal 9: end probes did not run, and output may be missing; the next run unloads' "$work/err" ||
	bad "spilerun is killed: $status, $(cat "$work/err")"

# Who waits for another run says so, once, and goes on when that has ended.
holds() { # holds LOCK: until $work/let-go is there
	rm -f "$work/let-go" "$work/held-now"
	flock "$SPILE_DIR/lock/$1" sh -c ": >'$work/held-now'; until [ -e '$work/let-go' ]; do sleep 0.1; done" &
	holder=$!
	await test -e "$work/held-now" || bad "the lock is not held"
}
says_why() { # a run that waits
	: >"$work/err" # or what is there would be read before the run has begun
	"$build/spile" -p4 -r "$release" -e 'probe begin { println("waits") }' >"$work/out" 2>"$work/err" &
	waits=$!
	await grep -q . "$work/err" || bad "it does not say why it waits"
	kill -0 $waits || bad "it does not wait: $(cat "$work/err")"
}
holds use
says_why
: >"$work/let-go"
wait $waits || bad "it fails after waiting: $(cat "$work/err")"
[ "$(cat "$work/err")" = "Waiting for another spile, which empties the cache ..." ] || bad "the cache is emptied: $(cat "$work/err")"
kit=$(ls -t "$SPILE_DIR/runtime" | grep -v "[.]" | head -n 1) # there is one for each kernel, and its parts: that which was used last
mv "$SPILE_DIR/runtime/$kit" "$work/kit"
holds "$kit"
says_why
mv "$work/kit" "$SPILE_DIR/runtime/$kit"
: >"$work/let-go"
wait $waits || bad "it fails after waiting: $(cat "$work/err")"
[ "$(cat "$work/err")" = "Waiting for another spile, which compiles the runtime for this kernel ..." ] || bad "the runtime is compiled: $(cat "$work/err")"

# A run that is interrupted while it compiles the runtime leaves no folder.
: >"$work/err"
SPILE_DIR=$work/cold "$build/spile" -p4 -r "$release" -e 'probe begin { println("cold") }' >"$work/out" 2>"$work/err" &
interrupted=$!
await grep -q 'Compiling the runtime' "$work/err" || bad "it does not compile"
kill -TERM $interrupted
wait $interrupted
status=$?
[ $status = 143 ] || bad "interrupted: $status"
is_swept() { [ -z "$(ls "$work/cold/tmp")" ]; }
await is_swept

"$build/spile" --clean-cach >"$work/out" 2>"$work/err" && bad "--clean-cach is taken"
[ -e "$first" ] || bad "--clean-cach has emptied the cache"
"$build/spile" --clean-cache >"$work/out" 2>"$work/err" || bad "--clean-cache: $(cat "$work/err")"
grep -qE "^Emptied the cache $SPILE_DIR: [1-9][0-9.]* MB\$" "$work/err" && [ ! -s "$work/out" ] || bad "--clean-cache does not say what it did: $(cat "$work/err")"
[ ! -e "$first" ] || bad "--clean-cache leaves the module"

# Without a cache: the reason comes before the long work, which is not "done once"; and the folder for it goes, however the run ends.
mkdir "$work/tmp"
gone() { [ -z "$(ls "$work/tmp")" ]; }
compiling() { grep -q '^Compiling the runtime' "$work/err"; }
for signal in INT TERM KILL; do
	: >"$work/err"
	SPILE_DIR=/dev/null/no TMPDIR=$work/tmp perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$build/spile" -r "$release" -p4 \
		-e 'probe begin { println("no cache") }' >"$work/out" 2>"$work/err" &
	pid=$!
	await compiling || bad "$signal: no word of what takes long: $(cat "$work/err")"
	[ "$(sed -n 's/.*\[cache\]$/cache/p; s/^\(Compiling\) the runtime for kernel .*, as there is no cache \.\.\.$/\1/p' "$work/err" | tr '\n' ' ')" = \
		"cache Compiling " ] || bad "$signal: $(cat "$work/err")"
	gone && bad "$signal: no folder in TMPDIR"
	kill -$signal $pid
	wait $pid 2>/dev/null
	await gone || bad "$signal leaves $(find "$work/tmp")"
done
# A file system with too little room, if we may make one.
unshare -rm sh -c 'mount -t tmpfs -o size=1m none "$1" && SPILE_DIR=$1 TMPDIR=$1 "$2" -r "$3" -p4 -e "probe begin { println(1) }" 2>"$4"
	[ $? = 1 ] && ls "$1" && exit 3' sh "$work/tmp" "$build/spile" "$release" "$work/err" >"$work/out" 2>&1
if [ $? = 3 ]; then
	[ "$(tr '\n' ' ' <"$work/out")" = "lock runtime script sources tmp " ] || bad "no room: leaves $(cat "$work/out")"
	grep -qF "error: cannot make a temporary directory in $work/tmp: its disk has less than 128 MB of room [io]" "$work/err" &&
		grep -q 'hint: .*--tmpdir' "$work/err" || bad "no room: $(cat "$work/err")"
fi
long=$("$build/spile" --help | awk 'length > 100')
[ -z "$long" ] || bad "--help has long lines: $long"
exit $((failures > 0))
