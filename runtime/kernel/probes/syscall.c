// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "syscall".  What a site means: sites/syscall.h.
 *
 * The kernel has two tracepoints that all system calls of all tasks come to: before a call begins, when tracers and seccomp have agreed
 * to it, and when it has ended.  One function at each serves all points: a bit for each number says whether anybody wants the call.  While
 * no point is armed, the kernel jumps over both.
 *
 * Points for some processes have a check of their own: while only those are armed, a call of any other process costs one look at a table.
 *
 * What the kernel calls in a program's place, to come to the handlers of uprobes, is no call of the program and is not reported.
 *
 * sigreturn() has no number at its end, as that of a tracer may have none: that it began is noted, by points for its return.
 *
 * A call that does not return to its caller (exit, or a task that is killed) has an entry only; a new task, which returns from the call of
 * its parent, has not called and is not reported.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <asm/syscall.h>

#include "kernel/arch/syscall.h"
#include "kernel/arming.h"
#include "kernel/compat/tracepoint_context.h"
#include "kernel/compat/uprobe_calls.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "kernel/own.h"
#include "kernel/probes/calls.h"
#include "kernel/probes/tasks.h"
#include "kernel/tracepoints.h"
#include "kernel/watch.h"
#include "sites/syscall.h"

#define CALLS_DEFAULT 4096 /* active calls whose entry handlers saved something */

/* Numbers of native calls, and of those of 32-bit programs. */
enum { SYSCALL_NATIVE, SYSCALL_COMPAT, SYSCALL_ABIS };

struct syscall_point {
	const struct rt_site *site;
	rt_u32 probe;
	bool saves;  /* a return with an entry handler */
	bool notes;  /* one of sigreturn() without: that the call begins is noted */
	bool named;  /* it is for the processes that its site names */
	bool wanted; /* by its condition */
	/*
	 * How often that has changed.  What was saved before a change is not used: the call may have returned unseen, and another one of the
	 * task, which was entered unseen, may return now.
	 */
	unsigned long changes;
};

/* A point in the list of a number. */
struct syscall_link {
	rt_u32 point, next; /* next: 1 + index, 0: the last */
};

/* Which calls a point wants that is armed. */
struct syscall_wanted {
	DECLARE_BITMAP(numbers[SYSCALL_ABIS], SITE_SYSCALL_NUMBERS);
	bool all;
	bool named; /* some or all, of some processes: the numbers do not count */
};

/* Who makes a call. */
struct syscall_caller {
	const struct tasks_process *process; /* NULL: none that a point names */
	bool own; /* of the session itself: the points that name it run */
};

/* What runs at the entry of a call, or at its return. */
struct syscall_moment {
	struct syscall_wanted wanted; /* written under the mutex, read by hits */
	rt_u32 first[SYSCALL_ABIS][SITE_SYSCALL_NUMBERS], first_of_all; /* fixed while there are hits: 1 + index of a link, 0: none */
	struct tracepoint *tp;
	void *called;
	bool is_wanted, armed;
	bool failed; /* the last attempt to arm or disarm it */
};

enum { SYSCALL_ENTRY, SYSCALL_RETURN, SYSCALL_MOMENTS };

static struct {
	struct syscall_point *points;
	rt_u32 npoints;
	struct syscall_link *links;
	rt_u32 nlinks;
	struct syscall_moment moments[SYSCALL_MOMENTS];
	struct syscall_wanted next; /* that is being made */
	bool pairs; /* some points know of the beginning of the calls that return */
	struct calls *calls; /* NULL: none */
	bool following; /* tasks_follow() was called */
	int first_named; /* what it returned */
} *syscalls __read_mostly;

/* Points are armed and disarmed: by the session, and by conditions. */
static DEFINE_MUTEX(syscall_mutex);

/* ---- hits: in the task that calls; preemption is off ---- */

