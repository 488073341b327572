/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the session.  IDLE -> STARTING (begin probes, then the mechanisms) -> RUNNING -> STOPPING (mechanisms in reverse, then end or
 * error probes) -> STOPPED, each once.  A stop can be requested from any context: exit(), errors and overload do so.  All other changes of
 * the state are made by session.c.
 */
#ifndef KERNEL_STATE_H
#define KERNEL_STATE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "wire.h"

enum state { STATE_IDLE, STATE_STARTING, STATE_RUNNING, STATE_STOPPING, STATE_STOPPED };

extern int state_now; /* written only by state.c */

static inline bool state_running(void)
{
	return likely(READ_ONCE(state_now) == STATE_RUNNING);
}

/* Are probes armed, or about to be?  Of a call that begins now the return may be handled. */
static inline bool state_begun(void)
{
	int now = READ_ONCE(state_now);

	return likely(now == STATE_RUNNING) || now == STATE_STARTING;
}

/* No stop was requested yet: begin probes go on. */
static inline bool state_going(void)
{
	return READ_ONCE(state_now) <= STATE_RUNNING;
}

const char *state_name(void);

/* Too many errors, overload or a failed start: error probes run instead of end probes. */
bool state_failed(void);
/* The loader has ended: the output of end probes will not be read. */
bool state_abandoned(void);
bool state_stuck(void);
/* The user does not want to wait: handlers that have run for long give up. */
bool state_interrupted(void);

/* Process ids in the initial pid namespace: of the target (-c, -x), 0 = none; of the loader. */
int state_target(void);
int state_loader(void);
/* What the loader sent when the session began. */
const struct wire_start *state_facts(void);

/* ---- requests; any context ---- */

/* exit(): no further hit is handled. */
void state_request_stop(void);
/* The session ends with an error.  The text goes to the user. */
void state_fail(const char *fmt, ...) __printf(1, 2);
/* A handler ended with a soft error: counts against limits->errors. */
void state_soft_error(const char *text);
/* A hit was skipped for a reason that counts against limits->skipped. */
void state_skipped(unsigned long n);
/* Makes running handlers give up, and end probes if they have begun. */
void state_interrupt(void);

/* ---- for session.c; process context ---- */

/* Sets the facts.  Called in the loader's task. */
void state_begin(const struct wire_start *how, int target);
/* Followed by a full memory barrier. */
void state_set(enum state to);
/* False: the state was not, or is no longer, from. */
bool state_move(enum state from, enum state to);
void state_set_failed(void);
void state_set_abandoned(void);
/* The kernel will go on calling a mechanism: its memory must stay.  Also for that mechanism. */
void state_set_stuck(void);
/* Undoes state_interrupt(), until the next one: for end probes. */
void state_calm(void);

#endif
