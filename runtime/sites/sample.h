/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "sample": events of the kernel's perf subsystem, counted on every CPU that is online, with a hit after so many.  Shared by
 * the translator, which writes the sites, and runtime/kernel/probes/sample.c, which arms them.  Freestanding; used by no generated C.
 *
 *	s[0]  absolute path of a program: only hits while it runs; or NULL: any
 *	s[1]  COUNTER: its name, for rt_counter(); else NULL
 *	n[0]  type of the event, and
 *	n[1]  its config: the numbers of perf_event_open(2); 0 for TICK
 *	n[2]  EVENT: events for each hit, of clocks nanoseconds; HZ: hits a second on each CPU, of clocks exactly; TICK, COUNTER: 0
 *	n[3]  enum site_sample_flags
 *
 * TICK is the CPU's clock, with as many hits a second as the kernel has ticks (CONFIG_HZ), on idle CPUs too.
 *
 * COUNTER has no hits: rt_counter() reads how often the event has come, on this CPU, or with THREADS in this thread, since it was first read there.
 *
 * Handlers run in any context, also in NMIs, and never sleep.  The registers are those of the interrupted code, in the kernel or in a
 * program, or of the code that caused the event.  Events of the scheduler come without registers.
 */
#ifndef SITES_SAMPLE_H
#define SITES_SAMPLE_H

enum site_sample_kind {
	SITE_SAMPLE_EVENT = 0,
	SITE_SAMPLE_HZ = 1,
	SITE_SAMPLE_TICK = 2,
	SITE_SAMPLE_COUNTER = 3,
};

enum site_sample_flags {
	SITE_SAMPLE_TARGET = 1 << 0, /* only while the session's target (-c, -x) or a descendant runs; no target: any */
	SITE_SAMPLE_THREADS = 1 << 1, /* COUNTER: of each thread by itself */
};

#endif
