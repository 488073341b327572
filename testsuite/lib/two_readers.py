# SPDX-License-Identifier: GPL-2.0-or-later
# Two readers of one terminal: the first holds its lock while it waits for input, the second waits for the lock, once, for a second or more.
import os
import time

there, here = os.openpty()
for reader in range(2):
    if not os.fork():
        os.read(here, 9)
        os._exit(0)
    time.sleep(1)
for reader in range(2):
    os.write(there, b"x\n")
    os.wait()
