// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the return of a call of a user function may be hooked.  See frame.h.
 *
 * Where a thread's stack is, as its address space says, is remembered for a few tasks on each CPU.
 */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

#include "kernel/access.h"
#include "kernel/arch/frame.h"
#include "kernel/compat/task_work_quiet.h"
#include "kernel/compat/uretprobe_area.h"
#include "kernel/compat/uretprobe_call.h"
#include "kernel/compat/uretprobe_depth.h"
#include "kernel/ksyms.h"
#include "kernel/mail.h"
#include "kernel/patience.h"
#include "kernel/pool.h"
#include "kernel/probes/frame.h"
#include "kernel/taskwork.h"
#include "rt/port.h"

#define FRAME_STACKS_BITS 4
#define FRAME_ERRANDS 256 /* in reserve, one for each hit on its way to user mode */
/* Handlers of other sessions may keep a task at the hit for ten seconds (ACCESS_INSIST_NS): what has not begun after twelve is stuck. */
#define FRAME_STOP_MS 12000
#define FRAME_NAMED 8 /* tasks that are named */

struct frame_stack {
	const struct task_struct *task;
	u64 born;             /* differs for an earlier task at this address */
	u64 program;          /* changes with exec() */
	unsigned long thread; /* the thread pointer, or 0: the process's first stack, which begins at mm->start_stack */
	unsigned long start, end;
};

struct frame_stacks {
	struct frame_stack of[1 << FRAME_STACKS_BITS];
};
static struct frame_stacks __percpu *frame_stacks __read_mostly;

/* What is left to be done when a hit is over, before its task is in user mode again. */
struct frame_errand {
	struct callback_head work;
	struct list_head pending; /* in frame_pending */
	struct task_struct *task; /* does its work before it is gone */
	u64 left; /* ns that it may wait; those of other sessions' handlers at the hit do not count */
	frame_checked_fn *checked;
	void *point;
	unsigned long sp;
	const struct return_instance *before; /* the innermost call that was hooked then */
};

static LIST_HEAD(frame_pending);
static DEFINE_RAW_SPINLOCK(frame_pending_lock); /* task context, and a kprobe there: pool_lock() */

struct pool frame_pool; /* struct frame_errand */

static struct {
	bool used;
	bool warned; /* that something could not be put back */
	bool warned_of_calls; /* that returns would be intercepted */
	frame_unwind_fn *unwind;
	struct kprobe dispatch; /* where a task begins to intercept its own system calls */
	bool watches_dispatch, dispatch_told;
	unsigned int given_up; /* tasks whose errands were taken back */
} frame;

/* ---- the thread's own stack ---- */

/* Takes mmap_lock for reading, which another CPU holds while it arms or disarms a probe. */
static bool frame_lock_memory(struct access_wait *wait)
{
	while (!mmap_read_trylock(current->mm)) {
		if (!access_may_wait(wait))
			return false;
		schedule_timeout_uninterruptible(1);
	}
	return true;
}

/*
 * C libraries put what the thread pointer points to at the top of the thread's stack.  A process's first stack is the one that exec() made:
 * any mapping may grow down.
 */
static bool frame_find_stack(struct frame_stack *s, unsigned long sp, struct access_wait *wait)
{
	unsigned long at = s->thread ? s->thread : READ_ONCE(current->mm->start_stack);
	struct vm_area_struct *vma;

	if (!frame_lock_memory(wait))
		return false;
	vma = find_vma(current->mm, at);
	if (vma && at >= vma->vm_start && (s->thread || vma->vm_flags & VM_GROWSDOWN)) {
		s->start = vma->vm_start;
		s->end = at;
	}
	mmap_read_unlock(current->mm);
	return sp >= s->start && sp < s->end;
}

static __always_inline struct frame_stack *frame_stack_of_current(void)
{
	return &this_cpu_ptr(frame_stacks)->of[hash_ptr(current, FRAME_STACKS_BITS)];
}

static __always_inline bool frame_stack_is_known(unsigned long sp, unsigned long thread)
{
	const struct frame_stack *s;
	bool known;

	preempt_disable();
	s = frame_stack_of_current();
	known = s->task == current && s->thread == thread && sp >= s->start && sp < s->end && s->born == current->start_time &&
		s->program == current->self_exec_id;
	preempt_enable();
	return known;
}

