#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples that close holes, all at once and for the whole machine: each hole is open before, closed meanwhile, and open again after the
# session, and nothing else has changed.
# timeout: 300
# needs: kernel.function("security_socket_bind")
# cost: 30
cd "$B" || exit 1
tries=$W/tries

build() {
	name=$1
	shift
	"$SPILE" -g -w -r "$RELEASE" -D STP_NO_OVERLOAD -p4 -m "$name" "$@" >/dev/null || { echo "$name does not compile"; exit 1; }
}
build aid --example band-aid 'kernel.function("security_socket_bind").return' '@cast($address, "sockaddr_in")->sin_port == htons(7)' '$return = -13'
build argv --example empty-argv
build call --example closed-call '{userfaultfd,vmsplice}'
build cut --example cut-argument "$tries" tries_take '$length' 15
build env --example setuid-env

# What a setuid program of 32 bits is given: its environment, and whether it is told not to trust its caller.
cat >narrow.c <<'EOF'
static int call(int nr, int a, const void *b, int c)
{
	int n;

	__asm__ volatile("int $0x80" : "=a"(n) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
	return n;
}

void run(long *sp)
{
	char **p = (char **)(sp + *sp + 2);
	long *vector;
	int n;

	for (; *p; p++) {
		for (n = 0; (*p)[n]; n++)
			;
		call(4, 1, *p, n);
		call(4, 1, " ", 1);
	}
	for (vector = (long *)(p + 1); *vector; vector += 2) {
		if (*vector == 23)
			call(4, 1, vector[1] ? "secure\n" : "normal\n", 7);
	}
	call(1, 0, 0, 0);
}

__asm__(".globl _start\n_start: mov %esp, %eax\npush %eax\ncall run\n");
EOF
gcc -m32 -O1 -w -fno-pie -no-pie -fno-stack-protector -nostdlib -static -o narrow narrow.c || { echo "a 32-bit program cannot be built"; exit 1; }

cat >holes.sh <<EOF
cd $B
. $S/../lib/session.sh
mount -t tmpfs none /mnt
cp /usr/bin/env /mnt/plain
cp /usr/bin/env /mnt/other
cp narrow /mnt/narrow
chmod 4755 /mnt/other /mnt/narrow
run() { PATH=$PATH env -i "\$@" setpriv --reuid=65534 --clear-groups /mnt/\$program; }
long=\$(printf %0509d 0)
holes() {
	$tries bind 7 8 | tr '\n' ' '
	$tries calls
	$tries exec /bin/true | tr '\n' ' '
	($tries records 3:abc 22:aaaaaaaaaaaaaaaaaaaaaa) >given 2>&1
	echo \$? \$(wc -l <given)
	for program in plain other narrow; do
		run GLIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 | tr '\n' ' '
	done
	echo
	program=other # one text of 511 bytes, one of more
	run L=\$long B=2 LL=\$long B3=3 | grep -c '^-=2\$'
	(run \$(seq -f N%.f= 5000)) >given 2>&1
	echo \$? \$(wc -l <given)
}
echo before; holes
for name in aid argv call cut env; do
	if [ \$name = env ]; then session_begin env 'variables=GLIBC_TUNABLES B'; else session_begin \$name; fi
	sessions="\$sessions \$session"
done
echo during; holes
for session in \$sessions; do session_end; done
echo after; holes
for name in aid argv call cut env; do echo \$name \$(wc -l <\$name.out) \$(skipped \$name.err); done
umount /mnt
EOF
"$V" -t $((240 * SLOW)) exec "$G" -- sh "$B/holes.sh" >said
cat >want <<'EOF'
before
7 0 8 0 userfaultfd 0 0, vmsplice -9 -9
userfaultfd 0 0, vmsplice -9 -9
/bin/true 0 0 139 1
GLIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 GLIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 GLIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 secure 
0
0 5000
during
7 -13 8 0 userfaultfd 0 0, vmsplice -9 -9
userfaultfd -1 -1, vmsplice -1 -1
/bin/true 0 1 0 2
GLIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 -LIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 -LIBC_TUNABLES=glibc.malloc.mxfast=64 A=1 secure 
1
137 1
after
EOF
sed -n 2,7p want >first && cat first >>want
cat >>want <<'EOF'
aid 3
argv 2
call 7
cut 3
env 5
EOF
cmp -s want said || { diff want said; exit 1; }
