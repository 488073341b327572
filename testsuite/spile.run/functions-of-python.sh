#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Returns of Python functions, by the alias: exactly those that come, by return, yield and exception, of plain functions, those that C calls, methods, bodies of classes,
# recursion, coroutines and generators. What 3.11 says of entries are the exceptions that are thrown into generators.
# timeout: 120
# kernel: any
cd "$B" || exit 1
cat >functions.py <<'E'
def plain(x): return x
def gen():
    yield 1
    yield 2
def raises(): raise ValueError
class C:
    def __getitem__(self, i): return i
    @property
    def p(self): return 1
    def __init__(self): self.x = 1
async def co(): return 3
def rec(n): return rec(n - 1) if n else 0
def throws():
    g = gen()
    next(g)
    try: g.throw(KeyError)
    except KeyError: pass
    g = gen()
    next(g)
    g.close()
for i in range(100): plain(i)
list(map(plain, range(50)))
for i in range(10): list(gen())
for i in range(20):
    try: raises()
    except ValueError: pass
c = C()
for i in range(30): c[i]; c.p
for i in range(7):
    try: co().send(None)
    except StopIteration: pass
for i in range(8): C()
rec(40)
for i in range(5): throws()
E
cat >python_functions.stp <<'E'
global returns, entries
probe python.function.return { if (filename =~ "functions[.]py$" && lineno > 0) returns[funcname]++ }
probe python.function.entry { if (filename =~ "functions[.]py$") entries[funcname]++ }
probe end {
	foreach (f+ in returns) printf("%s %d, ", f, returns[f])
	foreach (f+ in entries) printf("entries of %s %d\n", f, entries[f])
}
E
"$SPILE" -r "$RELEASE" -p4 -m python_functions python_functions.stp >/dev/null || exit 1
out=$("$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" -c "/usr/bin/python3.11 $B/functions.py" "$B/python_functions.ko")
echo "$out"
[ "$out" = "<module> 1, C 1, __getitem__ 30, __init__ 9, co 7, gen 50, p 30, plain 150, raises 20, rec 41, throws 5, entries of gen 10" ]