static bool frame_learn_stack(unsigned long sp, unsigned long thread, struct access_wait *wait)
{
	struct frame_stack s = { .task = current, .born = current->start_time, .program = current->self_exec_id, .thread = thread };

	if (!frame_find_stack(&s, sp, wait))
		return false;
	preempt_disable();
	*frame_stack_of_current() = s;
	preempt_enable();
	return true;
}

static noinline bool frame_look_closely(struct pt_regs *regs, unsigned long thread, struct access_wait *wait)
{
	unsigned long sp = user_stack_pointer(regs);

	if (!thread && !thread_group_leader(current))
		return false;
	/* A child of vfork() is on its parent's stack, or one made for it, and never leaves that. */
	if (!current->vfork_done && !frame_stack_is_known(sp, thread) && !frame_learn_stack(sp, thread, wait))
		return false;
	return arch_entered_by_call(regs, compat_uretprobe_at(sp), wait);
}

/* Programs of 32 bits return by a breakpoint on every kernel. */
static noinline bool frame_is_intercepted(struct pt_regs *regs, const char *by)
{
	if (arch_address_size(regs) < sizeof(u64))
		return false;
	if (!READ_ONCE(frame.warned_of_calls) && !xchg(&frame.warned_of_calls, true))
		mail_warn("returns in %.16s (process %d) are not probed: its system calls are intercepted by %s, and this kernel needs one to "
			  "return from a probed call", current->comm, current->tgid, by);
	return true;
}

bool frame_can_return(struct pt_regs *regs, struct access_wait *wait)
{
	unsigned long thread = thread_group_leader(current) ? 0 : arch_thread_pointer(regs);
	const char *by = compat_uretprobe_interceptor();

	if (unlikely(arch_has_shadow_stack()))
		return false;
	if (unlikely(by) && frame_is_intercepted(regs, by))
		return false;
	/* It may lie inside the thread's own, where its bounds alone would say yes. */
	if (unlikely(current->sas_ss_size && on_sig_stack(user_stack_pointer(regs))))
		return false;
	if (likely(frame_stack_is_known(user_stack_pointer(regs), thread) && arch_is_plain_call(regs)))
		return true;
	return frame_look_closely(regs, thread, wait);
}

/* ---- when the hit is over ---- */

static void frame_done(struct callback_head *work)
{
	struct frame_errand *e = container_of(work, struct frame_errand, work);
	unsigned long flags = pool_lock(&frame_pending_lock);

	list_del(&e->pending);
	pool_give(&frame_pool, e);
	pool_unlock(&frame_pending_lock, flags);
}

/*
 * Makes what() task work of current; it must end with frame_done().  how: what is particular to it, may be NULL.  False: no memory, or
 * current is exiting.
 */
static bool frame_send(task_work_func_t what, const struct frame_errand *how)
{
	struct frame_errand *e = pool_take(&frame_pool);
	unsigned long flags;

	if (!e)
		return false;
	WRITE_ONCE(frame.used, true);
	*e = how ? *how : (struct frame_errand){ 0 };
	e->task = current;
	flags = pool_lock(&frame_pending_lock);
	list_add_tail(&e->pending, &frame_pending);
	pool_unlock(&frame_pending_lock, flags);
	init_task_work(&e->work, what);
	if (!compat_task_work_add(current, &e->work))
		return true;
	frame_done(&e->work); /* current is exiting */
	return false;
}

static void frame_correct_count(struct callback_head *work)
{
	compat_uretprobe_correct();
	frame_done(work);
}

/*
 * Should there be no memory, the kernel hooks no return of this thread, until a later hit there finds some: frame_spare_no_longer().
 * Hits at entries come all the same.
 */
void frame_spare(void)
{
	compat_uretprobe_spare();
	frame_spare_no_longer();
}

bool frame_is_spared(void)
{
	return compat_uretprobe_spared();
}

void frame_spare_no_longer(void)
{
	frame_send(frame_correct_count, NULL);
}

/* The kernel looks whether there is room before it drops the calls that were left. */
bool frame_make_room(struct pt_regs *regs, struct access_wait *wait)
{
	if (!frame_can_return(regs, wait) || !frame_send(frame_correct_count, NULL))
		return false;
	compat_uretprobe_make_room();
	return true;
}

/* ---- returns that are not hooked after all ---- */

