#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of which less is known or allowed: split debug information (-gsplit-dwarf) whose .dwo files are missing, and Go, whose returns are left alone.

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

# What makes a Go program known as one, in the sections that its linker writes.
printf '\377 Go buildinf:' >mark
for section in .go.buildinfo .gopclntab; do
	gcc -g -O1 -o plain main.c split.c && objcopy --add-section $section=mark plain go || exit 99
	accepted plain 'function("twice").return' '$return'
	says go 'function("twice").return' '$return' "the return of twice cannot be probed: it is part of a Go program"
	says go 'function("twice").return' '$return' 'hint: probe its entry: function("twice")'
	says go 'function("t*").return' 1 'it is part of a Go program'
	accepted go 'function("twice")' '$n'
done
exit $((failures > 0))
