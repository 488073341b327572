/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line on the terminal that says what takes so long.  It appears when the work has taken a second, and goes when the work is
 * done.  Where standard error is no terminal there is none, unless the work is long.
 */
#ifndef BASE_BUSY_H
#define BASE_BUSY_H

extern unsigned busy_delay_ms; /* until the line appears */
extern unsigned busy_again_ms; /* between lines with how far the work is, where they stay */

/* One text at a time: ends the one before.  Shorter than a line of 80. */
void busy_begin(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for work of many seconds: where standard error is no terminal the line comes at once, and stays. */
void busy_begin_long(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * How much of it is done.  The line on the terminal then says so.  Where lines stay, long work is said again with this from time to time.
 * Not from several threads.
 */
void busy_progress(unsigned percent);
/* Before anything else is written to standard error. */
void busy_end(void);

#endif
