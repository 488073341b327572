/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kprobes can be switched off and on for the whole machine (/sys/kernel/debug/kprobes/enabled).  While they are off, none of them has
 * hits.  Process context.
 */
#ifndef KSWITCH_H
#define KSWITCH_H

#include <linux/types.h>

/* Finds the switch.  Before the others. */
void kswitch_find(void);
/*
 * From now on notices if they are switched off, however short the time.  Before the first kprobe is armed, once in a session.
 */
void kswitch_watch(void);
/* Ends watching; does nothing if it was not begun. */
void kswitch_unwatch(void);
/* Are they off?  False if that is not known. */
bool kswitch_is_off(void);
/* Are they off, or were they found off by kswitch_is_off() or while watched? */
bool kswitch_has_been_off(void);

#endif
