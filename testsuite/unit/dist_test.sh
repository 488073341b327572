#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In a checkout: every file that git has is in the tarball too, but for what only serves git.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
if ! git -C "$top" rev-parse --show-prefix >/dev/null 2>&1 || [ -n "$(git -C "$top" rev-parse --show-prefix)" ]; then
	echo '# not a checkout: nothing to compare with'
	exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL

${MAKE:-make} -s --no-print-directory -C "$build" list-distfiles >"$work/raw" || exit 99
# Names may begin with the path of the source tree, as automake saw it; a folder means all that is in it.
sed -e "s|^$top/||" -e 's|^\(\.\./\)*||' -e 's|^\./||' "$work/raw" | sort -u | while read -r file; do
	if [ -d "$top/$file" ]; then (cd "$top" && find "$file" -type f); else echo "$file"; fi
done | sort -u >"$work/dist"
git -C "$top" ls-files | while read -r file; do
	[ -f "$top/$file" ] && echo "$file"
done | sort -u >"$work/git"
missing=$(comm -23 "$work/git" "$work/dist" | grep -vE '^(\.git|\.ci/)')
[ -z "$missing" ] && exit 0
echo '# in git but not in the tarball; add each to a _SOURCES list, or to EXTRA_DIST:'
echo "$missing"
exit 1
