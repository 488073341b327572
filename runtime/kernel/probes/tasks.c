// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Begin and end of processes and threads, and which processes sites mean.  See tasks.h; what a site means: sites/task.h.
 *
 * A begin is noticed in the parent (fork), in the task (exec) or from outside (at the start of the session).  It runs as task work when the
 * task goes to user mode, where it may sleep; no task is woken or interrupted for it.  The sites are matched then, or, for tasks that
 * already run at the start, by tasks_scan().  The matches of a process are kept in a table by its id until its exit, when its program
 * cannot be found out any more.
 *
 * Every thread but the first of its process has a begin and an end.  A process has one end, after those of its threads; for sites that name a
 * program, it also ends when it executes one.
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/task_work.h>

#include "kernel/compat/task_work_quiet.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/own.h"
#include "kernel/pids.h"
#include "kernel/pool.h"
#include "kernel/probes/tasks.h"
#include "kernel/program.h"
#include "kernel/state.h"
#include "kernel/target.h"
#include "kernel/taskwork.h"
#include "kernel/watch.h"
#include "sites/task.h"
#include "wire.h"

/*
 * A thread to which its begin was sent as task work, or which belongs to a process that matches.  In the table by its task from fork or
 * the session's start to its exit, or until it turns out that nothing matches.
 *
 * An errand is the task work that is sent to a thread: to match its program, or to run its begin handlers.
 */
struct tasks_thread {
	struct callback_head work;
	struct hlist_node node;
	struct list_head pending; /* in tasks.pending: the work has been sent and is not done */
	struct task_struct *task;
	struct tasks_process *process; /* it is one of its threads */
	bool is_further; /* not the first thread of its process */
	bool program; /* what to do: match a new program; else process is known */
};

/* A process that matches.  Held by its threads; its own exit takes it out of the table. */
struct tasks_process {
	struct hlist_node node; /* readers are under RCU */
	struct rcu_head rcu;
	pid_t tgid;
	unsigned int threads; /* threads that have not exited yet */
	int begun;
	unsigned long matched[]; /* bit i: site i */
};

struct tasks_site {
	const struct rt_site *site;
	bool fires; /* its handler runs at a begin or end */
	const struct tasks_hook *hook; /* or NULL */
	struct inode *inode; /* of s[0], NULL: not there at the start */
	struct path path;
	pid_t pid;
};

#define TABLE_BITS 12
#define SCAN_AT_ONCE 64 /* threads that are looked at without a pause */
#define SCAN_PASSES 8
#define THREAD_RESERVE 1024 /* forks and execs until a worker has allocated more */

static struct {
	struct tasks_site *sites; /* of all mechanisms that follow; fixed when hits are handled */
	unsigned int n, followers;
	const struct dentry *root; /* of the session, only compared with */
	struct hlist_head *threads, *processes;
	struct list_head pending;
	struct pool pool; /* of threads */
	bool following, paths, ran;
	bool running; /* hits are handled; tasks that begin earlier are found by tasks_scan() */
	int scanned;  /* ids below it have been looked at; 0: no scan is under way */
	bool rescan;  /* a thread began with such an id, in a process that had not been looked at */
} tasks;

/* For changes of the tables and all that is in them.  Only the pool's lock is taken inside it. */
static DEFINE_RAW_SPINLOCK(tasks_tables_lock);

/* ---- the tables, under tasks_tables_lock or, of processes, RCU ---- */

static struct hlist_head *tasks_threads_of(struct task_struct *t)
{
	return &tasks.threads[hash_ptr(t, TABLE_BITS)];
}

static struct hlist_head *tasks_processes_of(pid_t tgid)
{
	return &tasks.processes[hash_32(tgid, TABLE_BITS)];
}

static struct tasks_thread *tasks_find_thread(struct task_struct *t)
{
	struct tasks_thread *e;

	hlist_for_each_entry(e, tasks_threads_of(t), node)
		if (e->task == t)
			return e;
	return NULL;
}

static struct tasks_process *tasks_find_process(pid_t tgid)
{
	struct tasks_process *p;

	hlist_for_each_entry_rcu(p, tasks_processes_of(tgid), node)
		if (p->tgid == tgid)
			return p;
	return NULL;
}

const struct tasks_process *tasks_current(void)
{
	return tasks_find_process(current->tgid);
}

bool tasks_is_meant(const struct tasks_process *p, unsigned int i)
{
	return test_bit(i, p->matched);
}

/* ---- matching ---- */

