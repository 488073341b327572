// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Family "task": begin and end of processes and threads.  What a site means: sites/task.h.
 *
 * A begin is noticed in the parent (fork), in the task (exec) or here (at the start of the session) and runs as task work when
 * the task goes to user mode, where it may sleep.  It is then that the sites are matched; those of a process are kept in a table by
 * its id until its exit, when the program it ran cannot be asked for any more.
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/task_work.h>

#include "kernel/family.h"
#include "kernel/ksyms.h"
#include "kernel/tasks.h"
#include "sites/task.h"
#include "wire.h"

enum task_begins { BEGIN_PROCESS = 1, BEGIN_THREAD = 2, BEGIN_EXEC = 4 };

/* A begin on its way to its task. */
struct task_errand {
	struct callback_head work;
	struct list_head list;
	struct task_struct *task;
	unsigned int what; /* enum task_begins */
};

struct task_process {
	struct hlist_node node;
	pid_t tgid;
	unsigned long matched[]; /* bit i: site i */
};

struct task_site {
	const struct rt_site *site;
	struct inode *inode; /* of s[0], NULL: not there at the start */
	struct path path;
	pid_t pid;
};

#define PROCESS_BITS 10

static struct {
	struct task_site *sites;
	unsigned int n;
	unsigned long get_task_exe_file, task_work_cancel_match; /* ksyms_function() */
	u64 since;    /* tasks that began later tell of themselves */
	bool scanned; /* those before have been sent for */
	bool following, paths, ran;
} task_family;

static struct hlist_head task_processes[1 << PROCESS_BITS];
static DEFINE_SPINLOCK(task_processes_lock);
static LIST_HEAD(task_errands);
static DEFINE_SPINLOCK(task_errands_lock);

/* ---- the table of processes that match ---- */

static struct task_process *task_find_process(pid_t tgid)
{
	struct task_process *p;

	hlist_for_each_entry(p, &task_processes[hash_32(tgid, PROCESS_BITS)], node)
		if (p->tgid == tgid)
			return p;
	return NULL;
}

/* Puts a process with what it matches into the table.  False: it was there, and stays as it was unless replaced. */
static bool task_remember(struct task_process *new, bool replace)
{
	struct task_process *old;
	unsigned long flags;

	spin_lock_irqsave(&task_processes_lock, flags);
	old = task_find_process(new->tgid);
	if (old && replace)
		hlist_del(&old->node);
	if (!old || replace)
		hlist_add_head(&new->node, &task_processes[hash_32(new->tgid, PROCESS_BITS)]);
	spin_unlock_irqrestore(&task_processes_lock, flags);
	kfree(old && !replace ? new : old);
	return !old || replace;
}

/* Copies what the process matches to matched, unless NULL; with last also removes it.  False: not in the table. */
static bool task_recall(pid_t tgid, unsigned long *matched, bool last)
{
	struct task_process *p;
	unsigned long flags;

	spin_lock_irqsave(&task_processes_lock, flags);
	p = task_find_process(tgid);
	if (p && matched)
		bitmap_copy(matched, p->matched, task_family.n);
	if (p && last)
		hlist_del(&p->node);
	spin_unlock_irqrestore(&task_processes_lock, flags);
	if (last)
		kfree(p);
	return p != NULL;
}

/* ---- matching, in the task ---- */

static bool task_same_program(const struct task_site *s, struct file *exe, char *buf)
{
	const char *name;

	if (s->inode && d_real_inode(exe->f_path.dentry) == s->inode)
		return true;
	name = buf ? d_path(&exe->f_path, buf, PATH_MAX) : NULL;
	return !IS_ERR_OR_NULL(name) && strcmp(name, s->site->s[0]) == 0;
}

static bool task_matches(const struct task_site *s, struct file *exe, char *buf)
{
	if (s->site->n[0] && s->pid != current->tgid)
		return false;
	if (s->site->n[1] & SITE_TASK_TARGET && !tasks_in_target(current))
		return false;
	return !s->site->s[0] || (exe && task_same_program(s, exe, buf));
}

/* The sites that current matches: false if none. */
static bool task_match(unsigned long *matched)
{
	struct file *exe = NULL;
	char *buf = NULL;
	unsigned int i;

	if (task_family.paths) {
		exe = (struct file *)ksyms_call3(task_family.get_task_exe_file, (unsigned long)current, 0, 0);
		buf = kmalloc(PATH_MAX, GFP_KERNEL);
	}
	for (i = 0; i < task_family.n; i++)
		if (task_matches(&task_family.sites[i], exe, buf))
			__set_bit(i, matched);
	kfree(buf);
	if (exe)
		fput(exe);
	return !bitmap_empty(matched, task_family.n);
}

/* ---- hits ---- */

