# SPDX-License-Identifier: GPL-2.0-or-later
# For unit tests: the installed kernels that they cover.

# test_kernels: prints releases, oldest first: of the kernels that are installed with headers, PREEMPT_RT and cloud kernels excepted, the oldest and the
# newest.  If there are only such kernels, the first of them.  With SPILE_ALL_KERNELS=1: all.
test_kernels() {
	test_kernels_all=$(for test_kernels_release in $("${abs_top_builddir:-.}/spile-vm" list 2>/dev/null); do
		[ ! -e "${SPILE_KERNELS:-}/lib/modules/$test_kernels_release/build/Makefile" ] || echo "$test_kernels_release"
	done)
	[ "${SPILE_ALL_KERNELS:-}" != 1 ] || { printf '%s' "${test_kernels_all:+$test_kernels_all
}"; return; }
	printf '%s\n' "$test_kernels_all" | awk '
		/-(rt|cloud)-/ { special = special ? special : $0; next }
		$0 && !oldest { oldest = $0 }
		{ newest = $0 }
		END { if (oldest) print oldest; else if (special) print special; if (newest != oldest) print newest }'
}

# test_kernel: prints the oldest, for tests that are the same for all.
test_kernel() {
	test_kernels | head -n 1
}