/*
 * In a container or after chroot(), a name that is the same as for the session is another file's.  Mount namespaces may differ: services have
 * their own.
 */
static bool tasks_has_our_root(struct task_struct *t)
{
	bool yes;

	task_lock(t);
	yes = t->fs && READ_ONCE(t->fs->root.dentry) == tasks.root;
	task_unlock(t);
	return yes;
}

/* The name by which the session would find the program of t, or NULL.  buf: PATH_MAX bytes. */
static const char *tasks_name_of(struct task_struct *t, struct file *exe, char *buf)
{
	const char *name = tasks_has_our_root(t) ? d_path(&exe->f_path, buf, PATH_MAX) : NULL;

	return IS_ERR(name) ? NULL : name;
}

/* By its name too: the program may have been installed anew. */
static bool tasks_same_program(const struct tasks_site *s, struct file *exe, const char *name)
{
	return (s->inode && program_inode(&exe->f_path) == s->inode) || (name && strcmp(name, s->site->s[0]) == 0);
}

/* The session's own processes match only a site that names them. */
static bool tasks_matches(const struct tasks_site *s, struct task_struct *t, struct file *exe, const char *name)
{
	if (!s->fires && !tasks_are_named(s->site))
		return false;
	if (!s->site->s[0] && !s->site->n[0] && own_task(t))
		return false;
	if (s->site->n[0] && s->pid != t->tgid)
		return false;
	if (s->site->n[1] & SITE_TASK_TARGET && !target_has(t))
		return false;
	return !s->site->s[0] || (exe && tasks_same_program(s, exe, name));
}

/* A new entry for the process of t with its matches, not in a table yet.  NULL: it matches nothing; -ENOMEM. */
static struct tasks_process *tasks_match(struct task_struct *t, gfp_t gfp)
{
	size_t bits = BITS_TO_LONGS(tasks.n);
	struct tasks_process *p;
	const char *name = NULL;
	struct file *exe = NULL;
	char *buf = NULL;
	unsigned int i;

	p = kzalloc(struct_size(p, matched, bits), gfp | __GFP_NOWARN);
	if (p && tasks.paths)
		buf = kmalloc(PATH_MAX, gfp | __GFP_NOWARN);
	if (!p || (tasks.paths && !buf)) {
		kfree(p);
		return ERR_PTR(-ENOMEM);
	}
	if (tasks.paths)
		exe = program_of_task(t);
	if (exe)
		name = tasks_name_of(t, exe, buf);
	for (i = 0; i < tasks.n; i++)
		if (tasks_matches(&tasks.sites[i], t, exe, name))
			__set_bit(i, p->matched);
	kfree(buf);
	if (exe)
		fput(exe);
	p->tgid = t->tgid;
	if (!bitmap_empty(p->matched, tasks.n))
		return p;
	kfree(p);
	return NULL;
}

/* ---- hits ---- */

static bool tasks_has_hit(unsigned int i, unsigned int kind)
{
	return tasks.sites[i].fires && tasks.sites[i].site->kind == kind;
}

/* ending: the task that ends or executes; NULL: a begin.  only_paths: only sites that name a program by its path. */
static void tasks_fire_some(const struct tasks_process *p, unsigned int kind, struct task_struct *ending, bool only_paths)
{
	unsigned int i;

	for_each_set_bit(i, p->matched, tasks.n) {
		const struct rt_site *site = tasks.sites[i].site;
		rt_u64 status = ending ? ending->exit_code : 0;
		struct rt_ctx *c;

		if (!tasks_has_hit(i, kind) || (only_paths && !site->s[0]))
			continue;
		c = hit_enter(site->probe, ending ? NULL : task_pt_regs(current), !ending);
		if (!c)
			continue;
		c->data = p;
		if (ending) {
			c->args = &status;
			c->nargs = 1;
		}
		hit_run(c);
		hit_leave(c);
	}
}

static void tasks_fire(const struct tasks_process *p, unsigned int kind, struct task_struct *ending)
{
	tasks_fire_some(p, kind, ending, false);
}

/* Counts hits that are lost. */
static void tasks_miss(const struct tasks_process *p, unsigned int kind)
{
	unsigned int i;

	for_each_set_bit(i, p->matched, tasks.n)
		if (tasks_has_hit(i, kind))
			hit_skipped(WIRE_SKIP_MISSED, 1);
}

