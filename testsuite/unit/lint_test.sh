#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each rule of testsuite/lint finds its offender in a made-up tree, and a tree without offenders passes.

lint=${abs_top_srcdir:-$(dirname "$0")/../..}/testsuite/lint
tree=$(mktemp -d) || exit 99
failed=$(mktemp) || exit 99 # has a line for each failure: most tests are the last part of a pipe, in a process of its own
trap 'rm -rf "$tree" "$failed"' EXIT
spdx='// SPDX-License-Identifier: GPL-2.0-or-later'

# put FILE: stdin below an SPDX line.
put() {
	mkdir -p "$tree/$(dirname "$1")"
	{ echo "$spdx"; cat; } >"$tree/$1"
}

fresh() {
	rm -rf "$tree"
	mkdir -p "$tree/translator/probes" "$tree/runtime/kernel/probes"
	put translator/probes/probes.def <<-'X'
		FAMILY(probe_timer)
	X
	put translator/probes/mechanisms.def <<-'X'
		MECHANISM(mechanism_kprobe)
	X
	put base/ok.c <<-'X'
		#include "base/ok.h"
		#include <stdio.h>
	X
	put testsuite/data.txt </dev/null
}

# expect STATUS PATTERN [NAME]: what lint says about the tree.
expect() {
	out=$("$lint" "$tree" 2>&1)
	status=$?
	if [ $status -eq "$1" ] && printf '%s\n' "$out" | grep -q -- "$2"; then
		return
	fi
	echo "# want status $1 and a line with: $2"
	echo "# got status $status:"
	printf '%s\n' "$out" | sed 's/^/#   /'
	echo "$2" >>"$failed"
}

# offence FILE PATTERN: the tree with the file of stdin is refused for a reason.
offence() {
	fresh
	put "$1"
	expect 1 "$2"
}

harmless() {
	fresh
	put "$1"
	expect 0 '^$'
}

fresh
expect 0 '^$'
fresh; echo 'int x;' >"$tree/base/bare.c"
expect 1 'base/bare.c:1: no SPDX'
fresh; mkdir -p "$tree/bench"; printf '#!/bin/sh\n' >"$tree/bench/run"
expect 1 'bench/run:1: no SPDX'

for word in XX''X TO''DO FIX''ME; do
	echo "/* $word: later */" | offence base/a.c 'base/a.c:2: unfinished work'
	echo "int x; /* A${word}B ${word}S */" | harmless base/a.c
done

echo '#include "parser/ast.h"' | offence base/a.c 'base/a.c:2: may not include "parser/ast.h"'
echo '#include "translator/x.h"' | offence parser/a.h 'may not include'
echo '#  include "parser/ast.h"' | offence translator/debuginfo/a.c 'may not include'
echo '#include "runtime/rt/rt.h"' | offence translator/a.c 'may not include'
echo '#include "base/arena.h"' | offence runtime/rt/a.c 'may not include'
echo '#include <linux/types.h>' | offence runtime/rt/a.h 'includes nothing from outside'
echo '#include "base/arena.h"' | offence runtime/kernel/a.c 'may not include'
echo '#include "kernel/hit.h"' | offence runtime/modules/a.c 'may not include'
echo '#include MODULES_ARCH' | offence runtime/kernel/a.c 'an include by a macro hides'
echo '#include WHATEVER' | offence runtime/modules/a.c 'an include by a macro hides'
echo '#include "translator/x.h"' | offence loader/a.c 'may not include'
echo '#include "parser/ast.h"' | offence vm/a.c 'may not include'
echo '#include <elfutils/libdwfl.h>' | offence translator/build/a.c 'libdw stays'
echo '#include "translator/probes/timer.h"' | offence translator/probes/other.c 'only the family timer itself'
echo '#include "kernel/probes/kprobe.h"' | offence runtime/kernel/session.c 'only the family kprobe itself'
echo '#include "runtime/rt/script.h"' | offence translator/debuginfo/a.c 'may not include'
echo '#include "runtime/rt/thread_layout.h"' | harmless translator/debuginfo/a.c
echo '#include "runtime/wire.h"' | harmless loader/a.c
echo '#include "rt/rt.h"' | harmless runtime/rt/a.c
echo '#include "kernel/arch/arch.h"' | harmless runtime/modules/a.c
echo '#include MODULES_ARCH' | harmless runtime/modules/a.c
echo '#include "kernel/probes/kprobe.h"' | harmless runtime/kernel/probes/kprobe.c
echo '#include "runtime/sites/timer.h"' | harmless translator/probes/timer.c

echo '#if LINUX_VERSION_CODE < 1' | offence runtime/kernel/a.c 'a test of the kernel version'
echo '#if X >= KERNEL_VERSION(6, 1, 0)' | offence runtime/kernel/a.h 'a test of the kernel version'
echo '#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)' | harmless runtime/kernel/compat/semantics.h

