#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The file with options: where it is, how its lines are read, and what a mistake in it looks like.

build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
unset SPILE_RC SYSTEMTAP_DIR XDG_CONFIG_HOME
export HOME="$work"

# NAME WANT OPTIONS...: what the script prints after pass 1, or a part of the message
check() {
	name=$1 want=$2
	shift 2
	got=$("$build/spile" "$@" -p1 -e 'probe begin { println(%( guru_mode == 1 %? "guru" %: "plain" %), @1) }' one 2>&1)
	case $got in
	*"$want"*) ;;
	*) echo "# FAIL: $name: no '$want' in: $got"; failures=$((failures + 1)) ;;
	esac
}

check "without a file" plain
mkdir -p "$work/.config/spile" "$work/other/spile" "$work/stap"
printf '# a comment\n\n  -w -g\n' >"$work/.config/spile/rc"
check "in the home" guru
printf '%s\n' "-E 'probe end { println(\"a b\", 1) }'" '-I "$HOME"' >"$work/other/spile/rc"
XDG_CONFIG_HOME=$work/other check "quotes and variables" 'println("a b", 1)'
XDG_CONFIG_HOME=$work/other check "instead of the home's" plain
printf -- '-g\n' >"$work/stap/rc"
XDG_CONFIG_HOME=$work/other SYSTEMTAP_DIR=$work/stap check "as SystemTap has it" guru
SPILE_RC='' check "an empty name is none" plain
printf -- '-D MAXACTION=5\n' >"$work/limits"
SPILE_RC=$work/limits check "both count, and that is no mistake" plain -W -D MAXACTION=6
for option in --color=always --color --colour; do
	case $("$build/spile" $option -p1 -e 'probe begin {{' 2>&1) in
	*"$(printf '\033[1')"*) ;;
	*) echo "# FAIL: $option: no colours"; failures=$((failures + 1)) ;;
	esac
done
printf -- '-w\n-Y\n' >"$work/bad"
SPILE_RC=$work/bad check "an option that there is none of" "$work/bad, line 2, has an option that is not taken"
printf 'script.stp\n' >"$work/word"
SPILE_RC=$work/word check "a script is no option" '"script.stp" is no option'
printf -- '-e "not closed\n' >"$work/quote"
SPILE_RC=$work/quote check "a quote is missing" "line 1: a quote or a brace is not closed"
printf -- '-I $(touch %s/done)\n' "$work" >"$work/command"
SPILE_RC=$work/command check "no commands are run" "line 1: no command is run for an option"
echo '-I $no_such_variable' >"$work/variable"
SPILE_RC=$work/variable check "a variable that is not set" "line 1: a variable is not set"
echo '-I a|b' >"$work/pipe"
SPILE_RC=$work/pipe check "a pipe" "line 1: one of | & ; < > ( ) { } is outside of quotes"
SPILE_RC=$work/none check "a file that is named, but is not there" "error: cannot read the file with options $work/none: No such file or directory [io]"
SPILE_RC=$work check "a folder" "error: cannot read the file with options $work: Is a directory [io]"
mkdir -p "$work/folder/rc"
SYSTEMTAP_DIR=$work/folder check "a folder in the usual place" "folder/rc: Is a directory [io]"
SYSTEMTAP_DIR=$work/none check "no file in the usual place" plain
chmod 0 "$work/word"
[ -r "$work/word" ] || SPILE_RC=$work/word check "a file that may not be read" "$work/word: Permission denied [io]"
[ ! -e "$work/done" ] || { echo "# FAIL: a command was run"; failures=$((failures + 1)); }
exit $((failures > 0))