/* Counts what a thread misses that has not begun: its own begin, and one for each site whose hook was not called for it. */
static void tasks_miss_begin(const struct tasks_process *p, bool is_further)
{
	unsigned int i;

	if (is_further)
		tasks_miss(p, SITE_TASK_THREAD_BEGIN);
	for_each_set_bit(i, p->matched, tasks.n)
		if (tasks.sites[i].hook)
			hit_skipped(WIRE_SKIP_MISSED, 1);
}

static void tasks_tell(const struct tasks_process *p, bool begins)
{
	unsigned int i;

	for_each_set_bit(i, p->matched, tasks.n) {
		const struct tasks_hook *hook = tasks.sites[i].hook;

		if (hook)
			(begins ? hook->begin : hook->end)(tasks.sites[i].site);
	}
}

/*
 * A new program: the matches of the old one do not count any more, and for sites that name it by its path the process ends.  The task becomes
 * the first thread.  new: the new matches, or NULL.
 */
static void tasks_change_program(struct tasks_thread *e, struct tasks_process *new)
{
	bool is_further = e->process && e->is_further;
	struct tasks_process *old;

	raw_spin_lock(&tasks_tables_lock);
	e->is_further = false;
	old = tasks_find_process(current->tgid);
	if (old)
		hlist_del_rcu(&old->node);
	e->process = new;
	if (new) {
		new->threads = 1; /* the others have ended before exec goes on */
		new->begun = 1;
		hlist_add_head_rcu(&new->node, tasks_processes_of(new->tgid));
	}
	raw_spin_unlock(&tasks_tables_lock);
	if (!old)
		return;
	tasks_tell(old, false);
	if (is_further)
		tasks_fire(old, SITE_TASK_THREAD_END, current);
	if (old->begun)
		tasks_fire_some(old, SITE_TASK_END, current, true);
	kfree_rcu(old, rcu);
}

static void tasks_begin_program(struct tasks_thread *e)
{
	struct tasks_process *p = tasks_match(current, GFP_KERNEL);

	if (IS_ERR(p)) {
		hit_skipped(WIRE_SKIP_MISSED, 1);
		p = NULL;
	}
	tasks_change_program(e, p);
	if (!p)
		return;
	tasks_tell(p, true);
	tasks_fire(p, SITE_TASK_BEGIN, NULL);
}

/* The process stays until current's exit.  If it ran at the start, its first thread to come here reports the begin of the process. */
static void tasks_begin_thread(const struct tasks_thread *e)
{
	struct tasks_process *p = e->process;

	tasks_tell(p, true);
	if (!xchg(&p->begun, 1))
		tasks_fire(p, SITE_TASK_BEGIN, NULL);
	if (e->is_further)
		tasks_fire(p, SITE_TASK_THREAD_BEGIN, NULL);
}

static void tasks_run_errand(struct callback_head *work)
{
	struct tasks_thread *e = container_of(work, struct tasks_thread, work);

	if (!(current->flags & PF_EXITING)) {
		if (e->program)
			tasks_begin_program(e);
		else
			tasks_begin_thread(e);
	}
	raw_spin_lock(&tasks_tables_lock);
	list_del_init(&e->pending);
	if (!e->process) {
		hlist_del(&e->node);
		pool_give(&tasks.pool, e);
	}
	raw_spin_unlock(&tasks_tables_lock);
}

/* ---- errands ---- */

/*
 * Sends e to its task; false: the task runs no work any more.  Under tasks_tables_lock, so that tasks_call_back() only sees errands that were
 * sent.
 */
static bool tasks_send(struct tasks_thread *e)
{
	init_task_work(&e->work, tasks_run_errand);
	if (compat_task_work_add(e->task, &e->work)) /* it wakes and interrupts no task */
		return false;
	list_add(&e->pending, &tasks.pending);
	tasks.ran = true;
	return true;
}

/* e is a new thread of p, or with NULL one whose program is to be matched.  Under tasks_tables_lock; false: e is not needed. */
static bool tasks_add_thread(struct tasks_thread *e, struct task_struct *t, struct tasks_process *p)
{
	INIT_LIST_HEAD(&e->pending);
	e->task = t;
	e->process = p;
	e->is_further = !thread_group_leader(t);
	e->program = !p;
	if (!tasks_send(e))
		return false;
	if (p)
		p->threads++;
	hlist_add_head(&e->node, tasks_threads_of(t));
	return true;
}

