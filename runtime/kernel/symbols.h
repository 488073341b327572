/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses as text, and the addresses of symbols that a script uses. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

/* Finds the symbols that the script uses, and from now on those of modules when they come and go.  0, or an error that was reported. */
int symbols_find(void);
/* Undoes it; also when nothing was done. */
void symbols_forget(void);

#endif
