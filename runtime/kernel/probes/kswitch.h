/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kprobes can be switched off for the whole machine, and on again (/sys/kernel/debug/kprobes/enabled): those that are registered
 * meanwhile, or were before, have no hits.  Process context.
 */
#ifndef KSWITCH_H
#define KSWITCH_H

#include <linux/types.h>

/* Finds the switch.  Before the others. */
void kswitch_find(void);
/*
 * Notices from now on when they are switched off, however short the time.  Before the first kprobe is armed, once in a session.
 */
void kswitch_watch(void);
/* No more; does nothing if it was not watched. */
void kswitch_unwatch(void);
/* Are they off?  False if that is not known. */
bool kswitch_is_off(void);
/* Are they, or were they when that was asked or while it was watched? */
bool kswitch_has_been_off(void);

#endif
