// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module that calls bodies of functions whose returns are probed.  It is loaded before the first session that can use it, and unloaded
 * after the last one.
 *
 * A call that sleeps in the body has an address of this module on its stack.  So each call is counted, on the CPU where it begins and on
 * the one where it ends, and while there is one, this module stays.  The sessions' modules need not: when a call returns whose owner has
 * left, nothing is called.
 *
 * A sum over CPUs that is formed while calls begin and end can be wrong in both directions.  So it is formed only while no session has
 * joined.  Then calls only end: a CPU that is read too early makes the sum too high, never too low.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "calls/calls.h"
#include "kernel/arch/calls.h"
#include "kernel/compat/call_body.h"
#include "kernel/compat/current_task.h"

#define CALLS_LOOK_FIRST HZ
#define CALLS_LOOK_MAX (64 * HZ)

static struct spile_calls_slot calls_slots[CALLS_SLOTS] __used __aligned(64);
static unsigned long __percpu *calls_active __used;
static unsigned long calls_current __used;

static DEFINE_MUTEX(calls_mutex);
static unsigned int calls_sessions;
static unsigned long calls_eras;
static bool calls_held;
static unsigned long calls_pause; /* until the next look */

/* ---- the frame's calls: any context ---- */

static bool __used notrace calls_fast(struct spile_calls_slot *s, unsigned long era)
{
	return READ_ONCE(s->era) != era || s->fast(s->point);
}

static void __used notrace calls_slow(struct spile_calls_slot *s, struct pt_regs *regs)
{
	s->slow(s->point, regs);
}

void calls_entry(void);
ARCH_CALLS_FRAME(calls_slots, calls_current, calls_active, calls_fast, calls_slow);

static void __used notrace calls_numbers(void)
{
	ARCH_CALLS_NUMBERS();
}

/* ---- how long it stays ---- */

static long calls_under_way(void)
{
	long n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += READ_ONCE(*per_cpu_ptr(calls_active, cpu));
	return n;
}

static void calls_look(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(calls_work, calls_look);

/* While no session holds us and calls are under way, we hold ourselves.  Whoever unloads us waits for the work. */
static void calls_decide(void)
{
	bool wanted = !calls_sessions && calls_under_way();

	if (wanted && !calls_held)
		__module_get(THIS_MODULE);
	else if (!wanted && calls_held)
		module_put(THIS_MODULE);
	calls_held = wanted;
	if (!wanted)
		return;
	schedule_delayed_work(&calls_work, calls_pause);
	calls_pause = min_t(unsigned long, 2 * calls_pause, CALLS_LOOK_MAX);
}

static void calls_look(struct work_struct *work)
{
	mutex_lock(&calls_mutex);
	calls_decide();
	mutex_unlock(&calls_mutex);
}

static void calls_join(void)
{
	mutex_lock(&calls_mutex);
	calls_sessions++;
	mutex_unlock(&calls_mutex);
}

static void calls_leave(void)
{
	mutex_lock(&calls_mutex);
	calls_sessions--;
	calls_pause = CALLS_LOOK_FIRST;
	calls_decide();
	mutex_unlock(&calls_mutex);
}

/* ---- slots ---- */

/* An entry that finds the address finds all else. */
static struct spile_calls_slot *calls_claim(unsigned long ip, const struct spile_calls_slot *how)
{
	struct spile_calls_slot *s = &calls_slots[(ip >> 4) % CALLS_SLOTS];

	mutex_lock(&calls_mutex);
	if (s->ip) {
		s = NULL;
	} else {
		s->ordinary = how->ordinary;
		s->point = how->point;
		s->fast = how->fast;
		s->slow = how->slow;
		smp_store_release(&s->era, ++calls_eras);
		smp_store_release(&s->ip, ip);
	}
	mutex_unlock(&calls_mutex);
	return s;
}

static const struct spile_calls calls = {
	.entry = (unsigned long)calls_entry,
	.join = calls_join,
	.leave = calls_leave,
	.claim = calls_claim,
};

const struct spile_calls *spile_calls(void);
const struct spile_calls *spile_calls(void)
{
	return &calls;
}

/* ---- the module ---- */

static int calls_show_under_way(char *to, const struct kernel_param *p)
{
	return sprintf(to, "%ld\n", calls_active ? calls_under_way() : 0);
}

static const struct kernel_param_ops calls_under_way_ops = { .get = calls_show_under_way };
module_param_cb(under_way, &calls_under_way_ops, NULL, 0444);
MODULE_PARM_DESC(under_way, "calls that have not returned yet; while a session runs, about so many");

static int __init calls_init(void)
{
	if (!compat_may_call_body())
		return -EOPNOTSUPP;
	calls_current = compat_current_task();
	calls_active = alloc_percpu(unsigned long);
	return calls_active ? 0 : -ENOMEM;
}
module_init(calls_init);

/*
 * No call is counted any more.  Tasks may still be between the end of their count and the last instruction.  The kernel takes the parameter away
 * only after this, so it must not find the counts any more.
 */
static void __exit calls_exit(void)
{
	unsigned long __percpu *active = calls_active;

	cancel_delayed_work_sync(&calls_work);
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
	kernel_param_lock(THIS_MODULE);
	calls_active = NULL;
	kernel_param_unlock(THIS_MODULE);
	free_percpu(active);
}
module_exit(calls_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls of functions whose returns sessions of spile probe");
