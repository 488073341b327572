/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files with code that handlers found in programs, and that the script has no tables of.  A reader outside of the kernel may make tables of them,
 * which are used from then on.
 */
#ifndef KERNEL_FOUND_H
#define KERNEL_FOUND_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/types.h>

/* Room for them; 0 or -ENOMEM.  Process context, as found_end(), after which none is known and nothing else is called. */
int found_begin(void);
/* Also when found_begin() failed or was not called. */
void found_end(void);

/*
 * The number of a mapping's file, from rt_script.nimages on, which it keeps as long as the session lasts; RT_NO_IMAGE: there is no room, or the
 * number is being given right now.  Any context; the mapping stays.  *is_new: it was not known before.
 */
u32 found_image(const struct vm_area_struct *vma, bool *is_new);

/* Is it one whose name will not change any more? */
bool found_is_settled(u32 number);

/* ---- the reader; process context ---- */

/* There is one from now on; false: there is one already. */
bool found_attach(void);
/* It is gone: what it has not answered stays without tables. */
void found_detach(void);
/* No handler finds anything any more: found_wait() ends when all was given out. */
void found_close(void);
/* Waits for a file that the reader was not given yet: with a reference, and its number.  -ENODATA: there will be no more; -ERESTARTSYS. */
struct file *found_wait(u32 *number);
/* Its tables, once: size bytes at data, struct rt_image_tables and what follows; 0 bytes: there are none.  0 or -errno. */
int found_tables(u32 number, const void __user *data, u64 size);
/* Waits, for some seconds at most, until the reader has answered about all that was found. */
void found_settle(void);

#endif
