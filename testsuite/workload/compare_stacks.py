# SPDX-License-Identifier: GPL-2.0-or-later
# compare_stacks.py SPILE-OUTPUT GDB-OUTPUT...: are the stacks the same, frame by frame?  See gdb_stacks.py.
import collections, re, sys

MOST = 62

ours = collections.defaultdict(list)  # thread -> [(time, frames, end)]
for line in open(sys.argv[1]):
    if m := re.match(r"stop (\d+) (\d+)$", line):
        frames = []
        last = [int(m[2]), frames, "outermost"]
        ours[int(m[1])].append(last)
    elif m := re.match(r" 0x([0-9a-f]+) : (?:(\S+)\+0x([0-9a-f]+)/0x[0-9a-f]+)?.*\[(.*?)(?:\+0x[0-9a-f]+)?\]", line):
        frames.append((int(m[1], 16), m[2], int(m[1], 16) - int(m[3] or "0", 16), m[4]))
    elif m := re.match(r" 0x([0-9a-f]+)", line):
        frames.append((int(m[1], 16), None, 0, ""))
    elif m := re.match(r" \((.*)\)$", line):
        last[2] = m[1]

def theirs(path):
    for line in open(path):
        words = line.split()
        if words[0] == "stop":
            stop = (int(words[1]), int(words[2]), [])
        elif words[0] == "end":
            yield *stop, line[4:].strip()
        else:
            stop[2].append((int(words[0], 16), None if words[1] == "-" else words[1], int(words[2], 16)))

# Of a stack that ends so, gdb leaves the last frame out too, as no code is there.
NO_CODE = "the return address is that of no code"
# Where the call frame information has nothing, gdb guesses from the instructions: in these functions, which are assembler of the C library and
# compilers, and have no such information.
NO_CALLER = "nothing says where the caller of this code is"
GUESSED = {"_init", "_fini", "_start", "_dl_start_user", "_dl_debug_state", None}

def differ(mine, end, gdbs):
    """Where, and how; None: nowhere."""
    if end == NO_CODE:
        mine = mine[:-1]
    for i, (x, y) in enumerate(zip(mine, gdbs)):
        if x[0] != y[0]:
            return "frame %d has another address" % i
        if x[1] and y[1] and x[2] != y[2]:
            return "frame %d has another symbol" % i
    if len(mine) == len(gdbs) or min(len(mine), len(gdbs)) >= MOST:
        return None
    if end == NO_CALLER and len(mine) < len(gdbs) and gdbs[len(mine) - 1][1] in GUESSED:
        return GUESS
    return "one ends earlier"

GUESS = "gdb has guessed"
total = collections.Counter()
for path in sys.argv[2:]:
    counts = collections.Counter()
    for thread, when, gdbs, reason in theirs(path):
        time, mine, end = next((x for x in reversed(ours[thread]) if x[0] < when), (0, [], "not seen"))
        why = differ(mine, end, gdbs)
        counts["stacks"] += 1
        counts["frames"] += len(gdbs)
        counts["named"] += sum(1 for x, y in zip(mine, gdbs) if x[1] and y[1])
        counts["guessed"] += why == GUESS
        if not why or why == GUESS:
            continue
        counts["differ"] += 1
        if counts["differ"] <= 2:
            print("%s: thread %d: %s (%s; %s)" % (path, thread, why, end, reason))
            for i in range(max(len(gdbs), len(mine))):
                x = mine[i] if i < len(mine) else (0, "-", 0, "")
                y = gdbs[i] if i < len(gdbs) else (0, "-", 0)
                print("   %s %#x %s %#x (%s) | %#x %s %#x" % (" " if x[0] == y[0] else "!", *x, *y))
    if not counts["stacks"] or counts["guessed"] * 2 > counts["stacks"]:
        print("%s: %d stacks, of %d gdb guessed" % (path, counts["stacks"], counts["guessed"]))
        counts["differ"] += 1
    print(path, *("%s %d" % x for x in counts.items() if x[1]))
    total += counts
    total["programs"] += 1
print(*("%s %d" % x for x in total.items()))
sys.exit(total["differ"] > 0 or total["programs"] < 10 or total["frames"] < 300)
