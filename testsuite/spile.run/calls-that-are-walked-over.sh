#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that an exception or a longjmp() leaves, more of them at once than the kernel follows: what is called afterwards is seen to
# return as before.  For calls that an exception has left, every possible hit is counted, in each of two sessions.
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
cat >walked.cc <<'EOF'
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static volatile int sum;
static std::jmp_buf out;
static bool jumps;

extern "C" __attribute__((noinline)) int deep(int n)
{
	if (!n && jumps)
		std::longjmp(out, 1);
	if (!n)
		throw 1;
	sum = sum + deep(n - 1);
	return n;
}

extern "C" __attribute__((noinline)) int leaf(int n)
{
	sum = sum + n;
	return n;
}

int main(int argc, char **argv)
{
	jumps = argc > 2 && !std::strcmp(argv[2], "jump");
	for (int round = 0; round < 3; round++) {
		if (!setjmp(out)) {
			try {
				deep(std::atoi(argv[1]));
			} catch (int) {
			}
		}
		for (int i = 0; i < 100; i++)
			leaf(i);
	}
	std::puts("alive");
	return 0;
}
EOF
g++ -O1 -g -o walked walked.cc || exit 1
# A return of a library has the unwinders probed in all processes, one of a program in those that run it: two places at one point.
libc=$(ldd walked | sed -n 's/.* => \(.*libc\.so[^ ]*\).*/\1/p')
cat >walked.stp <<'EOF'
global entered, entries, returns, deep
probe process(@1).function("leaf").call { entries++ }
probe process(@1).function("leaf").return { returns++ }
probe process(@1).function("deep").call { entered++ }
probe process(@1).function("deep").return { deep++ }
probe process(@1).function("deep").return { deep += @entry($n) >= 0 }
probe process(@2).function("qsort").return { }
probe end { printf("deep %d %d leaf %d %d\n", entered, deep, entries, returns) }
EOF
cat >other.stp <<'EOF'
probe process(@1).function("deep").return { println("deep") }
EOF
"$SPILE" -r "$RELEASE" -p4 -m walked walked.stp "$B/walked" "$libc" >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m other other.stp "$B/walked" >/dev/null || exit 1
cat >walked-run.sh <<EOF
. $S/../lib/await.sh
cd $B
seen() { # FILE: how many returns it counted that could not be seen
	sed -n 's/.*a return that cannot be probed safely: \([0-9]*\).*/unseen \1/p' \$1 | head -1
}
$SPILERUN -v -o other.out other.ko 2>other.err &
await_within 100 grep -qs started other.err
$SPILERUN -v -c './walked 20 throw' walked.ko 2>walked.err && seen walked.err
kill -INT \$!; wait \$!
cat other.out; seen other.err
for how in throw jump; do
	$SPILERUN -v -c "./walked 99 \$how" walked.ko 2>walked.err
	[ \$how = jump ] || seen walked.err
done
EOF
"$V" -t $((300 * SLOW)) exec "$G" -- sh "$B/walked-run.sh" >walked.got 2>&1
cat >walked.want <<'EOF'
alive
deep 63 0 leaf 300 300
unseen 126
unseen 63
alive
deep 300 0 leaf 300 300
unseen 384
alive
deep 300 0 leaf 300 300
EOF
diff walked.want walked.got || fail "not what was expected: $(cat walked.err other.err)"
