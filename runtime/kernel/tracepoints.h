/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracepoints of the kernel and its modules by name; many are not exported, so they are looked up. */
#ifndef KERNEL_TRACEPOINTS_H
#define KERNEL_TRACEPOINTS_H

#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>

/* NULL: this kernel has none of that name.  Tracepoints of modules are not found.  Any context. */
struct tracepoint *tracepoints_find(const char *name);
/* The same of a module, for one that comes or has not gone yet.  Process context. */
struct tracepoint *tracepoints_find_in(const struct module *m, const char *name);

/* The callbacks run in process context, one at a time, and may sleep. */
struct tracepoints_listener {
	/* The module has tracepoints, and none of its code has run; or it was there when the listener came. */
	void (*module_comes)(struct module *m);
	/* Nothing may be registered with its tracepoints when this returns.  Also called for each module when the listener leaves. */
	void (*module_goes)(struct module *m);
	struct notifier_block block; /* used by tracepoints.c */
};

/* Adds a listener; 0 or -errno.  Process context, with no lock held that a callback takes. */
int tracepoints_listen(struct tracepoints_listener *l);
/* When it returns no callback of l runs any more.  Process context, with no lock held that a callback takes; does nothing if l was not added. */
void tracepoints_leave(struct tracepoints_listener *l);

#endif
