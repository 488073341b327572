/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mail to the loader: messages that can be sent from any context, NMI included.  They are kept here until they are read by the control
 * file (kernel/ctl.h).
 */
#ifndef KERNEL_MAIL_H
#define KERNEL_MAIL_H

#include <linux/stdarg.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "wire.h"

/* ---- sending; any context ---- */

/* One of the messages that occur at most once; never lost.  Payload at most that of the ledger. */
void mail_send(enum wire_type type, const void *payload, unsigned int len);
/* Text for the user's stderr; dropped and counted when too many are waiting.  Errors make the run's exit status 1. */
void mail_warn(const char *fmt, ...) __printf(1, 2);
void mail_error(const char *fmt, ...) __printf(1, 2);
/* The same for an error that the user wants to see as often as it occurs. */
void mail_tolerated(const char *fmt, ...) __printf(1, 2);
/* For those who want to know more: -v. */
void mail_note(const char *fmt, ...) __printf(1, 2);
/* An error: the reason why the session ends.  At most once; never lost. */
void mail_reason(const char *fmt, va_list args);
/* Errors sent, and texts dropped, until now. */
unsigned int mail_errors(void);
unsigned long mail_lost(void);
/* Wakes all that wait on mail_wait. */
void mail_wake(void);

/* ---- for the control file; process context ---- */

int mail_init(void);
/* When nothing is sent any more, and the files are removed. */
void mail_free(void);

extern wait_queue_head_t mail_wait;
bool mail_is_there(void);
/* Whole messages, as many as fit.  0: the first does not fit or there is none. */
ssize_t mail_read(char __user *to, size_t room);

#endif
