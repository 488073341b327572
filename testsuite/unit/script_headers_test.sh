#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The headers of all tests in guests and of all examples are some that testsuite/lib/script.exp knows, and it refuses others, which would not
# be heeded.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
command -v tclsh >/dev/null || { echo "# no tclsh"; exit 77; }

# DejaGnu's own commands are not there: only the headers are read.
cat >"$work/headers.tcl" <<'X'
proc load_lib {name} {}
proc spile_slurp {path} { set f [open $path]; set text [read $f]; close $f; return $text }
source [lindex $argv 0]
foreach path [lrange $argv 1 end] {
    set why ""
    set headers [script_headers $path why]
    puts "[file tail $path]: [expr {$why eq "" ? [dict keys $headers] : $why}]"
}
X
headers() { tclsh "$work/headers.tcl" "$top/testsuite/lib/script.exp" "$@"; }

headers "$top"/testsuite/spile.run/*.stp "$top"/testsuite/spile.run/*.sh "$top"/examples/*/*.test >"$work/all" || bad "the headers cannot be read"
[ "$(wc -l <"$work/all")" -gt 500 ] || bad "there are few tests"
grep 'unknown header' "$work/all" >"$work/unknown" && bad "headers that are not heeded: $(cat "$work/unknown")"

cd "$work" || exit 99
printf '# SPDX-License-Identifier: X\n# What it is.\n# native: no\n# timeout: 5\nprobe begin { exit() }\n# later: x\n' >good.stp
printf '# timeot: 5\nprobe begin { exit() }\n' >limit.stp
printf '# need-config: CONFIG_SWAP\nexit 0\n' >config.sh
printf '#!/bin/sh\n# needs: begin\n# timeout: 5\nexit 0\n' >good.sh
printf '# cmd: true\nexit 0\n' >command.sh
headers good.stp limit.stp config.sh good.sh command.sh >got
diff - got <<'X' || bad "other headers"
good.stp: native timeout
limit.stp: unknown header timeot
config.sh: unknown header need-config
good.sh: needs timeout
command.sh: unknown header cmd
X
exit $((failures > 0))
