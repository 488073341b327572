# SPDX-License-Identifier: GPL-2.0-or-later
# Modules that are built for the kernel of the test: some of the test suite, to be probed, with debug information as that kernel's own are; and
# modules as people write them by hand.

# module_build NAME: workload/module/NAME.c becomes NAME/NAME.ko in the present folder.
module_build() {
	rm -rf "$1" && mkdir "$1" && cp "$S/../workload/module/$1.c" "$1" || return 1
	printf "obj-m := %s.o\nKASAN_SANITIZE := n\n" "$1" >"$1/Makefile" # which hides where variables are
	make -s -C "${SPILE_KERNELS:-}/lib/modules/$RELEASE/build" M="$PWD/$1" modules >"$1/said" 2>&1 && return
	cat "$1/said"
	return 1
}

# module_by_hand FOLDER NAME.c [FILE...]: FOLDER anew, with NAME.ko in it, which uses runtime/modules.  NAME.c and FILE... are paths in the source
# tree; if there is no Kbuild among them, one is written as doc/modules.md has it.
module_by_hand() {
	local folder=$1 name=${2##*/} file
	rm -rf "$folder" && mkdir "$folder" || return 1
	shift
	for file; do
		cp "$S/../../$file" "$folder" || return 1
	done
	[ -f "$folder/Kbuild" ] || echo 'include $(SPILE_RUNTIME)/modules/probes.kbuild' >"$folder/Kbuild"
	echo "obj-m += ${name%.c}.o" >>"$folder/Kbuild"
	SPILE_RUNTIME=$S/../../runtime make -s -C "${SPILE_KERNELS:-}/lib/modules/$RELEASE/build" M="$PWD/$folder" modules >"$folder/said" 2>&1 && return
	cat "$folder/said"
	return 1
}
