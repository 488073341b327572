// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arming by conditions.  See arming.h.
 *
 * A handler may run anywhere, with a run queue's lock held or in an NMI, where no work can be queued.  So it raises an irq_work, which
 * queues the work.  Work with nothing to do takes some microseconds, and a refresh may take milliseconds.  So if every hit changes a
 * condition, for example a counter, the condition is only checked from time to time.
 */
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "kernel/arming.h"
#include "kernel/compat/unbound_queue.h"

bool *arming_answers;

static int (*arming_asks)(rt_condition *condition);
static void (*arming_refreshes)(void);

static void arming_on_irq(struct irq_work *w);
static void arming_on_work(struct work_struct *w);

static DEFINE_MUTEX(arming_mutex); /* for checking and refreshing */
static bool arming_enabled;
static int arming_pending; /* arming_changed() was called */
static unsigned long arming_next; /* time of the next check, in jiffies */
static unsigned long arming_took; /* duration of the last check, in jiffies */
static struct irq_work arming_irq_work = IRQ_WORK_INIT(arming_on_irq);
static DECLARE_DELAYED_WORK(arming_work, arming_on_work);

int arming_init(int (*ask)(rt_condition *), void (*refresh)(void))
{
	arming_asks = ask;
	arming_refreshes = refresh;
	arming_answers = kcalloc(max(rt_script.nconditions, 1u), sizeof(*arming_answers), GFP_KERNEL);
	return arming_answers ? 0 : -ENOMEM;
}

void arming_free(void)
{
	kfree(arming_answers);
	arming_answers = NULL;
}

void arming_changed(void)
{
	/* After this, the check that clears the mark sees what the handler wrote. */
	smp_mb();
	if (READ_ONCE(arming_pending) || !READ_ONCE(arming_enabled))
		return;
	if (!xchg(&arming_pending, 1))
		irq_work_queue(&arming_irq_work);
}

static void arming_on_irq(struct irq_work *w)
{
	unsigned long now = jiffies, next = READ_ONCE(arming_next);

	queue_delayed_work(compat_unbound_queue(), &arming_work, time_before(now, next) ? next - now : 0);
}

/* Has any of the answers changed?  If a lock cannot be taken, there is no answer yet. */
static bool arming_ask_all(void)
{
	bool changed = false;
	rt_u32 i;

	for (i = 0; i < rt_script.nconditions; i++) {
		int answer = arming_asks(rt_script.conditions[i]);

		if (answer < 0) {
			arming_changed();
			continue;
		}
		changed |= arming_answers[i] != answer;
		WRITE_ONCE(arming_answers[i], answer);
	}
	return changed;
}

void arming_ask(void)
{
	mutex_lock(&arming_mutex);
	arming_ask_all();
	mutex_unlock(&arming_mutex);
}

static void arming_on_work(struct work_struct *w)
{
	unsigned long began = jiffies;

	mutex_lock(&arming_mutex);
	/* Later changes have to wait too, and it is not known yet how long this check takes. */
	WRITE_ONCE(arming_next, began + 2 * arming_took + 1);
	xchg(&arming_pending, 0);
	if (arming_enabled && arming_ask_all())
		arming_refreshes();
	arming_took = jiffies - began;
	WRITE_ONCE(arming_next, jiffies + arming_took + 1);
	mutex_unlock(&arming_mutex);
}

void arming_enable(void)
{
	arming_next = jiffies;
	WRITE_ONCE(arming_enabled, rt_script.nconditions > 0);
}

void arming_disable(void)
{
	mutex_lock(&arming_mutex);
	WRITE_ONCE(arming_enabled, false);
	mutex_unlock(&arming_mutex);
}

void arming_drain(void)
{
	irq_work_sync(&arming_irq_work);
	cancel_delayed_work_sync(&arming_work);
}