/* Does the point mean the caller? */
static bool syscall_is_meant(const struct syscall_point *p, const struct syscall_caller *by)
{
	if (!p->named)
		return !by->own;
	return by->process && tasks_is_meant(by->process, syscalls->first_named + (p - syscalls->points));
}

/* values: of an entry the arguments, of a return the result; and the number. */
static void syscall_run(const struct syscall_point *p, struct pt_regs *regs, const u64 *values, unsigned int n, rt_u64 *saved)
{
	struct rt_ctx *c;

	if (hit_probe_shortly(p->probe, regs, values, n))
		return;
	c = hit_enter(p->probe, regs, false);
	if (!c)
		return;
	c->args = values;
	c->nargs = n;
	c->entry = saved;
	hit_run(c);
	hit_leave(c);
}

/* The entry handler of a return. */
static void syscall_save(const struct syscall_point *p, struct pt_regs *regs, const u64 *values)
{
	struct calls_entry *saved = calls_enter(syscalls->calls, p, READ_ONCE(p->changes));
	bool failed = true;
	struct rt_ctx *c;

	if (!saved) {
		hit_skipped(WIRE_SKIP_RETURN, 1);
		return;
	}
	c = hit_enter(p->probe, regs, false);
	if (c) {
		c->args = values;
		c->nargs = RT_CALL_ARGS;
		c->entry = saved->slots;
		hit_run_entry(c);
		failed = RT_FAILED(c);
		hit_leave(c);
	}
	if (failed)
		calls_cancel(syscalls->calls, saved);
}

static void syscall_run_entries(rt_u32 link, const struct syscall_caller *by, struct pt_regs *regs, const u64 *values)
{
	for (; link; link = syscalls->links[link - 1].next) {
		const struct syscall_point *p = &syscalls->points[syscalls->links[link - 1].point];

		if (!syscall_is_meant(p, by))
			continue;
		if (p->site->kind == SITE_SYSCALL_ENTRY)
			syscall_run(p, regs, values, RT_CALL_ARGS, NULL);
		else if (p->saves)
			syscall_save(p, regs, values);
		else if (!calls_enter(syscalls->calls, p, READ_ONCE(p->changes)))
			hit_skipped(WIRE_SKIP_RETURN, 1);
	}
}

static void syscall_run_returns(rt_u32 link, const struct syscall_caller *by, struct pt_regs *regs, const u64 *values)
{
	for (; link; link = syscalls->links[link - 1].next) {
		const struct syscall_point *p = &syscalls->points[syscalls->links[link - 1].point];
		struct calls_entry *saved = NULL;

		if (!syscall_is_meant(p, by))
			continue;
		if (p->saves || p->notes) {
			/*
			 * NULL: it was counted at its entry (skipped, failed, own), or it began before the point was armed, or its entry was not
			 * reported: seccomp or a tracer has refused it.
			 */
			saved = calls_take(syscalls->calls, p, READ_ONCE(p->changes));
			if (!saved)
				continue;
		}
		syscall_run(p, regs, values, 0, p->saves ? saved->slots : NULL);
		if (saved)
			calls_done(syscalls->calls, saved);
	}
}

/* How many handlers this hit of the session's own would run; a return that saves was counted at its entry. */
static unsigned int syscall_count(rt_u32 link, bool is_return)
{
	unsigned int n = 0;

	for (; link; link = syscalls->links[link - 1].next) {
		const struct syscall_point *p = &syscalls->points[syscalls->links[link - 1].point];

		n += !p->named && (!is_return || !p->saves);
	}
	return n;
}

static rt_u32 syscall_first(const struct syscall_moment *m, unsigned int nr, bool compat)
{
	return nr < SITE_SYSCALL_NUMBERS ? m->first[compat][nr] : 0;
}

