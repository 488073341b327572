// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of active calls of kernel functions.  See kreturn.h. */
#include <linux/errno.h>
#include <linux/preempt.h>

#include "kernel/ksyms.h"
#include "kernel/memory.h"
#include "kernel/probes/kreturn.h"

#define SHARED_BYTES (16u << 20) /* what the shared pool takes at most: 100,000 calls at a time, and little enough for a small machine */

unsigned long kreturn_trampoline;
unsigned long __percpu *kreturn_last;
atomic_t kreturn_reserve;

static rethook_handler_t kreturn_handler;
static unsigned long rethook_alloc_addr, rethook_free_addr;
static struct rethook *kreturn_shared;

/*
 * Has the kernel hook the return of a call that does not exist, on a stack of one word.  That shows the address of the trampoline, and
 * whether the kernel does the same as kreturn_hook().
 */
static bool kreturn_learn(unsigned long hook)
{
	static const unsigned long to = 0x5a5a5a5a;
	unsigned long stack = to;
	struct rethook_node node = {};
	struct pt_regs regs = {};

	arch_set_return_slot(&regs, &stack);
	preempt_disable_notrace();
	ksyms_call3(hook, (unsigned long)&node, (unsigned long)&regs, true);
	if (current->rethooks.first == &node.llist)
		current->rethooks.first = node.llist.next;
	preempt_enable_notrace();
	kreturn_trampoline = stack;
	return stack != to && node.ret_addr == to && node.frame == (unsigned long)&stack;
}

int kreturn_init(rethook_handler_t handler)
{
	unsigned long hook = ksyms_address("rethook_hook");

	kreturn_handler = handler;
	rethook_alloc_addr = ksyms_address("rethook_alloc");
	rethook_free_addr = ksyms_address("rethook_free");
	if (!hook || !rethook_alloc_addr || !rethook_free_addr || !kreturn_learn(hook))
		return -EOPNOTSUPP;
	kreturn_last = alloc_percpu_gfp(unsigned long, GFP_KERNEL | __GFP_NOWARN);
	return kreturn_last ? 0 : -ENOMEM;
}

void kreturn_forget(void)
{
	free_percpu(kreturn_last);
	kreturn_last = NULL;
}

static unsigned int call_size(unsigned int slots)
{
	return sizeof(struct kreturn_call) + slots * sizeof(rt_u64);
}

static struct rethook *kreturn_make_pool(unsigned int n, unsigned int slots)
{
	if (!memory_take_objects(n, call_size(slots)))
		return NULL;
	return compat_rethook_make(rethook_alloc_addr, kreturn_handler, call_size(slots), n);
}

int kreturn_make(struct kreturn *k, unsigned int n, unsigned int slots)
{
	k->pool = kreturn_make_pool(n, slots);
	return k->pool ? 0 : -ENOMEM;
}

int kreturn_make_shared(unsigned int users, unsigned int each, bool reserve, unsigned int slots, int *quota)
{
	unsigned int n = min_t(u64, (u64)users * each, SHARED_BYTES / call_size(slots));

	kreturn_shared = kreturn_make_pool(n, slots);
	if (!kreturn_shared)
		return -ENOMEM;
	*quota = max(1u, n / users / (reserve ? 2 : 1));
	atomic_set(&kreturn_reserve, (int)(n - users * *quota));
	return 0;
}

void kreturn_share(struct kreturn *k, int quota)
{
	k->pool = kreturn_shared;
	k->quota = quota;
}

void kreturn_free(struct kreturn *k)
{
	if (k->pool && !k->quota)
		ksyms_call3(rethook_free_addr, (unsigned long)k->pool, 0, 0);
	k->pool = NULL;
}

void kreturn_free_shared(void)
{
	if (kreturn_shared)
		ksyms_call3(rethook_free_addr, (unsigned long)kreturn_shared, 0, 0);
	kreturn_shared = NULL;
}