/*
 * The kernel has made the entry of a call that it hooks before it gives up any other, so the innermost is another one then.  A task that
 * ends returns from nothing.
 */
static void frame_check_hook(struct callback_head *work)
{
	struct frame_errand *e = container_of(work, struct frame_errand, work);
	const struct return_instance *innermost = compat_uretprobe_next(NULL);
	enum frame_outcome outcome = FRAME_HOOKED;

	if ((!innermost || innermost == e->before) && !(current->flags & PF_EXITING))
		outcome = compat_uretprobe_area() ? FRAME_SPARED : FRAME_MISSED;
	e->checked(e->point, e->sp, outcome);
	frame_done(work);
}

bool frame_watch(struct pt_regs *regs, frame_checked_fn *checked, void *point)
{
	return frame_send(frame_check_hook, &(struct frame_errand){ .checked = checked, .point = point, .sp = user_stack_pointer(regs),
								    .before = compat_uretprobe_next(NULL) });
}

/* ---- calls that are unhooked ---- */

struct frame_walk {
	unsigned int size;        /* of an address */
	unsigned long trampoline; /* the kernel's, once a call was found that has it; else 0 */
	struct access_wait *wait;
	/*
	 * Where a return address was put back last.  Further entries of the kernel's list for the same place (several probes of one call)
	 * are passed over.
	 */
	unsigned long restored;
	bool unsure; /* something could not be looked at or written in time */
};

static void frame_walk_begin(struct frame_walk *w, struct pt_regs *regs, struct access_wait *wait)
{
	*w = (struct frame_walk){ .size = arch_address_size(regs), .wait = wait };
}

static void frame_walk_end(const struct frame_walk *w)
{
	if (likely(!w->unsure) || fatal_signal_pending(current) || xchg(&frame.warned, true))
		return;
	mail_warn("memory of %.16s (process %d) with return addresses of probed calls could not be reached: exceptions that "
		  "pass through them may end the program, and their returns may not be counted", current->comm, current->tgid);
}

static bool frame_walk_lock(struct frame_walk *w)
{
	bool locked = frame_lock_memory(w->wait);

	w->unsure |= !locked;
	return locked;
}

/* rc: of an access.  What is not mapped any more was left long ago. */
static bool frame_walk_went_well(struct frame_walk *w, int rc)
{
	w->unsure |= rc && rc != RT_ACCESS_BAD;
	return !rc;
}

/*
 * Is word the address that the kernel puts in the place of a return address: where its page for uprobes
 * begins?
 */
static bool frame_is_trampoline(struct frame_walk *w, unsigned long word)
{
	struct vm_area_struct *vma;
	bool yes;

	if (!word || word & ~PAGE_MASK)
		return false;
	if (!frame_walk_lock(w))
		return false;
	vma = find_vma(current->mm, word);
	yes = vma && vma->vm_start == word && vma->vm_ops && vma->vm_ops->name;
	yes = yes && !strcmp(vma->vm_ops->name(vma) ?: "", "[uprobes]");
	mmap_read_unlock(current->mm);
	return yes;
}

static bool frame_is_hooked(struct frame_walk *w, const struct return_instance *r)
{
	u64 word = 0;

	if (!frame_walk_went_well(w, access_read_user(r->stack, &word, w->size, w->wait)) || !word)
		return false;
	if (!w->trampoline && frame_is_trampoline(w, word))
		w->trampoline = word;
	return word == w->trampoline;
}

/*
 * How many hits of this session its return would have been; 1 if the address space cannot be looked at in
 * time.
 */
static unsigned int frame_hits_of(struct frame_walk *w, const struct return_instance *r, frame_hits_fn *hits)
{
	const struct inode *inode = NULL;
	struct vm_area_struct *vma;
	u64 offset = 0;

	if (!frame_walk_lock(w))
		return 1;
	vma = find_vma(current->mm, r->func);
	if (vma && r->func >= vma->vm_start && vma->vm_file) {
		inode = file_inode(vma->vm_file); /* not looked into, only compared with files that are held */
		offset = r->func - vma->vm_start + ((u64)vma->vm_pgoff << PAGE_SHIFT);
	}
	mmap_read_unlock(current->mm);
	return hits(inode, offset, r->stack);
}

