// SPDX-License-Identifier: GPL-2.0-or-later
/* The control file: mail for the loader, and its commands. */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#include "kernel/ctl.h"
#include "kernel/mail.h"
#include "kernel/session.h"
#include "kernel/state.h"
#include "kernel/transport.h"

static unsigned long ctl_opened;

static ssize_t ctl_read(struct file *f, char __user *to, size_t room, loff_t *pos)
{
	ssize_t n;

	if (room < sizeof(struct wire_msg) + WIRE_TEXT_MAX)
		return -EINVAL;
	for (;;) {
		n = mail_read(to, room);
		if (n || (f->f_flags & O_NONBLOCK))
			return n ? n : -EAGAIN;
		if (wait_event_interruptible(mail_wait, mail_is_there()))
			return -ERESTARTSYS;
	}
}

static __poll_t ctl_poll(struct file *f, struct poll_table_struct *table)
{
	__poll_t events = EPOLLOUT | EPOLLWRNORM;

	poll_wait(f, &mail_wait, table);
	if (mail_is_there())
		events |= EPOLLIN | EPOLLRDNORM;
	if (transport_filling())
		events |= EPOLLPRI;
	return events;
}

static ssize_t ctl_write(struct file *f, const char __user *from, size_t n, loff_t *pos)
{
	struct {
		struct wire_msg head;
		struct wire_start start;
	} in = { 0 };

	if (n < sizeof(in.head) || n > sizeof(in) || copy_from_user(&in, from, n))
		return -EINVAL;
	if (n != sizeof(in.head) + in.head.len)
		return -EINVAL;
	if (in.head.type == WIRE_START && in.head.len == sizeof(in.start))
		session_start(&in.start);
	else if (in.head.type == WIRE_HALT)
		session_halt();
	else if (in.head.type == WIRE_INTERRUPT)
		state_interrupt();
	else if (in.head.type == WIRE_STOP)
		session_stop();
	else
		return -EINVAL;
	return n;
}

/* Succeeds only once, and not for who reads whatever files there are. */
static int ctl_open(struct inode *inode, struct file *f)
{
	struct wire_hello hello = { .version = WIRE_VERSION, .cpus = nr_cpu_ids };

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!(f->f_mode & FMODE_WRITE))
		return -EINVAL;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	if (test_and_set_bit(0, &ctl_opened)) {
		module_put(THIS_MODULE);
		return -EBUSY;
	}
	transport_serve(current->tgid);
	mail_send(WIRE_HELLO, &hello, sizeof(hello));
	return stream_open(inode, f); /* without a position there is no lock for it: messages can be read while a command runs */
}

static int ctl_release(struct inode *inode, struct file *f)
{
	session_abandon();
	module_put(THIS_MODULE);
	return 0;
}

const struct proc_ops ctl_proc_ops = {
	.proc_open = ctl_open,
	.proc_read = ctl_read,
	.proc_write = ctl_write,
	.proc_poll = ctl_poll,
	.proc_release = ctl_release,
};

/* ---- the file "state": to find modules that were left loaded ---- */

static ssize_t state_read(struct file *f, char __user *to, size_t room, loff_t *pos)
{
	char text[64];
	int n = scnprintf(text, sizeof(text), "%s %d\n", state_name(), state_loader());

	return simple_read_from_buffer(to, room, pos, text, n);
}

const struct proc_ops ctl_state_proc_ops = {
	.proc_read = state_read,
	.proc_lseek = default_llseek,
};
