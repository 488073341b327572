// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "sample".  What a site means: sites/sample.h.
 *
 * A site has an event of the kernel's perf subsystem on each CPU that is online.  When a CPU goes offline the kernel takes its events out
 * for good; so for a CPU that comes online new ones are made.  The kernel's functions wait for CPUs that come and go, so a work item calls
 * them, not what is notified of the CPU.
 *
 * Hits come in interrupts (clocks), in NMIs (counters of the hardware), and wherever the kernel counts an event itself (faults, context
 * switches).
 *
 * Events that bring hits are armed when all other probes are, and hits are handled.  A stop of the session makes each its last: the kernel disables
 * it after the next, however long it takes until it is released.
 *
 * A counter has no hits: handlers read it.  One of threads has an event for each thread, made when a handler first reads it there, since only
 * that may take time; it is released after the thread's end.  To see at once whether there is such an event, and since the kernel changes its code
 * for the first one, there is always one for the loader.
 *
 * The kernel pauses a clock or a counter of the hardware that comes too often, until its next tick.  How many hits are lost then is not
 * known: each pause counts as one.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/jiffies.h> /* HZ */
#include <linux/llist.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "kernel/arch/arch.h"
#include "kernel/arming.h"
#include "kernel/compat/unbound_queue.h"
#include "kernel/hit.h"
#include "kernel/machine.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "kernel/overhead.h"
#include "kernel/own.h"
#include "kernel/program.h"
#include "kernel/state.h"
#include "kernel/target.h"
#include "kernel/watch.h"
#include "rt/embed.h"
#include "rt/port.h"
#include "sites/sample.h"

struct sample_point;

struct sample_cpu {
	struct perf_event *event; /* NULL: none */
	struct sample_point *point;
	u64 last; /* of a clock: when it last came */
};

struct sample_point {
	const struct rt_site *site;
	struct perf_event_attr attr;
	struct sample_cpu __percpu *cpus;
	struct perf_event *first; /* a counter of threads: the loader's */
	struct path program; /* dentry NULL: any */
	bool of_target;
	bool armed;
	bool failed;    /* it cannot be had, and need not */
};

static struct sample_point *sample_points;
static rt_u32 sample_count;
static bool sample_pause_told;
static cpumask_var_t sample_came; /* CPUs that came online, and need new events */
/* Events are made, armed and released: by the session, by conditions, and for a CPU that came. */
static DEFINE_MUTEX(sample_mutex);

#define SAMPLE_NO_PROGRAM (-ENOEXEC) /* an error of ours */

static bool sample_is_counter(const struct sample_point *p)
{
	return p->site->kind == SITE_SAMPLE_COUNTER;
}

static bool sample_is_of_threads(const struct sample_point *p)
{
	return p->site->n[3] & SITE_SAMPLE_THREADS;
}

static const char *sample_text(const struct sample_point *p)
{
	return rt_script.probes[p->site->probe].point;
}

/* ---- hits: any context, NMI included ---- */

#define SAMPLE_PAUSED (~0ull) /* in hw.interrupts, for an event that the kernel pauses */

static void sample_on_pause(const struct sample_point *p)
{
	hit_skipped(WIRE_SKIP_MISSED, 1);
	if (!READ_ONCE(sample_pause_told) && !xchg(&sample_pause_told, true))
		mail_warn("probe %s: the event comes more often than kernel.perf_event_max_sample_rate allows, so the kernel pauses it, and hits are "
			  "lost; fewer come with a larger .sample(), or a smaller .hz()",
			  sample_text(p));
}

/* Is the current process one of those that the site names? */
static bool sample_is_meant(const struct sample_point *p)
{
	return (!p->of_target || target_has(current)) && (!p->program.dentry || program_runs(d_inode(p->program.dentry)));
}

static void sample_run(const struct sample_point *p, struct pt_regs *regs)
{
	struct rt_ctx *c;

	if (!p->program.dentry && own_hit(NULL)) {
		hit_own(1);
		return;
	}
	/* These registers are not those of a breakpoint, so they do not tell whether this is an NMI. */
	c = hit_enter(p->site->probe, NULL, false);
	if (!c)
		return;
	if (regs && arch_regs_are_whole(regs))
		c->regs = regs;
	else if (regs)
		c->probe_addr = instruction_pointer(regs);
	hit_run(c);
	hit_leave(c);
}

