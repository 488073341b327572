/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of the kernel's code, and what the kernel itself says of them: may they be probed, and how?  Process context. */
#ifndef KPLACE_H
#define KPLACE_H

#include <linux/types.h>

/* Finds what the others ask.  Before them; may sleep. */
void kplace_find(void);
/* Is the offset within the function at addr?  0, also if the kernel does not know; -ERANGE. */
int kplace_check_offset(unsigned long addr, s64 offset);
/* Does the kernel say where its function tracer has its calls? */
bool kplace_has_tracer(void);
/* Where the tracer's call of the function at addr is; 0: it has none, or that is not known. */
unsigned long kplace_of_tracer(unsigned long addr);
/* May the tracer's call at addr be used, for all that the blacklist of kprobes says?  Not if there is no asking. */
bool kplace_may_be_fast(unsigned long addr);
/* May the return of the function at addr be probed?  0; -EINVAL: the kernel has it in a list of those where that is fatal; -ENODATA: not known. */
int kplace_check_return(unsigned long addr);
/* Can a kprobe at addr do what it does, which is to read code beyond the end of the function? */
bool kplace_can_be_decoded(unsigned long addr);

#endif
