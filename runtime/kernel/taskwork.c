// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes task work back.  See taskwork.h. */
#include <linux/task_work.h>

#include "kernel/ksyms.h"
#include "kernel/taskwork.h"

static unsigned long taskwork_cancel_match; /* the kernel's task_work_cancel_match() */

bool taskwork_can_take_back(void)
{
	if (!taskwork_cancel_match)
		taskwork_cancel_match = ksyms_address("task_work_cancel_match");
	return taskwork_cancel_match;
}

static bool taskwork_is_work(struct callback_head *work, void *wanted)
{
	return work == wanted;
}

bool taskwork_take_back(struct task_struct *t, struct callback_head *work)
{
	return taskwork_cancel_match &&
	       ksyms_call3(taskwork_cancel_match, (unsigned long)t, (unsigned long)taskwork_is_work, (unsigned long)work);
}
