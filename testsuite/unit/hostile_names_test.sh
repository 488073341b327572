#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs, functions and parameters with quotes, newlines, escapes and % in their names: what is listed can be typed back,
# messages cannot control a terminal, and no name becomes a part of a format.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
escape=$(printf '\033')

left_out() { echo "# left out: $*"; }

# The names are inserted after compiling, since the compiler does not accept them.
cat >"$work/odd.c" <<'END'
struct tag { int member_; };
__attribute__((noinline)) int oddname(struct tag *parameter_) { __asm__ volatile(""); return parameter_->member_; }
int main(void) { struct tag t = {0}; return oddname(&t); }
END
name='we
ird "na\me"'
"${CC:-cc}" -g -O0 -S -o "$work/odd.s" "$work/odd.c" || exit 77
sed -e '/\.string/s/"oddname"/"od\\"\\033[1m"/' -e '/\.string/s/"parameter_"/"%s%q\\033[2J"/' -e '/\.string/s/"member_"/"%n\\033]"/' \
	"$work/odd.s" >"$work/odd2.s"
"${CC:-cc}" -o "$work/$name$escape" "$work/odd2.s" || exit 77
cd "$work" || exit 99
spile() { LC_ALL=C "$build/spile" "$@" 2>&1; }

# The function's name in the symbol table is still the plain one.
spile -L 'process("./we*").function("odd*")' >listed || bad "nothing is listed: $(cat listed)"
grep -q "$escape" listed && bad "an escape is listed"
[ "$(wc -l <listed)" = 1 ] || bad "a newline is listed"
point=$(sed 's/ \$.*//' listed)
[ "$(spile -l "$point")" = "$point" ] || bad "what is listed cannot be typed back: $point"
spile -p2 -e "probe $point { println(\$\$parms, \$\$parms\$\$) }" >checked || bad "not checked: $(cat checked)"
spile -p2 -e "probe $point { println(\$nothing) }" >told && bad "\$nothing is taken"
cat checked told | grep -q "$escape" && bad "an escape is told"
release=$(test_kernel)
if [ -n "$release" ]; then
	spile -r "$release" -p3 -e "probe $point { println(\$\$parms, \$\$parms\$\$) }" >emitted || bad "not emitted: $(cat emitted)"
	grep -q '%s%q' emitted || bad "the parameter's name is not shown as it is"
	grep -q "$escape" emitted && bad "an escape is emitted"
else
	left_out "what is emitted: no kernel's headers are installed"
fi

# Names of symbols alone, of source files and of the script; each output that shows them.
harmless() {
	[ "$(LC_ALL=C tr -d '\n\t\40-\176' <told | wc -c)" = 0 ] || bad "$*: told raw: $(cat -v told)"
	! grep -q "^$line" told || bad "$*: a name begins a line: $(cat -v told)"
}
line=LINE
source="fi
$line\"${escape}[2J.c"
cp odd.c "$source"
if "${CC:-cc}" -g -O0 -o odd "$source" && objcopy -g --redefine-sym "oddname=od
$line\"${escape}[1m'%n" odd bare; then
	spile -l 'process("./bare").function("od*")' >told || bad "no symbol is listed: $(cat told)"
	harmless -l of a symbol
	grep -q 'od\\nLINE\\"\\033\[1m' told || bad "the symbol is not listed as it can be typed: $(cat -v told)"
	spile -L 'process("./bare").function("od*")' >told; harmless -L of a symbol
	spile -v -p2 -e 'probe process("./bare").function("od*") { println($x) }' >told && bad "\$x is taken"
	harmless an error and -v
	spile -p2 -e 'probe process("./odd").function("oddname@none.c") { }' >told && bad "none.c is taken"
	harmless the name of a source file
	grep -q '<1B>\[2J' told || bad "the source file is not told: $(cat -v told)"
else
	left_out "names of symbols alone and of source files: this cc or objcopy does not make them"
