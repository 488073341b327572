/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own tracepoints by name; many are not exported, so they are looked up. */
#ifndef KERNEL_TRACEPOINTS_H
#define KERNEL_TRACEPOINTS_H

#include <linux/tracepoint.h>

/* NULL: this kernel has none of that name.  Tracepoints of modules are not found. */
struct tracepoint *tracepoints_find(const char *name);

#endif
