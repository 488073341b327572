/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a stop may take before the user is told what it waits for. */
#ifndef KERNEL_PATIENCE_H
#define KERNEL_PATIENCE_H

#define PATIENCE_MS 1000 /* of a stop, until it names those that it waits for */

/*
 * Between the two, the session may have to wait without limit: the user is told for what (a constant), when that takes three times
 * PATIENCE_MS, so that whoever knows a name has said it before.  Process context; not nested.
 */
void patience_begin(const char *what);
void patience_end(void);

#endif
