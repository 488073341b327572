/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notifies of modules that are loaded and unloaded while a session runs, and of CPUs that come online. */
#ifndef KERNEL_MACHINE_H
#define KERNEL_MACHINE_H

#include <linux/list.h>
#include <linux/module.h>

/* The callbacks run in process context and may sleep; cpu_comes() must not wait for a CPU that comes online or goes offline.  Each may be NULL. */
struct machine_listener {
	struct list_head list; /* used by machine.c */
	/* The module's memory exists and its symbols are known; none of its code has run. */
	void (*module_comes)(struct module *m);
	/* The module has been initialised; the code that only does this is about to be freed. */
	void (*module_lives)(struct module *m);
	/* The module's code does not run any more; its memory exists until this returns. */
	void (*module_goes)(struct module *m);
	/*
	 * Called before the CPU runs; and once for each that is online when the listener comes.  Called again for a CPU that was offline
	 * and comes back.
	 */
	void (*cpu_comes)(unsigned int cpu);
	/* Called on a CPU that has come online, and on one that will go offline: other tasks run there. */
	void (*cpu_runs)(unsigned int cpu);
	void (*cpu_goes)(unsigned int cpu);
};

/*
 * Adds a listener.  0, or -errno: the kernel cannot notify of modules.  If it only cannot notify of CPUs, because all its places for that
 * are taken, that is no error: then cpu_comes() is called for the CPUs that are online now, and for no others, and cpu_runs() and
 * cpu_goes() are not called.  Process context, with no lock held that a callback takes.
 */
int machine_listen(struct machine_listener *l);
/* When it returns no callback of l runs any more.  Process context, with no lock held that a callback takes; does nothing if l was not added. */
void machine_leave(struct machine_listener *l);

#endif