/* A 64-bit program may make a call of a 32-bit one: the kernel ignores the upper halves of its registers. */
static void syscall_get_values(struct pt_regs *regs, bool compat, unsigned long *values)
{
	unsigned int i;

	syscall_get_arguments(current, regs, values);
	if (compat)
		for (i = 0; i < RT_CALL_ARGS; i++)
			values[i] = (u32)values[i];
}

/*
 * Does the kernel's own code in the program make the call, for a uprobe?  At its end the task has no number of a call any more, as after
 * sigreturn().  A program that makes it from elsewhere gets SIGILL, and has made a call.
 */
static bool syscall_is_of_kernel(const struct pt_regs *regs, unsigned int nr, bool compat)
{
	return COMPAT_UPROBE_CALLS_ANY && !compat && ((int)nr < 0 || compat_uprobe_calls(nr)) &&
	       compat_uprobe_calls(arch_syscall_made_by_kernel(regs));
}

static noinline void syscall_enters(struct syscall_caller *by, struct pt_regs *regs, unsigned int nr, bool compat)
{
	const struct syscall_moment *m = &syscalls->moments[SYSCALL_ENTRY];
	rt_u32 first = syscall_first(m, nr, compat);
	unsigned long values[SITE_SYSCALL_VALUES];

	BUILD_BUG_ON(sizeof(values[0]) != sizeof(u64));
	BUILD_BUG_ON(SITE_SYSCALL_NUMBER != RT_CALL_ARGS);
	if (syscall_is_of_kernel(regs, nr, compat))
		return;
	by->own = own_hit(NULL);
	if (by->own)
		hit_own(syscall_count(first, false) + syscall_count(m->first_of_all, false));
	if (by->own && !by->process)
		return;
	if (syscalls->calls)
		calls_drop(syscalls->calls, current); /* what did not return to its caller */
	syscall_get_values(regs, compat, values);
	values[SITE_SYSCALL_NUMBER] = (int)nr;
	syscall_run_entries(first, by, regs, (u64 *)values);
	syscall_run_entries(m->first_of_all, by, regs, (u64 *)values);
}

/* A call has ended that has no number any more: was it one of those that were noted? */
static void syscall_returns_from_signal(const struct syscall_caller *by, struct pt_regs *regs, bool compat, u64 *values)
{
	unsigned int i;
	int nr;

	if (!syscalls->calls)
		return;
	for (i = 0; (nr = arch_syscall_sigreturn(i, compat)) >= 0; i++) {
		values[SITE_SYSCALL_NUMBER] = nr;
		syscall_run_returns(syscalls->moments[SYSCALL_RETURN].first[compat][nr], by, regs, values);
	}
}

static noinline void syscall_returns(struct syscall_caller *by, struct pt_regs *regs, unsigned int nr, bool compat, long result)
{
	const struct syscall_moment *m = &syscalls->moments[SYSCALL_RETURN];
	rt_u32 first = syscall_first(m, nr, compat);
	u64 values[SITE_SYSCALL_VALUES];

	if ((!result && arch_syscall_forks(nr, compat)) || syscall_is_of_kernel(regs, nr, compat))
		return;
	by->own = own_hit(NULL);
	if (by->own)
		hit_own(syscall_count(first, true) + syscall_count(m->first_of_all, true));
	if (by->own && !by->process)
		return;
	values[0] = result;
	values[SITE_SYSCALL_NUMBER] = (int)nr;
	syscall_run_returns(first, by, regs, values);
	syscall_run_returns(m->first_of_all, by, regs, values);
	if ((int)nr == -1)
		syscall_returns_from_signal(by, regs, compat, values);
}

static __always_inline bool syscall_is_wanted(const struct syscall_moment *m, struct syscall_caller *by, unsigned int nr, bool compat)
{
	by->process = READ_ONCE(m->wanted.named) ? tasks_current() : NULL;
	return by->process || READ_ONCE(m->wanted.all) || (nr < SITE_SYSCALL_NUMBERS && test_bit(nr, m->wanted.numbers[compat]));
}

