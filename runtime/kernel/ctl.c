// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control file.  Messages are filled into slots that exist from the start and put on a lock-free list, so
 * a message can be sent from any context, NMI included; the reader takes the whole list at once.  Waking it
 * is left to irq_work.
 */
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kernel/ctl.h"
#include "kernel/session.h"
#include "kernel/transport.h"

#define SLOTS 256

struct ctl_message {
	struct llist_node node;
	struct ctl_message *next; /* in `pending' */
	unsigned int used;    /* taken; 0 = free */
	struct wire_msg head;
	char *payload;
};

/* Messages of which there is at most one have places of their own, by type: they are never lost. */
static struct ctl_message ctl_singles[WIRE_STOPPED + 1];
static char ctl_single_payload[WIRE_STOPPED + 1][sizeof(struct wire_ledger)];

static struct ctl_message ctl_slots[SLOTS];
static char *ctl_texts;
static unsigned int ctl_next_slot;
static atomic_long_t ctl_lost_texts;
static LLIST_HEAD(ctl_sent);

/* The reader's: taken from `sent', in order. */
static DEFINE_MUTEX(ctl_reading);
static struct ctl_message *ctl_pending;

static unsigned long ctl_opened;

DECLARE_WAIT_QUEUE_HEAD(ctl_wait);

static void ctl_wake_now(struct irq_work *work)
{
	wake_up_all(&ctl_wait);
}
static struct irq_work ctl_wake_work;

void ctl_wake(void)
{
	irq_work_queue(&ctl_wake_work);
}

int ctl_init(void)
{
	unsigned int i;

	ctl_texts = kvzalloc(SLOTS * WIRE_TEXT_MAX, GFP_KERNEL);
	if (!ctl_texts)
		return -ENOMEM;
	for (i = 0; i < SLOTS; i++)
		ctl_slots[i].payload = ctl_texts + i * WIRE_TEXT_MAX;
	for (i = 0; i < ARRAY_SIZE(ctl_singles); i++)
		ctl_singles[i].payload = ctl_single_payload[i];
	init_irq_work(&ctl_wake_work, ctl_wake_now);
	return 0;
}

void ctl_free(void)
{
	irq_work_sync(&ctl_wake_work);
	kvfree(ctl_texts);
}

/* ---- sending ---- */

static void send_message(struct ctl_message *m)
{
	llist_add(&m->node, &ctl_sent);
	ctl_wake();
}

void ctl_send(enum wire_type type, const void *payload, unsigned int len)
{
	struct ctl_message *m = &ctl_singles[type];

	if (cmpxchg(&m->used, 0, 1))
		return;
	m->head = (struct wire_msg){ .type = type, .len = len };
	if (len)
		memcpy(m->payload, payload, len);
	send_message(m);
}

static struct ctl_message *take_ctl_slot(void)
{
	unsigned int first = READ_ONCE(ctl_next_slot), i;

	for (i = 0; i < SLOTS; i++) {
		struct ctl_message *m = &ctl_slots[(first + i) % SLOTS];

		if (READ_ONCE(m->used) || cmpxchg(&m->used, 0, 1))
			continue;
		WRITE_ONCE(ctl_next_slot, first + i + 1);
		return m;
	}
	return NULL;
}

void ctl_text(enum wire_type type, const char *fmt, va_list args)
{
	struct ctl_message *m = take_ctl_slot();

	if (!m) {
		atomic_long_inc(&ctl_lost_texts);
		return;
	}
	m->head.type = type;
	m->head.len = vscnprintf(m->payload, WIRE_TEXT_MAX, fmt, args);
	send_message(m);
}

unsigned long ctl_lost(void)
{
	return atomic_long_read(&ctl_lost_texts);
}

/* ---- reading ---- */

/* Under `reading'. */
static void fetch_sent_messages(void)
{
	struct llist_node *n = llist_del_all(&ctl_sent);
	struct ctl_message **end = &ctl_pending;

	while (*end)
		end = &(*end)->next;
	for (n = llist_reverse_order(n); n; n = n->next) {
		struct ctl_message *m = llist_entry(n, struct ctl_message, node);

		m->next = NULL;
		*end = m;
		end = &m->next;
	}
}

/* Whole messages, as many as fit.  0: the first does not fit or there is none. */
static ssize_t copy_pending_messages(char __user *to, size_t room)
{
	size_t done = 0;

	while (ctl_pending) {
		struct ctl_message *m = ctl_pending;
		size_t n = sizeof(m->head) + m->head.len;

		if (n > room - done)
			break;
		if (copy_to_user(to + done, &m->head, sizeof(m->head)) ||
		    copy_to_user(to + done + sizeof(m->head), m->payload, m->head.len))
			return done ? done : -EFAULT;
		done += n;
		ctl_pending = m->next;
		if (m < ctl_singles || m >= ctl_singles + ARRAY_SIZE(ctl_singles))
			smp_store_release(&m->used, 0);
	}
	return done;
}

static bool ctl_readable(void)
{
	return READ_ONCE(ctl_pending) || !llist_empty(&ctl_sent);
}

static ssize_t ctl_read(struct file *f, char __user *to, size_t room, loff_t *pos)
{
	ssize_t n;

	if (room < sizeof(struct wire_msg) + WIRE_TEXT_MAX)
		return -EINVAL;
	for (;;) {
		mutex_lock(&ctl_reading);
		fetch_sent_messages();
		n = copy_pending_messages(to, room);
		mutex_unlock(&ctl_reading);
		if (n || (f->f_flags & O_NONBLOCK))
			return n ? n : -EAGAIN;
		if (wait_event_interruptible(ctl_wait, ctl_readable()))
			return -ERESTARTSYS;
	}
}

static __poll_t ctl_poll(struct file *f, struct poll_table_struct *table)
{
	__poll_t events = EPOLLOUT | EPOLLWRNORM;

	poll_wait(f, &ctl_wait, table);
	if (ctl_readable())
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
		session_interrupt();
	else if (in.head.type == WIRE_STOP)
		session_stop();
	else
		return -EINVAL;
	return n;
}

/* Once in the module's life. */
static int ctl_open(struct inode *inode, struct file *f)
{
	struct wire_hello hello = { .version = WIRE_VERSION, .cpus = nr_cpu_ids };

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	if (test_and_set_bit(0, &ctl_opened)) {
		module_put(THIS_MODULE);
		return -EBUSY;
	}
	ctl_send(WIRE_HELLO, &hello, sizeof(hello));
	return stream_open(inode, f); /* no position, so no lock of it: messages are read while a command is under way */
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

/* ---- the file "state": for those who look for modules left behind ---- */

static ssize_t state_read(struct file *f, char __user *to, size_t room, loff_t *pos)
{
	char text[64];
	int n = scnprintf(text, sizeof(text), "%s %d\n", session_state_name(), session_loader());

	return simple_read_from_buffer(to, room, pos, text, n);
}

const struct proc_ops ctl_state_proc_ops = {
	.proc_read = state_read,
	.proc_lseek = default_llseek,
};
