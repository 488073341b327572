// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks, all readable in any context. */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/timex.h>

#include "kernel/state.h"
#include "rt/rt.h"

rt_s64 rt_gettimeofday_ns(void)
{
	return ktime_get_real_fast_ns();
}

rt_s64 rt_clock_monotonic_ns(void)
{
	return ktime_get_mono_fast_ns();
}

rt_s64 rt_get_cycles(void)
{
	return get_cycles();
}

rt_s64 rt_jiffies(void)
{
	return get_jiffies_64();
}

rt_s64 rt_hz(void)
{
	return HZ;
}

rt_s64 rt_cpu_clock_ns(rt_s64 cpu)
{
	return cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu) ? cpu_clock(cpu) : 0;
}

rt_s64 rt_local_clock_ns(void)
{
	return local_clock();
}

rt_s64 rt_tz_gmtoff(void)
{
	return -state_facts()->zone_offset;
}

struct rt_str rt_tz_name(struct rt_ctx *c)
{
	return rt_str_copy(c, state_facts()->zone, sizeof(state_facts()->zone));
}
