// SPDX-License-Identifier: GPL-2.0-or-later
/* How long a stop may take before that is reported.  See patience.h. */
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "kernel/mail.h"
#include "kernel/patience.h"

static const char *patience_what;

static void patience_is_over(struct work_struct *unused)
{
	mail_warn("the session waits for %s", patience_what);
}

static DECLARE_DELAYED_WORK(patience_work, patience_is_over);

void patience_begin(const char *what)
{
	patience_what = what;
	schedule_delayed_work(&patience_work, msecs_to_jiffies(3 * PATIENCE_MS));
}

void patience_end(void)
{
	cancel_delayed_work_sync(&patience_work);
}