/* The same of a call that ends: one without a number may be each that loses it. */
static __always_inline bool syscall_end_is_wanted(const struct syscall_moment *m, struct syscall_caller *by, unsigned int nr, bool compat)
{
	bool wanted = syscall_is_wanted(m, by, nr, compat);
	unsigned int i;
	int lost;

	if (likely((int)nr != -1))
		return wanted;
	for (i = 0; !wanted && (lost = arch_syscall_sigreturn(i, compat)) >= 0; i++)
		wanted = test_bit(lost, m->wanted.numbers[compat]);
	return wanted;
}

static void syscall_on_entry(void *data, struct pt_regs *regs, long nr)
{
	bool compat = arch_syscall_is_compat();
	struct syscall_caller by;

	compat_tracepoint_begin();
	if (syscall_is_wanted(&syscalls->moments[SYSCALL_ENTRY], &by, nr, compat))
		syscall_enters(&by, regs, nr, compat);
	compat_tracepoint_end();
}

static void syscall_on_return(void *data, struct pt_regs *regs, long result)
{
	bool compat = arch_syscall_is_compat();
	unsigned int nr = syscall_get_nr(current, regs);
	struct syscall_caller by;

	compat_tracepoint_begin();
	if (syscall_end_is_wanted(&syscalls->moments[SYSCALL_RETURN], &by, nr, compat))
		syscall_returns(&by, regs, nr, compat, result);
	compat_tracepoint_end();
}

static void syscall_on_exit(struct task_struct *t)
{
	calls_drop(syscalls->calls, t);
}

static struct watcher syscall_watch = { .exit = syscall_on_exit };

/* ---- arming; process context, under the mutex ---- */

static bool syscall_is_at(const struct syscall_point *p, unsigned int moment)
{
	return moment == SYSCALL_RETURN ? p->site->kind == SITE_SYSCALL_RETURN : p->site->kind == SITE_SYSCALL_ENTRY || p->saves || p->notes;
}

/* number: with SITE_SYSCALL_COMPAT, of a 32-bit program. */
static bool syscall_is_sigreturn(rt_s64 number)
{
	bool compat = number & SITE_SYSCALL_COMPAT;
	unsigned int i;
	int nr;

	for (i = 0; (nr = arch_syscall_sigreturn(i, compat)) >= 0; i++)
		if (nr == (number & ~SITE_SYSCALL_COMPAT))
			return true;
	return false;
}

/* Sets what the point wants. */
static void syscall_want(const struct syscall_point *p, struct syscall_wanted *w)
{
	rt_s64 i;

	if (p->named) {
		w->named = true;
		return;
	}
	if (p->site->n[2] == SITE_SYSCALL_ALL)
		w->all = true;
	for (i = 0; i < p->site->n[2]; i++)
		__set_bit(p->site->own[i] & ~SITE_SYSCALL_COMPAT, w->numbers[!!(p->site->own[i] & SITE_SYSCALL_COMPAT)]);
}

/* What goes on being wanted is wanted throughout, so that no hit is lost. */
static void syscall_set_wanted(struct syscall_moment *m)
{
	struct syscall_wanted *next = &syscalls->next;
	unsigned int abi, i;
	rt_u32 k;

	memset(next, 0, sizeof(*next));
	for (k = 0; k < syscalls->npoints; k++)
		if (syscall_is_at(&syscalls->points[k], m - syscalls->moments) && syscalls->points[k].wanted)
			syscall_want(&syscalls->points[k], next);
	WRITE_ONCE(m->wanted.all, next->all);
	WRITE_ONCE(m->wanted.named, next->named);
	for (abi = 0; abi < SYSCALL_ABIS; abi++)
		for (i = 0; i < BITS_TO_LONGS(SITE_SYSCALL_NUMBERS); i++)
			WRITE_ONCE(m->wanted.numbers[abi][i], next->numbers[abi][i]);
	m->is_wanted = next->all || next->named || !bitmap_empty(next->numbers[SYSCALL_NATIVE], SITE_SYSCALL_NUMBERS) ||
		       !bitmap_empty(next->numbers[SYSCALL_COMPAT], SITE_SYSCALL_NUMBERS);
}

