// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Family "timer".  What a site means: sites/timer.h.
 *
 * A timer_period is counted from the expiry before, not from the end of the handler, so a timer does not drift; periods that
 * passed while the handler ran are left out, so a handler that takes longer than its timer_period leaves the CPU to others for
 * one timer_period at least.
 */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timer.h>

#include "kernel/compat/hrtimer_setup.h"
#include "kernel/compat/timer_stop.h"
#include "kernel/family.h"
#include "sites/timer.h"

struct timer_probe {
	const struct rt_site *site;
	union {
		struct hrtimer hr;
		struct timer_list jiffies;
	};
	unsigned long due; /* JIFFIES: when it was to expire */
};

static struct timer_probe *timer_probes;
static rt_u32 timer_count;
static bool timer_stopping;

/* n[0], or a number of n[0] - n[1] .. n[0] + n[1]; at least 1. */
static u64 timer_period(const struct rt_site *site)
{
	u64 range = 2 * (u64)site->n[1] + 1, random;
	s64 p;

	if (!site->n[1])
		return site->n[0];
	random = (u64)get_random_u32() << 32 | get_random_u32();
	div64_u64_rem(random, range, &random);
	p = site->n[0] - site->n[1] + (s64)random;
	return p > 0 ? p : 1;
}

static void timer_run(const struct timer_probe *t)
{
	struct rt_ctx *c = hit_enter(t->site->probe, NULL, false);

	if (!c)
		return;
	hit_run(c);
	hit_leave(c);
}

static enum hrtimer_restart timer_on_hrtimer(struct hrtimer *hr)
{
	struct timer_probe *t = container_of(hr, struct timer_probe, hr);

	timer_run(t);
	if (READ_ONCE(timer_stopping))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(hr, ns_to_ktime(timer_period(t->site)));
	return HRTIMER_RESTART;
}

static void timer_on_jiffies(struct timer_list *tl)
{
	struct timer_probe *t = container_of(tl, struct timer_probe, jiffies);

	timer_run(t);
	if (READ_ONCE(timer_stopping))
		return;
	do
		t->due += timer_period(t->site);
	while (!time_after(t->due, jiffies));
	mod_timer(tl, t->due);
}

static void timer_start_one(struct timer_probe *t)
{
	if (t->site->kind == SITE_TIMER_JIFFIES) {
		timer_setup(&t->jiffies, timer_on_jiffies, 0);
		t->due = jiffies + timer_period(t->site);
		mod_timer(&t->jiffies, t->due);
		return;
	}
	compat_hrtimer_prepare(&t->hr, timer_on_hrtimer);
	hrtimer_start(&t->hr, ns_to_ktime(timer_period(t->site)), HRTIMER_MODE_REL);
}

static void timer_stop(void)
{
	rt_u32 i;

	WRITE_ONCE(timer_stopping, true);
	for (i = 0; i < timer_count; i++) {
		if (timer_probes[i].site->kind == SITE_TIMER_JIFFIES)
			compat_timer_stop(&timer_probes[i].jiffies);
		else
			hrtimer_cancel(&timer_probes[i].hr);
	}
	kvfree(timer_probes);
	timer_probes = NULL;
	timer_count = 0;
}

static int timer_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 i;

	timer_probes = kvcalloc(n, sizeof(*timer_probes), GFP_KERNEL);
	if (!timer_probes)
		return -ENOMEM;
	timer_stopping = false;
	for (i = 0; i < n; i++) {
		timer_probes[i].site = &sites[i];
		timer_count++;
		timer_start_one(&timer_probes[i]);
	}
	*armed += n;
	return 0;
}

const struct rt_family rt_family_timer = {
	.name = "timer",
	.start = timer_start,
	.stop = timer_stop,
};
