// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mail to the loader.  Messages are written into slots that are allocated at the start and put on a lock-free list, so a message can be
 * sent from any context, NMI included.  The reader takes the whole list at once.  irq_work wakes it.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kernel/mail.h"

#define SLOTS 256

struct mail_message {
	struct llist_node node;
	struct mail_message *next; /* in `pending' */
	unsigned int used;    /* taken; 0 = free */
	struct wire_msg head;
	char *payload;
};

/* Messages that occur at most once have slots of their own, by type: they are never lost. */
static struct mail_message mail_singles[WIRE_STOPPED + 1];
static char mail_single_payload[WIRE_STOPPED + 1][sizeof(struct wire_ledger)];

/* The last one is for the reason why the session ends, so that it is not lost among other errors. */
static struct mail_message mail_slots[SLOTS + 1];
static char *mail_texts;
static unsigned int mail_next_slot;
static atomic_t mail_errors_sent;
static atomic_long_t mail_lost_texts;
static LLIST_HEAD(mail_sent);

/* For the reader: messages taken from `sent', in order. */
static DEFINE_MUTEX(mail_reading);
static struct mail_message *mail_pending;

DECLARE_WAIT_QUEUE_HEAD(mail_wait);

static void mail_wake_now(struct irq_work *work)
{
	wake_up_all(&mail_wait);
}
static struct irq_work mail_wake_work;

void mail_wake(void)
{
	irq_work_queue(&mail_wake_work);
}

int mail_init(void)
{
	unsigned int i;

	mail_texts = kvzalloc(ARRAY_SIZE(mail_slots) * WIRE_TEXT_MAX, GFP_KERNEL);
	if (!mail_texts)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(mail_slots); i++)
		mail_slots[i].payload = mail_texts + i * WIRE_TEXT_MAX;
	for (i = 0; i < ARRAY_SIZE(mail_singles); i++)
		mail_singles[i].payload = mail_single_payload[i];
	init_irq_work(&mail_wake_work, mail_wake_now);
	return 0;
}

void mail_free(void)
{
	irq_work_sync(&mail_wake_work);
	kvfree(mail_texts);
}

/* ---- sending ---- */

static void send_message(struct mail_message *m)
{
	llist_add(&m->node, &mail_sent);
	mail_wake();
}

void mail_send(enum wire_type type, const void *payload, unsigned int len)
{
	struct mail_message *m = &mail_singles[type];

	if (cmpxchg(&m->used, 0, 1))
		return;
	m->head = (struct wire_msg){ .type = type, .len = len };
	if (len)
		memcpy(m->payload, payload, len);
	send_message(m);
}

static struct mail_message *take_mail_slot(void)
{
	unsigned int first = READ_ONCE(mail_next_slot), i;

	for (i = 0; i < SLOTS; i++) {
		struct mail_message *m = &mail_slots[(first + i) % SLOTS];

		if (READ_ONCE(m->used) || cmpxchg(&m->used, 0, 1))
			continue;
		WRITE_ONCE(mail_next_slot, first + i + 1);
		return m;
	}
	return NULL;
}

static void send_text_in(struct mail_message *m, enum wire_type type, const char *fmt, va_list args)
{
	m->head.type = type;
	m->head.len = vscnprintf(m->payload, WIRE_TEXT_MAX, fmt, args);
	send_message(m);
}

static void send_text(enum wire_type type, const char *fmt, va_list args)
{
	struct mail_message *m = take_mail_slot();

	if (m)
		send_text_in(m, type, fmt, args);
	else
		atomic_long_inc(&mail_lost_texts);
}

void mail_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	send_text(WIRE_WARNING, fmt, args);
	va_end(args);
}

void mail_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	send_text(WIRE_NOTE, fmt, args);
	va_end(args);
}

void mail_error(const char *fmt, ...)
{
	va_list args;

	atomic_inc(&mail_errors_sent);
	va_start(args, fmt);
	send_text(WIRE_ERROR, fmt, args);
	va_end(args);
}

void mail_tolerated(const char *fmt, ...)
{
	va_list args;

	atomic_inc(&mail_errors_sent);
	va_start(args, fmt);
	send_text(WIRE_TOLERATED, fmt, args);
	va_end(args);
}

void mail_reason(const char *fmt, va_list args)
{
	struct mail_message *m = &mail_slots[SLOTS];

	atomic_inc(&mail_errors_sent);
	if (!cmpxchg(&m->used, 0, 1))
		send_text_in(m, WIRE_ERROR, fmt, args);
}

unsigned int mail_errors(void)
{
	return atomic_read(&mail_errors_sent);
}

unsigned long mail_lost(void)
{
	return atomic_long_read(&mail_lost_texts);
}

/* ---- reading ---- */

/* Under `reading'. */
static void fetch_sent_messages(void)
{
	struct llist_node *n = llist_del_all(&mail_sent);
	struct mail_message **end = &mail_pending;

	while (*end)
		end = &(*end)->next;
	for (n = llist_reverse_order(n); n; n = n->next) {
		struct mail_message *m = llist_entry(n, struct mail_message, node);

		m->next = NULL;
		*end = m;
		end = &m->next;
	}
}

static ssize_t copy_pending_messages(char __user *to, size_t room)
{
	size_t done = 0;

	while (mail_pending) {
		struct mail_message *m = mail_pending;
		size_t n = sizeof(m->head) + m->head.len;

		if (n > room - done)
			break;
		if (copy_to_user(to + done, &m->head, sizeof(m->head)) ||
		    copy_to_user(to + done + sizeof(m->head), m->payload, m->head.len))
			return done ? done : -EFAULT;
		done += n;
		mail_pending = m->next;
		if (m < mail_singles || m >= mail_singles + ARRAY_SIZE(mail_singles))
			smp_store_release(&m->used, 0);
	}
	return done;
}

ssize_t mail_read(char __user *to, size_t room)
{
	ssize_t n;

	mutex_lock(&mail_reading);
	fetch_sent_messages();
	n = copy_pending_messages(to, room);
	mutex_unlock(&mail_reading);
	return n;
}

bool mail_is_there(void)
{
	return READ_ONCE(mail_pending) || !llist_empty(&mail_sent);
}
