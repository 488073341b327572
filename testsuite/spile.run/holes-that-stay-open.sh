#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples that close holes say so when they begin, and only if what they were given can be closed: a mistake ends the session with an error before
# that.  The lines of attempts are bounded, and a function that was also inlined is refused, or the copies are counted.
# timeout: 300
# kernel: any
# cost: 30
cd "$B" || exit 1
cat >inlined.c <<'EOF'
#include <stdlib.h>

volatile long sum;

static inline __attribute__((always_inline)) void take(const char *text, long length)
{
	while (length-- > 0)
		sum += *text;
}

void (*volatile called)(const char *text, long length) = take;

int main(int argc, char **argv)
{
	take(argv[1], argc);
	called(argv[1], argc);
	called(argv[1], 1000);
	return sum != (argc + argc + 8) * 'a';
}
EOF
gcc -O2 -g -o inlined inlined.c || { echo "a program cannot be built"; exit 1; }

build() {
	name=$1
	shift
	"$SPILE" -g -w -r "$RELEASE" -D STP_NO_OVERLOAD -p4 -m "$name" "$@" >/dev/null || { echo "$name does not compile"; exit 1; }
}
build call --example closed-call userfaultfd,vmsplice
build two --example closed-call userfaultfd vmsplice
build env --example setuid-env
build argv --example empty-argv
build cut --example cut-argument "$B/inlined" take '$length' 8
build word --example cut-argument "$B/inlined" take '$length' sixteen
build aid --example band-aid 'kernel.function("security_socket_bind").return' 0 '$return = -13'

cat >holes.sh <<EOF
cd $B
. $S/../lib/await.sh
run() {
	echo "= \$*"
	$SPILERUN -o out "\$@" 2>err
	echo \$?
	sed 's/^.* of user/of user/; t; s/^[^:]*:[^:]*:[^:]*: //' out
	grep ERROR err | sed 's/^ERROR: //; s/ near identifier.*//'
	: >out
}
run -c true call.ko
run -c true call.ko allowed=0,1234
run -c true call.ko allowed=nobody
run -c true call.ko 'allowed=1000 root'
run -c true two.ko
run -c true env.ko 'variables=GLIBC_TUNABLES LD_X'
run -c true env.ko variables=GLIBC_TUNABLES,LD_X
run -c true env.ko variables=A=1
run -c true env.ko variables=
run -c true word.ko
run -c true cut.ko
run -c './inlined aaaaaaaa' cut.ko inlined=1
run -T 2 aid.ko period=0
run -c true argv.ko cve_fix_p=0
mount -t tmpfs none /mnt
install -m 4755 /usr/bin/env /mnt/other
program='env GLIBC_TUNABLES=a=b setpriv --reuid=65534 --clear-groups /mnt/other true'
run -c '$W/tries exec /bin/true' argv.ko most_lines=1
run -c '$W/tries exec /bin/true' argv.ko most_lines=0
run -c "\$program" env.ko most_lines=1
run -c "\$program" env.ko most_lines=0
umount /mnt
echo = as the heads say
id=\$($SPILERUN -F -o /run/argv -S 1,2 argv.ko)
$W/tries exec /bin/true
kill \$id
gone() { ! kill -0 \$id 2>/dev/null; }
await gone
grep -c 'of user 0: /bin/true' /run/argv.0
EOF
"$V" -t $((240 * SLOW)) exec "$G" -- sh "$B/holes.sh" >said.first
sed "s|$W/||" said.first >said
cat >want <<'EOF'
= -c true call.ko
0
closed
= -c true call.ko allowed=0,1234
1
allowed: "0,1234" is no number of a user; between numbers are spaces
= -c true call.ko allowed=nobody
1
allowed: "nobody" is no number of a user; between numbers are spaces
= -c true call.ko allowed=1000 root
1
allowed: "root" is no number of a user; between numbers are spaces
= -c true two.ko
1
several calls are one argument, with commas between them
= -c true env.ko variables=GLIBC_TUNABLES LD_X
0
closed
= -c true env.ko variables=GLIBC_TUNABLES,LD_X
1
variables: "GLIBC_TUNABLES,LD_X" is no name of a variable; between names are spaces
= -c true env.ko variables=A=1
1
variables: "A=1" is no name of a variable; between names are spaces
= -c true env.ko variables=
1
variables: there is no name
= -c true word.ko
1
the third argument is a parameter of the function, with its $: '$length'; the fourth is a number
= -c true cut.ko
1
take() was also compiled into others, where it stays open; -G inlined=1 closes it where it is called
= -c ./inlined aaaaaaaa cut.ko inlined=1
0
closed, but where it is inlined
of user 0: take of 1000
1 of 2 calls had a bad length
1 times inlined code was passed, which is open
= -T 2 aid.ko period=0
0
closed
open again
= -c true argv.ko cve_fix_p=0
0
open, attempts are shown
= -c tries exec /bin/true argv.ko most_lines=1
/bin/true 0 1
0
closed
of user 0: /bin/true
= -c tries exec /bin/true argv.ko most_lines=0
/bin/true 0 1
0
closed
= -c env GLIBC_TUNABLES=a=b setpriv --reuid=65534 --clear-groups /mnt/other true env.ko most_lines=1
0
closed
of user 65534: GLIBC_TUNABLES
= -c env GLIBC_TUNABLES=a=b setpriv --reuid=65534 --clear-groups /mnt/other true env.ko most_lines=0
0
closed
= as the heads say
/bin/true 0 1
1
EOF
cmp -s want said || { diff want said; exit 1; }
