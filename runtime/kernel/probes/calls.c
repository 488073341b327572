// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the entry handlers of return probes saved, until the call returns.  See calls.h.
 *
 * Entries hang in a hash table by task, those of one task newest first.  Only the task itself adds and takes them, apart from
 * fork, which fills the child's before it runs.  The stack grows down, so of a task's entries a newer one
 * has the lower stack pointer; an entry below the present stack pointer belongs to a frame that is gone.
 *
 * The locks are raw, since fork, exec and exit are reported with preemption off; nobody takes them in an
 * interrupt.
 */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "kernel/arch/frame.h"
#include "kernel/memory.h"
#include "kernel/probes/calls.h"

#define CALLS_BITS 8

struct calls_bucket {
	raw_spinlock_t lock;
	struct hlist_head head;
};

struct calls {
	struct calls_bucket buckets[1 << CALLS_BITS];
	raw_spinlock_t free_lock; /* inside a bucket's */
	struct hlist_head free;
	unsigned int slots;
	void *memory;
};

struct calls *calls_new(unsigned int n, unsigned int slots)
{
	size_t size = struct_size((struct calls_entry *)NULL, slots, slots);
	struct calls *cs;
	unsigned int i;

	if (!memory_take((u64)n * size))
		return NULL;
	cs = kvzalloc(sizeof(*cs), GFP_KERNEL);
	if (!cs)
		return NULL;
	cs->memory = kvcalloc(n, size, GFP_KERNEL | __GFP_NOWARN);
	if (!cs->memory) {
		kvfree(cs);
		return NULL;
	}
	cs->slots = slots;
	raw_spin_lock_init(&cs->free_lock);
	for (i = 0; i < ARRAY_SIZE(cs->buckets); i++)
		raw_spin_lock_init(&cs->buckets[i].lock);
	for (i = 0; i < n; i++)
		hlist_add_head(&((struct calls_entry *)(cs->memory + i * size))->node, &cs->free);
	return cs;
}

void calls_free(struct calls *cs)
{
	if (!cs)
		return;
	kvfree(cs->memory);
	kvfree(cs);
}

static struct calls_bucket *calls_bucket_of(struct calls *cs, struct task_struct *t)
{
	return &cs->buckets[hash_ptr(t, CALLS_BITS)];
}

static struct calls_entry *calls_pop_free(struct calls *cs)
{
	struct calls_entry *e = NULL;

	raw_spin_lock(&cs->free_lock);
	if (!hlist_empty(&cs->free)) {
		e = hlist_entry(cs->free.first, struct calls_entry, node);
		hlist_del(&e->node);
	}
	raw_spin_unlock(&cs->free_lock);
	return e;
}

void calls_done(struct calls *cs, struct calls_entry *e)
{
	raw_spin_lock(&cs->free_lock);
	hlist_add_head(&e->node, &cs->free);
	raw_spin_unlock(&cs->free_lock);
}

/*
 * Was the function entered by a jump from another probed function, in whose place it returns?  Then its return address is the kernel's
 * trampoline, the first word of a page of its own.
 */
static bool calls_entered_by_jump(struct pt_regs *regs)
{
	unsigned long size = arch_return_size(regs), address = 0;

	if (!size)
		return false;
	if (copy_from_user_nofault(&address, (void __user *)user_stack_pointer(regs), size))
		return false;
	return !(address & ~PAGE_MASK);
}

/*
 * Gives back current's entries of frames that are gone: below sp, or with drop_equal also at sp.  True: one
 * at sp is still there.
 */
static bool calls_drop_dead(struct calls *cs, unsigned long sp, bool drop_equal)
{
	struct calls_bucket *b = calls_bucket_of(cs, current);
	struct calls_entry *e;
	struct hlist_node *next;
	bool equal = false;

	raw_spin_lock(&b->lock);
	hlist_for_each_entry_safe(e, next, &b->head, node) {
		if (e->task != current)
			continue;
		if (e->sp > sp)
			break;
		if (e->sp == sp && !drop_equal) {
			equal = true;
			break;
		}
		hlist_del(&e->node);
		calls_done(cs, e);
	}
	raw_spin_unlock(&b->lock);
	return equal;
}

