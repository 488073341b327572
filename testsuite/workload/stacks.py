# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the Python stack that it knows to the file that is named, and is hit at that place: by the event "spile.here" of Python, and by a call of getppid().
import asyncio, os, sys, threading, time

out = open(sys.argv[1], "w", buffering=1)
lock = threading.Lock()

def here():
    frame = sys._getframe(1)
    lines = [" here at %s:%d" % (__file__, here.__code__.co_firstlineno + 8)]
    while frame and len(lines) < 64:
        lines.append(" %s at %s:%d" % (frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    text = "\n".join(lines) + ("\n (more functions than are followed)" if frame else "") + "\n"
    out.write("event\n" + text + "call\n" + text)
    sys.audit("spile.here"); os.getppid()
    return 0

def outer(n):
    def inner(k):
        return [here() for i in range(k)][0] + (lambda x: x + here())(
            n
        )
    return inner(1)

def generate(n):
    for i in range(n):
        yield here()

class Thing:
    member = here()

    @property
    def size(self):
        return here()

    def __getitem__(self, i):
        return here()

    def __lt__(self, other):
        return here() < 0

async def coroutine():
    await asyncio.sleep(0)
    return here()

def größe(): return here()
def 漢字(): return größe()
def 𐌰𐌱(): return 漢字()

def deep(n):
    return deep(n - 1) if n else here()

# a function whose table of lines is long, and has entries of all kinds
long = ["def long_one(x):"]
for i in range(2000):
    long += ["  x = (x +", "", "     %d *\\" % i, "     1)", "\n" * (i % 70), "  for y in (x,): x = y if x else " + " " * (i % 300) + "str"]
long += ["  return here()"]

def run():
    outer(1)
    list(generate(2))
    thing = Thing()
    thing.size, thing[1], sorted([thing, Thing()])
    asyncio.run(coroutine())
    𐌰𐌱()
    deep(5)
    deep(80)
    names = {"here": here}
    exec(compile("\n\ndef made():\n return here()\nmade()", "<made here>", "exec"), names)
    try:
        raise ValueError
    except ValueError:
        here()
    finally:
        here()
    part = "\n".join(long[:401] + long[-1:])
    exec(compile(part, "long.py", "exec"), names)
    names["long_one"](1)

def hold():
    with lock:
        here()
    time.sleep(0.01)

run()
threads = [threading.Thread(target=hold) for i in range(3)]
[t.start() for t in threads]
[t.join() for t in threads]
child = os.fork()
if not child:
    outer(2)
    os._exit(0)
os.waitpid(child, 0)
here()
