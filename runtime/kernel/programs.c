// SPDX-License-Identifier: GPL-2.0-or-later
/* The file "programs".  See programs.h. */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ioctl.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "kernel/found.h"
#include "kernel/own.h"
#include "kernel/pids.h"
#include "kernel/programs.h"
#include "rt/rt.h"
#include "wire.h"

static_assert(WIRE_NEXT_PROGRAM == _IOWR('S', 2, struct wire_program));
static_assert(WIRE_READER == _IOW('S', 4, s32));
static_assert(WIRE_TABLES == _IOW('S', 3, struct wire_tables));

/* Opens the file once more for the reader, with a descriptor of its own. */
static int programs_give(const struct file *found, struct wire_program __user *to, struct wire_program *p)
{
	struct file *own = dentry_open(&found->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK | O_NOATIME, current_cred());
	int fd;

	if (IS_ERR(own))
		return PTR_ERR(own);
	fd = get_unused_fd_flags(O_CLOEXEC);
	p->fd = fd;
	if (fd < 0 || copy_to_user(to, p, sizeof(*p))) {
		if (fd >= 0)
			put_unused_fd(fd);
		fput(own);
		return fd < 0 ? fd : -EFAULT;
	}
	fd_install(fd, own);
	return 0;
}

/* One that cannot be opened has no tables. */
static long programs_next(struct wire_program __user *to)
{
	struct wire_program p = { .version = WIRE_VERSION, .wanted = rt_script.programs, .tracked = rt_script.tracked };
	struct file *found;
	int rc;

	do {
		found = found_wait(&p.number);
		if (IS_ERR(found))
			return PTR_ERR(found);
		rc = programs_give(found, to, &p);
		fput(found);
		if (rc)
			found_tables(p.number, NULL, 0);
	} while (rc && rc != -EFAULT);
	return rc;
}

static long programs_reader(const s32 __user *from)
{
	s32 pid;

	if (copy_from_user(&pid, from, sizeof(pid)))
		return -EFAULT;
	own_set_reader(pids_global(pid) ?: -1);
	return 0;
}

static long programs_ioctl(struct file *f, unsigned int command, unsigned long arg)
{
	struct wire_tables t;

	if (command == WIRE_NEXT_PROGRAM)
		return programs_next((struct wire_program __user *)arg);
	if (command == WIRE_READER)
		return programs_reader((const s32 __user *)arg);
	if (command != WIRE_TABLES)
		return -ENOTTY;
	if (copy_from_user(&t, (const void __user *)arg, sizeof(t)))
		return -EFAULT;
	return found_tables(t.number, (const void __user *)(unsigned long)t.data, t.size);
}

static int programs_open(struct inode *inode, struct file *f)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	if (!found_attach()) {
		module_put(THIS_MODULE);
		return -EBUSY;
	}
	return 0;
}

static int programs_release(struct inode *inode, struct file *f)
{
	own_set_reader(-1);
	found_detach();
	module_put(THIS_MODULE);
	return 0;
}

const struct proc_ops programs_proc_ops = {
	.proc_open = programs_open,
	.proc_ioctl = programs_ioctl,
	.proc_release = programs_release,
};
