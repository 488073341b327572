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
 *
 * A task that ends in a body leaves its call counted.  So while the sum does not change, the stacks are searched.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "calls/calls.h"
#include "kernel/arch/calls.h"
#include "kernel/compat/call_body.h"
#include "kernel/compat/current_task.h"

#define CALLS_LOOK_FIRST HZ
#define CALLS_LOOK_MAX (64 * HZ) /* a look may search all stacks, and a call that lasts may last for good; and nobody waits for the module to go */
#define CALLS_TASKS 64 /* tasks that are searched before cond_resched() */

static struct spile_calls_slot calls_slots[CALLS_SLOTS] __used __aligned(64);
static unsigned long __percpu *calls_active __used;
static unsigned long calls_current __used;

static DEFINE_MUTEX(calls_mutex);
static unsigned int calls_sessions;
static unsigned long calls_eras;
static bool calls_held;
static unsigned long calls_pause; /* until the next look */
static long calls_seen;           /* under way at the last look */

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
extern const char calls_return[]; /* where bodies return to */
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

/*
 * Is the address to which bodies return on the task's stack?  No session is left, so no new body begins, and the address stays at one
 * place while a body runs.  A running task: search the whole stack.  Stale words may give a false yes, never a false no.
 */
static bool calls_are_on_stack(const struct task_struct *t)
{
	unsigned long words[32], to = (unsigned long)calls_return, low = (unsigned long)READ_ONCE(t->stack), at = low;
	unsigned int i, n;

	if (!low) /* it has ended */
		return false;
	if (!compat_may_be_running(t))
		at = arch_calls_stack_pointer(t);
	if (at - low >= THREAD_SIZE || at % sizeof(words[0]))
		at = low;
	for (; at - low < THREAD_SIZE; at += n * sizeof(words[0])) {
		n = min(sizeof(words), low + THREAD_SIZE - at) / sizeof(words[0]);
		if (copy_from_kernel_nofault(words, (void *)at, n * sizeof(words[0])))
			return true;
		for (i = 0; i < n; i++)
			if (words[i] == to)
				return true;
	}
	return false;
}

/* Lets others run in the middle of the list of tasks.  False: the place in the list is lost. */
static bool calls_let_others_run(struct task_struct *process, struct task_struct *thread)
{
	bool stay;

	get_task_struct(process);
	get_task_struct(thread);
	rcu_read_unlock();
	cond_resched();
	rcu_read_lock();
	stay = pid_alive(process) && pid_alive(thread);
	put_task_struct(thread);
	put_task_struct(process);
	return stay;
}

/* An idle task is in no body for long: calls_wait_for_counts() waits for these. */
static bool calls_are_on_stacks(void)
{
	struct task_struct *process, *thread;
	unsigned int n = 0;
	bool found = false;

	rcu_read_lock();
	for_each_process(process) {
		/* for_each_thread() needs tasklist_lock in kernels that check their use of RCU, which have not exported it */
		list_for_each_entry_rcu(thread, &process->signal->thread_head, thread_node) {
			/* if the place is lost, the answer is yes: the next look tries again */
			found = calls_are_on_stack(thread) || (!(++n % CALLS_TASKS) && !calls_let_others_run(process, thread));
			if (found)
				goto out;
		}
	}
out:
	rcu_read_unlock();
	return found;
}

/* Waits until tasks that have left a body have counted that, and until tasks that are ending (on no list any more) have gone. */
static void calls_wait_for_counts(void)
{
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

/* No session, and since the last look no call has ended: are there any?  If not, those that are counted are of tasks that have ended. */
static void calls_forget_ended(void)
{
	int cpu;

	if (calls_are_on_stacks())
		return;
	calls_wait_for_counts();
	for_each_possible_cpu(cpu)
		WRITE_ONCE(*per_cpu_ptr(calls_active, cpu), 0);
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
	calls_seen = calls_under_way();
	schedule_delayed_work(&calls_work, calls_pause);
	calls_pause = min_t(unsigned long, 2 * calls_pause, CALLS_LOOK_MAX);
}

static void calls_look(struct work_struct *work)
{
	mutex_lock(&calls_mutex);
	if (!calls_sessions && calls_under_way() == calls_seen)
		calls_forget_ended();
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
	struct spile_calls_slot *s = &calls_slots[(ip >> CALLS_HASH_SHIFT) % CALLS_SLOTS];

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
	calls_wait_for_counts();
	kernel_param_lock(THIS_MODULE);
	calls_active = NULL;
	kernel_param_unlock(THIS_MODULE);
	free_percpu(active);
}
module_exit(calls_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls of functions whose returns sessions of spile probe");
