/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses as text, and where the symbols are that a script looks at. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include "rt/rt.h"

/* Finds the symbols that the script looks at, and from now on forgets those of modules that go.  0, or an error that was told. */
int symbols_find(void);
/* Undoes it; also when nothing was done. */
void symbols_forget(void);

#endif
