#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# include/sys/sdt.h: C, C++ and assembler with markers are compiled without a warning, and the notes say what the sources say.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
header=$top/include
command -v readelf >/dev/null || exit 77

# notes FILE: "provider:name SIZES" of each, without where the arguments are, which the compiler decides.
notes() {
	readelf -n "$1" | sed -n 's/^ *\(Provider\|Name\|Arguments\): *//p' | paste -d' ' - - - |
		sed -E 's/^([^ ]*) /\1:/; s/@[^ ]*/@/g; s/ *$//' | sort
}

cat >"$work/marks.c" <<'X'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#define SEMAPHORE(name) __attribute__((section(".probes"), used)) unsigned short name##_semaphore
SEMAPHORE(p_none); SEMAPHORE(p_one); SEMAPHORE(p_twelve); SEMAPHORE(p_floats); SEMAPHORE(p_own); SEMAPHORE(p_template); SEMAPHORE(p_arrays); SEMAPHORE(q_same);
SEMAPHORE(p_inline);
enum letter { A, B };
static int numbers[4];
static inline __attribute__((always_inline)) void inlined(long x)
{
	STAP_PROBE1(p, inline, x);
}
int main(int argc, char **argv)
{
	signed char c = (signed char)argc;
	const unsigned short u = (unsigned short)argc;
	volatile long l = argc;
	enum letter e = argc > 1 ? A : B;
	_Bool b = argc > 1;
	double d = argc;
	float f = (float)argc;
	long long ll = argc;

	STAP_PROBE(p, none);
	STAP_PROBE1(p, one, c);
	STAP_PROBEV(p, twelve, c, u, l, e, b, argv, argv[0], 5, -3L, ll, 7u, (char)1);
	STAP_PROBE2(p, floats, d, f);
	__asm__ volatile(STAP_PROBE_ASM(p, own, 4@%%eax -8@%%rdi)::);
	__asm__ volatile("nop\n" STAP_PROBE_ASM(p, template, STAP_PROBE_ASM_TEMPLATE(3)) "nop" : : STAP_PROBE_ASM_OPERANDS(3, c, argv, ll));
	DTRACE_PROBE2(p, arrays, "abc", numbers);
	DTRACE_PROBE(q, same);
	STAP_PROBEV(q, same);
	inlined(argc);
	inlined(1);
	return 0;
}
X
sed 's/_Bool/bool/' "$work/marks.c" >"$work/marks.cc"
cat >"$work/expected" <<'X'
p:arrays 8@ 8@
p:floats 8f@ 4f@
p:inline -8@
p:inline -8@
p:none
p:one -1@
p:own 4@ -8@
p:template -1@ 8@ -8@
p:twelve -1@ 2@ -8@ 4@ 1@ 8@ 8@ -4@ -8@ -8@ 4@ -1@
q:same
q:same
X
for compiler in "${CC:-gcc} -std=gnu11" "gcc -std=gnu99" "clang -std=gnu11" "g++ -std=c++98" "g++ -std=c++20" "clang++ -std=c++17"; do
	command -v "${compiler%% *}" >/dev/null || continue
	case $compiler in
	*c++*) source=marks.cc ;;
	*) source=marks.c ;;
	esac
	for options in -O0 -O2 "-O2 -fPIC -shared" "-O2 -fno-pie -no-pie" "-O2 -ffunction-sections -Wl,--gc-sections"; do
		# shellcheck disable=SC2086
		$compiler $options -Wall -Wextra -Werror -Wno-long-long -I"$header" "$work/$source" -o "$work/marks" >"$work/log" 2>&1 ||
			{ bad "$compiler $options:"; head -20 "$work/log"; continue; }
		notes "$work/marks" >"$work/got"
		cmp -s "$work/got" "$work/expected" || { bad "$compiler $options:"; diff "$work/expected" "$work/got"; }
		readelf -n "$work/marks" | grep -q 'Semaphore: 0x0*$' && bad "$compiler $options: a marker has no semaphore"
	done
done
sed 's/^#define _SDT_HAS_SEMAPHORES 1//; s/SEMAPHORE(\([a-z_]*\));//g' "$work/marks.c" >"$work/plain.c"
${CC:-gcc} -O2 -I"$header" "$work/plain.c" -o "$work/plain" || bad "without semaphores"
readelf -n "$work/plain" | grep 'Semaphore: 0x0*[1-9a-f]' && bad "semaphores without _SDT_HAS_SEMAPHORES"

cat >"$work/marks.S" <<'X'
#include <sys/sdt.h>
#define FIRST %rdi
	.globl there
there:	STAP_PROBE(p, bare)
	STAP_PROBE2(p, two, 8@FIRST, -4@%esi)
	ret
	.section .note.GNU-stack,"",@progbits
X
if [ "$(uname -m)" = x86_64 ]; then
	gcc -I"$header" -c "$work/marks.S" -o "$work/marks.o" || bad "assembler"
	readelf -n "$work/marks.o" | grep -q 'Arguments: 8@%rdi -4@%esi' || bad "operands in assembler: $(readelf -nW "$work/marks.o")"
fi
exit $((failures > 0))
