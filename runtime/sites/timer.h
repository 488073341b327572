/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "timer".  Shared by the translator, which writes the sites, and runtime/kernel/probes/timer.c, which arms them.
 *
 *	s[]   NULL
 *	n[0]  period: nanoseconds (HR), jiffies (JIFFIES); > 0
 *	n[1]  randomize: each period is n[0] plus a random number in -n[1] .. n[1], but never so short that it is no timer; 0 = exact; at most n[0]
 *	n[2], n[3]  0
 *
 * The first hit comes one period after the timer is armed.  Handlers run in (soft or hard) interrupt context and never sleep; there are no registers.
 */
#ifndef SITES_TIMER_H
#define SITES_TIMER_H

enum site_timer_kind {
	SITE_TIMER_HR = 0,
	SITE_TIMER_JIFFIES = 1,
};

#endif
