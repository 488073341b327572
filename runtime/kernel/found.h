/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files with code that handlers found in programs, and that the script has no tables of. */
#ifndef KERNEL_FOUND_H
#define KERNEL_FOUND_H

#include <linux/mm_types.h>
#include <linux/types.h>

/* Room for them; 0 or -ENOMEM.  Process context, as found_end(), after which none is known and found_image() is not called. */
int found_begin(void);
/* Also when found_begin() failed or was not called. */
void found_end(void);

/*
 * The number of a mapping's file, from rt_script.nimages on, which it keeps as long as the session lasts; RT_NO_IMAGE: there is no room, or the
 * number is being given right now.  Any context; the mapping stays.
 */
u32 found_image(const struct vm_area_struct *vma);

#endif
