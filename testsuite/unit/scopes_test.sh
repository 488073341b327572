#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of C++ by their scopes: patterns, overloads, templates, operators; what is listed can be used as input.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
source=$top/testsuite/unit/data/scopes.cc
ran=0

# The functions that a pattern means, in one line, without their places.
names() {
	LC_ALL=C "$build/spile" -l "process(\"$work/prog\").function(\"$1\")" 2>&1 |
		sed -n -e 's/^process("[^"]*").function("\([^"@]*\)[^"]*")$/\1/p' -e 's/.*\(error: .*\)/\1/p' -e 's/.*\(hint: .*\)/\1/p' | tr '\n' ';'
}

# PATTERN means EXPECTED, "a;b;".
means() {
	got=$(names "$1")
	[ "$got" = "$2" ] || bad "\"$1\" means $got instead of $2"
}

says() {
	case $(names "$1") in
	*"$2"*) ;;
	*) bad "\"$1\" does not say $2: $(names "$1")" ;;
	esac
}

typed_back() {
	LC_ALL=C "$build/spile" -l "process(\"$work/prog\").function(\"*\")" | grep -v '"_' >"$work/all"
	[ "$(wc -l <"$work/all")" -ge 20 ] || bad "only these are listed: $(cat "$work/all")"
	while read -r point; do
		LC_ALL=C "$build/spile" -l "$point" >"$work/one" 2>&1
		[ "$(sed 's/@[^"]*//' "$work/one" | sort -u)" = "$(echo "$point" | sed 's/@[^"]*//')" ] || [ "$point" = "process(\"$work/prog\").function(\"twice\")" ] ||
			bad "$point is listed as $(cat "$work/one")"
		while read -r exact; do
			case $how$exact in *without*'"twice")') continue ;; esac
			[ "$(LC_ALL=C "$build/spile" -l "$exact" 2>&1)" = "$exact" ] || bad "$exact cannot be typed back"
		done <"$work/one"
	done <"$work/all"
}

with_debug_information() {
	c=space::counter
	means plain "plain;"
	means "$c::add" "$c::add;$c::add;"
	means counter::add "other::counter::add;$c::add;$c::add;"
	means add "other::counter::add;$c::add;$c::add;"
	means "space::*" "space::larger<int>;space::larger<$long>;space::twice;"
	means "*::v1::*" "space::v1::versioned;"
	means "counter::m*" "$c::made;"
	means "$c::part::size" "$c::part::size;"
	means "[so]*::counter::add" "other::counter::add;$c::add(char const*);$c::add(int);"
	means "$c::add(int)" "$c::add(int);"
	means box::get "space::box<$text>::get;space::box<int>::get;"
	means "box<int>::get" "space::box<int>::get;"
	means larger "space::larger<int>;space::larger<$long>;"
	means "space::larger<int>" "space::larger<int>;"
	means "larger<*>" "space::larger<int>;space::larger<$long>;"
	means twice "space::twice;twice;"
	means ::twice "twice;"
	means "(anonymous namespace)::hidden" "space::(anonymous namespace)::hidden;"
	means "$c::operator*" "$c::operator*;"
	means "$c::operator[]" "$c::operator[];"
	means "$c::operator<" "$c::operator<;"
	means "$c::operator int" "$c::operator int;"
	means "_ZN5space5twiceEi" "space::twice;"
	means "space::twice@scopes.cc:$(line 'int twice' 2)" "space::twice;"
	means "twice@scopes.cc:$(line 'int twice' 1)" "twice;"
	means "$c::add@$source" "$c::add;$c::add;"
	says "space::twice@scopes.cc:1" "hint: there is space::twice@"
	says "twice@other.cc" "is declared there"
	says "twice@scopes.cc:+3" "after the file only the line"
	says "space::countr::add" 'did you mean "space::counter::add"'
	says "quite::elsewhere::made" "hint: there is $c::made"
	says "box<char>::get" "hint: there is space::box<$text>::get, space::box<int>::get"
	means "pointed::at(*)" "$(LC_ALL=C sort <<-X | tr '\n' ';'
		pointed::at(int (&)[4])
		pointed::at(int (*(*)(int))(char))
		pointed::at(int (*)())
		pointed::at(int (*)(char const*, int))
		pointed::at(int const (*)[2][3])
		pointed::at(int (pointed::pair::*)(int) const)
		pointed::at(int pointed::pair::*)
		pointed::at(void (* const*)(int (*)(char)))
	X
	)"
	means "pointed::at(int(*)(void))" "pointed::at(int (*)());"
	means "at(int (*)(const char *, int))" "pointed::at(int (*)(char const*, int));"
	means "at(const int (*)[2][3])" "pointed::at(int const (*)[2][3]);"
	means "at(int(&)[4])" "pointed::at(int (&)[4]);"
	means "at(void (*const *)(int (*)(char)))" "pointed::at(void (* const*)(int (*)(char)));"
	means "at(int(*(*)(int))(char))" "pointed::at(int (*(*)(int))(char));"
	means "at(int (pointed::pair::*)(int)const)" "pointed::at(int (pointed::pair::*)(int) const);"
	means "at(int pointed::pair::*)" "pointed::at(int pointed::pair::*);"
	says "at(int (*)(int))" "has the arguments (int (*)(int))"
	says "twice(int" "whose parentheses do not pair"
	says "twice(int" 'hint: for an overload with these arguments: function("twice(int)")'
	says "twice(int))" "whose parentheses do not pair"
	says "space::nothing::*" 'matches "space::nothing::*"'
	typed_back
	"$build/spile" -p2 -e "probe process(\"$work/prog\").function(\"$c::made\") { println(\$q) }
		probe process(\"$work/prog\").function(\"counter::within\").return { println(\$return, @entry(\$a), \$this->n) }" >"$work/out" 2>&1 ||
		bad "values are not known: $(cat "$work/out")"
}

