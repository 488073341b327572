/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the entry handlers of return probes saved, of user functions and of system calls, until the call returns.
 *
 * A call is identified by its task, its owner (the place whose entry handler saved) and the stack pointer at its
 * entry.  Calls that will never return, because the program jumped out of them, are found by the stack
 * pointer of later calls of the task, as the kernel does with its own return instances.  The pool has a fixed size.
 */
#ifndef PROBES_CALLS_H
#define PROBES_CALLS_H

#include <linux/sched.h>
#include <linux/types.h>

#include "rt/rt.h"

struct calls;

struct calls_entry {
	struct hlist_node node; /* calls.c's */
	struct task_struct *task;
	const void *owner;
	unsigned long sp;
	rt_u64 slots[];
};

/*
 * Room for n calls with that many slots of 64 bits each; NULL: no memory, or more than the session may take
 * (memory.h).
 */
struct calls *calls_new(unsigned int n, unsigned int slots);
void calls_free(struct calls *cs);

/*
 * All for current, in task context; calls_drop_left() with page faults allowed, the others also with preemption off.
 * calls_drop_left(): once per hit of a function's entry, before the calls_enter() of all owners: drops calls that the program has left.
 * calls_enter(): a new call, with the stack pointer sp at its entry; NULL: the pool is exhausted.
 * calls_return(): takes the call of a function that returns with regs; NULL: unknown.  It must then be given back with calls_done().
 * calls_take(): the same of the owner's newest call at sp.
 * calls_forget(): drops the owner's newest call at sp: its return will not be seen.  False: there is none.
 * calls_cancel(): undoes calls_enter(): the call is dropped.
 */
void calls_drop_left(struct calls *cs, struct pt_regs *regs);
struct calls_entry *calls_enter(struct calls *cs, const void *owner, unsigned long sp);
struct calls_entry *calls_return(struct calls *cs, const void *owner, struct pt_regs *regs);
struct calls_entry *calls_take(struct calls *cs, const void *owner, unsigned long sp);
bool calls_forget(struct calls *cs, const void *owner, unsigned long sp);
void calls_cancel(struct calls *cs, struct calls_entry *e);
void calls_done(struct calls *cs, struct calls_entry *e);

/*
 * calls_drop(): the task exits or runs another program: its calls are over.
 * calls_fork(): child goes on in parent's active calls, on a copy of its stack.  Returns how many calls could not be copied.
 * Both may be called with preemption off, but not in an interrupt.
 */
void calls_drop(struct calls *cs, struct task_struct *t);
unsigned int calls_fork(struct calls *cs, struct task_struct *parent, struct task_struct *child);

#endif
