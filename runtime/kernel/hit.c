// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hit: a context to run its handler in, and counters of how it ended.
 *
 * Hits that cannot sleep run with preemption off on a context of their CPU: one for each level (task, softirq, hardirq, NMI), because a
 * hit at a higher level may interrupt a handler at a lower one, and is handled too.  A second hit at a busy level was caused by the
 * handler itself, and is skipped.
 *
 * Handlers that may sleep take a context from a pool, at a place that depends on the task.  So a task mostly finds its own context in
 * its CPU's cache, and CPUs do not compete for one.  A hit in the same task, not in an interrupt, while such a handler runs, is skipped
 * as well.
 *
 * Nothing is shared between CPUs on the way: counters are per CPU and are added up at the end.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "kernel/arch/arch.h"
#include "kernel/arch/stack.h"
#include "kernel/arming.h"
#include "kernel/hit.h"
#include "kernel/machine.h"
#include "kernel/mail.h"
#include "kernel/patience.h"
#include "kernel/state.h"
#include "kernel/timing.h"
#include "rt/body.h"
#include "rt/port.h"

struct hit_context {
	struct rt_ctx c;
	struct task_struct *task; /* pool: the task that uses it, NULL = free */
	bool *busy;               /* of a CPU's context: whether it is in use; NULL: of the pool */
	struct hit_home *away;    /* pool: the place of its task, if that is another one */
	unsigned long switches;   /* pool: count of context switches of the task when the handler began */
	bool is_entry;            /* an entry handler ran: it does not count as a hit */
} ____cacheline_aligned_in_smp;

struct hit_cpu __percpu *hit_cpus __read_mostly;

struct hit_home {
	struct hit_context *context;
	atomic_t displaced;       /* contexts at other places that are used by tasks with this home */
};
static struct hit_home *hit_homes;
static unsigned int hit_home_bits;
bool hit_pool_used __read_mostly;

static struct hit_context alone_context;

/*
 * Stack.  The script's part is known when the module is built: its largest frame.  Below the script's last frame there must be room for
 * the runtime (1,048 bytes of frames with a bound each, and 300 of the kernel's), for an exception in it (460) and a hit of another
 * probe in that (600).  A handler that sleeps can be preempted, and one in a softirq can be interrupted on its own stack.  A hit with
 * less room is skipped; a call that leaves less is an error.
 */
#define STACK_BELOW (THREAD_SIZE / 16 * 3) /* 3,072; more where stacks are larger for a sanitizer */
#define STACK_REFUSAL 640 /* stack of a call that fails, below the frame of the callee */
#define STACK_PREEMPTED 2048
#define STACK_OF_HIT 128  /* from the check to the handler */
static unsigned long stack_reserve __read_mostly, stack_frame __read_mostly;

/*
 * Reading the clock twice takes longer than a small handler: one handler in so many is timed, but all while they are long.
 */
#define TIME_EVERY 16
#define EACH_IS_TIMED 1
#define LONG_NS 10000
#define LONGEST_NS 5000000000ull /* for a handler that keeps its CPU: watchdogs report after 10 s */
#define POOL_WAIT_MS 100

/* ---- counters ---- */

void hit_skipped(unsigned cause, unsigned long n)
{
	this_cpu_add(hit_cpus->skipped[cause], n);
	if (cause == WIRE_SKIP_LOCK || cause == WIRE_SKIP_STACK || cause == WIRE_SKIP_CONTEXT)
		state_skipped(n);
}

void hit_own(unsigned long n)
{
	this_cpu_add(hit_cpus->own, n);
}

void hit_ledger(struct wire_ledger *l)
{
	int cpu, i;

	if (!hit_cpus) /* the session did not begin */
		return;
	for_each_possible_cpu(cpu) {
		struct hit_cpu *h = per_cpu_ptr(hit_cpus, cpu);

		l->handled += h->handled + h->small;
		l->errors += h->errors;
		l->own += h->own;
		l->hits += h->handled + h->small + h->errors + h->own;
		for (i = 0; i < WIRE_SKIP_COUNT; i++) {
			l->skipped[i] += h->skipped[i];
			if (i != WIRE_SKIP_STOPPING)
				l->hits += h->skipped[i];
		}
	}
}

