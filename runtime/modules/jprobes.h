/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers that are called at the entry of a kernel function as the function itself is: with its prototype, and its arguments.  The interface
 * of kprobes.txt (section 1.2), which kernels had until 4.15, on kprobes; the rest of that text is the kernel's own <linux/kprobes.h>.
 * doc/modules.md has a guide, and the list of what holds and what does not.
 *
 * The handler is called, it does not take the place of the function: it has copies of the arguments, and nothing that it does to them, or
 * returns, reaches the function.  One file of the module includes jprobes.c as well.
 */
#ifndef MODULES_JPROBES_H
#define MODULES_JPROBES_H

#include <linux/kprobes.h>

struct jprobe {
	/* symbol_name, or addr, the function's address, which is to be set anew before registering again; flags may be KPROBE_FLAG_DISABLED. */
	struct kprobe kp;
	/*
	 * The handler: the function's parameters, at most JPROBES_ARGUMENTS of 8 bytes; what it returns is ignored.  In the context of the
	 * function, with preemption off: it must not sleep.  Not for a function that returns a structure in memory.
	 */
	void *entry;
};

enum { JPROBES_ARGUMENTS = 14 };

/*
 * Process context, may sleep.  0 or -errno: that of register_kprobe(); -EINVAL: no handler, or not the first instruction of a function.
 * Of several, all are registered or none.
 */
int register_jprobe(struct jprobe *jp);
int register_jprobes(struct jprobe **jps, int num);

/* Process context, may sleep.  When they return no handler runs.  Of a probe that is not registered, kp.addr is set to NULL. */
void unregister_jprobe(struct jprobe *jp);
void unregister_jprobes(struct jprobe **jps, int num);

/* Process context, may sleep. */
static inline int disable_jprobe(struct jprobe *jp)
{
	return disable_kprobe(&jp->kp);
}

static inline int enable_jprobe(struct jprobe *jp)
{
	return enable_kprobe(&jp->kp);
}

/* With which handlers had to end: not needed here, and does nothing. */
static inline void jprobe_return(void)
{
}

#endif
