#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The heads of the examples, the page that is made of them, and what --examples and --example do with them.
# UPDATE=1 writes the page anew.

top=$(cd "${abs_top_srcdir:-.}" && pwd) spile=$(cd "${abs_top_builddir:-.}" && pwd)/spile
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset SPILE_EXAMPLES
failures=0

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

cd "$top" || exit 99

# --- heads and tests ---
awk '
	function finish() { if (path != "" && state != "Cost") print path ": no " (state == "" ? "title" : "field after " state) " in its place" }
	FNR == 1 { finish(); path = FILENAME; name = path; sub(/.*\//, "", name); sub(/\.stp$/, "", name); state = ""; head = 1
		   if ($0 !~ /^# SPDX/) print path ": line 1 is no licence"; next }
	!/^#/ { head = 0 }
	!head { next }
	FNR == 2 { if (index($0, "# " name ": ") == 1 && /[?]$/) state = "title"; next }
	FNR == 3 { if ($0 != "#") print path ": line 3 is not empty"; next }
	/^# Call: / { if (state == "title" && index($0, "--example " name)) state = "Call"; next }
	/^# Shows: / { if (state == "Call") state = "Shows"; next }
	/^# Look at: / { if (state == "Shows") state = "Look at"; next }
	/^# Cost: / { if (state == "Look at") state = "Cost"; next }
	/^#\t/ { next }
	{ print path ":" FNR ": neither a field nor its continuation" }
	END { finish() }' examples/*/*.stp >"$work/heads"
[ ! -s "$work/heads" ] || bad "heads: $(cat "$work/heads")"

# --- no name makes up a line ---
perl testsuite/lib/raw-strings.pl examples/*/*.stp >"$work/raw" || bad "printed as they are: $(cat "$work/raw")"
cat >"$work/raw.stp" <<'X'
function who() { return sprintf("%#s %d", execname(), pid()) }
probe begin {
	name = "a" . tz_ctime()
	printf("%d %s %-7s %s\n", 1, name, who(), errno_str(2))
	printf("%*s %s\n", 3, "x", execname())
	name2 = user_string(0)
	printf("%s %-16s\n", 1 ? name2 : "-", program)
	println("text", name2, @count(x))
	printf("%s\n", kept) # As they are: kept
}
X
perl testsuite/lib/raw-strings.pl "$work/raw.stp" >"$work/found"
[ "$(sed 's/.*stp:\([0-9]*\).*/\1/' "$work/found" | tr '\n' ' ')" = "5 7 7 8 " ] || bad "raw-strings.pl sees: $(cat "$work/found")"
for file in examples/*/*; do
	case $file in
	examples/modules/*) continue ;; # doc/modules.md
	*.stp | *.test | *.out) ;;
	*) bad "$file is neither a script nor its test nor what it printed" ;;
	esac
	for end in stp test out; do
		[ -f "${file%.*}.$end" ] || bad "$file: there is no ${file%.*}.$end"
	done
done
[ -z "$(ls examples/*/*.stp | sed 's|.*/||' | sort | uniq -d)" ] || bad "two examples have one name"

# --- the page ---
LC_ALL=C awk -f doc/examples.awk examples/*/*.stp >"$work/page"
[ -z "${UPDATE-}" ] || cp "$work/page" doc/examples.md
diff -u doc/examples.md "$work/page" >"$work/diff" || bad "doc/examples.md is not of these heads: UPDATE=1 testsuite/unit/examples_test.sh
$(head -20 "$work/diff")"


# A job that has another name here has it, and is not here by its own.
sed -n '/^## Names of SystemTap/,$p' "$work/page" >"$work/absent"
ls examples/*/*.stp | sed 's|.*/||; s|\.stp$||' | sort >"$work/names"
sed 's/`[^`]*`//g' "$work/absent" | tr -cs 'A-Za-z0-9_-' '\n' | sort -u | comm -12 - "$work/names" >"$work/wrong"
[ ! -s "$work/wrong" ] || bad "doc/examples.awk says that these have another name here: $(cat "$work/wrong")"
grep -o '`[^`]*`' "$work/absent" | tr -d '`' | sort -u | comm -23 - "$work/names" >"$work/wrong"
[ ! -s "$work/wrong" ] || bad "doc/examples.awk names these, which are not here: $(cat "$work/wrong")"

# --- the options ---
run() {
	status=0
	"$spile" "$@" >"$work/out" 2>"$work/err" || status=$?
}
run --examples
[ $status = 0 ] || bad "--examples: status $status"
for file in examples/*/*.stp; do
	name=${file##*/}
	name=${name%.stp}
	grep -q "^  $name  *[A-Z].*[?]\$" "$work/out" || bad "--examples: no $name with its question"
done
[ "$(grep -c '^  ' "$work/out")" = "$(ls examples/*/*.stp | wc -l)" ] || bad "--examples: not as many as there are"
run --examples BLOCK latency
{ [ $status = 0 ] && grep -q '^  biolatency ' "$work/out" && ! grep -q opensnoop "$work/out"; } || bad "--examples with words: $(cat "$work/out")"
run --examples opensnoop
{ grep -q '^Call: spile --example opensnoop' "$work/out" && grep -q '^File: /.*/io/opensnoop.stp$' "$work/out"; } || bad "--examples NAME: $(cat "$work/out")"
run --examples no-such-word
{ [ $status = 1 ] && grep -q '\[usage\]$' "$work/err"; } || bad "--examples without a match: $status $(cat "$work/err")"
run -p1 --example helloworld
{ [ $status = 0 ] && grep -q 'hello world' "$work/out"; } || bad "--example: $status $(cat "$work/err")"
run -p3 --example regex '^/one/word$'
{ [ $status = 0 ] && [ ! -s "$work/err" ]; } || bad "--example with an argument: $status $(cat "$work/err")"
run --example opensnop
{ [ $status = 1 ] && grep -q '\[usage\]$' "$work/err" && grep -q 'opensnoop' "$work/err"; } || bad "a wrong name: $status $(cat "$work/err")"
n=0
for file in examples/*/*.stp; do
	name=$(basename "$file" .stp)
	run -p1 --example "$name"
	[ $status != 0 ] || continue
	n=$((n + 1))
	call=$(sed -n 's/^# \(Call: .*\)/\1/p' "$file")
	{ grep -q '\[argument-range\]$' "$work/err" && [ "$(grep -cF -- "$call" "$work/err")" = 1 ] && [ "$(grep -c "argument-range\]\$" "$work/err")" = 1 ]; } || bad "$name without arguments: $(cat "$work/err")"
done
[ $n -gt 10 ] || bad "only $n examples need arguments"
run -p1 --example inodewatch 8 1
{ [ $status = 1 ] && grep -q "Call: spile --example inodewatch MAJOR MINOR INODE; stat .* FILE" "$work/err"; } || bad "too few arguments: $(cat "$work/err")"
run -p2 --example sizeof task_strct
grep -q 'there is no type "task_strct".*\[no-type\]$' "$work/err" || bad "a type that is not there: $(cat "$work/err")"
run -p2 --example callgraph 'kernel.function("no_such_function_at_all")'
[ "$(grep -c 'error: ' "$work/err")" = 1 ] || bad "a function that is not there is told more than once: $(cat "$work/err")"
run -p2 --example helloworld again
grep -q 'Call: spile --example helloworld$' "$work/err" || bad "an argument too many: $(cat "$work/err")"
for name in glibc-malloc libguestfs_log qemu_count; do
	run -p2 --example $name /bin/true
	{ [ $status = 1 ] && grep -q 'error: .*/true has no markers' "$work/err"; } || bad "$name without markers: $(cat "$work/out" "$work/err")"
done
for name in capture_ssl_master_secrets glibc-malloc libguestfs_log qemu_count; do
	run -p2 --example $name "$work/none"
	[ "$(grep -cF "error: there is no file \"$work/none\"" "$work/err")" = 1 ] || bad "$name of no file: $(cat "$work/out" "$work/err")"
done
ln -s "$spile" "$work/inodewatch"
"$work/inodewatch" -p1 2>"$work/err" && bad "a link with the name of an example needs no arguments"
grep -q 'Call: spile --example inodewatch MAJOR' "$work/err" || bad "a link without arguments: $(cat "$work/err")"
run -p1 opensnoop
{ [ $status = 1 ] && grep -q '\[io\]$' "$work/err" && grep -q -e '--example opensnoop' "$work/err"; } || bad "a name instead of a file: $status $(cat "$work/err")"
run --examples straec
grep -q 'did you mean "strace"' "$work/err" || bad "a word of no example: $(cat "$work/err")"
run --example helloworld -e 'probe begin { }'
{ [ $status = 1 ] && grep -q 'only one script.*\[usage\]$' "$work/err"; } || bad "--example and -e: $status $(cat "$work/err")"
ln -s "$spile" "$work/regex"
"$work/regex" -p3 '^/one/word$' >"$work/out" 2>"$work/err" || bad "a link with the name of an example: $(cat "$work/err")"
grep -q one/word "$work/out" || grep -q do_sys_openat2 "$work/out" || bad "a link with the name of an example runs something else"
ln -s "$spile" "$work/stap"
"$work/stap" -p1 -e 'probe begin { }' >"$work/out" 2>"$work/err" || bad "a link with another name: $(cat "$work/err")"
SPILE_EXAMPLES=$work/none
export SPILE_EXAMPLES
run --examples
{ [ $status = 1 ] && grep -q '\[io\]$' "$work/err"; } || bad "no folder: $status $(cat "$work/err")"
exit $((failures > 0))