static bool sample_is_clock(const struct sample_point *p)
{
	return p->attr.type == PERF_TYPE_SOFTWARE &&
	       (p->attr.config == PERF_COUNT_SW_CPU_CLOCK || p->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Does the kernel's code count it, where it happens, and not a device that interrupts? */
static bool sample_is_of_code(const struct sample_point *p)
{
	return p->attr.type == PERF_TYPE_TRACEPOINT || (p->attr.type == PERF_TYPE_SOFTWARE && !sample_is_clock(p));
}

/* Periods that have passed, of a clock since it last came.  The kernel does not let it come more often than each 10 us. */
static u64 sample_periods(struct sample_cpu *x)
{
	const struct perf_event_attr *a = &x->point->attr;
	u64 period = a->freq ? div64_u64(NSEC_PER_SEC, a->sample_freq) : max_t(u64, a->sample_period, 10 * NSEC_PER_USEC);
	u64 now = rt_port_clock_ns(), since = now - x->last;
	bool is_first = !x->last;

	x->last = now;
	return is_first ? 1 : max_t(u64, div64_u64(since, period), 1);
}

static void sample_on_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct sample_cpu *x = event->overflow_handler_context;
	u64 took;

	if (unlikely(!state_going())) {
		if (!hit_cpu_is_away()) /* the kernel sends itself an interrupt */
			atomic_set(&event->event_limit, 1);
		return;
	}
	took = overhead_begin(!sample_is_of_code(x->point));
	if (unlikely(event->hw.interrupts == SAMPLE_PAUSED))
		sample_on_pause(x->point);
	if (sample_is_meant(x->point))
		sample_run(x->point, regs);
	overhead_end(took, sample_is_clock(x->point) ? sample_periods(x) : 1);
	if (unlikely(event->hw.interrupts == SAMPLE_PAUSED))
		x->last = 0; /* the pause is no time that hits took */
}

/* ---- events; process context, under the mutex ---- */

static void sample_describe(struct perf_event_attr *a, const struct rt_site *site)
{
	a->size = sizeof(*a);
	a->type = site->n[0];
	a->config = site->n[1];
	if (site->kind == SITE_SAMPLE_TICK) {
		a->type = PERF_TYPE_SOFTWARE;
		a->config = PERF_COUNT_SW_CPU_CLOCK;
		a->sample_period = NSEC_PER_SEC / HZ;
	} else if (site->kind == SITE_SAMPLE_HZ) {
		a->freq = 1;
		a->sample_freq = site->n[2];
	} else { /* a counter: 0 */
		a->sample_period = site->n[2];
	}
}

static int sample_make(struct sample_point *p, unsigned int cpu)
{
	struct sample_cpu *x = per_cpu_ptr(p->cpus, cpu);
	struct perf_event *event;

	x->point = p;
	x->last = 0;
	p->attr.disabled = !p->armed;
	event = perf_event_create_kernel_counter(&p->attr, cpu, NULL, sample_on_overflow, x);
	if (IS_ERR(event))
		return PTR_ERR(event);
	x->event = event;
	return 0;
}

/* When it returns no handler of the event runs any more. */
static void sample_release(struct sample_cpu *x)
{
	struct perf_event *event = x->event;

	WRITE_ONCE(x->event, NULL);
	if (event)
		perf_event_release_kernel(event); /* it is freed when no reader under RCU may use it */
}

static void sample_release_all(struct sample_point *p)
{
	int cpu;

	if (!p->cpus)
		return;
	for_each_possible_cpu(cpu)
		sample_release(per_cpu_ptr(p->cpus, cpu));
}

static void sample_set(struct sample_point *p, bool wanted)
{
	int cpu;

	if (wanted == p->armed)
		return;
	p->armed = wanted;
	for_each_possible_cpu(cpu) {
		struct sample_cpu *x = per_cpu_ptr(p->cpus, cpu);
		struct perf_event *event = x->event;

		if (!event || !(READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT)) /* its CPU is or was offline */
			continue;
		if (wanted) {
			x->last = 0; /* it is disabled, so no handler runs: the time until now is none that hits took */
			perf_event_enable(event);
		} else {
			perf_event_disable(event);
		}
	}
}

static bool sample_is_wanted(const struct sample_point *p)
{
	return (state_running() || sample_is_counter(p)) && arming_wants(&rt_script.probes[p->site->probe]);
}

static void sample_refresh(void)
{
	rt_u32 i;

	mutex_lock(&sample_mutex);
	for (i = 0; i < sample_count; i++)
		sample_set(&sample_points[i], sample_is_wanted(&sample_points[i]));
	mutex_unlock(&sample_mutex);
}

/* ---- CPUs that come ---- */

/* Why there is no such event. */
static const char *sample_reason(const struct sample_point *p, int rc)
{
	switch (rc) {
	case -EBUSY:
	case -ENOSPC:
		return "all counters of this kind are in use";
	case -ENOENT:
	case -EOPNOTSUPP:
	case -EINVAL:
	case -ENODEV:
		break;
	case -ENOMEM:
		return "no memory";
	case SAMPLE_NO_PROGRAM:
		return "there is no such program";
	default:
		return "the kernel refuses the event";
	}
	switch (p->attr.type) {
	case PERF_TYPE_SOFTWARE:
		return "the kernel has no such software event";
	case PERF_TYPE_TRACEPOINT:
		return "no tracepoint's event has this number; /sys/kernel/tracing/events/*/*/id has them";
	default:
		return "this machine has no such hardware counter; virtual machines often have none at all.  perf.sw.cpu_clock counts time instead";
	}
}

/* CPUs that are online, and for which this has not been called since they came. */
static void sample_take_new(struct cpumask *to)
{
	cpus_read_lock(); /* no CPU is on its way */
	cpumask_and(to, sample_came, cpu_online_mask);
	cpumask_andnot(sample_came, sample_came, to);
	cpus_read_unlock();
}

/* Makes the events of a point on these CPUs, instead of those that they had.  The first error; a CPU that has gone meanwhile is none. */
static int sample_serve(struct sample_point *p, const struct cpumask *cpus)
{
	int cpu, rc, first = 0;

	if (sample_is_of_threads(p))
		return 0;
	for_each_cpu(cpu, cpus) {
		sample_release(per_cpu_ptr(p->cpus, cpu));
		rc = sample_make(p, cpu);
		if (rc == -ENODEV && !cpu_online(cpu))
			rc = 0;
		first = first ?: rc;
	}
	return first;
}

static void sample_on_work(struct work_struct *w)
{
	cpumask_var_t cpus;
	rt_u32 i;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL)) {
		mail_warn("no memory to probe events on a CPU that came online");
		return;
	}
	mutex_lock(&sample_mutex);
	if (sample_count) /* else the CPUs are left to the start, which goes on */
		sample_take_new(cpus);
	for (i = 0; i < sample_count; i++) {
		struct sample_point *p = &sample_points[i];
		int rc = p->failed ? 0 : sample_serve(p, cpus);

		if (rc)
			mail_warn("probe %s: not on a CPU that came online: %s (error %d)", sample_text(p), sample_reason(p, rc), rc);
	}
	mutex_unlock(&sample_mutex);
	free_cpumask_var(cpus);
}