static unsigned int frame_count_hooked(struct pt_regs *regs, frame_hits_fn *hits, struct access_wait *wait)
{
	const struct return_instance *r = NULL;
	unsigned long last = 0;
	struct frame_walk w;
	unsigned int n = 0;

	frame_walk_begin(&w, regs, wait);
	while ((r = compat_uretprobe_next(r))) {
		/* the same place: a probed function that another one jumped to; both return at once */
		if (r->stack != last && !frame_is_hooked(&w, r))
			continue;
		last = r->stack;
		n += frame_hits_of(&w, r, hits);
	}
	frame_walk_end(&w);
	return n;
}

/* The next call outward from r, or from the innermost for NULL, that is below an address and whose return is still hooked; or NULL. */
static const struct return_instance *frame_next_hooked(struct frame_walk *w, const struct return_instance *r, unsigned long below)
{
	while ((r = compat_uretprobe_next(r)) && r->stack < below)
		if (r->stack != w->restored && frame_is_hooked(w, r))
			return r;
	return NULL;
}

/*
 * The kernel's list is not changed: when the stack has shrunk it drops these calls, as after a longjmp().
 * Those that the walk does not end return to their callers directly, past the kernel.
 */
static void frame_put_addresses_back(struct pt_regs *regs, unsigned long below, struct access_wait *wait)
{
	const struct return_instance *r = NULL;
	struct frame_walk w;

	frame_walk_begin(&w, regs, wait);
	while ((r = frame_next_hooked(&w, r, below)))
		if (frame_walk_went_well(&w, access_write_user(r->stack, &r->orig_ret_vaddr, w.size, wait)))
			w.restored = r->stack;
	frame_walk_end(&w);
}

/* Has one of the calls below an address its return still hooked?  Yes when in doubt. */
static bool frame_left_is_hooked(struct pt_regs *regs, unsigned long below, struct access_wait *wait)
{
	struct frame_walk w;

	frame_walk_begin(&w, regs, wait);
	return frame_next_hooked(&w, NULL, below) || w.unsure;
}

bool frame_put_left_back(struct pt_regs *regs)
{
	unsigned long sp = user_stack_pointer(regs);
	struct access_wait wait;

	if (likely(!compat_uretprobe_left(sp)))
		return true;
	access_insist(&wait, ACCESS_INSIST_NS);
	if (current->vfork_done)
		return !frame_left_is_hooked(regs, sp, &wait);
	frame_put_addresses_back(regs, sp, &wait);
	return true;
}

static void frame_unhook_later(struct callback_head *work)
{
	struct access_wait wait;

	access_insist(&wait, container_of(work, struct frame_errand, work)->left);
	frame_put_addresses_back(task_pt_regs(current), ULONG_MAX, &wait);
	frame_done(work);
}

/* The ten seconds may pass before there is memory: then it is done now. */
static void frame_unhook_after_hit(struct pt_regs *regs, struct access_wait *wait)
{
	while (!frame_send(frame_unhook_later, &(struct frame_errand){ .left = access_left(wait) })) {
		if (!access_may_wait(wait)) {
			frame_put_addresses_back(regs, ULONG_MAX, wait);
			return;
		}
		schedule_timeout_uninterruptible(1);
	}
}

/*
 * Not written at once: the handler of another session may come after this one at the same hit, and counts the
 * same calls.  What the one walk has waited the other does not.
 */
unsigned int frame_unhook(struct pt_regs *regs, frame_hits_fn *hits)
{
	struct access_wait wait;
	unsigned int n;

	access_insist(&wait, ACCESS_INSIST_NS);
	n = frame_count_hooked(regs, hits, &wait);
	frame_unhook_after_hit(regs, &wait);
	return n;
}

/* ---- tasks that begin to intercept their system calls ---- */

/*
 * Calls that are active when a task switches on Syscall User Dispatch were hooked before, and must not return by a system call.  Sessions
 * count them one after the other, and then put their return addresses back: frame_unhook().
 */
static void frame_unhook_intercepted(struct callback_head *work)
{
	frame.unwind(task_pt_regs(current));
	frame_done(work);
}

/* In the system call of current that switches it on; preemption may be off. */
static int frame_on_dispatch(struct kprobe *k, struct pt_regs *regs)
{
	if (compat_uretprobe_next(NULL) && !frame_send(frame_unhook_intercepted, NULL))
		frame_walk_end(&(struct frame_walk){ .unsure = true });
	return 0;
}
NOKPROBE_SYMBOL(frame_on_dispatch);

