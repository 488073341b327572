#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of which less is known or allowed: split debug information (-gsplit-dwarf) whose .dwo files are missing, a segment that is
# shorter than in the debug information, and Go, whose return addresses are left alone.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
cd "$work" || exit 99

# says PROGRAM POINT EXPRESSION TEXT: the probe is refused, with the text.
says() {
	if LC_ALL=C "$build/spile" -p2 -e "probe process(\"./$1\").$2 { println($3) }" >out 2>&1; then
		bad "$1: $2 with $3 is accepted"
	fi
	grep -qF -- "$4" out || bad "$1: $2 with $3 does not say $4: $(cat out)"
}

accepted() {
	LC_ALL=C "$build/spile" -p2 -e "probe process(\"./$1\").$2 { println($3) }" >out 2>&1 || bad "$1: $2 with $3: $(cat out)"
}

cat >split.c <<'END'
struct pair { int a, b; };
int counter;
__attribute__((noinline)) int sum(struct pair *p) { return counter += p->a + p->b; }
END
cat >main.c <<'END'
struct pair { int a, b; };
int sum(struct pair *p);
int calls;
__attribute__((noinline)) int twice(int n) { calls++; return 2 * n; }
int main(int argc, char **argv) { struct pair x = {argc, 2}; (void)argv; return twice(sum(&x)) != 6; }
END

in_dwo="hint: debug information of it is in .dwo files"
for version in 4 5; do
	for o in O0 O2; do
		gcc -gdwarf-$version -gsplit-dwarf -$o -c split.c && gcc -gdwarf-$version -$o -c main.c && gcc -o mixed main.o split.o &&
			gcc -gdwarf-$version -gsplit-dwarf -$o -o split main.c split.c || exit 99
		rm -f ./*.dwo
		for e in '$p->a' '@var("counter")' '$$parms' '@cast(0, "struct pair", "./split")->a'; do
			says split 'function("sum")' "$e" "\"$work/split\" has no debug information"
			says split 'function("sum")' "$e" "$in_dwo"
		done
		says split 'statement("sum@split.c:3")' 1 "$in_dwo"
		accepted split 'function("sum")' 'ppfunc()'
		says mixed 'function("sum")' '$p->a' "there is no debug information of function \"sum\""
		says mixed 'function("sum")' '$p->a' "$in_dwo"
		says mixed 'function("sum")' '@var("counter")' "$in_dwo"
		says mixed 'function("main")' '@var("no_such_counter")' 'there is no variable "no_such_counter"'
		! grep -qF "$in_dwo" out || bad "mixed: speaks of .dwo files for a name that no symbol has: $(cat out)"
		accepted mixed 'function("twice")' '$n, @var("calls")'
		gcc -gdwarf-$version -$o -o whole main.c split.c || exit 99
		accepted whole 'function("sum")' '$p->a, @var("counter"), $$parms'
		accepted whole 'statement("sum@split.c:3")' 1
		says whole 'function("sum")' '@var("countr")' 'did you mean "counter"'
		! grep -qF "$in_dwo" out || bad "whole: speaks of .dwo files: $(cat out)"
	done
done

# Without a name of any function.
strip -o bare whole || exit 99
says bare 'function("*")' 1 "error: \"$work/bare\" has neither function symbols nor debug information [no-match]"

# A library that lost the last section of its first segment, as the vDSO did: its separate debug information is of the same addresses.
cat >cut.c <<'END'
__attribute__((noinline)) int add(int amount) { __asm__ volatile(""); return amount + 1; }
__attribute__((weak, alias("add"))) int plus(int amount);
__asm__(".pushsection extra, \"a\"\n.quad 1\n.popsection");
END
cat >cut.lds <<'END'
SECTIONS
{
	. = SIZEOF_HEADERS;
	.hash : { *(.hash) } :text
	.gnu.hash : { *(.gnu.hash) }
	.dynsym : { *(.dynsym) }
	.dynstr : { *(.dynstr) }
	.dynamic : { *(.dynamic) } :text :dynamic
	.note : { *(.note.*) } :text :note
	.eh_frame_hdr : { *(.eh_frame_hdr) } :text
	.eh_frame : { *(.eh_frame) }
	.text : { *(.text*) }
	extra : { *(extra) }
	/DISCARD/ : { *(.data*) *(.bss*) *(.got*) }
}
PHDRS { text PT_LOAD FLAGS(5) FILEHDR PHDRS; dynamic PT_DYNAMIC FLAGS(4); note PT_NOTE FLAGS(4); }
END
mkdir -p debug/.build-id/01
gcc -g -O1 -fPIC -shared -nostdlib -Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567 -Wl,-T,cut.lds -o uncut.so cut.c && objcopy -S --remove-section extra uncut.so cut.so &&
	objcopy --only-keep-debug uncut.so debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug || exit 99
for name in add plus '*'; do
	SPILE_DEBUGINFO_PATH=$work/debug "$build/spile" -L "process(\"./cut.so\").function(\"$name\")" >out 2>&1
	[ "$(sed 's/@[^"]*//' out)" = "process(\"$work/cut.so\").function(\"add\") \$amount:int" ] || bad "cut.so: $name is $(cat out)"
