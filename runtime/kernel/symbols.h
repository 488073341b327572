/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses as text, and where the symbols are that a script looks at.  The stack is walked in arch/. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include "rt/rt.h"

/* Return addresses of the kernel stack of the hit, the probed address first; number of them. */
unsigned int symbols_stack(struct rt_ctx *c, unsigned long *to, unsigned int max);

/* Finds the symbols that the script looks at, and from now on forgets those of modules that go.  0, or an error that was told. */
int symbols_find(void);
/* Undoes it; also when nothing was done. */
void symbols_forget(void);

#endif
