/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where stacks have found code of programs, in all processes: for addresses that are named later, when the process may be gone. */
#ifndef KERNEL_MAPPED_H
#define KERNEL_MAPPED_H

#include <linux/types.h>

/* Room for them; 0 or -ENOMEM.  Process context, as mapped_end(), after which nothing is known and mapped_note() is not called. */
int mapped_begin(void);
/* Also when mapped_begin() failed or was not called. */
void mapped_end(void);

/*
 * A stack had code at addr, in a mapping [start, end) of the image: an address minus base is the offset in the file.  image RT_NO_IMAGE: code of
 * something else.  Any context.
 */
void mapped_note(u64 start, u64 end, u64 base, u32 image, u64 addr);
/*
 * What was at the address.  False: nothing that was noted, or in different processes different things, or there was no room to note all of its
 * surroundings.
 */
bool mapped_find(u64 addr, u32 *image, u64 *base);

#endif