void frame_watch_dispatch(void)
{
	unsigned long place;

	if (!COMPAT_URETPROBE_BY_CALL || frame.watches_dispatch)
		return;
	place = ksyms_behind_tracer("set_syscall_user_dispatch");
	frame.dispatch = (struct kprobe){ .addr = (kprobe_opcode_t *)place, .pre_handler = frame_on_dispatch };
	frame.watches_dispatch = place && !register_kprobe(&frame.dispatch);
	if (!frame.watches_dispatch && !frame.dispatch_told) {
		frame.dispatch_told = true;
		mail_warn("a program that switches on Syscall User Dispatch within a probed call may die of it: the kernel does not let the "
			  "session see that");
	}
}

/* ---- start and stop ---- */

int frame_start(frame_unwind_fn *unwind)
{
	frame.unwind = unwind;
	frame_stacks = alloc_percpu_gfp(struct frame_stacks, GFP_KERNEL | __GFP_NOWARN);
	if (!frame_stacks)
		return -ENOMEM;
	taskwork_can_take_back();
	return pool_init(&frame_pool, sizeof(struct frame_errand), FRAME_ERRANDS);
}

static bool frame_is_idle(void)
{
	unsigned long flags = pool_lock(&frame_pending_lock);
	bool idle;

	idle = list_empty(&frame_pending);
	pool_unlock(&frame_pending_lock, flags);
	return idle;
}

static void frame_name_pending(void)
{
	const struct frame_errand *e;
	unsigned int n = 0;
	unsigned long flags;

	flags = pool_lock(&frame_pending_lock);
	list_for_each_entry(e, &frame_pending, pending)
		if (n++ < FRAME_NAMED)
			mail_warn("the session waits for %.16s(%d), which is held up in the kernel at a probed place", e->task->comm,
				  e->task->pid);
	pool_unlock(&frame_pending_lock, flags);
}

/* What it means that e is never done; NULL: nothing for those who are traced or trace. */
static const char *frame_undone(const struct frame_errand *e)
{
	if (e->work.func == frame_check_hook)
		return NULL;
	if (e->work.func == frame_unhook_intercepted)
		return "a probed call that returns ends it, as its system calls are intercepted";
	return e->work.func == frame_unhook_later ? "an exception that passes through probed calls may end it" :
						    "other tools may not see its calls return";
}

/* Takes back one errand that its task has not begun, if the first is one. */
static void frame_take_one_back(void)
{
	struct frame_errand *e;
	struct task_struct *t;
	unsigned long flags;

	flags = pool_lock(&frame_pending_lock);
	e = list_first_entry_or_null(&frame_pending, struct frame_errand, pending);
	t = e ? get_task_struct(e->task) : NULL;
	if (e)
		list_move_tail(&e->pending, &frame_pending);
	pool_unlock(&frame_pending_lock, flags);
	if (!e)
		return;
	/* e may be done by now: it is only compared with, unless it was taken back */
	if (taskwork_take_back(t, &e->work)) {
		if (frame_undone(e) && frame.given_up++ < FRAME_NAMED)
			mail_warn("%.16s(%d) is held up in the kernel at a probed place, where something is left undone: %s", t->comm,
				  t->pid, frame_undone(e));
		if (e->checked)
			e->checked(e->point, e->sp, FRAME_HOOKED);
		frame_done(&e->work);
	}
	put_task_struct(t);
}

void frame_wait_for_errands(void)
{
	unsigned long begun = jiffies;
	bool named = false;

	while (!frame_is_idle()) {
		unsigned int ms = jiffies_to_msecs(jiffies - begun);

		if (!named && ms > PATIENCE_MS) {
			frame_name_pending();
			named = true;
		}
		if (ms > FRAME_STOP_MS)
			frame_take_one_back();
		schedule_timeout_uninterruptible(1);
	}
}

void frame_stop(void)
{
	if (frame.watches_dispatch)
		unregister_kprobe(&frame.dispatch);
	frame_wait_for_errands();
	if (frame.used) /* the last instructions of what was done later */
		synchronize_rcu_tasks();
	pool_free(&frame_pool);
	free_percpu(frame_stacks);
	frame_stacks = NULL;
	memset(&frame, 0, sizeof(frame));
}
