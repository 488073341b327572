/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sessions and the module CALLS_MODULE have in common: kernel functions whose bodies are called from a frame of that module, so that
 * their returns cost little.  doc/design.md, "Calling the body of a function".
 *
 * Whatever changes here or in the frame (kernel/arch/calls.h), so that a session and a module of two versions do not fit: the number in the
 * module's name goes up.
 */
#ifndef CALLS_CALLS_H
#define CALLS_CALLS_H

#include <linux/types.h>

#include "rt/carried.h"

struct pt_regs;

#define CALLS_MODULE CARRIED_CALLS_MODULE
#define CALLS_INTERFACE "spile_calls" /* a function of it: const struct spile_calls *spile_calls(void) */
#define CALLS_SLOTS 1024   /* a power of two: 64 KB as long as the module is there, and few functions that are probed at a time share a place */
#define CALLS_HASH_SHIFT 4 /* the place is ip >> this, % CALLS_SLOTS: functions begin at multiples of 16 */

/* A function whose body is called from the module's frame.  Found by where the tracer's call returns to; one place for each hash. */
struct spile_calls_slot {
	unsigned long ip;       /* after the tracer's call; 0: free */
	unsigned long era;      /* its owner's, different for each; 0: none, the function is not to be followed */
	unsigned long ordinary; /* what the function's entry is to call instead where its body cannot be called */
	void *point;
	bool (*fast)(void *point);                      /* the function has returned; false: call slow().  Any context */
	void (*slow)(void *point, struct pt_regs *regs); /* regs: of the return, to be used after it as they are then, but for bp, sp, ip, flags */
	unsigned long spare[2];
};

/* All: process context, may sleep; by a caller that holds a reference of the module. */
struct spile_calls {
	unsigned long entry; /* for struct ftrace_ops: what functions with a slot call at their entry */
	void (*join)(void);  /* a session that will have slots */
	/*
	 * A session that has no slots any more: no call begins for it, and whoever was in the code at the entry has left it.  Calls of bodies may
	 * still be under way.
	 */
	void (*leave)(void);
	/* A slot for the function whose tracer's call returns to ip; NULL: its place is taken.  ip and era of *how do not count. */
	struct spile_calls_slot *(*claim)(unsigned long ip, const struct spile_calls_slot *how);
};

#endif