done
SPILE_DEBUGINFO_PATH=$work/debug "$build/spile" -p2 -e 'probe process("./cut.so").function("plus") { println($amount) }' >out 2>&1 || bad "cut.so: $(cat out)"

# Floating point members: how their bits are read.
cat >floats.c <<'END'
struct s { double d; float f; int n; struct s *next; } first;
float many[4];
__attribute__((noinline)) int take(struct s *p) { __asm__ volatile("" ::: "memory"); return p->n; }
int main(void) { return take(&first) + (int)many[1]; }
END
gcc -g -O1 -o floats floats.c || exit 99
bits="hint: its bits can, for fp_to_string() and the like:"
says floats 'function("take")' '$p->next->d' "$bits @cast(&\$p->next->d, \"unsigned long\")[0]"
says floats 'function("take")' '$p->f' "$bits fp32_to_fp64(@cast(&\$p->f, \"unsigned int\")[0])"
says floats 'function("take")' '@var("many")[1]' "$bits fp32_to_fp64(@cast(&@var(\"many\")[1], \"unsigned int\")[0])"
says floats 'function("take")' '@var("many")[$p->n]' "$bits fp32_to_fp64(@cast(&..., \"unsigned int\")[0]), with what is to be read for the dots"
accepted floats 'function("take")' '@cast(&$p->next->d, "unsigned long")[0], fp32_to_fp64(@cast(&@var("many")[1], "unsigned int")[0])'

# What makes a Go program known as one, in the sections that its linker writes: its returns are probed at the instructions that return.
printf '\377 Go buildinf:' >mark
cat >ways.c <<'END'
int counter;
__attribute__((noinline)) int twice(int n) { counter++; return 2 * n; }
__attribute__((noinline)) int in_its_place(int n) { counter++; return twice(n + 1); }
__attribute__((noinline)) int ways(int n) { if (n > 3) { counter++; return n * n; } twice(n); return n - 7; }
__attribute__((noinline)) void never(void) { for (;;) counter++; }
int main(int argc, char **argv) { (void)argv; if (argc > 5) never(); return twice(in_its_place(ways(argc))) != 6; }
END
for section in .go.buildinfo .gopclntab; do
	gcc -g -O2 -fcf-protection=none -o plain ways.c && objcopy --add-section $section=mark plain go || exit 99
	accepted plain 'function("twice").return' '$return, @entry($n)'
	accepted go 'function("twice").return' '$return'
	accepted go 'function("twice")' '$n'
	says go 'function("twice").return' '$n' 'is not known any more where one of this program returns'
	says go 'function("twice").return' '@entry($n)' 'hint: where one of this program returns, what it was called with is not known'
	says go 'function("in_its_place").return' '$return' 'the return of in_its_place cannot be probed: it jumps to another function, which returns in its place'
	says go 'function("in_its_place").return' '$return' 'hint: probe its entry: function("in_its_place")'
	says go 'function("never").return' 1 'it has no instruction that returns'
	# as many places as the function has instructions that return
	LC_ALL=C "$build/spile" -v -p2 -e 'probe process("./go").function("ways").return { println($return) }' >out 2>&1 || bad "ways: $(cat out)"
	want=$(objdump -d --disassemble=ways go | grep -cw ret)
	n=$(grep -c '^probe process.*function("ways@.*return' out)
	{ [ "$want" -gt 0 ] && [ "$n" = "$want" ]; } || bad "ways: $n places for $want instructions: $(cat out)"