/* ---- contexts ---- */

/* busy: a flag for each context, or NULL: for the pool. */
static struct hit_context *make_hit_contexts(unsigned int n, bool *busy)
{
	struct hit_context *h = kvcalloc(n, sizeof(*h), GFP_KERNEL | __GFP_NOWARN);
	unsigned int i;

	for (i = 0; h && i < n; i++) {
		h[i].busy = busy ? &busy[i] : NULL;
		if (rt_ctx_init(&h[i].c))
			break;
	}
	if (!h || i == n)
		return h;
	while (i--)
		rt_ctx_free(&h[i].c);
	kvfree(h);
	return NULL;
}

static void free_hit_contexts(struct hit_context *h, unsigned int n)
{
	unsigned int i;

	for (i = 0; h && i < n; i++)
		rt_ctx_free(&h[i].c);
	kvfree(h);
}

static int make_hit_pool(void)
{
	unsigned int n, i;
	struct hit_context *h;

	hit_home_bits = ilog2(roundup_pow_of_two(max(4 * num_online_cpus(), 32u)));
	n = 1u << hit_home_bits;
	hit_homes = kvcalloc(n, sizeof(*hit_homes), GFP_KERNEL | __GFP_NOWARN);
	if (!hit_homes)
		return -ENOMEM;
	h = make_hit_contexts(n, NULL);
	for (i = 0; h && i < n; i++)
		hit_homes[i].context = &h[i];
	return h ? 0 : -ENOMEM;
}

/* Called before the CPU runs; they stay when it goes offline.  Without memory its hits are skipped. */
static void make_cpu_contexts(unsigned int cpu)
{
	struct hit_cpu *h = per_cpu_ptr(hit_cpus, cpu);

	if (!h->contexts)
		smp_store_release(&h->contexts, make_hit_contexts(HIT_LEVELS, h->busy));
}

static struct machine_listener hit_machine = { .cpu_comes = make_cpu_contexts };

static int make_all_cpu_contexts(void)
{
	int cpu, rc;

	hit_cpus = __alloc_percpu_gfp(sizeof(*hit_cpus), SMP_CACHE_BYTES, GFP_KERNEL | __GFP_NOWARN);
	if (!hit_cpus)
		return -ENOMEM;
	rc = machine_listen(&hit_machine);
	cpus_read_lock();
	for_each_online_cpu(cpu)
		if (!per_cpu_ptr(hit_cpus, cpu)->contexts)
			rc = -ENOMEM;
	cpus_read_unlock();
	return rc;
}

static int plan_stack(void)
{
	stack_frame = rt_script.frame + STACK_OF_HIT;
	stack_reserve = max3((u32)STACK_BELOW, rt_script.frame + STACK_REFUSAL, rt_script.limits->stack);
	return arch_stacks_find();
}

int hit_init(void)
{
	int rc = make_hit_pool();

	if (!rc)
		rc = plan_stack();
	if (!rc && rt_ctx_init(&alone_context.c))
		rc = -ENOMEM;
	if (!rc)
		rc = make_all_cpu_contexts();
	if (rc)
		hit_free();
	return rc;
}

static void free_all_cpu_contexts(void)
{
	int cpu;

	machine_leave(&hit_machine);
	if (!hit_cpus)
		return;
	for_each_possible_cpu(cpu)
		free_hit_contexts(per_cpu_ptr(hit_cpus, cpu)->contexts, HIT_LEVELS);
	free_percpu(hit_cpus);
	hit_cpus = NULL;
}

