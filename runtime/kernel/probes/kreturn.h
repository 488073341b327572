/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooking the return of a kernel function at its entry, for fast points (kprobe.c).
 *
 * This uses the kernel's rethook.  A call takes a node from a pool; until it returns, the node is in a list of its task, and the return
 * address on the stack is that of the kernel's trampoline.  Kretprobes use the same, but what they do around a handler must not be done
 * in the middle of another tool's kprobe, where functions return too; our handlers use nothing of kprobes.
 *
 * When there are many points, they share a pool; each has a quota that is reserved for it, and there is a reserve for all.  When a task
 * dies in a call, its node goes back to the pool without a call of our handler; the next call that takes the node corrects the count.
 *
 * The inline functions here run at every hit, and call nothing.
 */
#ifndef KRETURN_H
#define KRETURN_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "kernel/arch/arch.h"
#include "kernel/compat/rethook_pool.h"
#include "rt/rt.h"

/* A point's share of a pool. */
struct kreturn {
	struct rethook *pool;
	int quota;       /* of the shared pool; 0: the pool is its own */
	atomic_t active; /* calls that hold a node of the shared pool */
};

struct kreturn_call {
	struct rethook_node node; /* the first */
	struct kreturn *owner;    /* shared pool: the point that holds it, or held it when a task died; NULL: none */
	rt_u64 slots[];
};

extern unsigned long kreturn_trampoline;
extern unsigned long __percpu *kreturn_last; /* stack slot of the last return that a handler ran for */
extern atomic_t kreturn_reserve; /* nodes beyond all quotas; below 0 for a moment when a call is refused */

/*
 * Finds out how the kernel hooks a return: 0, or -EOPNOTSUPP or -ENOMEM.  handler: called for each return.  Process
 * context, before all others.
 */
int kreturn_init(rethook_handler_t handler);
/* When no handler runs any more, also if kreturn_init() failed. */
void kreturn_forget(void);
/* A pool of n calls for k alone, with so many slots for its entry handler: 0 or -ENOMEM. */
int kreturn_make(struct kreturn *k, unsigned int n, unsigned int slots);
/*
 * The shared pool for so many points (users) with so many calls each, as far as its size limit (kreturn.c) allows.  *quota: calls that
 * are guaranteed to each point; with reserve, about half of the nodes are for points that need more.  0 or -ENOMEM.
 */
int kreturn_make_shared(unsigned int users, unsigned int each, bool reserve, unsigned int slots, int *quota);
/* Gives k a share of the shared pool. */
void kreturn_share(struct kreturn *k, int quota);
/*
 * When no call begins any more: frees k's own pool, if it has one, and the shared pool.  Handlers may run until an RCU grace period later;
 * on an idle CPU that RCU does not watch, until that CPU has switched tasks.
 */
void kreturn_free(struct kreturn *k);
void kreturn_free_shared(void);

static __always_inline void kreturn_unclaim(struct kreturn *k)
{
	if (unlikely(atomic_dec_return(&k->active) >= k->quota))
		atomic_inc(&kreturn_reserve);
}

/* Each call above the quota takes one from the reserve and gives it back when it ends or is refused. */
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
	return unlikely(frame > sp && (frame ^ sp) < THREAD_SIZE) && arch_return_under_way(frame, kreturn_trampoline);
}

/*
 * Is the function that returns to the address in slot one that the kernel's trampoline calls for a return, before or after our handler?
 * If its own return were hooked, it would go to the trampoline, which calls it again, endlessly.  With lockdep the trampoline calls such
 * functions.  An interrupt that comes meanwhile, on a stack of its own, does not count.
 */
static __always_inline bool kreturn_in_trampoline(const unsigned long *slot)
{
	struct llist_node *first = current->rethooks.first;
	unsigned long sp = (unsigned long)slot;

	return (first && kreturn_is_within(container_of(first, struct rethook_node, llist)->frame, sp)) ||
	       kreturn_is_within(this_cpu_read(*kreturn_last), sp);
}

/* Does what the kernel's rethook_hook() does, as kreturn_init() has checked. */
static __always_inline void kreturn_hook(struct kreturn_call *call, unsigned long *slot)
{
	call->node.ret_addr = *slot;
	call->node.frame = (unsigned long)slot;
	*slot = kreturn_trampoline;
	__llist_add(&call->node.llist, &current->rethooks);
}

#endif
