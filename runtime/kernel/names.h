/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of addresses in stacks.  A handler only writes the addresses; the loader asks for their names when it reads them, through the
 * file "symbols".  A module may be unloaded meanwhile, so the names that such addresses had are kept until the loader is past them.
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include <linux/proc_fs.h>

/* The address is in a stack that is being written.  Any context. */
void names_note(unsigned long addr);

/* From now on, the names in modules that go are kept; 0 or -errno.  Process context, as names_end(), after which nothing is noted. */
int names_begin(void);
void names_end(void);

/* The file "symbols": WIRE_LOOKUP. */
extern const struct proc_ops names_proc_ops;

#endif
