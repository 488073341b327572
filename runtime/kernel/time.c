// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks, all readable in any context. */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/timex.h>

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
