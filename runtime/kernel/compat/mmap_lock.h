/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: mmap_lock 1..1: looking at the mappings of current in any context.  1: mmap_lock is an rwsem, and waking can be put off. */
#ifndef COMPAT_MMAP_LOCK_H
#define COMPAT_MMAP_LOCK_H

#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/maple_tree.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>

/*
 * Trying to take the lock is an atomic operation on a counter, in any context.  Giving it back may wake others, for which the kernel takes
 * locks that it only holds with interrupts off.  So that is done at once if they are on.  If they are off, as in an interrupt, an NMI, or
 * while the scheduler's own locks are held, it is put off until they are on.  Until then the memory map must stay, also if current goes to
 * another CPU and exits there: that is what a user of it is counted for.  With PREEMPT_RT the lock is of another kind, which turns interrupts on
 * when it wakes others: there it is not taken with interrupts off.  The kernel's own functions for the lock have tracepoints, for which it
 * takes further locks: so the semaphore itself is taken.
 */
#if COMPAT_MMAP_LOCK == 1
struct compat_mmap_unlock {
	struct irq_work work;
	struct mm_struct *mm; /* not NULL: it is locked until the work is done, */
	atomic_t times;       /* so often; an NMI can add one */
};

static inline void compat_mmap_unlock_later(struct irq_work *work)
{
	struct compat_mmap_unlock *u = container_of(work, struct compat_mmap_unlock, work);
	struct mm_struct *mm = u->mm;
	int times = atomic_xchg(&u->times, 0);

	WRITE_ONCE(u->mm, NULL);
	while (times--) {
		up_read_non_owner(&mm->mmap_lock);
		mmput_async(mm);
	}
}

static inline void compat_mmap_unlock_init(struct compat_mmap_unlock *u)
{
	init_irq_work(&u->work, compat_mmap_unlock_later);
}

enum compat_mmap { COMPAT_MMAP_NOT_NOW, COMPAT_MMAP_IS_LOCKED, COMPAT_MMAP_LOCKED };

/*
 * u: this CPU's; if interrupts are off the caller stays on it until compat_mmap_unlock(), which is needed for LOCKED.  IS_LOCKED: it is
 * still to be unlocked, which cannot come before interrupts are on.
 */
static inline enum compat_mmap compat_mmap_trylock(struct compat_mmap_unlock *u)
{
	if (!irqs_disabled())
		return down_read_trylock(&current->mm->mmap_lock) ? COMPAT_MMAP_LOCKED : COMPAT_MMAP_NOT_NOW;
	if (READ_ONCE(u->mm))
		return u->mm == current->mm ? COMPAT_MMAP_IS_LOCKED : COMPAT_MMAP_NOT_NOW;
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || irq_work_is_busy(&u->work) || !down_read_trylock(&current->mm->mmap_lock))
		return COMPAT_MMAP_NOT_NOW;
	mmget(current->mm);
	return COMPAT_MMAP_LOCKED;
}

static inline void compat_mmap_unlock(struct compat_mmap_unlock *u)
{
	if (!irqs_disabled()) {
		up_read(&current->mm->mmap_lock);
		return;
	}
	rwsem_release(&current->mm->mmap_lock.dep_map, _RET_IP_);
	atomic_inc(&u->times);
	WRITE_ONCE(u->mm, current->mm);
	irq_work_queue(&u->work);
}

/* The mapping of an address, or NULL.  lockdep, which vma_lookup() asks, does not know of a lock whose release is put off. */
static inline const struct vm_area_struct *compat_mmap_find(unsigned long addr)
{
	return mtree_load(&current->mm->mm_mt, addr);
}

/* The first mapping from the address on, or NULL. */
static inline const struct vm_area_struct *compat_mmap_next(unsigned long addr)
{
	return mt_find(&current->mm->mm_mt, &addr, ULONG_MAX);
}
#endif

#endif
