/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine gains and loses while a session runs: modules, and CPUs that come online. */
#ifndef KERNEL_MACHINE_H
#define KERNEL_MACHINE_H

#include <linux/list.h>
#include <linux/module.h>

/* The callbacks run in process context and may sleep; cpu_comes() must not wait for a CPU that comes or goes.  Each may be NULL. */
struct machine_listener {
	struct list_head list; /* machine.c's */
	/* Its memory is there and its symbols are known; none of its code has run. */
	void (*module_comes)(struct module *m);
	/* Its code runs no more; its memory is there until this returns. */
	void (*module_goes)(struct module *m);
	/* Before the CPU runs; and once for each that is online when the listener comes.  May be called again for one that has gone. */
	void (*cpu_comes)(unsigned int cpu);
};

/*
 * 0 or -errno: modules cannot be heard of.  A kernel that has no room for another who hears of CPUs is no error: then cpu_comes() is called for
 * those that are online.  Process context, with no lock held that a callback takes.
 */
int machine_listen(struct machine_listener *l);
/* When it returns no callback of l runs any more.  Process context, with no lock held that a callback takes; not listening: does nothing. */
void machine_leave(struct machine_listener *l);

#endif