void hit_free(void)
{
	free_all_cpu_contexts();
	arch_stacks_forget();
	if (alone_context.c.arena)
		rt_ctx_free(&alone_context.c);
	if (hit_homes)
		free_hit_contexts(hit_homes[0].context, 1u << hit_home_bits);
	kvfree(hit_homes);
	hit_homes = NULL;
}

static bool hits_in_progress(void)
{
	unsigned int i;
	int cpu;

	for (i = 0; hit_homes && i < 1u << hit_home_bits; i++)
		if (READ_ONCE(hit_homes[i].context->task))
			return true;
	for_each_possible_cpu(cpu)
		for (i = 0; i < HIT_LEVELS; i++)
			if (READ_ONCE(per_cpu_ptr(hit_cpus, cpu)->busy[i]))
				return true;
	return false;
}

/* Warns with the names of handlers of the pool that delay the end of the session. */
static void name_who_stays(void)
{
	unsigned int i;

	for (i = 0; i < 1u << hit_home_bits; i++) {
		struct hit_context *h = hit_homes[i].context;
		const struct rt_probe *p;
		struct task_struct *t;

		rcu_read_lock();
		t = READ_ONCE(h->task);
		p = READ_ONCE(h->c.probe); /* NULL: t has only just taken this context, for the first time */
		if (t)
			mail_warn("the session waits for %.16s(%d), which is in a handler of probe %s", t->comm, t->pid,
				  p ? p->point : "(not known)");
		rcu_read_unlock();
	}
}

void hit_wait_idle(void)
{
	unsigned long patience = jiffies + msecs_to_jiffies(PATIENCE_MS);
	bool named = false;

	while (hits_in_progress()) {
		if (!named && time_after(jiffies, patience) && hit_homes) {
			name_who_stays();
			named = true;
		}
		if (fatal_signal_pending(current)) /* of the loader: only it can decide not to wait */
			state_interrupt();
		msleep(1);
	}
	smp_mb(); /* what the handlers wrote is visible from here */
}

/* ---- levels and nested hits ---- */

/* The stack pointer of the probed code, whose stack a hit uses too, but for one by access to watched memory. */
static unsigned long hit_stack_pointer(struct pt_regs *regs)
{
	return arch_is_watched_access(regs) ? kernel_stack_pointer(regs) : arch_stack_pointer();
}