done

# Runtimes that look up return addresses, by one name of each: what uses V8 is called by code that it generates.
for name in _ZN2v88internal4StepEv camlMain__frametable coreclr_initialize RhpNewFast mono_jit_init JNI_CreateJavaVM graal_create_isolate __svm_code \
	stg_upd_frame_info jl_gc_collect ijl_gc_collect jl_sysimg_gvars jl_image_pointers call_into_lisp; do
	objcopy --add-symbol $name=.text:0,function,global plain own || exit 99
	accepted own 'function("twice").return' '$return'
	says own 'function("twice").return' '$n' 'is not known any more where one of this program returns'
	says own 'function("twice").return' '@entry($n)' 'hint: where one of this program returns, what it was called with is not known: keep it at the entry in an array, whose key is tid()'
	says own 'function("in_its_place").return' '$return' 'the return of in_its_place cannot be probed: it jumps to another function, which returns in its place'
done
cat >uses.c <<'END'
extern int uses(void) __asm__("_ZN2v84UsesEv");
__attribute__((noinline)) int twice(int n) { return 2 * n + uses(); }
END
gcc -g -O2 -fpic -shared -o uses.so uses.c || exit 99
says uses.so 'function("twice").return' '$n' 'is not known any more where one of this program returns'
gcc -O2 -fpic -shared -Dtwice=Builtins_Twice -o generated.so uses.c || exit 99
says generated.so 'function("Builtins_Twice").return' '$return' 'the return of Builtins_Twice cannot be probed: it is code that V8 generates, with tables in it'

# With Go itself, if it is there: names and types of parameters and results.
if command -v go >/dev/null; then
	cat >values.go <<'END'
package main

type pair struct{ a, b int32 }

//go:noinline
func text(s string, n int8, p pair) (q pair, err error) { return p, nil }

//go:noinline
func sum(b []byte, f float64) (int, string) { return len(b), "x" }

//go:noinline
func generic[T int | int32](a T, unused string, n int) T { return a + T(n) }

type large struct { b []byte; last string }
//go:noinline
func behind(a []byte, b []int) int { return cap(a) + cap(b) }

type inner struct { n int; s string }

//go:noinline
func (l large) length(n int) int { return len(l.last) + cap(l.b) + n }

//go:noinline
func within(i inner) int { return i.n + len(i.s) }

