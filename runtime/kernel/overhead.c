// SPDX-License-Identifier: GPL-2.0-or-later
/* What hits cost a CPU outside of their handlers.  See overhead.h. */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/time64.h>

#include "kernel/compat/hrtimer_setup.h"
#include "kernel/hit.h"
#include "kernel/overhead.h"
#include "rt/port.h"

#define OVERHEAD_TRIES 8
#define OVERHEAD_PERIOD_NS 20000
#define OVERHEAD_PATIENCE_NS 500000 /* for one try */
#define OVERHEAD_LEAST_NS 500
#define OVERHEAD_MOST_NS 50000
#define OVERHEAD_UNKNOWN_NS 2000 /* taken if no try has succeeded */
#define OVERHEAD_OF_CALLS 4 /* divisor: an event without an interrupt takes at most a fourth of an interrupt */

static u64 __percpu *overhead_last; /* when the last hit of the CPU ended */
static u64 overhead_interrupt_ns;

/* ---- measuring ---- */

struct overhead_trial {
	struct hrtimer timer;
	bool expired;
};

static enum hrtimer_restart overhead_on_expiry(struct hrtimer *t)
{
	struct overhead_trial *x = container_of(t, struct overhead_trial, timer);

	WRITE_ONCE(x->expired, true);
	return HRTIMER_NORESTART;
}

/* How long the timer's interrupt kept this loop from running; U64_MAX: the interrupt did not come. */
static u64 overhead_try(struct overhead_trial *x)
{
	u64 began, before, now;

	WRITE_ONCE(x->expired, false);
	preempt_disable();
	hrtimer_start(&x->timer, ns_to_ktime(OVERHEAD_PERIOD_NS), HRTIMER_MODE_REL_PINNED_HARD);
	began = now = rt_port_clock_ns();
	do {
		before = now;
		now = rt_port_clock_ns();
	} while (!READ_ONCE(x->expired) && now - began < OVERHEAD_PATIENCE_NS);
	preempt_enable();
	hrtimer_cancel(&x->timer);
	return now - began < OVERHEAD_PATIENCE_NS ? now - before : U64_MAX;
}

/* The shortest of several tries: other interrupts may have prolonged the others. */
static u64 overhead_measure(void)
{
	static struct overhead_trial x; /* not on the stack: DEBUG_OBJECTS would need another function to prepare the timer */
	u64 best = U64_MAX;
	unsigned int i;

	compat_hrtimer_prepare(&x.timer, overhead_on_expiry);
	for (i = 0; i < OVERHEAD_TRIES; i++)
		best = min(best, overhead_try(&x));
	return best == U64_MAX ? OVERHEAD_UNKNOWN_NS : clamp_t(u64, best, OVERHEAD_LEAST_NS, OVERHEAD_MOST_NS);
}

int overhead_prepare(void)
{
	if (overhead_last || !rt_script.limits->overload_percent)
		return 0;
	overhead_last = alloc_percpu(u64);
	if (!overhead_last)
		return -ENOMEM;
	overhead_interrupt_ns = overhead_measure();
	return 0;
}

void overhead_free(void)
{
	free_percpu(overhead_last);
	overhead_last = NULL;
}

/* ---- hits ---- */

u64 overhead_begin(bool is_interrupt)
{
	u64 most = is_interrupt ? overhead_interrupt_ns : overhead_interrupt_ns / OVERHEAD_OF_CALLS;

	return overhead_last ? min(rt_port_clock_ns() - this_cpu_read(*overhead_last), most) : 0;
}

void overhead_end(u64 took, u64 periods)
{
	u64 now, since;

	if (!overhead_last)
		return;
	now = rt_port_clock_ns();
	this_cpu_write(*overhead_last, now);
	since = now - this_cpu_read(hit_cpus->window); /* all periods together are charged no more than the interval has lasted */
	hit_charge(now, min(took * periods, max(took, since)));
}