# line TEXT N: where the Nth line that has the text is
line() {
	grep -n "$1" "$source" | sed -n "$2s/:.*//p"
}

for how in "g++ -g -O0" "g++ -g -O2" "g++ -g -O1 -fdebug-types-section" "clang++ -g -O2"; do
	command -v "${how%% *}" >/dev/null || continue
	$how -o "$work/prog" "$source" || exit 99
	case $how in
	g*) long="long int" text="char*" ;;
	*) long="long" text="char *" ;;
	esac
	ran=$((ran + 1))
	with_debug_information
done
how="${how%% *} without debug information"
if clang++ -O0 -o "$work/prog" "$source" 2>/dev/null || g++ -O0 -o "$work/prog" "$source"; then
	c=space::counter
	means "_Z*5space7counter3add*" "$c::add(char const*);$c::add(int);"
	means "$c::add" "$c::add;"
	means "counter::add(int)" "other::counter::add(int);$c::add(int);"
	means twice "space::twice;twice;"
	means "space::twice(int)" "space::twice(int);"
	means "[so]*::counter::add" "other::counter::add;$c::add(char const*);$c::add(int);"
	means larger "space::larger<int>;space::larger<long>;"
	means box::get "space::box<char*>::get;space::box<int>::get;"
	means "(anonymous namespace)::hidden" "space::(anonymous namespace)::hidden;"
	means "$c::operator*" "$c::operator*;"
	means "$c::operator int" "$c::operator int;"
	means "$c::~counter" "$c::~counter;"
	means "at(int(*)(void))" "pointed::at(int (*)());"
	says "space::twice(char)" "has the arguments (char)"
	says "space::countr::add" 'did you mean "space::counter::add"'
	"$build/spile" -p3 -e "probe process(\"$work/prog\").function(\"main\") { print_ubacktrace() }" >"$work/out" 2>&1
	grep -qF '\163\160\141\143\145\72\72\164\167\151\143\145\0' "$work/out" || bad "stacks have no function space::twice"
	typed_back # but for "twice", which means both: only "::twice" is the one
elif [ "$ran" -gt 0 ]; then
	bad "$source does not compile"
fi
[ "$ran" -gt 0 ] || [ "$failures" -gt 0 ] || exit 77
exit $((failures > 0))