static DECLARE_WORK(sample_work, sample_on_work);

/* The CPU does not run yet: what the work does first is to wait for it. */
static void sample_cpu_comes(unsigned int cpu)
{
	cpumask_set_cpu(cpu, sample_came);
	queue_work(compat_unbound_queue(), &sample_work);
}

static struct machine_listener sample_machine = { .cpu_comes = sample_cpu_comes };

/* ---- counters ---- */

struct sample_thread {
	struct hlist_node node;
	struct llist_node dead;
	struct task_struct *task;
	struct perf_event *events[]; /* of each point; NULL: none yet */
};

#define SAMPLE_BITS 8
static struct hlist_head sample_threads[1 << SAMPLE_BITS];
static DEFINE_RAW_SPINLOCK(sample_threads_lock); /* for changes; readers are under RCU, and look for their own thread only */
static LLIST_HEAD(sample_dead);
static bool sample_watches;

static struct sample_thread *sample_thread_of(struct task_struct *t)
{
	struct sample_thread *e;

	hlist_for_each_entry_rcu(e, &sample_threads[hash_ptr(t, SAMPLE_BITS)], node, true)
		if (e->task == t)
			return e;
	return NULL;
}

/* A new entry for current, which has none.  Process context. */
static struct sample_thread *sample_add_thread(void)
{
	struct sample_thread *e = kzalloc(struct_size(e, events, sample_count), GFP_KERNEL);
	unsigned long flags;

