# SPDX-License-Identifier: GPL-2.0-or-later
# For gdb: stops a program at random instructions and in system calls, and writes the stack of each of its threads to a file, as gdb finds it.
#
#	STACKS="OUT STOPS SECONDS [SYSTEM-CALL...]" gdb -batch -x gdb_stacks.py --args PROGRAM...
#
# A line "stop TID TIME" begins a stack; TIME is when gdb had seen it.  One line for each frame follows: "address name start", with "-" for what gdb does
# not know.  The last line is "end REASON".
import os, re, subprocess, time
import gdb

out, stops, seconds, *calls = os.environ["STACKS"].split()
MOST = 62

def symbol(pc, looks_at):
    text = gdb.execute("info symbol %d" % looks_at, to_string=True)
    m = re.match(r"(\S.*?)(?: \+ (\d+))? in section", text)
    return (m.group(1).replace(" ", ""), looks_at - int(m.group(2) or 0)) if m else ("-", 0)

def code(pid):
    for line in open("/proc/%d/maps" % pid):
        m = re.match("([0-9a-f]+)-([0-9a-f]+) ..x", line)
        if m:
            yield int(m[1], 16), int(m[2], 16)

def stack(pid):
    frame, lines, interrupted, mapped = gdb.newest_frame(), [], True, list(code(pid))
    while frame and len(lines) < MOST:
        if frame.type() == gdb.SIGTRAMP_FRAME:
            interrupted = True
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            pc = frame.pc() & (1 << 64) - 1
            if not any(a <= pc < b for a, b in mapped):
                return lines + ["end no code at %#x" % pc]
            name, start = symbol(pc, pc if interrupted else pc - 1)
            lines.append("%#x %s %#x" % (pc, name, start))
            interrupted = frame.type() == gdb.SIGTRAMP_FRAME
        reason, frame = frame.unwind_stop_reason(), frame.older()
    return lines + ["end " + (gdb.frame_stop_reason_string(reason) if not frame else "limit").replace("\n", " ")]

def look(to):
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        lines = stack(gdb.selected_inferior().pid)
        to.write("stop %d %d\n" % (thread.ptid[1], time.clock_gettime_ns(time.CLOCK_REALTIME) // 1000))
        to.write("".join(line + "\n" for line in lines))
    to.flush()

for line in """set confirm off
set pagination off
set startup-with-shell off
set print demangle off
set print asm-demangle off
set backtrace past-main on
set backtrace past-entry on
set debuginfod enabled off
set inferior-tty /dev/null
set displaced-stepping off
set debug-file-directory /nonexistent
set auto-load off
handle all nostop noprint pass
handle SIGSTOP stop nopass
handle SIGTRAP stop nopass
handle SIGINT stop nopass
starti""".split("\n"):
    gdb.execute(line, to_string=True)
pid = gdb.selected_inferior().pid

def go_on(wait, calls):
    """Until the signal comes, or one of the system calls."""
    if calls:
        gdb.execute("tcatch syscall " + " ".join(calls), to_string=True)
    interrupts = subprocess.Popen(["sh", "-c", "sleep %g; kill -STOP %d 2>/dev/null" % (wait, pid)])
    gdb.execute("continue", to_string=True)
    interrupts.kill() # if a system call came first
    interrupts.wait()
    gdb.execute("delete", to_string=True)
    return gdb.selected_inferior().pid

with open(out, "w") as to:
    if go_on(2 * float(seconds), []):
        for i in range(int(stops)):
            if not go_on(float(seconds) * (i % 7 + 1) / 7, calls if i % 2 else []):
                break
            look(to)
if gdb.selected_inferior().pid:
    gdb.execute("kill", to_string=True)