/* Takes one errand back if its task has not begun it.  False: there are none. */
static bool tasks_call_back(void)
{
	struct task_struct *t = NULL;
	struct tasks_thread *e;

	raw_spin_lock(&tasks_tables_lock);
	e = list_first_entry_or_null(&tasks.pending, struct tasks_thread, pending);
	if (e) {
		t = e->task; /* it runs its work before it ends */
		get_task_struct(t);
		list_move_tail(&e->pending, &tasks.pending);
	}
	raw_spin_unlock(&tasks_tables_lock);
	if (!e)
		return false;
	/* e may be freed by now: it is only compared with */
	if (taskwork_take_back(t, &e->work)) {
		raw_spin_lock(&tasks_tables_lock);
		list_del_init(&e->pending);
		raw_spin_unlock(&tasks_tables_lock);
	} else {
		msleep(1);
	}
	put_task_struct(t);
	return true;
}

/* ---- events ---- */

static bool tasks_has_program(struct task_struct *t)
{
	return READ_ONCE(t->mm) && !(t->flags & (PF_KTHREAD | PF_IO_WORKER));
}

/* Threads of a process that does not match are ignored.  A new one may have been found by tasks_scan() already. */
static void tasks_on_fork(struct task_struct *parent, struct task_struct *child)
{
	struct tasks_process *p = NULL;
	struct tasks_thread *e;

	if (!tasks_has_program(child))
		return;
	raw_spin_lock(&tasks_tables_lock);
	if (!thread_group_leader(child))
		p = tasks_find_process(child->tgid);
	if (tasks.running && (p || thread_group_leader(child)) && !tasks_find_thread(child)) {
		e = pool_take(&tasks.pool);
		if (e && !tasks_add_thread(e, child, p))
			pool_give(&tasks.pool, e);
		if (!e && p) {
			tasks_miss_begin(p, true);
			tasks_miss(p, SITE_TASK_THREAD_END);
		} else if (!e) {
			hit_skipped(WIRE_SKIP_MISSED, 1);
		}
	}
	if (!p && !thread_group_leader(child) && child->pid < tasks.scanned)
		tasks.rescan = true;
	raw_spin_unlock(&tasks_tables_lock);
}

static void tasks_on_exec(struct task_struct *t)
{
	struct tasks_thread *e;

	raw_spin_lock(&tasks_tables_lock);
	e = tasks_find_thread(t);
	if (e) {
		e->program = true;
		if (list_empty(&e->pending))
			tasks_send(e);
	} else if (tasks.running) {
		e = pool_take(&tasks.pool);
		if (!e)
			hit_skipped(WIRE_SKIP_MISSED, 1);
		else if (!tasks_add_thread(e, t, NULL))
			pool_give(&tasks.pool, e);
	}
	raw_spin_unlock(&tasks_tables_lock);
}

/*
 * The process of t, if t's end counts for it; it exists until tasks_leave().  *begun: t's begin was reported, where it has one.  *is_further: t
 * is not the first thread of the process.  Both are false if there is no process.
 */
static struct tasks_process *tasks_process_of(struct task_struct *t, bool *begun, bool *is_further)
{
	struct tasks_process *p;
	struct tasks_thread *e;

	raw_spin_lock(&tasks_tables_lock);
	e = tasks_find_thread(t);
	p = e ? e->process : NULL;
	*begun = p && list_empty(&e->pending);
	*is_further = p && e->is_further;
	raw_spin_unlock(&tasks_tables_lock);
	return p;
}

/*
 * t has nothing more to report.  Returns the process, removed from the table, if t was the last.  The kernel's `live' is 0 for several
 * threads that end at once, so our own count decides which is the last; it counts only threads that we know.
 */
static struct tasks_process *tasks_leave(struct task_struct *t)
{
	struct tasks_process *p;
	struct tasks_thread *e;

	raw_spin_lock(&tasks_tables_lock);
	e = tasks_find_thread(t);
	p = e && e->process ? e->process : tasks_find_process(t->tgid);
	if (e && e->process) {
		e->process = NULL;
		p->threads--;
	}
	if (e && list_empty(&e->pending)) { /* else the errand does it, later in the exit */
		hlist_del(&e->node);
		pool_give(&tasks.pool, e);
	}
	if (p && (p->threads || atomic_read(&t->signal->live)))
		p = NULL;
	if (p)
		hlist_del_rcu(&p->node);
	raw_spin_unlock(&tasks_tables_lock);
	return p;
}

