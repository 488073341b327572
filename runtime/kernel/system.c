// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about the whole system, for handlers, in any context. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched/loadavg.h>

#include "rt/rt.h"

rt_s64 rt_loadavg(rt_s64 i)
{
	return i >= 0 && i < 3 ? READ_ONCE(avenrun[i]) : 0;
}

/* The counters stay: an address that is none is a soft error of the script. */
rt_s64 rt_percpu_sum(struct rt_ctx *c, rt_u64 counters)
{
	unsigned int cpu;
	rt_s64 sum = 0;

	for_each_possible_cpu(cpu) {
		sum += (s32)rt_read(c, RT_KERNEL, counters + per_cpu_offset(cpu), sizeof(s32));
		if (RT_FAILED(c))
			return 0;
	}
	return sum;
}

rt_s64 rt_addr_node(rt_u64 addr)
{
	return virt_addr_valid(addr) ? page_to_nid(virt_to_page(addr)) : -1;
}
