#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of Python, call by call, as many as the program itself has made: of a program and of a module that it imports, methods, recursion, lambdas,
# generators that end, are closed, or have an exception thrown in, coroutines, threads, a forked child, a program that starts another; also where it
# traces itself, and code of exec().  Their arguments and results are readable.
# timeout: 250
# kernel: any
# cost: 30
mkdir -p "$B/calls_of_python" && cd "$B/calls_of_python" || exit 1
cat >helped.py <<'E'
def twice(f, *args):
    f(*args); return f(*args)
class Shape:
    def area(self, w, h=2): return w * h
    @staticmethod
    def unit(): return "cm"
    @property
    def size(self): return 3
E
cat >calls.py <<'E'
import os, subprocess, sys, threading, helped
def plain(x): return x
def rec(n): return rec(n - 1) if n else 0
def raises(): raise ValueError
def gen(n):
    for i in range(n): yield i
def outer(a):
    def inner(): return a
    return inner()
def shown(i, s, b, f, n, t, *rest, key=None, **more): return s
async def co(): return 3
async def agen():
    for i in range(3): yield await co()
async def use():
    async for i in agen(): await co()
def delegates(): yield from gen(3)
def ünï(x): return x
def a_name_of_many_letters_that_is_longer_than_what_is_read_of_names_at_once(): return 1
def traced(): return 1
def tracer(frame, event, arg):
    if event == "return": raise KeyError
    return tracer
double = lambda v: 2 * v
class C:
    def __init__(self, v): self.v = v
    def m(self): return plain(self.v)
if sys.argv[1:] == ["later"]:
    for i in range(30): plain(i)
    sys.exit()
for i in range(100): plain(i)
list(map(plain, range(50)))
rec(40)
for i in range(20):
    try: raises()
    except ValueError: pass
for i in range(10): list(gen(5))
for i in range(6):
    g = gen(5)
    if i % 2: next(g)
    g.close()
for i in range(4):
    g = gen(5)
    if i % 2: next(g)
    try: g.throw(KeyError)
    except KeyError: pass
for i in range(3): outer(i)
for i in range(7): C(i).m(); double(i)
s = helped.Shape()
for i in range(8): helped.twice(s.area, i); s.size; helped.Shape.unit()
for i in range(5):
    try: co().send(None)
    except StopIteration: pass
t = [threading.Thread(target=lambda: [plain(i) for i in range(200)]) for i in range(4)]
for x in t: x.start()
for x in t: x.join()
if not os.fork():
    for i in range(60): plain(i)
    os._exit(0)
os.wait()
subprocess.run([sys.executable, "-B", __file__, "later"])
sys.settrace(lambda *args: None)
for i in range(9): plain(i); list(gen(2))
sys.settrace(None)
for i in range(2):
    try: use().send(None)
    except StopIteration: pass
