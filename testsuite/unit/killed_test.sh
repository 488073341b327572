#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When spile alone is killed while it compiles a module or a header, the compilers end, with what they have started, and the work folder goes.

. "${abs_top_srcdir:-.}/testsuite/lib/await.sh"
. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
. "$top/testsuite/lib/kits.sh"
release=$(test_kernel)
[ -n "$release" ] || { echo "# no kernel whose headers are installed"; exit 77; }
SPILE_DIR=$work/cache TMPDIR=$work
export SPILE_DIR TMPDIR
kits_cache "$SPILE_DIR"

# Compilers that do not come to an end when they compile, and have a child, as gcc has cc1.
mkdir "$work/bin"
cat >"$work/bin/compiler" <<'X'
#!/bin/sh
case " $* " in
*" -c "* | *" -shared "*)
	sleep 1000 &
	echo "$$ $!" >>"${0%/*}/../compiling"
	wait
	exit 1 ;;
esac
exec "/usr/bin/${0##*/}" "$@"
X
chmod +x "$work/bin/compiler"
for compiler in /usr/bin/gcc /usr/bin/gcc-[0-9] /usr/bin/gcc-[0-9][0-9] /usr/bin/clang; do
	[ ! -x "$compiler" ] || ln -s compiler "$work/bin/${compiler##*/}"
done

none_left() {
	while read -r driver child; do
		kill -0 "$driver" 2>/dev/null && return 1
		kill -0 "$child" 2>/dev/null && return 1
	done <"$work/compiling"
	[ -z "$(ls "$SPILE_DIR/tmp" "$SPILE_DIR/headers" 2>/dev/null | grep -v ':$')" ]
}

for signal in TERM INT KILL; do
	for script in 'println("killed")' 'println(@cast(0, "timeval", "<sys/time.h>")->tv_sec)'; do
		how="$signal, $script"
		rm -f "$work/compiling"
		# in the background, scripts ignore SIGINT
		PATH="$work/bin:$PATH" env --default-signal=INT "$build/spile" -p4 -r "$release" -e "probe begin { $script }" >"$work/said" 2>&1 &
		spile=$!
		await test -s "$work/compiling" || { bad "nothing was compiled"; cat "$work/said"; }
		kill -$signal $spile
		wait $spile
		await_within 30 none_left || {
			bad "left:"
			cat "$work/compiling"
			ls -l "$SPILE_DIR/tmp" "$SPILE_DIR/headers"
			ps -e -o pid,ppid,pgid,args | grep "$work\|sleep 1000"
		}
	done
done
exit $((failures > 0))