static void tasks_on_exit(struct task_struct *t)
{
	bool begun, is_further;
	struct tasks_process *p = tasks_process_of(t, &begun, &is_further);

	if (p && !begun) /* stopped since the session's start, and killed */
		tasks_miss_begin(p, is_further);
	if (p)
		tasks_tell(p, false);
	if (is_further)
		tasks_fire(p, SITE_TASK_THREAD_END, t);
	p = tasks_leave(t);
	if (!p)
		return;
	if (!p->begun)
		tasks_miss(p, SITE_TASK_BEGIN);
	tasks_fire(p, SITE_TASK_END, t);
	kfree_rcu(p, rcu);
}

static struct watcher tasks_watch = { .fork = tasks_on_fork, .exec = tasks_on_exec, .exit = tasks_on_exit };

/* ---- tasks that run already ---- */

/*
 * Under RCU.  Matches from here, so that tasks that do not match are not disturbed; matching ones get their begin when they next go to user
 * mode.  A thread that still has its memory has not exited yet, and a change of its program will be reported.
 */
static int tasks_scan_thread(struct task_struct *t)
{
	u64 program = READ_ONCE(t->self_exec_id);
	struct tasks_process *new = tasks_match(t, GFP_ATOMIC), *p;
	struct tasks_thread *e;

	if (IS_ERR_OR_NULL(new))
		return PTR_ERR_OR_ZERO(new);
	e = kzalloc(sizeof(*e), GFP_ATOMIC | __GFP_NOWARN);
	if (!e) {
		kfree(new);
		return -ENOMEM;
	}
	raw_spin_lock(&tasks_tables_lock);
	p = tasks_find_process(t->tgid) ?: new;
	if (tasks_has_program(t) && READ_ONCE(t->self_exec_id) == program && !tasks_find_thread(t) && tasks_add_thread(e, t, p)) {
		e = NULL;
		if (p == new) {
			hlist_add_head_rcu(&p->node, tasks_processes_of(p->tgid));
			new = NULL;
		}
	}
	raw_spin_unlock(&tasks_tables_lock);
	kfree(new);
	kfree(e);
	return 0;
}

/* Some threads, from the id on, which becomes that of the next one; 0: there are no more.  0 or -ENOMEM. */
static int tasks_scan_some(int *id)
{
	struct pid *pid = NULL;
	struct task_struct *t;
	unsigned int n;
	int rc = 0;

	rcu_read_lock();
	for (n = 0; n < SCAN_AT_ONCE && !rc; n++) {
		pid = find_ge_pid(*id, &init_pid_ns);
		if (!pid)
			break;
		*id = pid_nr(pid) + 1;
		t = pid_task(pid, PIDTYPE_PID);
		if (t && tasks_has_program(t))
			rc = tasks_scan_thread(t);
	}
	rcu_read_unlock();
	if (!pid)
		*id = 0;
	return rc;
}

static int tasks_scan_pass(void)
{
	int id = 1, rc;

	do {
		raw_spin_lock(&tasks_tables_lock);
		tasks.scanned = id;
		raw_spin_unlock(&tasks_tables_lock);
		rc = tasks_scan_some(&id);
		cond_resched();
	} while (!rc && id);
	return rc;
}

/* The end of a pass; is another one needed? */
static bool tasks_scan_missed(void)
{
	bool missed;

	raw_spin_lock(&tasks_tables_lock);
	missed = tasks.rescan;
	tasks.rescan = false;
	tasks.scanned = 0;
	raw_spin_unlock(&tasks_tables_lock);
	return missed;
}

/*
 * By ids: between any two threads the walk may pause, which a machine with 100,000 of them needs.  A process that begins meanwhile is reported by
 * its fork, and so is a thread of a process that was looked at; another thread is found later, or, if its id is one that was passed, in
 * another pass.  A thread that takes the id of its process, which the walk may have passed, is reported by its exec.
 */
static int tasks_scan(void)
{
	unsigned int passes = 0;
	bool missed;
	int rc;

	do {
		rc = tasks_scan_pass();
		missed = tasks_scan_missed();
	} while (!rc && missed && ++passes < SCAN_PASSES);
	if (missed)
		hit_skipped(WIRE_SKIP_MISSED, 1);
	return rc;
}

/* ---- following; process context, one mechanism after the other ---- */

static int tasks_make_site(struct tasks_site *s, const struct rt_site *site, bool fires, const struct tasks_hook *hook)
{
	s->site = site;
	s->fires = fires;
	s->hook = hook;
	if (site->n[0]) {
		s->pid = pids_global(site->n[0]);
		if (!s->pid && !(site->flags & RT_SITE_OPTIONAL)) {
			mail_error("probe %s: there is no process %lld", rt_script.probes[site->probe].point, site->n[0]);
			return -ESRCH;
		}
	}
	if (!site->s[0])
		return 0;
	tasks.paths = true;
	if (!kern_path(site->s[0], LOOKUP_FOLLOW, &s->path))
		s->inode = program_inode(&s->path);
	return 0;
}

