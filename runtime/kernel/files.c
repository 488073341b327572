// SPDX-License-Identifier: GPL-2.0-or-later
/* See files.h.  Anybody may look into the directory; each file says who may open it. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "kernel/files.h"
#include "wire.h"

static struct proc_dir_entry *files_directory;

int files_begin(void)
{
	char name[64];

	snprintf(name, sizeof(name), WIRE_DIRECTORY_PREFIX "%s", THIS_MODULE->name);
	files_directory = files_folder(name, NULL);
	return files_directory ? 0 : -ENOMEM;
}

struct proc_dir_entry *files_folder(const char *name, struct proc_dir_entry *parent)
{
	return proc_mkdir_mode(name, 0555, parent ?: files_directory);
}

struct proc_dir_entry *files_add(const char *name, umode_t mode, struct proc_dir_entry *parent, const struct proc_ops *ops, void *data)
{
	return proc_create_data(name, mode, parent ?: files_directory, ops, data);
}

void files_end(void)
{
	proc_remove(files_directory);
	files_directory = NULL;
}
