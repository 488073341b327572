/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conducts the session: carries out the loader's commands, one at a time, and with them starts and stops the mechanisms.  The state of the
 * session, and requests to stop it from anywhere, are in kernel/state.h.
 */
#ifndef KERNEL_SESSION_H
#define KERNEL_SESSION_H

#include "wire.h"

/* -G, as the module parameter was given; applied by session_start(). */
int session_add_global(const char *name, const char *value);

/* The module was loaded, and its loader has not yet let others load or unload anything.  Process context; undone by session_free(). */
void session_hold(void);

/* The commands; process context, serialised by the session.  All results are sent as mail. */
void session_start(const struct wire_start *how);
/* A start goes no further; may be called at any moment; returns at once. */
void session_halt(void);
void session_stop(void);
/* The last descriptor of ctl was closed. */
void session_abandon(void);
/* Frees what session_start() made; only when stopped or never started. */
void session_free(void);

#endif