func main() { println(large{nil, "a"}.length(2), within(inner{1, "b"})); text("a", 1, pair{}); sum(nil, 1); println(generic(1, "", 2), generic[int32](3, "", 4), behind(nil, nil)) }
END
	HOME=$work GOCACHE=$work/cache GO111MODULE=off go build -o values values.go || exit 99
	accepted values 'function("main.text")' '$s->len, user_string_n($s->str, $s->len), $n, $p->b'
	accepted values 'function("main.text").return' '$return->a, $q->b, $err->tab'
	accepted values 'function("main.sum").return' '$return, $r1->len'
	accepted values 'function("main.sum")' '$b->array, $b->len, $b->cap, $$parms'
	says values 'function("main.text")' '$err->tab' '$err is a result, which has a value in .return probes only'
	says values 'function("main.sum")' '$f' 'is passed in vector registers'
	says values 'function("main.large.length")' '$l->last' 'member "last" of a struct in a register cannot be reached'
	accepted values 'function("main.large.length")' '$l->b->cap, $l->b->array, $n'
	accepted values 'function("main.within")' '$i->n, $i->s->len, user_string_n($i->s->str, $i->s->len)'
	# generic functions have a dictionary in the first register, which debug information does not have unless it is used
	LC_ALL=C "$build/spile" -p2 -e 'probe process("./values").function("main.generic*") { println($a, $n) }' >out 2>&1 || bad "generic: $(cat out)"
	case $(grep -o 'reg([0-9]*)' out | tr '\n' ' ') in "reg(3) reg(4) "*) ;; *) bad "generic: $(cat out)" ;; esac
	says values 'function("main.generic*")' '$unused->len' 'it is not certain where "unused" is in a generic function'
	# names without the package, or as other languages write them
	says values 'function("main")' 1 'did you mean "main.main" or "runtime.main"?'
	says values 'function("main")' 1 'hint: functions of Go are named with their packages'
	says values 'function("length")' 1 'did you mean "main.large.length"?'
	says values 'function("(*large).length")' 1 'did you mean "main.large.length"?'
	says values 'function("main::text")' 1 'did you mean "main.text"?'
	says values 'function("Within")' 1 'did you mean "main.within"?'
	strip -o stripped values || exit 99
	accepted stripped 'function("main.*")' 'ppfunc(), long_arg(1)'
	accepted stripped 'function("main.text").return' 'ppfunc(), returnval(), is_return()'
	accepted stripped 'function("runtime.mallocgc")' 'usymfileline(uaddr())'
	says stripped 'function("main.text")' '$s' 'hint: of a stripped program of Go only the names and lines of functions are known'
	says stripped 'function("text")' 1 'did you mean "main.text"'
	says stripped 'function("main.txt")' 1 'did you mean "main.text"?'
	for e in long_arg pointer_arg; do
		LC_ALL=C "$build/spile" -p3 -e "probe process(\"./stripped\").function(\"main.text\") { println($e(1)) }" 2>&1 | grep -q RT_PROBE_GO || bad "stripped: $e() is C's"
	done
	LC_ALL=C "$build/spile" -p3 -e 'probe process("./plain").function("twice") { println(long_arg(1)) }' 2>&1 | grep -q RT_PROBE_GO && bad "plain: long_arg() is Go's"
	# where values of three words are, one after the other: each of its own words alone
	for c in '$b->cap 8' '$b->len 4' '$a->cap 2'; do
		LC_ALL=C "$build/spile" -p2 -e "probe process(\"./values\").function(\"main.behind\") { println(${c% *}) }" >out 2>&1 || bad "behind: $(cat out)"
		case $(grep -o 'reg([0-9]*)' out | tr '\n' ' ') in "reg(${c#* }) ") ;; *) bad "behind: ${c% *}: $(cat out)" ;; esac
	done
	# functions of C in a program of Go are passed arguments as those of C, with debug information and without
	cat >cgo.go <<'END'
package main

// __attribute__((noinline)) int of_c(int n) { __asm__ volatile(""); return 2 * n; }
import "C"

//go:noinline
func of_go(a int) int { return a + 1 }

func main() { println(C.of_c(3), of_go(1)) }
END
	HOME=$work GOCACHE=$work/cache GO111MODULE=off CGO_ENABLED=1 go build -o cgo cgo.go && strip -g -o symbols cgo || exit 99
	for program in cgo symbols; do
		LC_ALL=C "$build/spile" -p3 -e "probe process(\"./$program\").function(\"main.of_go\") { println(long_arg(1)) }" >out 2>&1 || bad "$program: $(cat out)"
		grep -q RT_PROBE_GO out || bad "$program: long_arg() of a function of Go is C's"
		LC_ALL=C "$build/spile" -p3 -e "probe process(\"./$program\").function(\"of_c\") { println(long_arg(1)) }" >out 2>&1 || bad "$program: $(cat out)"
		! grep -q RT_PROBE_GO out || bad "$program: long_arg() of a function of C is Go's"
	done
	LC_ALL=C "$build/spile" -L 'process("./values").function("main.text").return' >out 2>&1
	grep -qF '$return:main.pair $q:main.pair $err:error' out || bad "results are listed as $(cat out)"
fi
exit $((failures > 0))