static int syscall_arm(struct syscall_moment *m, bool wanted)
{
	int rc;

	if (wanted == m->armed)
		return 0;
	rc = wanted ? tracepoint_probe_register(m->tp, m->called, NULL) : tracepoint_probe_unregister(m->tp, m->called, NULL);
	if (!rc)
		m->armed = wanted;
	else if (!m->failed)
		mail_error("cannot %s the tracepoint %s of system calls (error %d)", wanted ? "arm" : "disarm", m->tp->name, rc);
	m->failed = rc;
	return rc;
}

static void syscall_ask_conditions(void)
{
	rt_u32 k;

	for (k = 0; k < syscalls->npoints; k++) {
		struct syscall_point *p = &syscalls->points[k];
		bool wanted = arming_wants(&rt_script.probes[p->probe]);

		if (wanted != p->wanted)
			WRITE_ONCE(p->changes, p->changes + 1);
		p->wanted = wanted;
	}
}

/* Where entries are saved, entries are armed before returns. */
static int syscall_set_all(void)
{
	int first = 0, rc;
	unsigned int i;

	syscall_ask_conditions();
	for (i = 0; i < SYSCALL_MOMENTS; i++) {
		struct syscall_moment *m = &syscalls->moments[i];

		syscall_set_wanted(m);
		rc = syscall_arm(m, m->is_wanted);
		first = first ?: rc;
	}
	return first;
}

static void syscall_refresh(void)
{
	mutex_lock(&syscall_mutex);
	syscall_set_all();
	mutex_unlock(&syscall_mutex);
}

/* ---- the lists ---- */

static void syscall_link(rt_u32 point, rt_u32 *first)
{
	syscalls->links[syscalls->nlinks++] = (struct syscall_link){ .point = point, .next = *first };
	*first = syscalls->nlinks;
}

static void syscall_link_point(struct syscall_moment *m, rt_u32 point)
{
	const struct rt_site *site = syscalls->points[point].site;
	rt_s64 i;

	if (site->n[2] == SITE_SYSCALL_ALL)
		syscall_link(point, &m->first_of_all);
	for (i = 0; i < site->n[2]; i++)
		syscall_link(point, &m->first[!!(site->own[i] & SITE_SYSCALL_COMPAT)][site->own[i] & ~SITE_SYSCALL_COMPAT]);
}

/* A point is before those that are linked already, so the last comes first. */
static void syscall_link_all(void)
{
	unsigned int i;
	rt_u32 k;

	for (i = 0; i < SYSCALL_MOMENTS; i++)
		for (k = syscalls->npoints; k--;)
			if (syscall_is_at(&syscalls->points[k], i))
				syscall_link_point(&syscalls->moments[i], k);
}

/* ---- the mechanism ---- */

static rt_u32 syscall_make_points(const struct rt_site *sites, rt_u32 n, rt_u64 *links)
{
	rt_u32 i, slots = 0;

	*links = 0;
	for (i = 0; i < n; i++) {
		const struct rt_probe *probe = &rt_script.probes[sites[i].probe];
		bool saves = sites[i].kind == SITE_SYSCALL_RETURN && probe->entry;
		bool notes = sites[i].kind == SITE_SYSCALL_RETURN && !saves && sites[i].n[2] > 0 && syscall_is_sigreturn(sites[i].own[0]);

		syscalls->points[i] = (struct syscall_point){
			.site = &sites[i], .probe = sites[i].probe, .saves = saves, .notes = notes, .named = tasks_are_named(&sites[i]) };
		syscalls->pairs |= saves || notes;
		*links += (1 + (saves || notes)) * (sites[i].n[2] == SITE_SYSCALL_ALL ? 1 : sites[i].n[2]);
		if (saves)
			slots = max(slots, probe->entry_slots);
	}
	syscalls->npoints = n;
	return slots;
}

