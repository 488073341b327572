#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --disable-cache, --poison-cache, --clean-cache and --debug: which file a module is, of the same script.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
. "$top/testsuite/lib/kits.sh"
release=$("$build/spile-vm" list | head -n 1)
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
exit $((failures > 0))
