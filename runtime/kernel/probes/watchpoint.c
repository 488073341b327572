// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "watchpoint".  What a site means: sites/watchpoint.h.
 *
 * The machine compares every access to memory with a few addresses on each CPU, and reports one after it was made.  The kernel's perf
 * events share these places among all who want them.  A point is one event on each CPU that is online, made when the point is armed and
 * released when it is disarmed: so points whose conditions hold in turn can use one place.
 *
 * While the machine reports, and in NMIs, nothing is watched on that CPU.  So a handler here never causes a hit itself.  Handlers of other
 * probes can, and that is skipped and counted like any nested hit.
 *
 * Lock order: the kernel's lock of CPUs that come and go, then the mutex.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kernel/arch/arch.h"
#include "kernel/arming.h"
#include "kernel/hit.h"
#include "kernel/ksyms.h"
#include "kernel/machine.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "kernel/own.h"
#include "kernel/probes/watched.h"
#include "sites/watched.h"
#include "sites/watchpoint.h"

struct watchpoint_point;

/* Of a point, for each CPU. */
struct watchpoint_cpu {
	struct watchpoint_point *point;
	struct perf_event *event; /* NULL: not armed there */
	unsigned long addr;
	u64 last;                 /* what was there when it was last looked at; if all CPUs watch the same memory, that of the point is used */
};

struct watchpoint_point {
	const struct rt_site *site;
	unsigned long addr;       /* 0: not known, or not any more */
	unsigned int len;
	bool armed;
	bool failed;              /* the last attempt to arm it */
	struct watchpoint_cpu __percpu *cpus;
	u64 last;
};

static struct watchpoint_point *watchpoint_points;
static rt_u32 watchpoint_count;
static unsigned long watchpoint_size_of_symbol; /* ksyms_address() */
/* Points are armed, disarmed and given up: by the session, by conditions, and when a CPU or a module comes or goes. */
static DEFINE_MUTEX(watchpoint_mutex);

static const char *watchpoint_name(const struct watchpoint_point *p)
{
	return rt_script.probes[p->site->probe].point;
}

/* ---- hits: any context but an NMI, interrupts off ---- */

static bool watchpoint_read(const struct watchpoint_point *p, unsigned long addr, u64 *value)
{
	*value = 0;
	return !arch_is_device(addr) && !copy_from_kernel_nofault(value, (const void *)addr, p->len);
}

static u64 *watchpoint_last(struct watchpoint_cpu *w)
{
	return w->point->site->n[2] ? &w->last : &w->point->last;
}

static void watchpoint_run(struct watchpoint_cpu *w, struct pt_regs *regs)
{
	u64 values[SITE_WATCHED_VALUES];
	struct rt_ctx *c;

	if (!watchpoint_read(w->point, w->addr, &values[SITE_WATCHED_AFTER])) {
		hit_skipped(WIRE_SKIP_MISSED, 1); /* it could be read when it was armed */
		return;
	}
	values[SITE_WATCHED_BEFORE] = xchg(watchpoint_last(w), values[SITE_WATCHED_AFTER]);
	if (own_hit(regs)) {
		hit_own(1);
		return;
	}
	c = hit_enter(w->point->site->probe, regs, false);
	if (!c)
		return;
	c->args = values;
	c->nargs = ARRAY_SIZE(values);
	hit_run(c);
	hit_leave(c);
}

static void watchpoint_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	unsigned long fault = arch_fault_address();

	watchpoint_run(event->overflow_handler_context, regs);
	arch_set_fault_address(fault);
}

/* ---- arming; process context, under the mutex ---- */

static const char *watchpoint_reason(int rc)
{
	switch (rc) {
	case -ENOSPC:
		return "all watchpoints of the machine are in use, which has few (mostly four), also for debuggers and other tools; with conditions, "
		       "if (...), several can take turns";
	case -EINVAL:
		return "the kernel does not let this memory be watched: it uses it on the way into an exception";
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		return "this machine has no watchpoints";
	case -ENOMEM:
		return "out of memory";
	case -EFAULT:
		return "the memory cannot be read, or is a device's";
	default:
		return "the kernel refused";
	}
}

