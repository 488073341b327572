// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "timer".  What a site means: sites/timer.h.
 *
 * A period is counted from the previous expiry, not from the end of the handler, so a timer does not drift.  Periods that passed while the
 * handler ran are left out, so a handler that takes longer than its period leaves the CPU to others for at least one period.
 *
 * They are armed when all other probes are, and hits are handled: until then they could only keep the CPU from arming the others.  A stop
 * of the session stops each at its next expiry, however long it takes until they are disarmed.
 *
 * Handlers of HR run in the hard interrupt also on a PREEMPT_RT kernel: there the current task is the interrupted one.  The softirq that
 * serves JIFFIES is a thread of its own.
 */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timer.h>

#include "kernel/arming.h"
#include "kernel/compat/hrtimer_setup.h"
#include "kernel/compat/timer_stop.h"
#include "kernel/mechanism.h"
#include "kernel/hit.h"
#include "kernel/overhead.h"
#include "kernel/state.h"
#include "sites/timer.h"

struct timer_probe {
	const struct rt_site *site;
	union {
		struct hrtimer hr;
		struct timer_list jiffies;
	};
	unsigned long due; /* JIFFIES: when it should expire */
	struct rnd_state random; /* the kernel's own source takes locks that a PREEMPT_RT kernel forbids in interrupts */
	bool armed;
};

static struct timer_probe *timer_probes;
static rt_u32 timer_count;
static DEFINE_MUTEX(timer_mutex); /* timers are armed and disarmed: when the session runs, and by conditions */

/* n[0], or a number of n[0] - n[1] .. n[0] + n[1]; at least 1 jiffy, or 100 us. */
static u64 timer_period(struct timer_probe *t)
{
	const struct rt_site *site = t->site;
	u64 range = 2 * (u64)site->n[1] + 1, random;
	s64 p, least = site->kind == SITE_TIMER_JIFFIES ? 1 : 100 * NSEC_PER_USEC;

	if (!site->n[1])
		return site->n[0];
	random = (u64)prandom_u32_state(&t->random) << 32 | prandom_u32_state(&t->random);
	div64_u64_rem(random, range, &random);
	p = site->n[0] - site->n[1] + (s64)random;
	return max(p, least);
}

static void timer_run(const struct timer_probe *t)
{
	struct rt_ctx *c = hit_enter(t->site->probe, NULL, false);

	if (!c)
		return;
	hit_run(c);
	hit_leave(c);
}

static bool timer_goes_on(const struct timer_probe *t)
{
	return READ_ONCE(t->armed) && state_going();
}

static enum hrtimer_restart timer_on_hrtimer(struct hrtimer *hr)
{
	struct timer_probe *t = container_of(hr, struct timer_probe, hr);
	u64 took = overhead_begin(true);

	timer_run(t);
	if (!timer_goes_on(t))
		return HRTIMER_NORESTART;
	overhead_end(took, hrtimer_forward_now(hr, ns_to_ktime(timer_period(t))));
	return HRTIMER_RESTART;
}

/* The kernel's wheel expires a timer one tick after the requested one, so that it is never early. */
static void timer_expire_at_due(struct timer_probe *t)
{
	mod_timer(&t->jiffies, t->due - 1);
}

static void timer_on_jiffies(struct timer_list *tl)
{
	struct timer_probe *t = container_of(tl, struct timer_probe, jiffies);
	u64 took = overhead_begin(true), periods = 0;

	timer_run(t);
	if (!timer_goes_on(t))
		return;
	do {
		t->due += timer_period(t);
		periods++;
	} while (!time_after(t->due, jiffies));
	timer_expire_at_due(t);
	overhead_end(took, periods);
}

/* Arms a timer; its first period begins now. */
static void timer_arm(struct timer_probe *t)
{
	WRITE_ONCE(t->armed, true);
	if (t->site->kind == SITE_TIMER_JIFFIES) {
		t->due = jiffies + timer_period(t);
		timer_expire_at_due(t);
	} else {
		hrtimer_start(&t->hr, ns_to_ktime(timer_period(t)), HRTIMER_MODE_REL_HARD);
	}
}

/* Disarms a timer and waits for its handler. */
static void timer_disarm(struct timer_probe *t)
{
	WRITE_ONCE(t->armed, false);
	if (t->site->kind == SITE_TIMER_JIFFIES)
		compat_timer_stop(&t->jiffies);
	else
		hrtimer_cancel(&t->hr);
}

static void timer_refresh(void)
{
	rt_u32 i;

	mutex_lock(&timer_mutex);
	for (i = 0; i < timer_count; i++) {
		struct timer_probe *t = &timer_probes[i];
		bool wanted = state_running() && arming_wants(&rt_script.probes[t->site->probe]);

		if (wanted && !t->armed)
			timer_arm(t);
		else if (!wanted && t->armed)
			timer_disarm(t);
	}
	mutex_unlock(&timer_mutex);
}

static void timer_stop(void)
{
	rt_u32 i;

	for (i = 0; i < timer_count; i++)
		if (timer_probes[i].armed)
			timer_disarm(&timer_probes[i]);
	kvfree(timer_probes);
	timer_probes = NULL;
	timer_count = 0;
}

static int timer_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 i;

	if (overhead_prepare())
		return -ENOMEM;
	timer_probes = kvcalloc(n, sizeof(*timer_probes), GFP_KERNEL);
	if (!timer_probes)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct timer_probe *t = &timer_probes[i];

		t->site = &sites[i];
		prandom_seed_state(&t->random, get_random_u64());
		if (t->site->kind == SITE_TIMER_JIFFIES)
			timer_setup(&t->jiffies, timer_on_jiffies, 0);
		else
			compat_hrtimer_prepare(&t->hr, timer_on_hrtimer);
	}
	timer_count = n;
	*armed += n;
	return 0;
}

const struct rt_mechanism rt_mechanism_timer = {
	.name = "timer",
	.start = timer_start,
	.stop = timer_stop,
	.running = timer_refresh,
	.refresh = timer_refresh,
};
