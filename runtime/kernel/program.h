/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that a process runs. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/sched.h>

/* Looks up what the others need; false: this kernel has no such function for tasks.  Process context, may sleep. */
bool program_init(void);

/* The program's file, with a reference; NULL: there is none, or it is not known.  Any task; mm must stay. */
struct file *program_of_task(struct task_struct *t);
struct file *program_of_memory(struct mm_struct *mm);

/* Does the current process run the program?  inode: what the path of its file leads to, with a reference.  Any context. */
bool program_runs(const struct inode *inode);

/* The inode with the contents of the file at path, as uprobes use it; on an overlay the lower one. */
struct inode *program_inode(const struct path *path);
/* The same for a file from the calls above, whose reference it drops: only for comparing.  NULL for NULL. */
const struct inode *program_inode_and_put(struct file *file);

#endif
