// SPDX-License-Identifier: GPL-2.0-or-later
/* Process ids that a script names.  See pids.h. */
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "kernel/pids.h"

pid_t pids_global(pid_t pid)
{
	struct task_struct *t;
	pid_t tgid;

	rcu_read_lock();
	t = pid_task(find_vpid(pid), PIDTYPE_PID);
	tgid = t ? t->tgid : 0;
	rcu_read_unlock();
	return tgid;
}
