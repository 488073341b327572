#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug information of a module is the same wherever it is: in the module, packed or not, in a file that it names, in one by its build-id, and in a whole
# module in the folder of a debug package, or at a debuginfod server; not in that of another build.
# kernel: any
# cost: 30
cd "$B" || exit 1
. "$S/../lib/module.sh"
. "$S/../lib/debuginfod.sh"
module_build lines_in_module || exit 1
rm -rf debug-files && mkdir -p debug-files/lib/modules/x debug-files/dbg/.build-id debug-files/package/lib/modules/x || exit 1
m="$B/debug-files/lib/modules/x/lines_in_module.ko"
cp lines_in_module/lines_in_module.ko "$m"
says() {
	SPILE_DEBUGINFO_PATH="$B/debug-files/${3:-none}" "$SPILE" -r "$RELEASE" -p3 -e "
		probe module(\"$2\").statement(\"lines_sum@lines_in_module.c+9\") { println(\$part, \$sum, @var(\"total\"), @var(\"lines_here\")) }
		probe module(\"$2\").function(\"squared\").inline { println(\$side) }" >"debug-files/$1.c" 2>"debug-files/$1.err"
}
same() {
	says "$@" && grep -v '<input>' debug-files/own.c >debug-files/expected && grep -v '<input>' "debug-files/$1.c" | cmp - debug-files/expected ||
		{ echo "$1:"; cat "debug-files/$1.err"; exit 1; }
}
says own "$m" || { cat debug-files/own.err; exit 1; }
xz -k "$m" && same packed "$m.xz" || exit 1
rm "$m.xz"
cp "$m" debug-files/package/lib/modules/x/ && objcopy --only-keep-debug "$m" "$m.debug" && strip -g "$m" || exit 1
same package "$m" package
says none "$m" && { echo "it has none"; exit 1; }
grep -q 'has no debug information (DWARF)' debug-files/none.err || { cat debug-files/none.err; exit 1; }
id=$(readelf -n "$m" | sed -n 's/.*Build ID: //p')
folder=debug-files/dbg/.build-id/$(printf %.2s "$id")
mkdir -p "$folder" && cp "$m.debug" "$folder/${id#??}.debug" && same build-id "$m" dbg
rm -rf debug-files/dbg/.build-id server && mkdir -p server/served && cp "$m.debug" server/served/ || exit 1
debuginfod_start "$B/server/served" "$B/server" || exit 1
trap 'kill $debuginfod; wait $debuginfod' EXIT
same server "$m"
unset DEBUGINFOD_URLS
cp "$m" debug-files/plain.ko
objcopy --add-gnu-debuglink="$m.debug" "$m" && same link "$m"
# of another build
cp debug-files/plain.ko "$m" && rm "$m.debug"
sed -i 's/KEEP(sum);/KEEP(sum); KEEP(sum);/' lines_in_module/lines_in_module.c && mv lines_in_module/lines_in_module.c . || exit 1
rm -rf other && mkdir other && mv lines_in_module.c other && echo 'obj-m := lines_in_module.o' >other/Makefile
make -s -C "${SPILE_KERNELS:-}/lib/modules/$RELEASE/build" M="$B/other" modules >other/said 2>&1 || { cat other/said; exit 1; }
cp other/lines_in_module.ko debug-files/package/lib/modules/x/
says other "$m" package && { echo "taken from another build"; exit 1; }
exit 0
