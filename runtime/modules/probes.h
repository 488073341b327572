/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes of one process, for modules that people write: the interface of the papers that user-space probing began with ("Ptrace, Utrace,
 * Uprobes", 2007, and uprobes.txt of that time), on the uprobes that kernels have today.  doc/modules.md has a guide, and the list of what
 * holds and what does not.
 *
 * The papers                                 here
 *   struct uprobe                              struct user_probe (today's kernel has another struct uprobe, which is its own)
 *   struct uretprobe, uretprobe_instance       struct user_retprobe, user_retprobe_instance
 *   enum uprobe_type                           enum user_probe_type
 *   [un]register_uprobe, [un]register_uretprobe the same
 *   -                                          unregister_all_uprobes(): the module's exit function must call it
 *   kprobes and kretprobes                     the kernel's own, <linux/kprobes.h>
 *
 * One file of the module includes probes.c as well.  Memory of probes may be static or from kmalloc(), zeroed.
 */
#ifndef MODULES_PROBES_H
#define MODULES_PROBES_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/ptrace.h>
#include <linux/types.h>

enum user_probe_type { USER_PROBE, USER_RETPROBE };

enum { USER_PROBE_REGISTERED = 1 };

struct user_probe {
	/* To be set before registering, and not changed until the probe is unregistered. */
	pid_t pid;           /* of the process (all its threads are probed), as the registering task numbers it */
	unsigned long vaddr; /* of an instruction in code that is mapped from a file */
	/* In the thread that hit, before the instruction; may sleep.  What it changes in regs, but for the address, is what the program gets. */
	void (*handler)(struct user_probe *u, struct pt_regs *regs);
	/*
	 * After an operation that a handler (or such a callback) asked for.  reg: 1 registered, 0 unregistered; result: as of the operation
	 * itself.  Of a worker, may sleep, and may register and unregister.  At reg 0 it may free the probe.
	 */
	void (*registration_callback)(struct user_probe *u, int reg, enum user_probe_type type, int result);

	/*
	 * To be read: USER_PROBE_REGISTERED; 0: not, or no longer; -EINPROGRESS: asked for by a handler; -ESRCH: the process has ended, or
	 * runs another program; another -errno: registering failed.
	 */
	int status;

	/* Reserved. */
	unsigned int asked;
	bool leaving;
	enum user_probe_type type;
	struct pid *process;
	struct mm_struct *mm; /* what the process ran when it was asked for, until the worker has come to it */
	struct probes_point *point;
	struct list_head of_point;
	struct llist_node request;
};

struct user_retprobe;

struct user_retprobe_instance {
	struct user_retprobe *rp;
	unsigned long ret_addr;
};

struct user_retprobe {
	struct user_probe u; /* pid; vaddr: the first instruction of the function; registration_callback; no handler */
	/* In the thread that returns, after the function; may sleep. */
	void (*handler)(struct user_retprobe_instance *ri, struct pt_regs *regs);
	/* To be read: calls whose return is not reported, since the kernel keeps only so many that are active (64 for a thread). */
	atomic_long_t nmissed;
};

/*
 * Process context, may sleep; or a handler or callback of these probes, where it is done after all handlers of the hit have run.
 * 0; -EINPROGRESS: will be done; -EBUSY: is registered, or about to be; -EINVAL: no handler; -ESRCH: no such process (pid is the process's,
 * not another thread's); -EFAULT: nothing is mapped at vaddr; -EACCES: it is no code of a file, or it can be written; -EEXIST: a breakpoint
 * is there that is not this module's: a debugger's, the program's own, or another tool's; -ESHUTDOWN: after unregister_all_uprobes(); others
 * of the kernel, as -ENOTSUPP (524) for an instruction that cannot be probed.
 */
int register_uprobe(struct user_probe *u);
int register_uretprobe(struct user_retprobe *rp);

/*
 * Nothing is done for a probe that is not registered, or whose process has ended.  When it returns, no handler of the probe runs, and its
 * memory is the caller's again; but that of a probe whose removal a handler has asked for too is free only in its registration_callback, or after
 * unregister_all_uprobes().  From a handler: later, and a hit that begins after that handler has returned does not call the probe.
 */
void unregister_uprobe(struct user_probe *u);
void unregister_uretprobe(struct user_retprobe *rp);

/*
 * Removes all probes of this module and waits for everything outstanding, the worker included.  The module's exit function must call it, and
 * so must an init function that fails after it has tried to register a probe.  After it none can be registered.  Not in a handler or callback.
 */
void unregister_all_uprobes(void);

#endif
