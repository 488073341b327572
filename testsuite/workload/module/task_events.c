// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hand-written module whose watches of tasks do what is written to its parameter `ask', and whose other parameters say what happened:
 *
 *	process SLOT PID, thread SLOT PID	watches
 *	remove SLOT 0, later SLOT 0		ends it
 *	quiet SLOT 0				asks its task to quiesce
 *	asked SLOT 0				has it been asked to?
 *	mode SLOT MODE				what its handlers do, see below
 *	place SLOT ADDRESS			where PROBE_CHILD probes the child
 */
#include <asm/unistd.h>
#include <linux/delay.h>
#include <linux/module.h>

#include "probes.c"
#include "tasks.c"

#define SLOTS 4

/*
 * FOLLOW: the next slot watches the first thread or child that is cloned; PROBE_CHILD: and it probes that before it runs.  QUIET: each call
 * of getppid() asks for a quiesce.  REMOVE: the first one ends the watch.
 */
enum mode { COUNT, FOLLOW, PROBE_CHILD, QUIET, REMOVE };

static struct slot {
	struct task_watch w;
	struct user_probe probe;
	unsigned long mode;
	atomic_long_t threads, children, execs, exits, entries, returns, sum, signals, quiet, hits, gone;
	int code, signal, result, failed;
} slots[SLOTS];

static int result;
static char order[17];
static atomic_t places;
static unsigned long place;
static unsigned int preemptible_events; /* there must be none */

static struct slot *slot_of(struct task_watch *w)
{
	return container_of(w, struct slot, w);
}

static struct slot *slot_of_event(struct task_watch *w)
{
	if (preemptible())
		WRITE_ONCE(preemptible_events, 1);
	return slot_of(w);
}

static void failed(struct slot *s, int rc)
{
	if (rc)
		s->failed = rc;
}

static void on_clone(struct task_watch *w, struct task_struct *child, unsigned long flags)
{
	struct slot *s = slot_of_event(w);

	atomic_long_inc(flags & CLONE_THREAD ? &s->threads : &s->children);
	if ((s->mode == FOLLOW || s->mode == PROBE_CHILD) && s < slots + SLOTS - 1) {
		s[1].w.one_thread = flags & CLONE_THREAD;
		failed(s, watch_task_struct(&s[1].w, child));
		if (s->mode == PROBE_CHILD)
			failed(s, quiesce_task(&s[1].w, child));
		s->mode = COUNT;
	}
}

static void on_exec(struct task_watch *w)
{
	atomic_long_inc(&slot_of_event(w)->execs);
}

static void on_exit(struct task_watch *w, int code)
{
	atomic_long_inc(&slot_of_event(w)->exits);
	slot_of(w)->code = code;
}

static void on_entry(struct task_watch *w, struct pt_regs *regs, long number)
{
	struct slot *s = slot_of_event(w);
	int at;

	if (number != __NR_getppid)
		return;
	atomic_long_inc(&s->entries);
	at = atomic_inc_return(&places) - 1;
	if (at < 16)
		order[at] = '0' + (s - slots);
	if (s->mode == QUIET)
		failed(s, quiesce_task(w, current));
	if (s->mode == REMOVE)
		result = unwatch_task_later(w);
}

static void on_return(struct task_watch *w, struct pt_regs *regs, long value)
{
	struct slot *s = slot_of_event(w);

	if (syscall_get_nr(current, regs) != __NR_getppid)
		return;
	atomic_long_inc(&s->returns);
	atomic_long_add(value, &s->sum);
}

static void on_signal(struct task_watch *w, int signal, const struct kernel_siginfo *info)
{
	atomic_long_inc(&slot_of_event(w)->signals);
	slot_of(w)->signal = signal;
}

static void on_hit(struct user_probe *u, struct pt_regs *regs)
{
	atomic_long_inc(&container_of(u, struct slot, probe)->hits);
}

static void on_quiesce(struct task_watch *w)
{
	struct slot *s = slot_of(w);

	might_sleep();
	atomic_long_inc(&s->quiet);
	if (!place) {
		usleep_range(100, 200);
		return;
	}
	s->probe.pid = task_tgid_vnr(current);
	s->probe.vaddr = place;
	s->probe.handler = on_hit;
	failed(s, register_uprobe(&s->probe));
}

static void on_gone(struct task_watch *w, int how)
{
	slot_of(w)->result = how;
	atomic_long_inc(&slot_of(w)->gone);
}

static const struct task_events events = {
	.clone = on_clone,
	.exec = on_exec,
	.exit = on_exit,
	.syscall_entry = on_entry,
	.syscall_return = on_return,
	.signal = on_signal,
	.quiesce = on_quiesce,
	.gone = on_gone,
};

static int ask(const char *text, const struct kernel_param *unused)
{
	unsigned long number, value;
	struct slot *s;
	char what[16];

	if (sscanf(text, "%15s %lu %lx", what, &number, &value) != 3 || number >= SLOTS)
		return -EINVAL;
	s = &slots[number];
	if (!strcmp(what, "mode")) {
		s->mode = value;
	} else if (!strcmp(what, "place")) {
		place = value;
	} else if (!strcmp(what, "remove")) {
		unwatch_task(&s->w);
	} else if (!strcmp(what, "later")) {
		result = unwatch_task_later(&s->w);
	} else if (!strcmp(what, "quiet")) {
		result = quiesce_task(&s->w, s->w.task);
	} else if (!strcmp(what, "asked")) {
		result = is_asked_to_quiesce(&s->w, s->w.task);
	} else {
		if (sscanf(text, "%*s %*u %d", &s->w.pid) != 1)
			return -EINVAL;
		s->w.one_thread = *what == 't';
		result = watch_task(&s->w);
	}
	return 0;
}

/* A line for each slot: threads, children, execs, exits and code, calls, returns and sum, signals and last, quiesces, hits, gone and how. */
static int report(char *text, const struct kernel_param *unused)
{
	int n = 0;

	for (struct slot *s = slots; s < slots + SLOTS; s++)
		n += sysfs_emit_at(text, n, "t%ld f%ld x%ld e%ld:%x c%ld r%ld:%ld s%ld:%d q%ld h%ld g%ld:%d %d\n", atomic_long_read(&s->threads),
				   atomic_long_read(&s->children), atomic_long_read(&s->execs), atomic_long_read(&s->exits), s->code,
				   atomic_long_read(&s->entries), atomic_long_read(&s->returns), atomic_long_read(&s->sum),
				   atomic_long_read(&s->signals), s->signal, atomic_long_read(&s->quiet), atomic_long_read(&s->hits),
				   atomic_long_read(&s->gone), s->result, s->failed);
	return n;
}

static const struct kernel_param_ops ask_ops = { .set = ask }, report_ops = { .get = report };
module_param_cb(ask, &ask_ops, NULL, 0200);
module_param_cb(report, &report_ops, NULL, 0444);
module_param(result, int, 0444);
module_param(preemptible_events, uint, 0444);
module_param_string(order, order, sizeof(order), 0444);

static int __init task_events_init(void)
{
	return begin_task_events(&events);
}

static void __exit task_events_exit(void)
{
	end_task_events();
	unregister_all_uprobes();
}

module_init(task_events_init);
module_exit(task_events_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("watches of tasks that begin and end as is asked for");
