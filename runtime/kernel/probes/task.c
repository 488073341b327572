// SPDX-License-Identifier: GPL-2.0-or-later
/* Mechanism "task": begin and end of processes and threads.  What a site means: sites/task.h.  tasks.c does the work. */
#include "kernel/mechanism.h"
#include "kernel/probes/tasks.h"

static int task_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int rc = tasks_follow(sites, n, true);

	if (rc < 0)
		return rc;
	*armed += n;
	return 0;
}

const struct rt_mechanism rt_mechanism_task = {
	.name = "task",
	.start = task_start,
	.running = tasks_run,
	.stop = tasks_unfollow,
};
