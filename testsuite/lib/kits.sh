# SPDX-License-Identifier: GPL-2.0-or-later
# For tests on the host that build modules: gives a test its own cache, in which Spile's runtime is compiled already.  Compiling it takes
# several seconds of CPU time for each kernel and gives the same for all tests, so it is done once for each build of Spile, in the folder
# $kits.  make sets $kits, and its name changes with the program.  Without $kits, a test compiles the runtime itself.

# kits_cache FOLDER: a new cache.  What fails here is reported by the test's own builds, which then make what is missing.
kits_cache() {
	mkdir -p "$1"
	[ -n "${kits:-}" ] || return 0
	mkdir -p "$kits"
	kits_program=$abs_top_builddir/testsuite/workload/steady
	# The kits of other builds of Spile are of no use any more.
	find "${kits%/*}" -mindepth 1 -maxdepth 1 ! -path "$kits" -exec rm -rf {} + 2>/dev/null
	. "$abs_top_srcdir/testsuite/lib/kernels.sh"
	for kits_release in $(test_kernels); do
		# With the parts that tests need most.
		SPILE_DIR=$kits "$abs_top_builddir/spile" -p4 -r "$kits_release" -e '
			probe kernel.function("vfs_read").return { println($count) }
			probe kernel.trace("sched_switch"), process.begin, process("'"$kits_program"'").function("main") { println(ustack(0)) }
			probe syscall.read { println(argstr) }' >/dev/null 2>&1
	done
	for kits_part in runtime kernel; do
		[ ! -d "$kits/$kits_part" ] || cp -a "$kits/$kits_part" "$1/"
	done
}
