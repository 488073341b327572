#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variables of C++ by their scopes, overloads by their arguments, and the parameters that compilers hide.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
source=$top/testsuite/unit/data/members.cc
ran=0

compiled() {
	"$build/spile" -p2 -e "probe process(\"$work/prog\").function(\"main\") { println($1) }" 2>&1
}

# NAME is SYMBOL: the variable is where nm has the object.
is() {
	at=$(nm -C "$work/prog" | sed -n "s/^0*\([0-9a-f]*\) [A-Za-z] $2\$/\1/p" | head -1)
	[ -n "$at" ] && compiled "&@var(\"$1\")" | grep -q "const($((0x${at:-0})))" || bad "$1 is not $2 at 0x$at: $(compiled "&@var(\"$1\")")"
}

constant() {
	case $(compiled "@var(\"$1\")") in
	*"= [$2]"*) ;;
	*) bad "$1 is not the constant $2: $(compiled "@var(\"$1\")")" ;;
	esac
}

hints() {
	case $(compiled "@var(\"$1\")") in
	*"no-variable"*"hint: $2"*) ;;
	*) bad "$1 does not say $2: $(compiled "@var(\"$1\")")" ;;
	esac
}

listed() {
	LC_ALL=C "$build/spile" -L "process(\"$work/prog\").function(\"$1\")" 2>&1
}

# ARGUMENTS mean LINE: of the overloads of space::area it is the one whose source has the line.
means() {
	line=$(grep -n "KEEP int area($2)" "$source" | sed 's/:.*//')
	case $(listed "space::area($1)") in
	*"
"*) bad "($1) means several: $(listed "space::area($1)")" ;;
	*"members.cc:$line\")"*) ;;
	*) bad "($1) is not area($2) in line $line: $(listed "space::area($1)")" ;;
	esac
}

hidden() {
	case $(listed "$1") in
	*__in_chrg* | *vtt*) bad "$1 has hidden parameters: $(listed "$1")" ;;
	*")"\ \$this:class\ *"*$2" | *")"\ \$this:class\ *"* const$2") ;;
	*) bad "$1 does not have \$this$2: $(listed "$1")" ;;
	esac
}

variables() {
	is level level
	is ::level level
	is space::level space::level
	is space::counter::made space::counter::made
	is counter::made space::counter::made
	is made space::counter::made
	is "space::box<int>::count" "space::box<int>::count"
	is "box<char>::count" "space::box<char>::count"
	is space::hidden "space::(anonymous namespace)::hidden"
	is "(anonymous namespace)::hidden" "space::(anonymous namespace)::hidden"
	is ::calls::calls "calls(int)::calls"
	is space::calls::calls "space::calls(int)::calls"
	is counter::step::calls "space::counter::step(int)::calls"
	constant space::most 200
	constant space::counter::limit 300
	constant counter::small 200
	hints space::made "there is space::counter::made"
	hints space::counter::maid 'did you mean "made"'
	case $(compiled '10 * @defined(@var("space::level")) + @defined(@var("counter::level"))') in
	*"= [10]"*) ;;
	*) bad "@defined does not tell scopes apart" ;;
	esac
}

overloads() {
	means int "int a"
	means "unsigned, long" "unsigned int a, long b"
	means "unsigned int,long int" "unsigned int a, long b"
	means "const char *" "const char \*text"
	means "char const*" "const char \*text"
	means "const space::pair&" "const pair &p"
	means "struct pair const &" "const pair &p"
	means "pair *" "pair \*p"
	means void ""
	means "" ""
	case $(listed "space::area(double)") in
	*"has the arguments (double)"*"there is "*"area(int)"*"area(space::pair const&)"*) ;;
	*) bad "area(double): $(listed "space::area(double)")" ;;
	esac
	[ "$(listed 'space::area(*)' | wc -l)" = 4 ] || bad "(*) means $(listed 'space::area(*)')"
	hidden flat::flat ' $n:int $w:int'
	hidden "flat::~flat" ''
	hidden "solid::solid(int, int)" ' $w:int $h:int'
}

for how in "g++ -g -O0" "g++ -g -O2" "g++ -g -O2 -fno-inline -gdwarf-4" "clang++ -g -O1"; do
	command -v "${how%% *}" >/dev/null || continue
	$how -o "$work/prog" "$source" || exit 99
	ran=$((ran + 1))
	variables
	overloads
done
[ "$ran" -gt 0 ] || exit 77
exit $((failures > 0))