	if (!e)
		return NULL;
	e->task = current;
	raw_spin_lock_irqsave(&sample_threads_lock, flags);
	hlist_add_head_rcu(&e->node, &sample_threads[hash_ptr(current, SAMPLE_BITS)]);
	raw_spin_unlock_irqrestore(&sample_threads_lock, flags);
	return e;
}

static void sample_free_thread(struct sample_thread *e)
{
	rt_u32 i;

	for (i = 0; i < sample_count; i++)
		if (e->events[i])
			perf_event_release_kernel(e->events[i]);
	kfree(e);
}

static void sample_free_dead(struct work_struct *w)
{
	struct llist_node *all = llist_del_all(&sample_dead);
	struct sample_thread *e, *next;

	if (all)
		synchronize_rcu(); /* for readers in the bucket */
	llist_for_each_entry_safe(e, next, all, dead)
		sample_free_thread(e);
}

static DECLARE_WORK(sample_dead_work, sample_free_dead);

static void sample_remove_thread(struct sample_thread *e)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&sample_threads_lock, flags);
	hlist_del_rcu(&e->node);
	raw_spin_unlock_irqrestore(&sample_threads_lock, flags);
	llist_add(&e->dead, &sample_dead);
}

static void sample_thread_ends(struct task_struct *t)
{
	struct sample_thread *e = sample_thread_of(t);

	if (!e)
		return;
	sample_remove_thread(e);
	queue_work(compat_unbound_queue(), &sample_dead_work);
}

static struct watcher sample_watch = { .exit = sample_thread_ends };

/* Handlers do not run any more. */
static void sample_stop_counters(void)
{
	struct sample_thread *e;
	struct hlist_node *next;
	unsigned int i;

	if (!sample_watches)
		return;
	watch_end(&sample_watch);
	sample_watches = false;
	cancel_work_sync(&sample_dead_work);
	for (i = 0; i < ARRAY_SIZE(sample_threads); i++)
		hlist_for_each_entry_safe(e, next, &sample_threads[i], node)
			sample_remove_thread(e);
	sample_free_dead(NULL);
}

/* The event that counts for current; NULL, with an error in c. */
static struct perf_event *sample_of_thread(struct rt_ctx *c, struct sample_point *p)
{
	unsigned long i = p - sample_points;
	struct perf_event *event;
	struct sample_thread *e;

	rcu_read_lock();
	e = sample_thread_of(current); /* it stays until current ends */
	rcu_read_unlock();
	if (e && e->events[i])
		return e->events[i];
	if (!c->may_sleep) {
		rt_error(c, "this thread has no counter yet: it begins when a probe of a program's function first reads it");
		return NULL;
	}
	if (!e)
		e = sample_add_thread();
	event = e ? perf_event_create_kernel_counter(&p->attr, -1, current, NULL, NULL) : ERR_PTR(-ENOMEM);
	if (IS_ERR(event)) {
		rt_error(c, "this thread cannot be counted: %s (error %ld)", sample_reason(p, PTR_ERR(event)), PTR_ERR(event));
		return NULL;
	}
	WRITE_ONCE(e->events[i], event);
	return event;
}

/* How often it has come, for an event of current or of this CPU. */
static u64 sample_read(struct perf_event *event)
{
	unsigned long flags;
	u64 n;

	local_irq_save(flags);
	if (event->oncpu == smp_processor_id())
		event->pmu->read(event);
	n = local64_read(&event->count);
	local_irq_restore(flags);
	return n;
}

static u64 sample_read_cpu(struct sample_point *p)
{
	struct perf_event *event;
	u64 n;

	preempt_disable();
	event = READ_ONCE(this_cpu_ptr(p->cpus)->event);
	n = event ? sample_read(event) : 0;
	preempt_enable();
	return n;
}

static bool sample_has_name(const struct sample_point *p, struct rt_str name)
{
	const char *s = p->site->s[1];

	return s && strlen(s) == name.n && memcmp(s, name.p, name.n) == 0;
}

rt_s64 rt_counter(struct rt_ctx *c, struct rt_str name)
{
	rt_u32 i;

	for (i = 0; i < sample_count; i++) {
		struct sample_point *p = &sample_points[i];
		struct perf_event *event;

		if (!sample_has_name(p, name) || p->failed || !sample_is_meant(p))
			continue;
		if (!sample_is_of_threads(p))
			return sample_read_cpu(p);
		event = sample_of_thread(c, p);
		return event ? sample_read(event) : 0;
	}
	return 0;
}

