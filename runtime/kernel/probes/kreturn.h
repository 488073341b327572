/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooking the return of a kernel function at its entry, for fast points (kprobe.c).
 *
 * The kernel's rethook does it: a call takes a node, which replaces its return address by that of a trampoline and is in a list of its
 * task until then.  Kretprobes are made of the same, but what they do around a handler must not be done in the middle of another
 * tool's kprobe, where functions return as well; a handler of ours touches nothing of kprobes.
 *
 * Points share a pool when there are many, each with a quota that nobody else can take, and a reserve for all.  A task that dies in
 * a call gives its node back without telling: whoever takes the node next puts that right.
 *
 * What is inline here runs at every hit, and calls nothing.
 */
#ifndef KRETURN_H
#define KRETURN_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "kernel/arch/x86.h"
#include "kernel/compat/rethook_pool.h"
#include "rt/rt.h"

/* What a point has of it. */
struct kreturn {
	struct rethook *pool;
	int quota;       /* of the shared pool; 0: the pool is its own */
	atomic_t active; /* calls that hold a node of the shared pool */
};

struct kreturn_call {
	struct rethook_node node; /* the first */
	struct kreturn *owner;    /* shared pool: who holds it, or held it when a task died; NULL: nobody */
	rt_u64 slots[];
};

extern unsigned long kreturn_trampoline;
DECLARE_PER_CPU(unsigned long, kreturn_last); /* where the address of the last return stood that a handler ran for */
extern atomic_t kreturn_reserve; /* nodes of the shared pool beyond all quotas; below 0: refused ones are on their way */

/* Asks the kernel how it does it: 0, or -EOPNOTSUPP. */
int kreturn_init(rethook_handler_t handler);
/* A pool of n calls for k alone, with so many slots for its entry handler: 0 or -ENOMEM. */
int kreturn_make(struct kreturn *k, unsigned int n, unsigned int slots);
/* The shared pool: for users with so many calls each, and a reserve; not more than a bound.  *quota: what each gets for certain. */
int kreturn_make_shared(unsigned int users, unsigned int each, bool reserve, unsigned int slots, int *quota);
void kreturn_share(struct kreturn *k, int quota);
/* No call begins any more: frees k's pool, if it has one; the shared one.  Handlers may still run until an RCU grace period later. */
void kreturn_free(struct kreturn *k);
void kreturn_free_shared(void);

static __always_inline void kreturn_unclaim(struct kreturn *k)
{
	if (unlikely(atomic_dec_return(&k->active) >= k->quota))
		atomic_inc(&kreturn_reserve);
}

/* Every step above the quota takes one of the reserve, every step down gives one back, whether it was granted or not. */
static __always_inline bool kreturn_claim(struct kreturn *k)
{
	if (likely(atomic_inc_return(&k->active) <= k->quota) || atomic_dec_return(&kreturn_reserve) >= 0)
		return true;
	kreturn_unclaim(k);
	return false;
}

/* A node for a call that begins, or NULL: too many are active.  Preemption is off; not in an NMI. */
static __always_inline struct kreturn_call *kreturn_take(struct kreturn *k)
{
	struct rethook_node *node;
	struct kreturn_call *call;

	if (k->quota && !kreturn_claim(k))
		return NULL;
	node = compat_rethook_take(k->pool);
	call = container_of(node, struct kreturn_call, node);
	if (k->quota && unlikely(!node || call->owner))
		kreturn_unclaim(node ? call->owner : k);
	if (unlikely(!node))
		return NULL;
	call->owner = k;
	return call;
}

/* The call ends: the kernel takes the node back. */
static __always_inline void kreturn_done(struct kreturn_call *call)
{
	struct kreturn *k = call->owner;

	if (k->quota) {
		call->owner = NULL;
		kreturn_unclaim(k);
	}
}

static __always_inline void kreturn_give_back(struct kreturn_call *call)
{
	struct rethook *pool = call->owner->pool;

	kreturn_done(call);
	compat_rethook_give_back(pool, &call->node);
}

static __always_inline bool kreturn_is_within(unsigned long frame, unsigned long sp)
{
	return unlikely(frame > sp && (frame ^ sp) < THREAD_SIZE) && arch_return_under_way(frame);
}

/*
 * Is a function entered that the kernel's trampoline calls for a return, before our handler or behind it?  Its own return would call
 * it again, without end.  A lockdep kernel's trampoline does; an interrupt on a stack of its own is no part of it.
 */
static __always_inline bool kreturn_in_trampoline(struct pt_regs *regs)
{
	struct llist_node *first = current->rethooks.first;
	unsigned long sp = (unsigned long)arch_return_slot(regs);

	return (first && kreturn_is_within(container_of(first, struct rethook_node, llist)->frame, sp)) ||
	       kreturn_is_within(this_cpu_read(kreturn_last), sp);
}

/* As rethook_hook() does it, which kreturn_init() has looked at. */
static __always_inline void kreturn_hook(struct kreturn_call *call, struct pt_regs *regs)
{
	unsigned long *slot = arch_return_slot(regs);

	call->node.ret_addr = *slot;
	call->node.frame = (unsigned long)slot;
	*slot = kreturn_trampoline;
	__llist_add(&call->node.llist, &current->rethooks);
}

#endif
