# SPDX-License-Identifier: GPL-2.0-or-later
# Modules of the test suite that are to be probed: built for the kernel of the test, with debug information as that kernel's own are.

# module_build NAME: workload/module/NAME.c becomes NAME/NAME.ko in the present folder.
module_build() {
	rm -rf "$1" && mkdir "$1" && cp "$S/../workload/module/$1.c" "$1" || return 1
	printf "obj-m := %s.o\nKASAN_SANITIZE := n\n" "$1" >"$1/Makefile" # which hides where variables are
	make -s -C "${SPILE_KERNELS:-}/lib/modules/$RELEASE/build" M="$PWD/$1" modules >"$1/said" 2>&1 && return
	cat "$1/said"
	return 1
}
