// SPDX-License-Identifier: GPL-2.0-or-later
/* Work that must not fail because the loader is killed.  See aside.h. */
#include <linux/completion.h>
#include <linux/workqueue.h>

#include "kernel/aside.h"
#include "kernel/compat/unbound_queue.h"
#include "kernel/state.h"

struct aside {
	struct work_struct work;
	struct completion done;
	int (*f)(void *data);
	void *data;
	int rc;
};

static void aside_on_work(struct work_struct *w)
{
	struct aside *a = container_of(w, struct aside, work);

	a->rc = a->f(a->data);
	complete(&a->done);
}

int aside_run(int (*f)(void *data), void *data)
{
	struct aside a = { .f = f, .data = data };

	init_completion(&a.done);
	INIT_WORK_ONSTACK(&a.work, aside_on_work);
	queue_work(compat_unbound_queue(), &a.work);
	if (wait_for_completion_killable(&a.done))
		state_request_stop();
	flush_work(&a.work);
	destroy_work_on_stack(&a.work);
	return a.rc;
}
