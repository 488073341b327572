/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in the kernel and their hits.  kprobe.c makes, arms and removes them; what is here runs when they are hit, and decides
 * whether a handler does.
 */
#ifndef KPOINT_H
#define KPOINT_H

#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kprobes.h>

#include "kernel/arming.h"
#include "kernel/probes/kreturn.h"

struct kpoint {
	struct kretprobe rp; /* an ENTRY uses only rp.kp */
	struct kreturn calls; /* of a RETURN that is fast: see below */
	const struct rt_site *site;
	const struct rt_probe *probe;
	rt_handler *small; /* the handler, if it is one for hit_small() */
	bool brief;        /* the handler is one for hit_brief() */
	bool is_return;
	bool may_call_body; /* as far as the translator knows */
	bool claim_tried;   /* kpoint_claim_body() was called */
	bool body;          /* and it succeeded */
	struct kpoint *next; /* at the same address, armed through ftrace */
	bool registered; /* as a kprobe */
	bool stays;      /* the kernel cannot unregister it */
	bool fast;       /* armed through ftrace, with its slot */
	bool armed;      /* by its condition */
	bool failed;     /* to be armed or disarmed, which was reported */
	bool absent;     /* its module is not there, or its function is not in it now */
	bool paid;       /* its memory as a kretprobe counts as taken */
};

/*
 * How an address is armed through ftrace.  DIRECT: the function calls code of ours, which runs a small or brief handler or hooks the
 * return right away.  BODY: the function calls code of the module of calls/calls.h, which calls its body, and then us for the return.  Both as
 * long as no other tool traces the function, when the tracer calls us as for all others.
 */
enum kpoint_way { KPOINT_TRACER, KPOINT_DIRECT, KPOINT_BODY, KPOINT_WAYS };

/* An address armed through ftrace, and what is there. */
struct kpoint_slot {
	unsigned long ip;
	struct kpoint *first;
	struct kpoint *only; /* DIRECT: the only one; else NULL */
	enum kpoint_way way;
	bool armed;
};

/* Slots are found by their address: 2^bits of them, never all in use. */
struct kpoint_table {
	unsigned int bits, shift; /* shift: of a hash of 32 bits, to have so many left */
	struct kpoint_slot slots[];
};
extern struct kpoint_table *kpoint_table; /* the one that hits use: kfast.c */

static inline struct kpoint_slot *kpoint_find_slot(struct kpoint_table *t, unsigned long ip)
{
	struct kpoint_slot *slot = &t->slots[hash_long(ip, 32) >> t->shift], *end;

	if (likely(slot->ip == ip))
		return slot;
	for (end = t->slots + (1u << t->bits); slot->ip && slot->ip != ip;)
		if (++slot == end)
			slot = t->slots;
	return slot;
}

/* Is it to be armed?  Not in a handler. */
static inline bool kpoint_is_wanted(const struct kpoint *p)
{
	return !p->absent && arming_wants(p->probe);
}

/* All fast points of one way share one: its filter has the addresses of those that are armed. */
extern struct ftrace_ops kpoint_ops[KPOINT_WAYS];
/* 0: returns of fast points can be hooked. */
int kpoint_init_returns(void);
/* Sets the point's site and what is derived from it. */
void kpoint_set_site(struct kpoint *p, const struct rt_site *site);
/* hold() of the mechanism: kcalls_hold(), if a site may call the body of its function. */
void kpoint_hold(const struct rt_site *sites, rt_u32 n);
/* Claims the body: from now on our code calls it.  False: it cannot be.  Process context. */
bool kpoint_claim_body(struct kpoint *p);
/* Waits for hits that have begun, also on an idle CPU that RCU does not watch.  Process context. */
void kpoint_wait_for_hits(void);

/* Handlers of kprobes and kretprobes of their own. */
int kpoint_on_entry(struct kprobe *k, struct pt_regs *regs);
int kpoint_on_call(struct kretprobe_instance *ri, struct pt_regs *regs);
int kpoint_on_return(struct kretprobe_instance *ri, struct pt_regs *regs);

#endif
