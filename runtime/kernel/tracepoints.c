// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's own tracepoints by name.  See tracepoints.h. */
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
