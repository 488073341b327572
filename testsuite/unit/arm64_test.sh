#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program and a kernel of arm64: where their parameters and results are, by the C that scripts with -a arm64 become.
# data/arm64_prog.c says how its program was made, which also has BTF and so serves as the kernel.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
export SPILE_DIR="$work/cache"

mkdir -p "$work/kernel/include/config"
echo 9.9.9-arm64 >"$work/kernel/include/config/kernel.release"
base64 -d "$top/testsuite/unit/data/arm64_prog.b64" | xz -d >"$work/kernel/vmlinux" || exit 99
cp "$work/kernel/vmlinux" "$work/prog" && chmod +x "$work/prog"

spile() { LC_ALL=C timeout 60 "$build/spile" -a arm64 -r "$work/kernel" "$@"; }

# has PROBE EXPRESSION WORD...: each of the words is in the C of the handler; one after ! is not.
has() {
	script="probe $1 { println($2) }"
	shift 2
	if ! spile -p3 -e "$script" >"$work/c" 2>"$work/err"; then
		bad "$script: $(cat "$work/err")"
		return
	fi
	for word; do
		case $word in
		!*) ! grep -qF "${word#!}" "$work/c" || bad "$script: ${word#!} is in the C" ;;
		*) grep -qF "$word" "$work/c" || bad "$script: $word is not in the C: $(grep -n 'rt_arg\|rt_reg\|rt_retval' "$work/c")" ;;
		esac
	done
}

# refused PROBE EXPRESSION TEXT
refused() {
	spile -p3 -e "probe $1 { println($2) }" >/dev/null 2>"$work/err" && bad "$1: $2 is taken"
	grep -q "$3" "$work/err" || bad "$1: $2 is refused otherwise: $(cat "$work/err")"
}

# Arguments are x0 to x7, then on the stack at the stack pointer itself: the return address is in a register.  So it is in both.
for of in "process(\"$work/prog\")" kernel; do
	space=RT_USER
	[ "$of" = kernel ] && space=RT_KERNEL
	f="$of.function(\"sum\")"
	has "$f" '$x0' 'rt_arg(c, 0)'
	has "$f" '$x1' 'rt_arg(c, 1)'
	has "$f" '$x2' 'rt_arg(c, 2)'
	has "$f" '$x7->value' 'rt_arg(c, 7)' "$space"
	has "$f" '$on_stack' 'rt_reg(c, 31)' "$space" '!rt_reg(c, 7)' '!rt_arg'
	has "$f" '$above' 'rt_reg(c, 31)' ' + (rt_u64)8LL' '!rt_arg'
	has "$f.return" '$return' 'rt_retval(c)'
	# two words; then one more
	f="$of.function(\"of_small\")"
	has "$f" '$in_two->a' 'rt_arg(c, 0)'
	has "$f" '$in_two->b' 'rt_arg(c, 1)'
	has "$f" '$after' 'rt_arg(c, 2)'
	# a larger value is passed by its address
	f="$of.function(\"of_big\")"
	has "$f" '$by_reference->v[3]' 'rt_arg(c, 0)' ' + (rt_u64)24LL' "$space"
	has "$f" '$after' 'rt_arg(c, 1)'
	# the address for a result in memory takes no argument's place, and is not kept
	has "$of.function(\"make_big\")" '$seed' 'rt_arg(c, 0)'
	refused "$of.function(\"make_big\").return" '$return->v[0]' 'is returned in memory, whose address only the caller keeps'
	has "$of.function(\"make_small\").return" '$return->a' 'rt_retval(c)'
	has "$of.function(\"make_small\").return" '$return->b' 'rt_reg(c, 1)'
	# floating point numbers, and structs of them, take no general register
	has "$of.function(\"of_floats\")" '$first' 'rt_arg(c, 0)'
	refused "$of.function(\"of_floats\")" '$p->x' 'vector registers'
	# 16 bytes begin in an even register
	has "$of.function(\"of_wide\")" '$x4' 'rt_arg(c, 4)'
	# if two words find only one register, that register stays unused
	f="$of.function(\"six\")"
	has "$f" '$x6' 'rt_arg(c, 6)'
	has "$f" '$none_left->a' 'rt_reg(c, 31)' '!rt_arg'
	has "$f" '$too_late' 'rt_reg(c, 31)' ' + (rt_u64)16LL' '!rt_arg'
done

# Locations of DWARF name registers by their numbers; call frame information says where there is no return address.
f="process(\"$work/prog\").function(\"optimised\")"
has "$f" '$x0' 'rt_arg(c, 0)'
has "$f" '$x1->value' 'rt_arg(c, 1)' RT_USER
has "$f" '@uregister(30)' 'rt_user_reg(c, 30)'
refused "process(\"$work/prog\").function(\"enter\").return" 1 'it is entered without a return address \['

spile -L "process(\"$work/prog\").function(\"sum\")" >"$work/list" 2>"$work/err" || bad "-L: $(cat "$work/err")"
grep -q '\$x0:int \$x1:long .*\$x7:struct node\* \$on_stack:short' "$work/list" || bad "-L lists $(cat "$work/list")"

# For x86-64 they are another machine's.
LC_ALL=C "$build/spile" -a x86_64 -p2 -e "probe process(\"$work/prog\").function(\"sum\") { println(1) }" >/dev/null 2>"$work/err" &&
	bad "an arm64 program is taken for one of x86-64"
grep -q 'is a program for another machine' "$work/err" || bad "the other machine: $(cat "$work/err")"
LC_ALL=C "$build/spile" -a x86_64 -r "$work/kernel" -p2 -e 'probe kernel.function("sum") { println($x0) }' >/dev/null 2>"$work/err" &&
	bad "an arm64 kernel is taken for one of x86-64"
grep -q 'is for another machine' "$work/err" || bad "the other machine's kernel: $(cat "$work/err")"
exit $((failures > 0))