# storeys FILE STATUS PATTERN: what lint says about a tree with three floors in runtime/kernel, and the file of stdin.
storeys() {
	fresh
	for file in low middle beside high compat/old probes/kprobe; do
		put "runtime/kernel/$file.h" </dev/null
	done
	put runtime/kernel/FLOORS <<-'X'
		ground: compat/* low
		first:  beside middle probes/kprobe
		second: high
	X
	put "$1"
	expect "$2" "$3"
}
echo '#include "kernel/low.h"' | storeys runtime/kernel/middle.c 0 '^$'
echo '#include "kernel/middle.h"' | storeys runtime/kernel/middle.c 0 '^$'
echo '#include "kernel/low.h"' | storeys runtime/kernel/high.h 0 '^$'
echo '#include "kernel/compat/old.h"' | storeys runtime/kernel/probes/kprobe.c 0 '^$'
echo '#include "kernel/high.h"' | storeys runtime/kernel/middle.c 1 'the floor "first" may not include "kernel/high.h"'
echo '#include "kernel/high.h"' | storeys runtime/kernel/low.h 1 'the floor "ground" may not include "kernel/high.h"'
echo '#include "kernel/beside.h"' | storeys runtime/kernel/middle.h 1 'the floor "first" may not include "kernel/beside.h"'
echo '#include "kernel/low.h"' | storeys runtime/kernel/compat/old.h 1 'the floor "ground" may not include "kernel/low.h"'
echo '#include "kernel/none.h"' | storeys runtime/kernel/high.c 1 'may not include "kernel/none.h"'
: | storeys runtime/kernel/new.c 1 'runtime/kernel/new.c:1: on no floor'
rm "$tree/runtime/kernel/new.c" "$tree/runtime/kernel/beside.h"
expect 1 'FLOORS:1: there is no file beside'
echo 'int low_one(void);' | harmless runtime/kernel/low.h
echo 'bool *low_one;' | harmless runtime/kernel/low.c
echo 'static int other(void)' | harmless runtime/kernel/low.c
echo 'rt_s64 rt_pid(void)' | harmless runtime/kernel/low.c
echo 'unsigned long arch_one(void);' | harmless runtime/kernel/arch/low.h
echo 'unsigned long arch_one(void);' | harmless runtime/kernel/arch/x86/low.h
echo 'unsigned long low_one(void);' | offence runtime/kernel/arch/x86/low.h 'others see "low_one": its name begins with "arch_"'
echo 'int low_one(void);' | offence runtime/kernel/high.h 'others see "low_one": its name begins with "high_"'
echo 'const struct other *low_one(void)' | offence runtime/kernel/high.c 'others see "low_one"'
echo 'int low_state __read_mostly = 1;' | offence runtime/kernel/high.c 'others see "low_state"'
echo 'extern int low_state;' | offence runtime/kernel/high.c 'others see "low_state"'
echo 'void kprobe_on_hit(void);' | offence runtime/kernel/compat/old.h 'others see "kprobe_on_hit": its name begins with "compat_"'

# The files of an architecture are on the floors of the headers that say what they promise.
put_machine() {
	for file in arch/one arch/x86/one; do
		put "$1/$file.h" </dev/null
	done
	put "$1/FLOORS" <<-'X'
		ground: low
		first:  arch/one
	X
	put "$1/low.h" </dev/null
}
fresh; put_machine runtime/kernel
{ echo '#include "kernel/arch/one.h"'; echo '#include "kernel/low.h"'; } | put runtime/kernel/arch/x86/one.c
expect 0 '^$'
echo '#include "kernel/arch/x86/one.h"' | put runtime/kernel/low.c
expect 1 'the floor "ground" may not include "kernel/arch/x86/one.h"'

echo 'static DEFINE_PER_CPU(int, n);' | offence runtime/kernel/a.c 'static per-CPU data'

echo 'if (h.e_machine == EM_X86_64)' | offence translator/a.c '"EM_X86_64" belongs to an architecture'
echo '/* the first is in rdi */' | offence translator/debuginfo/a.c '"rdi" belongs to an architecture'
echo 'FETCH_OP(FETCH_RETVAL, "retval", 0, 1) /* rax */' | offence translator/a.def '"rax" belongs to an architecture'
echo 'case R_AARCH64_CALL26:' | offence translator/build/a.c 'belongs to an architecture'
echo 'return "arm64";' | offence translator/a.c '"arm64" belongs to an architecture'
echo 'return &target_arm64; /* max, precise, address */' | harmless translator/a.c
echo '.name = "arm64", .machine = EM_AARCH64,' | harmless translator/debuginfo/arch/arm64.c

echo 'to = regs->ip;' | offence runtime/kernel/a.c '"regs->ip" belongs to an architecture: ask arch/arch.h'
echo 'to = regs.sp;' | offence runtime/kernel/probes/a.c '"regs.sp" belongs to an architecture'
echo '#ifdef CONFIG_X86_64' | offence runtime/kernel/a.c '"CONFIG_X86_64" belongs to an architecture'
echo '#if defined(__x86_64__)' | offence runtime/rt/a.h '"__x86_64__" belongs to an architecture'
echo '#include "kernel/arch/x86/regs.h"' | offence runtime/kernel/a.c '"x86" belongs to an architecture'
echo '"	mov %rdi, %rax"' | offence runtime/kernel/a.c '"rdi" belongs to an architecture'
echo '	__asm__ __volatile__("nop");' | offence runtime/rt/a.h '"__asm__ __volatile__" belongs to an architecture'
echo 'asm volatile("nop");' | offence runtime/kernel/compat/a.h '"asm volatile" belongs to an architecture'
echo 'size = user_64bit_mode(regs) ? 8 : 4;' | offence runtime/kernel/a.c '"user_64bit_mode" belongs to an architecture'
echo '	__asm__("incl %0" : "+m"(*p)); /* regs->ax */' | harmless runtime/rt/arch/x86.h
echo '	c->regs = regs; /* of c->regs. */' | harmless runtime/kernel/a.c

echo 'x = n->k[0];' | offence translator/a.c 'translator/a.c:2: the children of a node have names'
echo 'for (i = 0; i < n->nk; i++)' | offence parser/a.y 'the children of a node have names'
echo 'memcpy(n->k, v, size);' | offence parser/a.c 'the children of a node have names'
echo 'x = re->k.v[0] + n->kind + p->nkeys;' | harmless translator/a.c
echo 'x = n->k[n->nk - 1];' | harmless parser/verify.c
echo 'switch ((int)n->kind) {' | offence translator/a.c 'a cast keeps the compiler'

# what may be NULL
head='static int f(struct arena *a, struct problem *why)'
printf '%s\n{\n\twhy->hint = "x";\n}\n' "$head" | offence translator/a.c 'translator/a.c:4: "why" may be NULL here'
printf '%s\n{\n\t*why = none;\n}\n' "$head" | offence translator/a.c 'translator/a.c:4: "why" may be NULL here'
printf '%s,\n\t      struct problem *why)\n{\n\tf(&why->near);\n}\n' 'int f(struct arena *a' | offence translator/a.c 'translator/a.c:5: "why" may be NULL here'
printf 'void g(struct problem why[static 1]);\n%s\n{\n\tg(why);\n}\n' "$head" |
	offence translator/a.c 'translator/a.c:5: "why" may be NULL here, and g() needs one'
printf '%s\n{\n\tif (x || !why)\n\t\treturn 0;\n\twhy->hint = "x";\n}\n' "$head" | harmless translator/a.c
printf '%s\n{\n\tif (x && why)\n\t\twhy->hint = "x";\n}\n' "$head" | harmless translator/a.c
printf 'void g(struct problem why[static 1]);\n%s\n{\n\tif (!why)\n\t\treturn;\n\tg(why);\n}\n' "$head" | harmless translator/a.c
printf 'static int f(const struct problem *why)\n{\n\treturn why->code;\n}\n' | harmless translator/a.c
printf 'static int f(struct problem why[static 1])\n{\n\treturn why->code;\n}\n' | harmless translator/a.c

# sizes
fresh; printf 'int x; \n' | put base/a.c
expect 1 'base/a.c:2: blanks at the end'
fresh; { echo 'int f(void)'; echo '{'; yes '	x();' | head -91; echo '}'; } | put base/a.c
expect 1 'base/a.c:95: 91 lines of a function, of 90 at most: int f(void)'
{ echo 'int f(void)'; echo '{'; yes '	x();' | head -90; echo '}'; } | harmless base/a.c
fresh; yes 'int x;' | head -900 | put base/a.c
expect 1 'base/a.c:1: 901 lines'
yes 'int x;' | head -899 | harmless base/a.c
{ echo '/* Made from a.def by a.awk. */'; yes 'int x;' | head -900; } | harmless base/a.h
fresh; printf '\t\t%0135d\n' 0 | tr 0 a | put base/a.c
expect 1 'base/a.c:2: 151 columns'
printf '/* %s */\n' "$(printf '%0100d' 0 | sed 's/0/\xc3\xa4/g')" | harmless base/a.c
echo 'int x = is("kprobe");' | offence translator/a.c 'translator/a.c:2: the name of family "kprobe"'
echo 'int x = is("kprobe");' | harmless translator/probes/a.c
echo 'int x = is("kprobe");' | harmless parser/habit.def

fresh; mkdir -p "$tree/examples/io"; printf 'x\nopens /home/me/spile/testsuite/lib/x.py\n' >"$tree/examples/io/x.out"
expect 1 '^examples/io/x.out:2: a path of the tree'
fresh; mkdir -p "$tree/examples/io"; printf 'opens /home/user/x.py\nf@../testsuite/workload/x.c\n/home/user/testsuite/guest-6.1\n' >"$tree/examples/io/x.out"
expect 0 '^$'

# what bison makes is not ours; its grammar is
fresh; echo '/* no rights */' >"$tree/base/g.c"; echo '%%' | put base/g.y
expect 0 '^$'

[ ! -s "$failed" ]
