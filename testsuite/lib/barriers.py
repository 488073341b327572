# SPDX-License-Identifier: GPL-2.0-or-later
# 20 barriers of memory for all processors: membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED).
import ctypes

for barrier in range(20):
    ctypes.CDLL(None).syscall(324, 2, 0, 0)