static int syscall_make(const struct rt_site *sites, rt_u32 n)
{
	rt_u32 ncalls = rt_script.limits->kretactive ?: CALLS_DEFAULT, slots;
	rt_u64 nlinks;

	syscalls = kvzalloc(sizeof(*syscalls), GFP_KERNEL);
	if (!syscalls)
		return -ENOMEM;
	syscalls->points = kvcalloc(n, sizeof(*syscalls->points), GFP_KERNEL);
	if (!syscalls->points)
		return -ENOMEM;
	slots = syscall_make_points(sites, n, &nlinks);
	syscalls->links = kvcalloc(nlinks, sizeof(*syscalls->links), GFP_KERNEL);
	if (!syscalls->links)
		return -ENOMEM;
	syscall_link_all();
	syscalls->moments[SYSCALL_ENTRY].called = syscall_on_entry;
	syscalls->moments[SYSCALL_RETURN].called = syscall_on_return;
	if (!syscalls->pairs)
		return 0;
	syscalls->calls = calls_new(ncalls, slots);
	return syscalls->calls ? watch_begin(&syscall_watch) : -ENOMEM;
}

/* Where points name processes: those are followed. */
static int syscall_follow(const struct rt_site *sites, rt_u32 n)
{
	rt_u32 i;

	for (i = 0; i < n && !syscalls->points[i].named;)
		i++;
	if (i == n)
		return 0;
	syscalls->first_named = tasks_follow(sites, n, false);
	syscalls->following = syscalls->first_named >= 0;
	return syscalls->following ? 0 : syscalls->first_named;
}

static int syscall_find_tracepoints(void)
{
	static const char *const names[] = { "sys_enter", "sys_exit" };
	unsigned int i;

	for (i = 0; i < SYSCALL_MOMENTS; i++) {
		syscalls->moments[i].tp = tracepoints_find(names[i]);
		if (syscalls->moments[i].tp)
			continue;
		mail_error("this kernel reports no system calls: it has no tracepoint %s (CONFIG_FTRACE_SYSCALLS)", names[i]);
		return -EOPNOTSUPP;
	}
	return 0;
}

static void syscall_free(void)
{
	if (!syscalls)
		return;
	if (syscalls->following)
		tasks_unfollow();
	if (syscalls->calls)
		watch_end(&syscall_watch);
	calls_free(syscalls->calls);
	kvfree(syscalls->links);
	kvfree(syscalls->points);
	kvfree(syscalls);
	syscalls = NULL;
}

static void syscall_stop(void)
{
	unsigned int i;

	mutex_lock(&syscall_mutex);
	for (i = 0; i < SYSCALL_MOMENTS; i++)
		syscall_arm(&syscalls->moments[i], false);
	tracepoint_synchronize_unregister(); /* no handler runs any more */
	syscall_free();
	mutex_unlock(&syscall_mutex);
}

static int syscall_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int rc = syscall_make(sites, n);

	rc = rc ?: syscall_find_tracepoints();
	rc = rc ?: syscall_follow(sites, n);
	if (rc) {
		syscall_free();
		return rc;
	}
	mutex_lock(&syscall_mutex);
	rc = syscall_set_all();
	mutex_unlock(&syscall_mutex);
	if (rc)
		syscall_stop();
	else
		*armed += n;
	return rc;
}

static void syscall_running(void)
{
	if (syscalls->following)
		tasks_run();
}

const struct rt_mechanism rt_mechanism_syscall = {
	.name = "syscall",
	.start = syscall_start,
	.running = syscall_running,
	.stop = syscall_stop,
	.refresh = syscall_refresh,
};
