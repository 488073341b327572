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

#include "kernel/probes/kreturn.h"

struct kpoint {
	struct kretprobe rp; /* an ENTRY uses only rp.kp */
	struct kreturn calls; /* of a RETURN that is fast: see below */
	const struct rt_site *site;
	const struct rt_probe *probe;
	rt_handler *small; /* the handler, if it is one for hit_small() */
	struct kpoint *next; /* at the same address, armed through ftrace */
	bool registered; /* as a kprobe */
	bool fast;       /* armed through ftrace, with its slot */
	bool armed;      /* by its condition */
	bool failed;     /* to be armed or disarmed, which was reported */
	bool gone;       /* with its module */
};

/*
 * How an address is armed through ftrace.  DIRECT: the function calls code of ours, which calls a small handler or hooks the return right away;
 * as long as no other tool traces the function, when the tracer calls us as for all others.
 */
enum kpoint_way { KPOINT_TRACER, KPOINT_DIRECT, KPOINT_WAYS };

/* An address armed through ftrace, and what is there. */
struct kpoint_slot {
	unsigned long ip;
	/* DIRECT: the only point, while it is armed */
	rt_handler *small;    /* of an ENTRY: its handler */
	struct kpoint *call;  /* a RETURN */
	struct kpoint *first;
	enum kpoint_way way;
	bool armed;
};

/* Slots are found by their address: a table of 2^kpoint_slot_bits, never full. */
extern struct kpoint_slot *kpoint_slots;
extern unsigned int kpoint_slot_bits;

static inline struct kpoint_slot *kpoint_find_slot(unsigned long ip)
{
	unsigned int mask = (1u << kpoint_slot_bits) - 1;
	unsigned int i = hash_long(ip, kpoint_slot_bits);

	while (kpoint_slots[i].ip && kpoint_slots[i].ip != ip)
		i = (i + 1) & mask;
	return &kpoint_slots[i];
}

/* All fast points of one way share one: its filter has the addresses of those that are armed. */
extern struct ftrace_ops kpoint_ops[KPOINT_WAYS];
/* 0: returns of fast points can be hooked. */
int kpoint_init_returns(void);

/* Handlers of kprobes and kretprobes of their own. */
int kpoint_on_entry(struct kprobe *k, struct pt_regs *regs);
int kpoint_on_call(struct kretprobe_instance *ri, struct pt_regs *regs);
int kpoint_on_return(struct kretprobe_instance *ri, struct pt_regs *regs);

#endif
