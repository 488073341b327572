// SPDX-License-Identifier: GPL-2.0-or-later
/* The program that a process runs.  See program.h. */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/path.h>
#include <linux/rcupdate.h>

#include "kernel/ksyms.h"
#include "kernel/program.h"

static unsigned long program_task_file, program_memory_file; /* the kernel's get_task_exe_file() and get_mm_exe_file() */

bool program_init(void)
{
	if (!program_task_file)
		program_task_file = ksyms_address("get_task_exe_file");
	if (!program_memory_file)
		program_memory_file = ksyms_address("get_mm_exe_file");
	return program_task_file;
}

struct file *program_of_task(struct task_struct *t)
{
	return program_task_file ? (struct file *)ksyms_call3(program_task_file, (unsigned long)t, 0, 0) : NULL;
}

struct file *program_of_memory(struct mm_struct *mm)
{
	return program_memory_file && mm ? (struct file *)ksyms_call3(program_memory_file, (unsigned long)mm, 0, 0) : NULL;
}

bool program_runs(const struct inode *inode)
{
	struct mm_struct *mm = current->mm;
	struct file *exe;
	bool yes;

	if (!mm || current->flags & PF_KTHREAD)
		return false;
	rcu_read_lock();
	exe = rcu_dereference(mm->exe_file);
	yes = exe && file_inode(exe) == inode;
	rcu_read_unlock();
	return yes;
}

struct inode *program_inode(const struct path *path)
{
	return d_real_inode(path->dentry);
}

const struct inode *program_inode_and_put(struct file *file)
{
	const struct inode *inode = file ? program_inode(&file->f_path) : NULL;

	if (file)
		fput(file);
	return inode;
}