static int tasks_find_functions(void)
{
	bool can_take_back = taskwork_can_take_back();

	if (program_init() && can_take_back)
		return 0;
	mail_error("this kernel has no %s, which probes of processes need",
		   can_take_back ? "get_task_exe_file" : "task_work_cancel_match");
	return -EOPNOTSUPP;
}

static int tasks_make_tables(void)
{
	tasks.threads = kvcalloc(1 << TABLE_BITS, sizeof(*tasks.threads), GFP_KERNEL);
	tasks.processes = kvcalloc(1 << TABLE_BITS, sizeof(*tasks.processes), GFP_KERNEL);
	if (!tasks.threads || !tasks.processes)
		return -ENOMEM;
	return pool_init(&tasks.pool, sizeof(struct tasks_thread), THREAD_RESERVE);
}

/* No hit looks at the sites yet. */
static int tasks_add_sites(const struct rt_site *sites, rt_u32 n, bool fires, const struct tasks_hook *hook)
{
	struct tasks_site *all = kvcalloc(tasks.n + n, sizeof(*all), GFP_KERNEL);
	bool target = false;
	rt_u32 i;
	int rc = 0;

	if (!all)
		return -ENOMEM;
	if (tasks.n)
		memcpy(all, tasks.sites, tasks.n * sizeof(*all));
	kvfree(tasks.sites);
	tasks.sites = all;
	for (i = 0; i < n; i++) {
		int r = tasks_make_site(&all[tasks.n++], &sites[i], fires, hook);

		rc = r ?: rc;
		target |= sites[i].n[1] & SITE_TASK_TARGET;
	}
	if (rc || !target || tasks.following)
		return rc;
	rc = target_follow();
	tasks.following = rc == 0;
	return rc;
}

static void tasks_free_tables(void)
{
	struct tasks_process *p;
	struct tasks_thread *e;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; tasks.processes && tasks.threads && i < 1 << TABLE_BITS; i++) {
		hlist_for_each_entry_safe(p, next, &tasks.processes[i], node)
			kfree(p);
		hlist_for_each_entry_safe(e, next, &tasks.threads[i], node)
			kfree(e);
	}
	pool_free(&tasks.pool);
	kvfree(tasks.threads);
	kvfree(tasks.processes);
}

void tasks_unfollow(void)
{
	unsigned int i;

	if (--tasks.followers)
		return;
	watch_end(&tasks_watch);
	while (tasks_call_back())
		;
	/* waits for the last instructions of errands that have just run */
	if (tasks.ran)
		synchronize_rcu_tasks();
	if (tasks.following)
		target_release();
	tasks_free_tables();
	for (i = 0; i < tasks.n; i++)
		if (tasks.sites[i].inode)
			path_put(&tasks.sites[i].path);
	kvfree(tasks.sites);
	memset(&tasks, 0, sizeof(tasks));
}

static int tasks_follow_sites(const struct rt_site *sites, rt_u32 n, bool fires, const struct tasks_hook *hook)
{
	int first = tasks.n, rc = 0;

	if (!tasks.followers++) {
		INIT_LIST_HEAD(&tasks.pending);
		tasks.root = current->fs->root.dentry;
		rc = tasks_find_functions();
		rc = rc ?: tasks_make_tables();
		rc = rc ?: watch_begin(&tasks_watch);
	}
	rc = rc ?: tasks_add_sites(sites, n, fires, hook);
	if (!rc)
		return first;
	tasks_unfollow();
	return rc;
}

int tasks_follow(const struct rt_site *sites, rt_u32 n, bool fires)
{
	return tasks_follow_sites(sites, n, fires, NULL);
}

int tasks_follow_threads(const struct rt_site *sites, rt_u32 n, const struct tasks_hook *hook)
{
	return tasks_follow_sites(sites, n, false, hook);
}

void tasks_run(void)
{
	if (tasks.running)
		return;
	raw_spin_lock(&tasks_tables_lock);
	tasks.running = true;
	raw_spin_unlock(&tasks_tables_lock);
	if (tasks_scan())
		state_fail("no memory to follow the processes that run already: free some memory, or run it again later");
}
