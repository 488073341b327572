/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session's directory in procfs: files for the loader, and those of the script. */
#ifndef KERNEL_FILES_H
#define KERNEL_FILES_H

#include <linux/proc_fs.h>

/* Makes it; 0 or -ENOMEM.  Process context, as the others. */
int files_begin(void);
/* A file in it, or NULL; data: what pde_data() gives.  parent: a folder of files_folder(), or NULL. */
struct proc_dir_entry *files_add(const char *name, umode_t mode, struct proc_dir_entry *parent, const struct proc_ops *ops, void *data);
/* A folder that all may look into, or NULL; parent as above. */
struct proc_dir_entry *files_folder(const char *name, struct proc_dir_entry *parent);
/* Removes it with all that is in it; waits for running calls of files. */
void files_end(void);

#endif
