/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session's side of the module that calls bodies of functions (calls/calls.h), if that is loaded.  Process context; one caller at a
 * time, which listens to modules that come and go, as ksyms_module() wants it.
 */
#ifndef KCALLS_H
#define KCALLS_H

#include "calls/calls.h"

/* Takes a reference to spile_calls_1 if it is loaded, so that no other loader unloads it before start(); until kcalls_let_go(). */
void kcalls_hold(void);
void kcalls_let_go(void);
/* Is the module held, and of use? */
bool kcalls_is_there(void);
/* The code that functions with a slot are to call at their entry; 0: there is none yet. */
unsigned long kcalls_entry(void);
/*
 * May the body of the function at ip, where it has the tracer's call, be called?  Takes a slot, for good.  name: its symbol.
 * ip and era of *how do not count.
 */
bool kcalls_claim(unsigned long ip, const char *name, const struct spile_calls_slot *how);
/*
 * After the functions have been disarmed: no handler is called any more when this returns, whatever calls are still under way.  wait()
 * returns when no handler that began before it runs any more, and no task is in the code that a function called at its entry.
 */
void kcalls_leave(void (*wait)(void));

#endif
