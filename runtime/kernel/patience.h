/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a stop may take before what it waits for is reported. */
#ifndef KERNEL_PATIENCE_H
#define KERNEL_PATIENCE_H

#define PATIENCE_MS 1000 /* of a stop, until it names the tasks or probes that it waits for */

/*
 * Between the two calls the session may wait without limit.  If that takes three times PATIENCE_MS, the reason (a constant text) is
 * reported to the user; by then, any code that knows a name has reported it.  Process context; not nested.
 */
void patience_begin(const char *what);
void patience_end(void);

#endif