static int watchpoint_arm_on(struct watchpoint_point *p, unsigned int cpu)
{
	struct watchpoint_cpu *w = per_cpu_ptr(p->cpus, cpu);
	struct perf_event *event;
	struct perf_event_attr attr;

	hw_breakpoint_init(&attr);
	attr.bp_addr = w->addr;
	attr.bp_len = p->len; /* the kernel's numbers for lengths are the lengths */
	attr.bp_type = p->site->kind == SITE_WATCHPOINT_RW ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	if (!watchpoint_read(p, w->addr, &w->last))
		return -EFAULT;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, watchpoint_hit, w);
	if (IS_ERR(event))
		return PTR_ERR(event);
	w->event = event;
	return 0;
}

/* When it returns, no handler runs any more on that CPU. */
static void watchpoint_disarm_on(struct watchpoint_point *p, unsigned int cpu)
{
	struct watchpoint_cpu *w = per_cpu_ptr(p->cpus, cpu);

	if (w->event)
		perf_event_release_kernel(w->event);
	w->event = NULL;
}

static void watchpoint_disarm(struct watchpoint_point *p)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		watchpoint_disarm_on(p, cpu);
	p->armed = false;
}

static bool watchpoint_wants(const struct watchpoint_point *p)
{
	return p->addr && arming_wants(&rt_script.probes[p->site->probe]);
}

/* Reports why a point is not armed.  0: the script can do without it. */
static int watchpoint_refuse(struct watchpoint_point *p, const char *why, int rc)
{
	bool optional = p->site->flags & RT_SITE_OPTIONAL;

	if (!p->failed && optional)
		mail_warn("probe %s: %s", watchpoint_name(p), why);
	else if (!p->failed)
		mail_error("probe %s: %s", watchpoint_name(p), why);
	p->failed = true;
	return optional ? 0 : rc;
}

/* Under the lock of CPUs, too. */
static int watchpoint_arm(struct watchpoint_point *p)
{
	unsigned int cpu;
	int rc = 0;

	if (!p->site->n[2] && !watchpoint_read(p, p->addr, &p->last))
		return watchpoint_refuse(p, watchpoint_reason(-EFAULT), -EFAULT);
	for_each_online_cpu(cpu) {
		rc = watchpoint_arm_on(p, cpu);
		if (rc)
			break;
	}
	if (rc) {
		watchpoint_disarm(p);
		return watchpoint_refuse(p, watchpoint_reason(rc), rc);
	}
	p->armed = true;
	p->failed = false;
	return 0;
}

/* Arms and disarms all points as their conditions say: those that are not wanted any more first, as others may need their places. */
static int watchpoint_set_all(void)
{
	int first = 0;
	rt_u32 i;

	for (i = 0; i < watchpoint_count; i++)
		if (watchpoint_points[i].armed && !watchpoint_wants(&watchpoint_points[i]))
			watchpoint_disarm(&watchpoint_points[i]);
	for (i = 0; i < watchpoint_count; i++)
		if (!watchpoint_points[i].armed && watchpoint_wants(&watchpoint_points[i])) {
			int rc = watchpoint_arm(&watchpoint_points[i]);

			first = first ?: rc;
		}
	return first;
}

static void watchpoint_refresh(void)
{
	cpus_read_lock();
	mutex_lock(&watchpoint_mutex);
	watchpoint_set_all();
	mutex_unlock(&watchpoint_mutex);
	cpus_read_unlock();
}

/* ---- CPUs and modules that come and go ---- */

static void watchpoint_cpu_runs(unsigned int cpu)
{
	rt_u32 i;

	mutex_lock(&watchpoint_mutex);
	for (i = 0; i < watchpoint_count; i++) {
		struct watchpoint_point *p = &watchpoint_points[i];
		int rc = p->armed ? watchpoint_arm_on(p, cpu) : 0;

		if (rc)
			mail_warn("probe %s: not on CPU %u, which has come online: %s", watchpoint_name(p), cpu, watchpoint_reason(rc));
	}
	mutex_unlock(&watchpoint_mutex);
}

static void watchpoint_cpu_goes(unsigned int cpu)
{
	rt_u32 i;

	mutex_lock(&watchpoint_mutex);
	for (i = 0; i < watchpoint_count; i++)
		watchpoint_disarm_on(&watchpoint_points[i], cpu);
	mutex_unlock(&watchpoint_mutex);
}

