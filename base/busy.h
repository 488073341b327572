/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line on the terminal that says what takes so long.  It appears when the work has taken a second, and goes when the work is
 * done.  Where standard error is no terminal there is none, unless the work is long.
 */
#ifndef BASE_BUSY_H
#define BASE_BUSY_H

extern unsigned busy_delay_ms; /* until the line appears */
extern unsigned busy_again_ms; /* between lines about the progress of long work, where lines stay */

/* One text at a time: ends the one before.  Shorter than a line of 80. */
void busy_begin(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for work of many seconds: where standard error is no terminal the line comes at once, and stays. */
void busy_begin_long(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * How much of the work is done, which the line on the terminal then shows.  Where lines stay, long work prints a line with it every busy_again_ms.
 * For one thread only.
 */
void busy_progress(unsigned percent);
/* Before anything else is written to standard error. */
void busy_end(void);

#endif