void calls_drop_left(struct calls *cs, struct pt_regs *regs)
{
	unsigned long sp = user_stack_pointer(regs);

	if (calls_drop_dead(cs, sp, false) && !calls_entered_by_jump(regs))
		calls_drop_dead(cs, sp, true);
}

struct calls_entry *calls_enter(struct calls *cs, const void *owner, unsigned long sp)
{
	struct calls_bucket *b = calls_bucket_of(cs, current);
	struct calls_entry *e;

	e = calls_pop_free(cs);
	if (!e)
		return NULL;
	e->task = current;
	e->owner = owner;
	e->sp = sp;
	raw_spin_lock(&b->lock);
	hlist_add_head(&e->node, &b->head);
	raw_spin_unlock(&b->lock);
	return e;
}

struct calls_entry *calls_take(struct calls *cs, const void *owner, unsigned long sp)
{
	struct calls_bucket *b = calls_bucket_of(cs, current);
	struct calls_entry *e, *found = NULL;

	raw_spin_lock(&b->lock);
	hlist_for_each_entry(e, &b->head, node) {
		if (e->task != current || e->sp < sp)
			continue;
		if (e->sp > sp)
			break;
		if (e->owner == owner) {
			found = e;
			hlist_del(&e->node);
			break;
		}
	}
	raw_spin_unlock(&b->lock);
	return found;
}

struct calls_entry *calls_return(struct calls *cs, const void *owner, struct pt_regs *regs)
{
	return calls_take(cs, owner, user_stack_pointer(regs) - arch_return_size(regs));
}

bool calls_forget(struct calls *cs, const void *owner, unsigned long sp)
{
	struct calls_entry *e = calls_take(cs, owner, sp);

	if (e)
		calls_done(cs, e);
	return e;
}

void calls_cancel(struct calls *cs, struct calls_entry *e)
{
	struct calls_bucket *b = calls_bucket_of(cs, e->task);

	raw_spin_lock(&b->lock);
	hlist_del(&e->node);
	raw_spin_unlock(&b->lock);
	calls_done(cs, e);
}

void calls_drop(struct calls *cs, struct task_struct *t)
{
	struct calls_bucket *b = calls_bucket_of(cs, t);
	struct calls_entry *e;
	struct hlist_node *next;

	if (hlist_empty(&b->head))
		return;
	raw_spin_lock(&b->lock);
	hlist_for_each_entry_safe(e, next, &b->head, node) {
		if (e->task != t)
			continue;
		hlist_del(&e->node);
		calls_done(cs, e);
	}
	raw_spin_unlock(&b->lock);
}

/* Adds e after *last, or first when there is none; *last becomes e. */
static void calls_append(struct hlist_head *head, struct hlist_node **last, struct calls_entry *e)
{
	if (*last)
		hlist_add_behind(&e->node, *last);
	else
		hlist_add_head(&e->node, head);
	*last = &e->node;
}

unsigned int calls_fork(struct calls *cs, struct task_struct *parent, struct task_struct *child)
{
	struct calls_bucket *from = calls_bucket_of(cs, parent), *to = calls_bucket_of(cs, child);
	struct hlist_head copies = HLIST_HEAD_INIT;
	struct hlist_node *last = NULL, *next;
	struct calls_entry *e, *copy;
	unsigned int lost = 0;

	if (hlist_empty(&from->head))
		return 0;
	raw_spin_lock(&from->lock);
	hlist_for_each_entry(e, &from->head, node) {
		if (e->task != parent)
			continue;
		copy = calls_pop_free(cs);
		if (!copy) {
			lost++;
			continue;
		}
		copy->task = child;
		copy->owner = e->owner;
		copy->sp = e->sp;
		memcpy(copy->slots, e->slots, cs->slots * sizeof(*e->slots));
		calls_append(&copies, &last, copy);
	}
	raw_spin_unlock(&from->lock);
	last = NULL;
	raw_spin_lock(&to->lock);
	hlist_for_each_entry_safe(e, next, &copies, node) {
		hlist_del(&e->node);
		calls_append(&to->head, &last, e);
	}
	raw_spin_unlock(&to->lock);
	return lost;
}