/* ---- the mechanism ---- */

/* What it needs besides events; 0 or -errno. */
static int sample_prepare(struct sample_point *p, const struct rt_site *site)
{
	int rc;

	p->site = site;
	sample_describe(&p->attr, site);
	p->armed = sample_is_wanted(p);
	p->cpus = alloc_percpu(struct sample_cpu);
	if (!p->cpus)
		return -ENOMEM;
	if (site->n[3] & SITE_SAMPLE_TARGET) {
		rc = target_follow();
		if (rc)
			return rc;
		p->of_target = true;
	}
	if (!site->s[0])
		return 0;
	return kern_path(site->s[0], LOOKUP_FOLLOW, &p->program) ? SAMPLE_NO_PROGRAM : 0;
}

static void sample_forget(struct sample_point *p)
{
	sample_release_all(p);
	if (p->first)
		perf_event_release_kernel(p->first);
	free_percpu(p->cpus);
	if (p->of_target)
		target_release();
	if (p->program.dentry)
		path_put(&p->program);
}

static int sample_make_first(struct sample_point *p)
{
	struct perf_event *event = perf_event_create_kernel_counter(&p->attr, -1, current, NULL, NULL);

	if (IS_ERR(event))
		return PTR_ERR(event);
	p->first = event;
	return 0;
}

/* 0, or the error of a site that is not optional. */
static int sample_begin(struct sample_point *p, const struct rt_site *site, const struct cpumask *cpus)
{
	int rc = sample_prepare(p, site);

	if (!rc)
		rc = sample_is_of_threads(p) ? sample_make_first(p) : sample_serve(p, cpus);
	if (!rc)
		return 0;
	if (rc != -ENOMEM && site->flags & RT_SITE_OPTIONAL) {
		sample_release_all(p);
		p->failed = true;
		mail_warn("probe %s: %s (error %d)", sample_text(p), sample_reason(p, rc), rc);
		return 0;
	}
	mail_error("probe %s: %s (error %d)", sample_text(p), sample_reason(p, rc), rc);
	return rc;
}

static int sample_begin_all(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	cpumask_var_t cpus;
	int rc = 0;
	rt_u32 i;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	mutex_lock(&sample_mutex);
	sample_take_new(cpus);
	for (i = 0; i < n; i++) {
		int r = sample_begin(&sample_points[i], &sites[i], cpus);

		rc = rc ?: r;
		*armed += !r && !sample_points[i].failed;
	}
	sample_count = n; /* for the work, which waits for the mutex */
	mutex_unlock(&sample_mutex);
	free_cpumask_var(cpus);
	return rc;
}

static void sample_stop(void)
{
	rt_u32 i;

	machine_leave(&sample_machine);
	cancel_work_sync(&sample_work);
	sample_stop_counters();
	mutex_lock(&sample_mutex);
	for (i = 0; i < sample_count; i++)
		sample_forget(&sample_points[i]);
	synchronize_rcu(); /* the kernel looks at its events, and calls us, under RCU */
	kvfree(sample_points);
	sample_points = NULL;
	sample_count = 0;
	mutex_unlock(&sample_mutex);
	free_cpumask_var(sample_came);
}

static bool sample_any_threads(const struct rt_site *sites, rt_u32 n)
{
	rt_u32 i;

	for (i = 0; i < n; i++)
		if (sites[i].n[3] & SITE_SAMPLE_THREADS)
			return true;
	return false;
}

static int sample_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 before = *armed;
	int rc;

	if (!zalloc_cpumask_var(&sample_came, GFP_KERNEL))
		return -ENOMEM;
	sample_points = kvcalloc(n, sizeof(*sample_points), GFP_KERNEL);
	rc = sample_points ? overhead_prepare() : -ENOMEM;
	if (!rc)
		rc = machine_listen(&sample_machine); /* it reports the CPUs that are online as well */
	if (!rc && sample_any_threads(sites, n)) {
		rc = watch_begin(&sample_watch);
		sample_watches = !rc;
	}
	if (!rc)
		rc = sample_begin_all(sites, n, armed);
	if (rc) {
		sample_stop();
		*armed = before;
	}
	return rc;
}

const struct rt_mechanism rt_mechanism_sample = {
	.name = "sample",
	.start = sample_start,
	.stop = sample_stop,
	.running = sample_refresh,
	.refresh = sample_refresh,
};
