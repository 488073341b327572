#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The one-liners of doc/modules.md that stand for rows of Table 1 of the uprobes paper, as they are there; examples have tests of their own.
# timeout: 180
# kernel: any
. "$S/../lib/await.sh"
cd "$B" || exit 1
echo 'calls 50 parents 100 signals 7 exit 0' | tr ' ' '\n' | paste - - -d' ' >commands
grep -o "\`spile -e '[^']*' -c COMMAND\`" "$S/../../doc/modules.md" | sed "s/.*-e '//; s/' -c COMMAND.*//; s|PROG|$W/probed|; s|\"f\"|\"counted\"|" >one-liners
[ "$(wc -l <one-liners)" = 3 ] || bad "doc/modules.md has other one-liners: $(cat one-liners)"
: >run
i=0
while read -r script; do
	i=$((i + 1))
	"$SPILE" -r "$RELEASE" -p4 -m row$i -e "$script" -c "$W/probed" >said 2>&1 || bad "$script: $(cat said)"
	echo "$SPILERUN -c '$W/probed <$B/commands >/dev/null' $B/row$i.ko | grep -E '^50\$|raise|syscall\$|getppid|kill' | sort" >>run
done <one-liners
out=$("$V" -t $((120 * SLOW)) exec "$G" -- sh "$PWD/run" 2>&1)
echo "$out"
[ "$out" = "100 syscall
7 raise
50
100 getppid
7 tgkill" ]