static void task_fire(const unsigned long *matched, unsigned int kind, struct task_struct *ending)
{
	unsigned int i;

	for_each_set_bit(i, matched, task_family.n) {
		const struct rt_site *site = task_family.sites[i].site;
		struct rt_ctx *c;

		if (site->kind != kind)
			continue;
		c = hit_enter(site->probe, ending ? NULL : task_pt_regs(current), !ending);
		if (!c)
			continue;
		c->retval = ending ? ending->exit_code : 0;
		hit_run(c);
		hit_leave(c);
	}
}

/* Notes what the process matches now.  True: it has not begun before. */
static bool task_note_process(const unsigned long *matched, bool any, bool exec)
{
	struct task_process *p;

	if (!any) {
		if (exec)
			task_recall(current->tgid, NULL, true);
		return true;
	}
	p = kzalloc(struct_size(p, matched, BITS_TO_LONGS(task_family.n)), GFP_KERNEL);
	if (!p) {
		hit_skipped(WIRE_SKIP_MISSED, 1); /* its end */
		return true;
	}
	p->tgid = current->tgid;
	bitmap_copy(p->matched, matched, task_family.n);
	return task_remember(p, exec);
}

static void task_begin(unsigned int what)
{
	unsigned long *matched = bitmap_zalloc(task_family.n, GFP_KERNEL);
	bool any;

	if (!matched) {
		hit_skipped(WIRE_SKIP_MISSED, 1);
		return;
	}
	any = task_match(matched);
	if (what & BEGIN_PROCESS && task_note_process(matched, any, what & BEGIN_EXEC))
		task_fire(matched, SITE_TASK_BEGIN, NULL);
	if (what & BEGIN_THREAD)
		task_fire(matched, SITE_TASK_THREAD_BEGIN, NULL);
	bitmap_free(matched);
}

static void task_run_errand(struct callback_head *work)
{
	struct task_errand *e = container_of(work, struct task_errand, work);
	unsigned long flags;

	if (!(current->flags & PF_EXITING))
		task_begin(e->what);
	spin_lock_irqsave(&task_errands_lock, flags);
	list_del(&e->list);
	spin_unlock_irqrestore(&task_errands_lock, flags);
	put_task_struct(e->task);
	kfree(e);
}

/* how: of task_work_add().  Any context. */
static void task_send(struct task_struct *t, unsigned int what, enum task_work_notify_mode how)
{
	struct task_errand *e = kmalloc(sizeof(*e), GFP_ATOMIC | __GFP_NOWARN);
	unsigned long flags;

	if (!e) {
		hit_skipped(WIRE_SKIP_MISSED, 1);
		return;
	}
	init_task_work(&e->work, task_run_errand);
	get_task_struct(t);
	e->task = t;
	e->what = what;
	/* under the lock, so that task_call_back() never sees one that has not been sent */
	spin_lock_irqsave(&task_errands_lock, flags);
	if (task_work_add(t, &e->work, how)) {
		put_task_struct(t);
		kfree(e);
	} else {
		list_add(&e->list, &task_errands);
		task_family.ran = true;
	}
	spin_unlock_irqrestore(&task_errands_lock, flags);
}

static bool task_is_ours(struct callback_head *work, void *errand)
{
	return work == &((struct task_errand *)errand)->work;
}

/* Takes one errand back if its task has not begun it.  False: there are none. */
static bool task_call_back(void)
{
	struct task_struct *t = NULL;
	struct task_errand *e;
	unsigned long flags;

	spin_lock_irqsave(&task_errands_lock, flags);
	e = list_first_entry_or_null(&task_errands, struct task_errand, list);
	if (e) {
		t = e->task;
		get_task_struct(t);
		list_move_tail(&e->list, &task_errands);
	}
	spin_unlock_irqrestore(&task_errands_lock, flags);
	if (!e)
		return false;
	/* e may be gone by now: it is only compared with */
	if (ksyms_call3(task_family.task_work_cancel_match, (unsigned long)t, (unsigned long)task_is_ours, (unsigned long)e)) {
		spin_lock_irqsave(&task_errands_lock, flags);
		list_del(&e->list);
		spin_unlock_irqrestore(&task_errands_lock, flags);
		put_task_struct(t);
		kfree(e);
	} else {
		msleep(1);
	}
	put_task_struct(t);
	return true;
}

/* ---- events ---- */

static bool task_has_program(struct task_struct *t)
{
	return t->mm && !(t->flags & (PF_KTHREAD | PF_IO_WORKER));
}

static void task_on_fork(struct task_struct *parent, struct task_struct *child)
{
	if (!task_has_program(child) || (!READ_ONCE(task_family.scanned) && child->start_time < task_family.since))
		return;
	task_send(child, thread_group_leader(child) ? BEGIN_PROCESS | BEGIN_THREAD : BEGIN_THREAD, TWA_RESUME);
}

