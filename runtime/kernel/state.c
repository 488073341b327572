// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of the session.  Requests to stop come from anywhere.  They only change the state, so that hits end, and report it to the
 * loader, which answers with the command STOP.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/sched.h>

#include "kernel/mail.h"
#include "kernel/state.h"
#include "rt/rt.h"

int state_now;

static bool state_has_failed, state_is_abandoned, state_is_interrupted, state_is_stuck;
static int state_target_pid, state_loader_pid;
static struct wire_start state_how;
static atomic_t state_soft_errors;
static atomic_long_t state_skipped_hits;

/* ---- questions ---- */

const char *state_name(void)
{
	static const char *const names[] = { "idle", "starting", "running", "stopping", "stopped" };

	return names[READ_ONCE(state_now)];
}

bool state_failed(void)
{
	return READ_ONCE(state_has_failed);
}

bool state_abandoned(void)
{
	return READ_ONCE(state_is_abandoned);
}

bool state_interrupted(void)
{
	return READ_ONCE(state_is_interrupted);
}

int state_target(void)
{
	return state_target_pid;
}

int state_loader(void)
{
	return state_loader_pid;
}

const struct wire_start *state_facts(void)
{
	return &state_how;
}

/* ---- requests ---- */

void state_request_stop(void)
{
	if (state_move(STATE_RUNNING, STATE_STOPPING) || state_move(STATE_STARTING, STATE_STOPPING))
		mail_send(WIRE_EXIT, NULL, 0);
}

void state_fail(const char *fmt, ...)
{
	va_list args;

	if (xchg(&state_has_failed, true))
		return; /* one cause is enough: others may follow from it */
	va_start(args, fmt);
	mail_reason(fmt, args);
	va_end(args);
	state_request_stop();
}

void state_soft_error(const char *text)
{
	unsigned int n = atomic_inc_return(&state_soft_errors);

	/* Who allows a certain number of errors sees each of them; without a limit, the same error is reported once. */
	if (rt_script.limits->errors && rt_script.limits->errors != RT_NO_LIMIT)
		mail_tolerated("%s", text);
	else
		mail_error("%s", text);
	if (n <= rt_script.limits->errors)
		return;
	state_set_failed();
	state_request_stop();
}

void state_skipped(unsigned long n)
{
	if (rt_script.limits->skipped == RT_NO_LIMIT || !state_going())
		return;
	if (atomic_long_add_return(n, &state_skipped_hits) > rt_script.limits->skipped)
		state_fail("Skipped too many probes, check MAXSKIPPED");
}

void state_interrupt(void)
{
	WRITE_ONCE(state_is_interrupted, true);
}

/* ---- the session's ---- */

void state_begin(const struct wire_start *how, int target)
{
	state_loader_pid = current->tgid;
	state_target_pid = target;
	state_how = *how;
	state_how.zone[sizeof(state_how.zone) - 1] = 0;
}

void state_set(enum state to)
{
	smp_store_mb(state_now, to);
}

bool state_move(enum state from, enum state to)
{
	return cmpxchg(&state_now, from, to) == from;
}

void state_set_failed(void)
{
	WRITE_ONCE(state_has_failed, true);
}

void state_set_stuck(void)
{
	WRITE_ONCE(state_is_stuck, true);
}

bool state_stuck(void)
{
	return READ_ONCE(state_is_stuck);
}

void state_set_abandoned(void)
{
	WRITE_ONCE(state_is_abandoned, true);
}

void state_calm(void)
{
	WRITE_ONCE(state_is_interrupted, false);
}
