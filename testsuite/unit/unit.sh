# SPDX-License-Identifier: GPL-2.0-or-later
# The beginning of a unit test in shell: $top and $build, the source and the build tree; $work, a folder that is removed at the end; failures, and the kernels that it is about (lib/kernels.sh).  The
# test ends with `exit $((failures > 0))`.
top=$(cd "${abs_top_srcdir:-.}" && pwd) build=$(cd "${abs_top_builddir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
. "$top/testsuite/lib/kernels.sh"

# bad TEXT...: reports a failure, and goes on.  $how, if it is set: of what.
bad() {
	echo "# FAIL: ${how:+$how: }$*"
	failures=$((failures + 1))
}
