// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers do to the machine in guru mode, in any context: lines in the kernel's log and in its trace, delays, and its end.  printk()
 * may wake a task, and a handler may run within the scheduler: so lines are written as the scheduler's own, which come to the console later.
 * And signals, which are refused where the thread may be anywhere in the kernel.
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/panic.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "kernel/compat/trace_puts.h"
#include "rt/rt.h"

/* The longest delay.  A handler may run with interrupts off, and the kernel's watchdogs complain after some seconds. */
#define GURU_DELAY_US 1000000

static __printf(1, 2) void guru_log(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vprintk_emit(0, LOGLEVEL_SCHED, NULL, fmt, args);
	va_end(args);
}

void rt_printk(struct rt_ctx *c, rt_s64 level, struct rt_str text)
{
	const char prefix[] = { KERN_SOH_ASCII, '0' + (level & 7), 0 };

	guru_log("%s%.*s\n", level >= 0 && level <= 7 ? prefix : "", (int)text.n, text.p);
}

void rt_ftrace(struct rt_ctx *c, struct rt_str text)
{
	if (text.n)
		compat_trace_puts(_THIS_IP_, text.p, text.n);
	else
		compat_trace_puts(_THIS_IP_, "\n", 1);
}

/*
 * By the clock: how fast the kernel's loop is was measured once, at boot, perhaps in a guest that had to wait.  A clock that stands still
 * ends it too.
 */
static void guru_delay(u32 us)
{
	u64 end = ktime_get_mono_fast_ns() + (u64)us * NSEC_PER_USEC;
	u32 left;

	for (left = 100 * us; left && ktime_get_mono_fast_ns() < end; left--)
		udelay(1);
}

void rt_delay_us(struct rt_ctx *c, const char *who, rt_s64 us)
{
	if (us < 0 || us > GURU_DELAY_US) {
		rt_error(c, "%s: a delay can be from 0 to 1 second", who);
		return;
	}
	guru_delay((u32)us);
}

void rt_panic(struct rt_ctx *c, struct rt_str text)
{
	panic("%.*s\n", (int)text.n, text.p);
}

/*
 * To send a signal takes the locks of signals and of the scheduler, which the thread may hold in a function of the kernel; on its way between
 * its program and the kernel it holds none.
 */
static bool guru_holds_no_lock(const struct rt_ctx *c)
{
	return (c->may_sleep || c->probe->flags & RT_PROBE_SYSCALL) && !c->in_end && in_task() && !irqs_disabled() && current->mm;
}

void rt_raise(struct rt_ctx *c, rt_s64 signal)
{
	if (signal < 1 || signal > _NSIG)
		rt_error(c, "raise: there is no signal %lld", (long long)signal);
	else if (!guru_holds_no_lock(c))
		rt_error(c, "raise: a signal can only be sent in a probe of a program that has not ended, or of a system call");
	else if (IS_ENABLED(CONFIG_PREEMPT_RT) && !preemptible()) /* its locks sleep */
		rt_error(c, "raise: a kernel with PREEMPT_RT cannot send a signal where it must not sleep, as in probes of system calls");
	else if (send_sig((int)signal, current, 0))
		rt_error(c, "raise: the thread is ending");
}
