/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control file: messages to the loader from any context, and its commands. */
#ifndef KERNEL_CTL_H
#define KERNEL_CTL_H

#include <linux/proc_fs.h>
#include <linux/stdarg.h>
#include <linux/wait.h>

#include "wire.h"

int ctl_init(void);
/* After the files are gone. */
void ctl_free(void);

/*
 * One of the messages that occur at most once; never lost.  Any context.  Payload at most that of the ledger.
 */
void ctl_send(enum wire_type type, const void *payload, unsigned int len);
/* WIRE_WARNING or WIRE_ERROR; dropped and counted when the queue is full.  Any context. */
void ctl_text(enum wire_type type, const char *fmt, va_list args);
unsigned long ctl_lost(void);

/* Wakes everybody who waits on ctl_wait, from any context. */
void ctl_wake(void);
extern wait_queue_head_t ctl_wait;

extern const struct proc_ops ctl_proc_ops;
extern const struct proc_ops ctl_state_proc_ops;

#endif