for i in range(3): list(delegates()); ünï(i); a_name_of_many_letters_that_is_longer_than_what_is_read_of_names_at_once()
exec("def made(x): return x\nfor i in range(11): made(i)", {"a": 1, "b": 2, "__name__": "elsewhere"})
exec("def made(x): return x\nfor i in range(11): made(i)", {"a": 1})
sys.settrace(tracer)
try: traced()
except KeyError: pass
sys.settrace(None)
shown(-5, 'a"b', b"\0x", 0.1, None, (1, 2), 7, key=True, z=2 ** 62)
shown(2 ** 63 - 1, "\u00e4", b"", 1e22, s, [], key=[1])
shown(2 ** 64, "", b"", -1.5e-7, True, {}, 1.0)
E
cat >python_calls.stp <<'E'
global calls, ends, other, lambdas, quiet, exact
probe python3.module("calls").function("*") { calls[$$function]++ }
probe python3.module("__main__").function("*").return { ends[$$function]++ }
probe python3.module("helped").function("Shape.*").call, python3.module("hel[p]ed").function("tw?ce") {
	other[$$module, $$function, @defined($f) ? $f : @defined($w) ? $w : "-"]++
}
probe python3.module("__main__").function("<lambda>") { lambdas++ }
probe python3.module("calls").function("shown") { println($$parms) }
probe python3.module("calls").function("shown").return { println($$return, " ", $return, " ", $s) }
probe python3.module("calls").function("raises").return { quiet += !@defined($return) && $$return == "" }
probe python3.module("calls").function("inner").return { println($$vars, " ", $a, " ", python_frame(0) =~ "^outer[.]<locals>[.]inner at .*calls[.]py:[0-9]+$") }
probe python3.module("*").function("ünï"), python3.module("*").function("a_name_of_many_letters_that_is_longer_than_what_is_read_of_names_at_once"),
      python3.module("elsewhere").function("made"), python3.module("calls").function("traced"), python3.module("calls").function("delegates").return {
	exact[$$function]++
}
probe python3.module("other").function("*"), python3.module("*").function("pla") { println("never") }
probe end {
	foreach (f+ in calls) printf("%s %d %d\n", f, calls[f], ends[f])
	foreach ([m, f+, w] in other) printf("%s %s %s %d\n", m, f, w, other[m, f, w])
	foreach (f+ in exact) printf("%s: %d\n", f, exact[f])
	printf("lambdas %d raised %d\n", lambdas, quiet)
}
E
cat >embeds.c <<'E'
int Py_BytesMain(int, char **);
int main(int argc, char **argv) { return Py_BytesMain(argc, argv); }
E
cat >want <<'E'
a=0 0 1
a=1 1 1
a=2 2 1
i=-5 s="a\"b" b=b"\000x" f=0.1 n=None t=<tuple of 2> key=True rest=<tuple of 1> more=<dict of 1>
return="a\"b" a"b a"b
i=9223372036854775807 s="\303\244" b=b"" f=10000000000000000000000.0 n=<Shape> t=<list of 0> key=<list of 1> rest=<tuple of 0> more=<dict of 0>
return="\303\244" ä ä
i=<int> s="" b=b"" f=-0.00000015 n=True t=<dict of 0> key=None rest=<tuple of 1> more=<dict of 0>
return=""  
<lambda> 43 43
<listcomp> 1 1
<listcomp>.<lambda> 4 4
<listcomp>.<lambda>.<locals>.<listcomp> 4 4
<module> 2 2
C 2 2
C.__init__ 7 7
C.m 7 7
a_name_of_many_letters_that_is_longer_than_what_is_read_of_names_at_once 3 3
agen 2 2
co 17 17
delegates 3 3
gen 27 27
outer 3 3
outer.<locals>.inner 3 3
plain 1056 1056
raises 20 20
rec 41 41
shown 3 3
traced 1 0
tracer 3 3
use 2 2
ünï 3 3
helped Shape.area 0 2
helped Shape.area 1 2
helped Shape.area 2 2
helped Shape.area 3 2
helped Shape.area 4 2
helped Shape.area 5 2
helped Shape.area 6 2
helped Shape.area 7 2
helped Shape.size - 8
helped Shape.unit - 8
helped twice <method> 8
a_name_of_many_letters_that_is_longer_than_what_is_read_of_names_at_once: 3
delegates: 3
made: 11
traced: 1
ünï: 3
lambdas 47 raised 20
E
# of the program that has all of Python in it, and of one that is linked with the library
PATH=/usr/bin:$PATH "$SPILE" -r "$RELEASE" -p4 -m python_calls python_calls.stp >/dev/null || exit 1
"$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" -c "/usr/bin/python3.11 -B $PWD/calls.py" "$PWD/python_calls.ko" >got 2>&1
diff want got || exit 1
for library in /usr/lib/*/libpython3.11.so.1.0; do
	[ -e "$library" ] || exit 0
	mkdir -p bin && gcc -o bin/python3 embeds.c "$library" && PATH=$PWD/bin:$PATH "$SPILE" -r "$RELEASE" -p4 -m python_calls python_calls.stp >/dev/null || exit 1
	"$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" -c "$PWD/bin/python3 -B $PWD/calls.py" "$PWD/python_calls.ko" >got 2>&1
	diff want got || exit 1
done