/* Other memory may come to its addresses. */
static void watchpoint_module_goes(struct module *m)
{
	unsigned int n = 0;
	rt_u32 i;

	mutex_lock(&watchpoint_mutex);
	for (i = 0; i < watchpoint_count; i++) {
		struct watchpoint_point *p = &watchpoint_points[i];

		if (!p->addr || !p->site->s[1] || strcmp(p->site->s[1], m->name) != 0)
			continue;
		watchpoint_disarm(p);
		p->addr = 0;
		n++;
	}
	mutex_unlock(&watchpoint_mutex);
	if (n)
		mail_warn("module %s was unloaded: what was watched in it (points: %u) is not watched any more", m->name, n);
}

static struct machine_listener watchpoint_machine = {
	.cpu_runs = watchpoint_cpu_runs,
	.cpu_goes = watchpoint_cpu_goes,
	.module_goes = watchpoint_module_goes,
};

/* ---- finding what is watched ---- */

struct watchpoint_search {
	unsigned long addr;
	unsigned int n;
};

static int watchpoint_found(void *search, unsigned long addr)
{
	struct watchpoint_search *s = search;

	s->addr = addr;
	s->n++;
	return 0;
}

/* NULL, or why not. */
static const char *watchpoint_find_symbol(struct watchpoint_point *p)
{
	const char *name = p->site->s[0], *module = p->site->s[1];
	struct watchpoint_search s = { 0 };
	int rc = 0;

	if (module)
		rc = ksyms_module_address(module, name, &s.addr);
	else if (ksyms_each(name, watchpoint_found, &s) == -EOPNOTSUPP)
		s.addr = ksyms_address(name);
	if (rc == -ENODEV)
		return "the module is not loaded";
	if (rc || !s.addr)
		return module ? "the module has no such variable" : "the running kernel has no such variable";
	if (!module && ksyms_is_freed(s.addr))
		return "the kernel has freed this memory, which it needed only to start";
	if (s.n > 1)
		return "several variables have this name: give the address of one, as /proc/kallsyms has it";
	p->addr = s.addr;
	return NULL;
}

/* As many bytes as there are up to the next symbol, if that can be watched; else the first, which every access to a number touches. */
static void watchpoint_find_length(struct watchpoint_point *p)
{
	unsigned long size = 0, offset;

	if (watchpoint_size_of_symbol)
		ksyms_call3(watchpoint_size_of_symbol, p->addr, (unsigned long)&size, (unsigned long)&offset);
	p->len = (size == 2 || size == 4 || size == 8) && p->addr % size == 0 ? size : 1;
	if (size != p->len)
		mail_warn("probe %s: the kernel's symbols do not tell how large it is, so its first byte is watched: "
			  ".length(N) says how many, 1, 2, 4 or 8", watchpoint_name(p));
}

static bool watchpoint_overlaps(const struct watchpoint_point *p, unsigned long addr, unsigned long size)
{
	return p->addr < addr + size && addr < p->addr + p->len;
}

/* A per-CPU point has the address that all CPUs' copies are counted from; any other may be in the copy of one CPU. */
static bool watchpoint_is_in(const struct watchpoint_point *p, const struct arch_variable *v)
{
	unsigned long addr = *v->name ? ksyms_address(v->name) : 0;
	unsigned int cpu;

	if ((*v->name && !addr) || (p->site->n[2] && !v->per_cpu))
		return false;
	if (v->per_cpu == !!p->site->n[2])
		return watchpoint_overlaps(p, addr, v->size);
	for_each_possible_cpu(cpu)
		if (watchpoint_overlaps(p, (unsigned long)per_cpu_ptr((void __percpu *)addr, cpu), v->size))
			return true;
	return false;
}

static bool watchpoint_is_in_entry(const struct watchpoint_point *p)
{
	const struct arch_variable *v = arch_entry_variables;

	while (v->name && !watchpoint_is_in(p, v))
		v++;
	return v->name;
}

/*
 * May the address be, now or later, in the stack of a task?  The kernel copies a program's registers there before it has switched
 * watching off.  Modules and variables with a name are elsewhere.  Process context.
 */
static bool watchpoint_may_be_stack(const struct watchpoint_point *p)
{
	if (p->site->s[0] || arch_is_of_module(p->addr))
		return false;
	return is_vmalloc_addr(task_stack_page(current)) ? is_vmalloc_addr((void *)p->addr) : virt_addr_valid((void *)p->addr);
}

