// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints by name, and the modules that have some.  See tracepoints.h. */
#include <linux/string.h>

#include "kernel/tracepoints.h"

struct tracepoints_query {
	const char *name;
	struct tracepoint *found;
};

static void tracepoints_compare(struct tracepoint *tp, void *data)
{
	struct tracepoints_query *q = data;

	if (!q->found && strcmp(tp->name, q->name) == 0)
		q->found = tp;
}

struct tracepoint *tracepoints_find(const char *name)
{
	struct tracepoints_query q = { .name = name };

	for_each_kernel_tracepoint(tracepoints_compare, &q);
	return q.found;
}

struct tracepoint *tracepoints_find_in(const struct module *m, const char *name)
{
	struct tracepoints_query q = { .name = name };
	unsigned int i;

	for (i = 0; i < m->num_tracepoints; i++)
		tracepoints_compare(tracepoint_ptr_deref(&m->tracepoints_ptrs[i]), &q);
	return q.found;
}

static int tracepoints_on_module(struct notifier_block *nb, unsigned long action, void *data)
{
	struct tracepoints_listener *l = container_of(nb, struct tracepoints_listener, block);
	const struct tp_module *module = data;

	if (action == MODULE_STATE_COMING)
		l->module_comes(module->mod);
	else if (action == MODULE_STATE_GOING)
		l->module_goes(module->mod);
	return NOTIFY_DONE;
}

int tracepoints_listen(struct tracepoints_listener *l)
{
	int rc;

	l->block.notifier_call = tracepoints_on_module;
	rc = register_tracepoint_module_notifier(&l->block);
	if (rc)
		l->block.notifier_call = NULL;
	return rc;
}

void tracepoints_leave(struct tracepoints_listener *l)
{
	if (l->block.notifier_call)
		unregister_tracepoint_module_notifier(&l->block);
	l->block.notifier_call = NULL;
}
