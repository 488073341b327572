/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that a process runs. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/sched.h>

/* Looks up what the others need; false: this kernel has none for tasks.  Process context, may sleep. */
bool program_init(void);

/* The program's file, with a reference; NULL: there is none, or it is not known.  Any task; mm is not going away. */
struct file *program_of_task(struct task_struct *t);
struct file *program_of_memory(struct mm_struct *mm);

/* The inode that holds the contents of what is at path, as uprobes see it; of an overlay the one below. */
struct inode *program_inode(const struct path *path);
/* The same of a file that the calls above gave, whose reference it gives back: to be compared only.  NULL of NULL. */
const struct inode *program_inode_and_put(struct file *file);

#endif
