/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "tracepoint": tracepoints of the kernel and its modules.  Shared by the translator, which writes the sites, and
 * runtime/kernel/probes/tracepoint.c, which arms them.  Freestanding; used by no generated C.
 *
 *	s[0]  name of the tracepoint, without its system
 *	s[1]  name of the module that defines it, or NULL for the kernel itself
 *	n[0]  values that the kernel passes with a hit, at most SITE_TRACEPOINT_VALUES
 *	n[1]  not 0: a task is among the values, so the hit is not only about the current one, and is handled even if that is the session's own
 *	n[2], n[3]  0
 *
 * Kind 0.  A tracepoint of a module is armed whenever the module is loaded, also if that is later.
 * Handlers run with preemption off, in any context, and never sleep.  There are no registers: the values are rt_arg()'s, each in 8 bytes
 * of which only those of its type are defined.
 */
#ifndef SITES_TRACEPOINT_H
#define SITES_TRACEPOINT_H

enum { SITE_TRACEPOINT_VALUES = 12 };

#endif
