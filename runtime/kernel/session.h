/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a session inside a module.  IDLE -> STARTING (begin probes, then the families) -> RUNNING ->
 * STOPPING (families in reverse, then end or error probes) -> STOPPED, each once.  Only START and STOP
 * commands and the closing of ctl move it beyond a request to stop; exit(), errors and overload request, from
 * any context.
 */
#ifndef KERNEL_SESSION_H
#define KERNEL_SESSION_H

#include <linux/compiler.h>

#include "kernel/family.h"
#include "wire.h"

#define SESSION_PATIENCE_MS 1000 /* of a stop, until it names those that it waits for */

enum session_state { SESSION_IDLE, SESSION_STARTING, SESSION_RUNNING, SESSION_STOPPING, SESSION_STOPPED };

extern int session_state; /* written only by session.c */

static inline bool session_running(void)
{
	return likely(READ_ONCE(session_state) == SESSION_RUNNING);
}

/* Nobody asked to stop yet: begin probes go on. */
static inline bool session_going(void)
{
	return READ_ONCE(session_state) <= SESSION_RUNNING;
}

/* Too many errors, overload or a failed start: error probes run instead of end probes. */
bool session_failed(void);
/* The loader is gone: nobody is there to read what end probes print. */
bool session_abandoned(void);

/* The user does not want to wait: handlers that have run for long give up.  End probes may be long again, until the next time. */
bool session_interrupted(void);

/* -G, as the module parameter was given; applied by session_start(). */
int session_add_global(const char *name, const char *value);

/*
 * Between the two, the session may have to wait without limit: the user is told for what (a constant), when that takes three times
 * SESSION_PATIENCE_MS, so that whoever knows a name has said it before.  Process context; not nested.
 */
void session_waits_for(const char *what);
void session_waits_no_more(void);

/* The commands; process context, serialised in here.  All outcomes are told through ctl. */
void session_start(const struct wire_start *how);
void session_halt(void);
void session_interrupt(void);
void session_stop(void);
/* The last descriptor of ctl was closed. */
void session_abandon(void);
/* Frees what session_start() made; only when stopped or never started. */
void session_free(void);

/* exit(): no further hit is handled.  Any context. */
void session_request_stop(void);
/* The session ends with an error; any context.  The text goes to the user. */
void session_fail(const char *fmt, ...) __printf(1, 2);
/* Conditions have new answers: tells the families.  Process context, between arming_enable() and arming_disable(). */
void session_refresh(void);
/* A handler ended with a soft error: counts against limits->errors. */
void session_soft_error(const char *text);
/* A hit was skipped for a reason that counts against limits->skipped. */
void session_skipped(unsigned long n);

const char *session_state_name(void);
int session_loader(void);
/* What the loader said when the session began. */
const struct wire_start *session_facts(void);

#endif
