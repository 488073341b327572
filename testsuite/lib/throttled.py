# SPDX-License-Identifier: GPL-2.0-or-later
# Tells the kernel, by throttled.stp, that each of two processors is slowed down for a while; prints what the example cpu_throttle says of it, and
# how that is wrong.
import os
import re
import time

folder = "/proc/spile.cpu_throttle/"
itself, package = 0, 1
least, most = [0, 0], [0, 0]


def read():
    with open(folder + "__prometheus") as file:
        text = file.read()
    return text, [int(n) for n in re.findall(r'throttled_milliseconds_total\{cpu="\d+"\} (\d+)', text)]


def tell(cpu, level, begins):
    os.sched_setaffinity(0, {1 - cpu})
    before = time.monotonic()
    with open(folder + "tell", "w") as file:
        file.write("%d %d %d" % (cpu, level, begins))
    return before, time.monotonic()


def slow_down(cpu, *levels):
    """For a tenth of a second at each level, the next of which begins before the one before has ended."""
    begin = tell(cpu, levels[0], 1)
    for last, level in zip((None,) + levels, levels):
        if last is not None:
            tell(cpu, level, 1)
            tell(cpu, last, 0)
        time.sleep(0.1)
    end = tell(cpu, levels[-1], 0)
    least[cpu] += int((end[0] - begin[1]) * 1000) - 1
    most[cpu] += int((end[1] - begin[0]) * 1000) + 1


def check(when):
    text, told = read()
    for cpu in (0, 1):
        if len(told) != 2 or not least[cpu] <= told[cpu] <= most[cpu]:
            print("%s: %s, but %d to %d of processor %d" % (when, text, least[cpu], most[cpu], cpu))
    return text


check("at first")
tell(0, itself, 0)  # it was slowed down before
slow_down(0, itself)
check("after one of processor 0")
slow_down(1, package, itself)
check("after two of processor 1")
slow_down(0, itself, package)
begin = tell(1, itself, 1)
time.sleep(0.1)
before, now = time.monotonic(), read()[1]
if now[1] < least[1] + int((before - begin[1]) * 1000) - 1:
    print("%d ms of processor 1, which is still slowed down" % now[1])
end = tell(1, itself, 0)
least[1] += int((end[0] - begin[1]) * 1000) - 1
most[1] += int((end[1] - begin[0]) * 1000) + 1
print(check("at last"), end="")