fi
spile "no
$line${escape}[2J" >told && bad "a script that is not there"
harmless the name of a script
cp "$name$escape" "a${escape}program" && spile "a${escape}program" >told && bad "a program as a script"
harmless a program as a script
[ "$(grep -c 'is not a text' told)" = 1 ] && [ "$(wc -l <told)" = 2 ] || bad "a program as a script: $(cat -v told)"
printf 'p\000r\000o\000' | spile - >told && bad "UTF-16 as a script"
grep -q 'UTF-8' told || bad "UTF-16 as a script: $(cat -v told)"
spile --"no$escape" >told && bad "an option that is none"
harmless an option
LC_ALL=C "$build/spilerun" "no
	$line${escape}[2J.ko" >told 2>&1 && bad "a module that is not there"
harmless the name of a module
LC_ALL=C "$build/spile-vm" exec "no$escape" true >told 2>&1 && bad "a guest that is not there"
harmless the name of a guest

# A module, in the folders of a kernel beside the installed ones.
release=$(cd /lib/modules && ls -d */kernel/drivers/net/dummy.ko* 2>/dev/null | head -n 1)
if [ -n "$release" ] && [ -e "/boot/vmlinuz-${release%%/*}" ]; then
	file=/lib/modules/$release
	release=${release%%/*}
	module="we\"%s%n${escape}[2J"
	folder=$work/root/lib/modules/$release
	mkdir -p "$folder/kernel" "$work/root/boot"
	ln -s "/boot/vmlinuz-$release" "$work/root/boot/"
	cp "$file" "$folder/kernel/$module.ko${file##*.ko}"
	printf '%s:\n' "kernel/$module.ko${file##*.ko}" "kernel/../../../gone.ko" 'no module' '.ko' >"$folder/modules.dep"
	printf 'kernel/%0300d.ko' 1 >>"$folder/modules.dep"
	export SPILE_KERNELS="$work/root"
	spile -r "$release" -l 'module("we*").function("dummy_xm?t")' >listed || bad "no module is listed: $(cat listed)"
	grep -q "$escape" listed && bad "an escape of a module is listed"
	point=$(cat listed)
	[ "$(spile -r "$release" -l "$point")" = "$point" ] || bad "what is listed of a module cannot be typed back: $point"
	spile -r "$release" -p3 -e "probe $point, module(\"we*\").function(\"dummy_x*\").return { println(\$\$parms, pp()) }" >emitted ||
		bad "no module is emitted: $(cat emitted)"
	grep -q "$escape" emitted && bad "an escape of a module is emitted"
	spile -r "$release" -l 'module("*").function("dummy_xmit")' >listed || bad "a module without a file ends the search: $(cat listed)"
	grep -q 'functions of 1 of the 2 modules' listed || bad "a module without a file is not told: $(cat listed)"
	spile -r "$release" -l 'module("wf*").function("x")' | grep -q "$escape" && bad "an escape of a module is told"
else
	left_out "names of modules: no kernel with a module \"dummy\" and its image is installed"
fi
# A symbol of 400 bytes that would be 2^40 bytes long when it is demangled stays as it is, and others are demangled.
bomb=$(awk 'BEGIN { d = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"; text = "_Z1f1PIiiE"
	for (i = 0; i < 36; i++) { x = "S" substr(d, i + 1, 1) "_"; text = text "S_I" x x "E" }
	print text }')
printf 'void bomb(int x) __asm__("%s"); void bomb(int x) { (void)x; }\nvoid plain(int x) __asm__("_ZN5space5plainEi"); void plain(int x) { (void)x; }\n' \
	"$bomb" >bomb.c
echo 'int main(void) { return 0; }' >>bomb.c
"${CC:-cc}" -o bomb bomb.c || exit 77
(ulimit -v 4000000; timeout 60 "$build/spile" -l 'process("./bomb").function("*")' >listed 2>&1) || bad "a symbol that is long when it is demangled: $(cat listed)"
grep -q 'function("_Z1f1PIiiE' listed || bad "the long symbol is not listed: $(cat listed)"
if ldconfig -p 2>/dev/null | grep -q 'libstdc++[.]so[.]6'; then
	grep -q 'function("space::plain")' listed || bad "the other symbol is not demangled: $(cat listed)"
fi

exit $((failures > 0))
