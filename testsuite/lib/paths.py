# SPDX-License-Identifier: GPL-2.0-or-later
"""Has the kernel name files whose names are special: argument, a folder of a tmpfs.  It stays there, so a second run needs another one."""
import mmap
import os
import subprocess
import sys

top = sys.argv[1]
os.makedirs(top + "/paths/a/b/d")
os.chdir(top + "/paths")
run = lambda *command: subprocess.run(command, check=True)
create = lambda name: os.open(name, os.O_RDWR | os.O_CREAT, 0o644)
links = os.open("/proc/self/fd", os.O_RDONLY)

def tell(*files):
    for file in files:
        os.readlink(str(file), dir_fd=links)

# What is there, and what has no place
kept, folder, pipe, memory = create("kept"), os.open("a", os.O_RDONLY), os.pipe(), os.memfd_create("memory")
tell(kept, folder, links, memory, *pipe, os.open("/proc/self/ns/net", os.O_RDONLY), os.pidfd_open(os.getpid()), 0, 1, 2)

# Removed: a file, its folder, a file that never had a name; one that is there again is another
gone = create("gone")
os.mkdir("away")
inside = create("away/inside")
away = os.open("away", os.O_RDONLY)
for name in ("gone", "away/inside"):
    os.unlink(name)
os.rmdir("away")
create("gone")
unnamed = os.open(".", os.O_RDWR | os.O_TMPFILE)
tell(gone, inside, away, unnamed)

# Unmounted while it is used, with what is mounted in it
for name in ("q", "q/r"):
    os.mkdir(name)
    run("mount", "-t", "tmpfs", "paths", name)
mounted, deeper = create("q/of_q"), create("q/r/of_r")
tell(mounted, deeper)
run("umount", "-l", "q")
tell(mounted, deeper)

# Moved out of the folder that is mounted elsewhere
os.mkdir("bound")
run("mount", "--bind", "a/b", "bound")
escaped = create("bound/d/escaped")
tell(escaped)
os.rename("a/b/d", "e")
tell(escaped)
run("umount", "-l", "bound")

# All that is mapped
mapped = mmap.mmap(-1, 4096)
open("/proc/self/maps").read()

# With another root
os.mkdir("root")
below = create("root/below")
os.mkdir("root/removed")
removed = os.open("root/removed", os.O_RDONLY)
os.rmdir("root/removed")
root = os.open("root", os.O_RDONLY)
os.chroot("root")
tell(kept, gone, below, removed, root, mounted, memory)
os.pread(below, 1, 0)
