#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The markers of the C++ library: every exception of a program that is thrown, caught and thrown again.
# needs: process("libstdc++.so.6").provider("libstdcxx").mark("throw")
# kernel: any
cd "$B" || exit 1
cat >marked.cc <<'X'
#include <cstdio>
#include <stdexcept>
int main()
{
	int caught = 0;
	for (int i = 0; i < 60; i++)
		try {
			try {
				throw std::runtime_error("no");
			} catch (std::exception &) {
				if (i % 3 == 0)
					throw;
			}
		} catch (std::runtime_error &) {
			caught++;
		}
	printf("caught again %d\n", caught);
	return 0;
}
X
g++ -O2 marked.cc -o marked || exit 1
cat >marked.stp <<'X'
global thrown, caught, again, objects, other
probe process(@1).library("libstdc++.so.6").mark("throw") { thrown++; objects[pid(), $arg1]++; if (!$arg2) other++ }
probe process("libstdc++.so.6").provider("libstdcxx").mark("catch") { caught++; if (!([pid(), $arg1] in objects)) other++ }
probe process("libstdc++.so.6").mark("rethrow") { again++; if (!([pid(), $arg1] in objects)) other++ }
probe end { printf("thrown %d caught %d again %d other %d\n", thrown, caught, again, other) }
X
"$SPILE" -r "$RELEASE" -p4 -m marked marked.stp "$B/marked" >/dev/null || exit 1
out=$("$V" -t 60 exec "$G" -- "$SPILERUN" -c "$B/marked" "$B/marked.ko" 2>&1)
[ "$out" = "caught again 20
thrown 60 caught 80 again 20 other 0" ] || { echo "$out"; exit 1; }