static bool hit_on_task_stack(struct pt_regs *regs)
{
	return hit_stack_pointer(regs) - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

static bool hit_on_interrupt_stack(struct pt_regs *regs)
{
	return !hit_on_task_stack(regs) && arch_cpu_stack_bottom(hit_stack_pointer(regs));
}

/*
 * At its end an interrupt is no longer counted as one, and not yet as a softirq.  A hit while it then wakes tasks (on PREEMPT_RT the
 * thread of its softirqs) is on the stack of interrupts, where handlers of tasks never are.  (A handler in the middle of a context switch
 * is on the next task's stack.)
 */
static __always_inline enum hit_level hit_level_of_task(const struct hit_cpu *h, struct pt_regs *regs)
{
	return unlikely(h->busy[HIT_TASK]) && hit_on_interrupt_stack(regs) ? HIT_SOFTIRQ : HIT_TASK;
}

/* Access to memory that is watched comes as an NMI, like a breakpoint, but never in one.  Below it there may be breakpoints. */
static noinline enum hit_level hit_level_of_watched(const struct hit_cpu *h, struct pt_regs *regs, unsigned long pc)
{
	pc -= (pc & NMI_MASK) / NMI_OFFSET * (NMI_OFFSET + HARDIRQ_OFFSET);
	if (pc & HARDIRQ_MASK)
		return HIT_HARDIRQ;
	return pc & SOFTIRQ_OFFSET ? HIT_SOFTIRQ : hit_level_of_task(h, regs);
}

static noinline enum hit_level hit_level_in_interrupt(const struct hit_cpu *h, struct pt_regs *regs, unsigned long pc)
{
	if (pc & NMI_MASK) {
		if (arch_is_watched_access(regs))
			return hit_level_of_watched(h, regs, pc);
		if (!arch_not_nmi(regs))
			return HIT_NMI;
		pc -= NMI_OFFSET + HARDIRQ_OFFSET;
		if (pc & NMI_MASK)
			return HIT_NMI;
	}
	if (pc & HARDIRQ_MASK)
		return HIT_HARDIRQ;
	return pc & SOFTIRQ_OFFSET ? HIT_SOFTIRQ : hit_level_of_task(h, regs);
}

static __always_inline enum hit_level hit_level_of(const struct hit_cpu *h, struct pt_regs *regs)
{
	unsigned long pc = preempt_count();

	if (likely(!(pc & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return hit_level_of_task(h, regs);
	return hit_level_in_interrupt(h, regs, pc);
}

bool hit_comes_from_task(struct pt_regs *regs)
{
	enum hit_level level;

	preempt_disable_notrace();
	level = hit_level_of(this_cpu_ptr(hit_cpus), regs);
	preempt_enable_notrace();
	return level == HIT_TASK && hit_on_task_stack(regs) && !in_serving_softirq();
}

bool hit_in_nmi(void)
{
	return this_cpu_read(hit_cpus->busy[HIT_NMI]);
}

bool hit_in_task(void)
{
	return !this_cpu_read(hit_cpus->busy[HIT_SOFTIRQ]) && !this_cpu_read(hit_cpus->busy[HIT_HARDIRQ]) && !hit_in_nmi();
}

static __always_inline struct hit_context *hit_context_in_pool(void)
{
	struct hit_home *home = &hit_homes[hash_ptr(current, hit_home_bits)];
	unsigned int i;

	if (READ_ONCE(home->context->task) == current)
		return home->context;
	if (likely(!atomic_read(&home->displaced)))
		return NULL;
	for (i = 0; i < 1u << hit_home_bits; i++)
		if (READ_ONCE(hit_homes[i].context->task) == current)
			return hit_homes[i].context;
	return NULL;
}

bool hit_task_in_pool(void)
{
	return hit_context_in_pool() != NULL;
}

/* What runs on a CPU is the handler of its highest level that is under way; else one that may sleep, or a probe that runs alone. */
struct rt_ctx *rt_body_here(void)
{
	struct hit_context *found;
	struct hit_cpu *h;
	int level;

	preempt_disable_notrace();
	h = this_cpu_ptr(hit_cpus);
	for (level = HIT_LEVELS - 1; level >= 0 && !h->busy[level]; level--)
		;
	found = level >= 0 ? &h->contexts[level] : hit_context_in_pool();
	preempt_enable_notrace();
	return found ? &found->c : &alone_context.c;
}

/* Was the probe hit by a handler, or by what it calls?  Checked before all else; reads a few words and calls nothing. */
static __always_inline bool hit_is_nested(const struct hit_cpu *h, enum hit_level level)
{
	return h->busy[level] || (level == HIT_TASK && hit_task_in_handler());
}

/* ---- taking and giving back ---- */

/*
 * Lowest address that a frame of the script may have.  A stack that is neither the current task's nor one of the CPU's is the next task's, in
 * the middle of a context switch.  For any other stack, the end that is assumed then is too high at most.
 */
static noinline unsigned long stack_limit_of_cpu(unsigned long sp, bool sleeps)
{
	unsigned long bottom = arch_cpu_stack_bottom(sp) ?: round_down(sp, THREAD_SIZE);

	if (sleeps || !irqs_disabled())
		bottom += STACK_PREEMPTED;
	return bottom + stack_reserve;
}

static __always_inline unsigned long stack_limit(unsigned long sp, bool sleeps)
{
	unsigned long bottom = (unsigned long)task_stack_page(current);

	if (unlikely(sp - bottom >= THREAD_SIZE))
		return stack_limit_of_cpu(sp, sleeps);
	return bottom + (sleeps ? STACK_PREEMPTED : 0) + stack_reserve;
}

static __always_inline bool stack_is_short(unsigned long sp, unsigned long limit)
{
	return sp < limit + stack_frame;
}

static __always_inline struct rt_ctx *hit_prepare(struct hit_context *h, rt_u32 probe, struct pt_regs *regs, bool sleeps,
				  unsigned long limit)
{
	struct rt_ctx *c = &h->c;

	h->is_entry = false;
	c->error = RT_OK;
	c->probe = &rt_script.probes[probe];
	c->regs = regs;
	c->from[0] = 0;
	c->entry = NULL;
	c->args = NULL;
	c->probe_addr = 0;
	c->load_base = 0;
	c->may_sleep = sleeps;
	c->wait_until = 0;
	c->stack_limit = limit;
	return c;
}

static __always_inline struct rt_ctx *enter_atomic_hit(rt_u32 probe, struct pt_regs *regs)
{
	unsigned long sp = arch_stack_pointer(), limit;
	enum hit_level level;
	struct hit_cpu *h;

	preempt_disable_notrace();
	h = this_cpu_ptr(hit_cpus);
	level = hit_level_of(h, regs);
	if (unlikely(hit_is_nested(h, level))) {
		this_cpu_inc(hit_cpus->skipped[WIRE_SKIP_REENTRANT]);
		preempt_enable_notrace();
		return NULL;
	}
	if (hit_cpu_is_away()) {
		this_cpu_inc(hit_cpus->skipped[WIRE_SKIP_MISSED]);
		preempt_enable_notrace();
		return NULL;
	}
	h->busy[level] = true; /* now functions of the kernel may be called: a hit in them ends above */
	barrier();
	limit = stack_limit(sp, false);
	if (likely(h->contexts && !stack_is_short(sp, limit)))
		return hit_prepare(&h->contexts[level], probe, regs, false, limit);
	hit_skipped(h->contexts ? WIRE_SKIP_STACK : WIRE_SKIP_CONTEXT, 1);
	barrier();
	h->busy[level] = false;
	preempt_enable_notrace();
	return NULL;
}

/* They are only looked at in what counts as an NMI, and where there is a mark. */
bool hit_mark_needs_no_regs(void)
{
	return !(preempt_count() & NMI_MASK) && !this_cpu_read(hit_cpus->any_busy);
}

bool *hit_mark_call(struct pt_regs *regs, bool is_no_nmi)
{
	struct hit_cpu *h = this_cpu_ptr(hit_cpus);
	enum hit_level level = hit_level_of(h, regs);

	if (unlikely(hit_is_nested(h, level))) {
		this_cpu_inc(hit_cpus->skipped[WIRE_SKIP_REENTRANT]);
		return NULL;
	}
	if (unlikely(level == HIT_NMI && !is_no_nmi)) {
		this_cpu_inc(hit_cpus->skipped[WIRE_SKIP_MISSED]);
		return NULL;
	}
	h->busy[level] = true;
	barrier();
	return &h->busy[level];
}

/*
 * Takes the context at current's own place.  Not while a task with this place uses another one (displaced): it may be current, in a
 * handler.
 */
static __always_inline struct hit_context *take_hit_context_at_home(unsigned int home)
{
	struct hit_context *h = hit_homes[home].context;

	if (unlikely(READ_ONCE(h->task) || atomic_read(&hit_homes[home].displaced) || cmpxchg(&h->task, NULL, current)))
		return NULL;
	h->away = NULL;
	return h;
}

static struct hit_context *take_hit_context(unsigned int home)
{
	unsigned int i, mask = (1u << hit_home_bits) - 1;

	for (i = 0; i <= mask; i++) {
		struct hit_context *h = hit_homes[(home + i) & mask].context;

		if (READ_ONCE(h->task))
			continue;
		if (i)
			atomic_inc(&hit_homes[home].displaced);
		if (cmpxchg(&h->task, NULL, current) == NULL) {
			h->away = i ? &hit_homes[home] : NULL;
			return h;
		}
		if (i)
			atomic_dec(&hit_homes[home].displaced);
	}
	return NULL;
}

static noinline struct hit_context *wait_for_hit_context(unsigned int home)
{
	struct hit_context *h;
	unsigned int tries;

	if (hit_task_in_pool()) {
		hit_skipped(WIRE_SKIP_REENTRANT, 1);
		return NULL;
	}
	h = take_hit_context(home);
	for (tries = 0; !h && tries < POOL_WAIT_MS * 4 && state_running(); tries++) {
		usleep_range(200, 300);
		h = take_hit_context(home);
	}
	if (!h)
		hit_skipped(state_running() ? WIRE_SKIP_CONTEXT : WIRE_SKIP_STOPPING, 1);
	return h;
}

static struct rt_ctx *enter_sleepable_hit(rt_u32 probe, struct pt_regs *regs)
{
	unsigned int home = hash_ptr(current, hit_home_bits);
	unsigned long sp = arch_stack_pointer(), limit = stack_limit(sp, true);
	struct hit_context *h;

	if (unlikely(stack_is_short(sp, limit))) {
		hit_skipped(hit_task_in_handler() ? WIRE_SKIP_REENTRANT : WIRE_SKIP_STACK, 1);
		return NULL;
	}
	if (unlikely(!READ_ONCE(hit_pool_used)))
		WRITE_ONCE(hit_pool_used, true);
	h = take_hit_context_at_home(home);
	if (unlikely(!h)) {
		h = wait_for_hit_context(home);
		if (!h)
			return NULL;
	}
	return hit_prepare(h, probe, regs, true, limit);
}

struct rt_ctx *hit_enter(rt_u32 probe, struct pt_regs *regs, bool sleeps)
{
	if (unlikely(!state_running())) {
		hit_skipped(WIRE_SKIP_STOPPING, 1);
		return NULL;
	}
	return sleeps ? enter_sleepable_hit(probe, regs) : enter_atomic_hit(probe, regs);
}

void hit_leave(struct rt_ctx *c)
{
	struct hit_context *h = container_of(c, struct hit_context, c);

	if (h->busy) {
		barrier();
		*h->busy = false;
		preempt_enable_notrace();
		return;
	}
	if (unlikely(h->away)) {
		struct hit_home *away = h->away;

		smp_store_release(&h->task, NULL);
		atomic_dec(&away->displaced);
		return;
	}
	smp_store_release(&h->task, NULL);
}

/* ---- small handlers ---- */

/*
 * This one goes the ordinary way, where it counts as one of the ordinary kind, and is timed for all since the last one that was.
 * So `handled' is one too low until that has counted it.
 */
bool hit_leave_small_to_be_timed(void)
{
	this_cpu_inc(hit_cpus->small);
	this_cpu_dec(hit_cpus->handled);
	this_cpu_add(hit_cpus->tick, HIT_TIME_EVERY_SMALL - 1);
	return false;
}

/* ---- running ---- */

/* The hit is the one of the return; there is none if its entry handler failed. */
static void count_stopped(bool is_entry)
{
	if (is_entry)
		hit_skipped(WIRE_SKIP_STOPPING, 1);
	else
		this_cpu_inc(hit_cpus->handled);
}

static noinline void hit_ended_badly(struct rt_ctx *c, bool is_entry)
{
	char *text = c->out; /* flushed, so it is free, and large enough for a message with its place */

	switch ((enum rt_error_kind)c->error) {
	case RT_OK:
		break;
	case RT_ABORT: /* abort() itself has asked the session to stop */
		count_stopped(is_entry);
		break;
	case RT_SKIP:
		hit_skipped(WIRE_SKIP_LOCK, 1);
		break;
	case RT_SOFT:
		this_cpu_inc(hit_cpus->errors);
		rt_error_text(c, text, rt_script.limits->out);
		state_soft_error(text);
		break;
	case RT_STOPPED: /* like abort(): the user wanted it; what the handler did counts */
		count_stopped(is_entry);
		rt_error_text(c, text, rt_script.limits->out);
		mail_warn("%s", text);
		break;
	case RT_FATAL:
		this_cpu_inc(hit_cpus->errors);
		rt_error_text(c, text, rt_script.limits->out);
		state_fail("%s", text);
		break;
	}
}

static unsigned long switches_of_current(void)
{
	return current->nvcsw + current->nivcsw;
}

void hit_charge(u64 now, u64 ns)
{
	const struct rt_limits *l = rt_script.limits;
	u64 elapsed, spent, allowed;
	struct hit_cpu *h;

	preempt_disable_notrace();
	h = this_cpu_ptr(hit_cpus);
	h->spent += ns;
	elapsed = now - h->window;
	spent = h->spent;
	if (elapsed >= l->overload_interval_us * 1000ull) {
		h->window = now;
		h->spent = 0;
	} else {
		spent = 0;
	}
	preempt_enable_notrace();
	allowed = elapsed / 100 * l->overload_percent;
	if (unlikely(spent > allowed))
		state_fail("probe overhead (%llu ns) exceeded threshold (%llu ns) in last %llu ns", spent,
			   allowed, elapsed);
}

/*
 * Do handlers take too much of this CPU?  ns: the time of this one, weight: how many handlers it counts for.  A task that slept or moved
 * in its handler is left out: how much it used of the CPU is not known.
 */
static noinline void account_hit_time(u64 now, u64 ns, unsigned int weight)
{
	this_cpu_write(hit_cpus->due, ns > LONG_NS ? EACH_IS_TIMED : TIME_EVERY);
	hit_charge(now, ns + min_t(u64, ns, LONG_NS) * (weight - 1));
}

/*
 * Only called for handlers with more than one portion of the budget.  One that may sleep lets others run between portions.  Any other may
 * run as long as the share of an interval that handlers have, since a handler's time is only accounted for when it has ended.
 */
static bool hit_keeps_its_cpu(struct rt_ctx *c)
{
	const struct rt_limits *l = rt_script.limits;
	u64 now = rt_port_clock_ns(), allowed = LONGEST_NS;

	if (!c->first_asked)
		c->first_asked = now;
	if (l->overload_percent)
		allowed = min_t(u64, allowed, l->overload_interval_us * 10ull * l->overload_percent);
	return !c->may_sleep && now - c->first_asked > allowed;
}

enum rt_error_kind rt_port_goes_on(struct rt_ctx *c)
{
	if (state_interrupted() || state_abandoned() || (c->may_sleep && fatal_signal_pending(current)))
		return RT_STOPPED;
	return hit_keeps_its_cpu(c) ? RT_FATAL : RT_OK;
}

/* How many handlers this one counts for if it is to be timed, else 0. */
static unsigned int hit_timing_weight(void)
{
	unsigned int tick;

	if (!rt_script.limits->overload_percent)
		return 0;
	tick = this_cpu_inc_return(hit_cpus->tick);
	if (likely(tick < this_cpu_read(hit_cpus->due)))
		return 0;
	this_cpu_write(hit_cpus->tick, 0);
	return tick;
}

/* Negative if the handler has moved to a CPU whose clock is behind: 0 then. */
static noinline void hit_took(const struct rt_ctx *c)
{
	s64 ns = rt_port_clock_ns() - c->start;

	timing_add(c->probe, max_t(s64, ns, 0));
}

static void handle_hit(struct rt_ctx *c, rt_handler *handler)
{
	struct hit_context *h = container_of(c, struct hit_context, c);
	unsigned int weight = hit_timing_weight();
	bool timed = unlikely(timing_wanted()) && !h->is_entry;

	if (timed)
		c->start = rt_port_clock_ns();
	if (unlikely(weight)) {
		h->switches = switches_of_current();
		c->start = rt_port_clock_ns();
	}
	rt_hit_begin(c, c->probe);
	handler(c);
	rt_hit_end(c);
	if (timed)
		hit_took(c);
	if (unlikely(weight) && h->switches == switches_of_current()) {
		u64 now = rt_port_clock_ns();

		account_hit_time(now, now - c->start, weight);
	}
	if (unlikely(c->probe->flags & RT_PROBE_ARMS))
		arming_changed();
	if (unlikely(c->error))
		hit_ended_badly(c, h->is_entry);
	else if (likely(!h->is_entry))
		this_cpu_inc(hit_cpus->handled);
}

/* ---- brief handlers ---- */

/*
 * Is nothing in the way that hit_enter() knows about, besides a mark, and is there all that it would look for?  And while handlers are long,
 * all are timed: such a handler waits for locks, for instance.
 */
static __always_inline bool brief_may_run(const struct hit_cpu *h)
{
	unsigned long above = arch_stack_pointer() - (unsigned long)task_stack_page(current);

	return likely(state_running() && above < THREAD_SIZE && above >= stack_reserve + stack_frame && h->contexts && h->due != EACH_IS_TIMED &&
		      !is_idle_task(current) && !hit_cpu_is_away());
}

/* With a mark at the level of tasks. */
static __always_inline void run_brief(struct hit_cpu *h, const struct rt_probe *p, struct pt_regs *regs, const u64 *args, unsigned int n)
{
	struct rt_ctx *c = &h->contexts[HIT_TASK].c;

	c->error = RT_OK;
	c->loc = p->loc;
	c->probe = p;
	c->regs = regs;
	c->args = args;
	c->nargs = n;
	p->handler(c);
	if (unlikely(c->nlocked))
		rt_unlock(c);
	this_cpu_inc(hit_cpus->small);
	if (unlikely(RT_FAILED(c))) {
		this_cpu_dec(hit_cpus->handled); /* small decides which hit is timed, so it counts those that fail too */
		hit_ended_badly(c, false);
	}
}

bool hit_brief(const struct rt_probe *p, struct pt_regs *regs, const u64 *args, unsigned int n)
{
	bool ran = false, timed = false;
	struct hit_cpu *h;

	preempt_disable_notrace();
	h = this_cpu_ptr(hit_cpus);
	if (brief_may_run(h) && hit_mark_plain()) {
		timed = !(h->small % HIT_TIME_EVERY_SMALL);
		if (likely(!timed)) {
			run_brief(h, p, regs, args, n);
			ran = true;
		}
		hit_unmark_plain();
	}
	preempt_enable_notrace();
	return unlikely(timed) ? hit_leave_small_to_be_timed() : ran;
}

void hit_run(struct rt_ctx *c)
{
	handle_hit(c, c->probe->handler);
}

void hit_run_entry(struct rt_ctx *c)
{
	container_of(c, struct hit_context, c)->is_entry = true;
	handle_hit(c, c->probe->entry);
}

int hit_ask(rt_condition *condition)
{
	static const struct rt_probe nobody = { .point = "", .function = "" };
	struct rt_ctx *c = hit_prepare(&alone_context, 0, NULL, false, stack_limit(arch_stack_pointer(), true));
	bool holds;

	rt_hit_begin(c, &nobody);
	holds = condition(c);
	rt_hit_end(c);
	if (c->error == RT_SKIP)
		return -EAGAIN;
	return holds || c->error;
}

void hit_run_alone(rt_u32 probe)
{
	struct rt_ctx *c = hit_prepare(&alone_context, probe, NULL, true, stack_limit(arch_stack_pointer(), true));

	c->start = rt_port_clock_ns();
	rt_hit_begin(c, c->probe);
	c->probe->handler(c);
	rt_hit_end(c);
	if (timing_wanted())
		hit_took(c);
	if (c->error)
		hit_ended_badly(c, false);
	else
		this_cpu_inc(hit_cpus->handled);
}
