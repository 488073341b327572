/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code and stacks of programs: what rt/unwind.h needs of the kernel. */
#ifndef KERNEL_USTACK_H
#define KERNEL_USTACK_H

/* Finds the files that the script has tables of, and holds them; 0 or -ENOMEM.  Process context, as ustack_end(), after which none is used. */
int ustack_begin(void);
/* Also when ustack_begin() failed or was not called. */
void ustack_end(void);

#endif