static const char *watchpoint_find(struct watchpoint_point *p)
{
	const char *why = NULL;

	p->len = p->site->n[0];
	if (p->site->s[0])
		why = watchpoint_find_symbol(p);
	else
		p->addr = p->site->n[1];
	if (why)
		return why;
	if (!p->len)
		watchpoint_find_length(p);
	if (!p->site->n[2] && p->addr < PAGE_OFFSET)
		return "that is no address of the kernel's memory";
	if (p->addr % p->len)
		return "its address is not a multiple of its length: add .length(N), with a smaller N";
	if (watchpoint_may_be_stack(p))
		return "it is where the kernel puts stacks of tasks, which it uses on the way into an exception";
	return watchpoint_is_in_entry(p) ? watchpoint_reason(-EINVAL) : NULL;
}

static bool watchpoint_overlap(rt_u32 k, rt_u32 i)
{
	const struct watchpoint_point *p = &watchpoint_points[k], *q = &watchpoint_points[i];

	return p->addr && q->addr && !p->site->n[2] == !q->site->n[2] && watchpoint_overlaps(p, q->addr, q->len);
}

/* ---- the mechanism ---- */

static int watchpoint_make(const struct rt_site *sites, rt_u32 n)
{
	unsigned int cpu;

	watchpoint_points = kvcalloc(n, sizeof(*watchpoint_points), GFP_KERNEL);
	for (; watchpoint_points && watchpoint_count < n; watchpoint_count++) {
		struct watchpoint_point *p = &watchpoint_points[watchpoint_count];

		p->site = &sites[watchpoint_count];
		p->cpus = alloc_percpu_gfp(struct watchpoint_cpu, GFP_KERNEL | __GFP_NOWARN);
		if (!p->cpus)
			return -ENOMEM;
		for_each_possible_cpu(cpu)
			per_cpu_ptr(p->cpus, cpu)->point = p;
	}
	return watchpoint_points ? 0 : -ENOMEM;
}

/* 0, or the error of a point that is not optional. */
static int watchpoint_find_all(const struct rt_site *sites, rt_u32 *armed)
{
	unsigned int cpu;
	int rc = 0;
	rt_u32 i;

	for (i = 0; i < watchpoint_count; i++) {
		struct watchpoint_point *p = &watchpoint_points[i];
		const char *why = watchpoint_find(p);

		if (why) {
			p->addr = 0;
			rc = watchpoint_refuse(p, why, -EINVAL) ?: rc;
			continue;
		}
		++*armed;
		for_each_possible_cpu(cpu)
			per_cpu_ptr(p->cpus, cpu)->addr =
				p->site->n[2] ? (unsigned long)per_cpu_ptr((void __percpu *)p->addr, cpu) : p->addr;
	}
	watched_warn_of_overlaps(sites, watchpoint_count, watchpoint_overlap);
	return rc;
}

static void watchpoint_stop(void)
{
	rt_u32 i;

	machine_leave(&watchpoint_machine); /* it may wait for a listener that waits for the mutex */
	mutex_lock(&watchpoint_mutex);
	for (i = 0; i < watchpoint_count; i++) {
		watchpoint_disarm(&watchpoint_points[i]);
		free_percpu(watchpoint_points[i].cpus);
	}
	kvfree(watchpoint_points);
	watchpoint_points = NULL;
	watchpoint_count = 0;
	mutex_unlock(&watchpoint_mutex);
}

static int watchpoint_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 before = *armed;
	int rc;

	BUILD_BUG_ON(HW_BREAKPOINT_LEN_1 != 1 || HW_BREAKPOINT_LEN_2 != 2 || HW_BREAKPOINT_LEN_4 != 4 || HW_BREAKPOINT_LEN_8 != 8);
	watchpoint_size_of_symbol = ksyms_address("kallsyms_lookup_size_offset"); /* the first look-up takes the lock of CPUs */
	rc = watchpoint_make(sites, n) ?: machine_listen(&watchpoint_machine);
	if (!rc) {
		cpus_read_lock();
		mutex_lock(&watchpoint_mutex);
		rc = watchpoint_find_all(sites, armed) ?: watchpoint_set_all();
		mutex_unlock(&watchpoint_mutex);
		cpus_read_unlock();
	}
	if (rc) {
		watchpoint_stop();
		*armed = before;
	}
	return rc;
}

const struct rt_mechanism rt_mechanism_watchpoint = {
	.name = "watchpoint",
	.start = watchpoint_start,
	.stop = watchpoint_stop,
	.refresh = watchpoint_refresh,
};