static void task_on_exec(struct task_struct *t)
{
	task_send(t, BEGIN_PROCESS | BEGIN_THREAD | BEGIN_EXEC, TWA_RESUME);
}

static void task_on_exit(struct task_struct *t)
{
	DECLARE_BITMAP(few, 256);
	unsigned long *matched = few;
	bool last = atomic_read(&t->signal->live) == 0;

	if (task_family.n > 256)
		matched = bitmap_zalloc(task_family.n, GFP_ATOMIC | __GFP_NOWARN);
	if (!matched) {
		hit_skipped(WIRE_SKIP_MISSED, 1);
		return;
	}
	if (task_recall(t->tgid, matched, last)) {
		task_fire(matched, SITE_TASK_THREAD_END, t);
		if (last)
			task_fire(matched, SITE_TASK_END, t);
	}
	if (matched != few)
		bitmap_free(matched);
}

static struct tasks_watch task_watch = { .fork = task_on_fork, .exec = task_on_exec, .exit = task_on_exit };

/* ---- the family ---- */

/* Those that run already. */
static void task_send_to_all(void)
{
	struct task_struct *p, *t;

	rcu_read_lock();
	for_each_process_thread(p, t) {
		if (t->start_time >= task_family.since || !task_has_program(t))
			continue;
		task_send(t, t == p ? BEGIN_PROCESS | BEGIN_THREAD : BEGIN_THREAD, TWA_SIGNAL);
	}
	rcu_read_unlock();
	WRITE_ONCE(task_family.scanned, true);
}

static int task_make_site(struct task_site *s, const struct rt_site *site)
{
	s->site = site;
	if (site->n[0]) {
		s->pid = tasks_global_pid(site->n[0]);
		if (!s->pid && !(site->flags & RT_SITE_OPTIONAL)) {
			session_error("probe %s: there is no process %lld", rt_script.probes[site->probe].point, site->n[0]);
			return -ESRCH;
		}
	}
	if (!site->s[0])
		return 0;
	task_family.paths = true;
	if (!kern_path(site->s[0], LOOKUP_FOLLOW, &s->path))
		s->inode = d_real_inode(s->path.dentry);
	return 0;
}

static int task_find_functions(void)
{
	task_family.task_work_cancel_match = ksyms_function("task_work_cancel_match");
	task_family.get_task_exe_file = ksyms_function("get_task_exe_file");
	if (task_family.task_work_cancel_match && task_family.get_task_exe_file)
		return 0;
	session_error("this kernel has no %s, which process task_begin and end probes need",
		      task_family.task_work_cancel_match ? "get_task_exe_file" : "task_work_cancel_match");
	return -EOPNOTSUPP;
}

static int task_prepare(const struct rt_site *sites, rt_u32 n)
{
	bool target = false;
	rt_u32 i;
	int rc = task_find_functions();

	if (rc)
		return rc;
	task_family.sites = kvcalloc(n, sizeof(*task_family.sites), GFP_KERNEL);
	if (!task_family.sites)
		return -ENOMEM;
	task_family.n = n;
	for (i = 0; i < n; i++) {
		int r = task_make_site(&task_family.sites[i], &sites[i]);

		rc = r ?: rc;
		target |= sites[i].n[1] & SITE_TASK_TARGET;
	}
	if (rc || !target)
		return rc;
	rc = tasks_target_follow();
	task_family.following = rc == 0;
	return rc;
}

static void task_stop(void)
{
	struct task_process *p;
	struct hlist_node *next;
	unsigned int i;

	tasks_unwatch(&task_watch);
	while (task_call_back())
		;
	/* the last instructions of errands that ran just now */
	if (task_family.ran)
		synchronize_rcu_tasks();
	if (task_family.following)
		tasks_target_release();
	for (i = 0; i < ARRAY_SIZE(task_processes); i++)
		hlist_for_each_entry_safe(p, next, &task_processes[i], node) {
			hlist_del(&p->node);
			kfree(p);
		}
	for (i = 0; i < task_family.n; i++)
		if (task_family.sites[i].inode)
			path_put(&task_family.sites[i].path);
	kvfree(task_family.sites);
	memset(&task_family, 0, sizeof(task_family));
}

static int task_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int rc = task_prepare(sites, n);

	task_family.since = ~0ull;
	if (!rc)
		rc = tasks_watch(&task_watch);
	if (rc) {
		task_stop();
		return rc;
	}
	task_family.since = ktime_get_ns();
	task_send_to_all();
	*armed += n;
	return 0;
}

const struct rt_family rt_family_task = {
	.name = "task",
	.start = task_start,
	.stop = task_stop,
};
