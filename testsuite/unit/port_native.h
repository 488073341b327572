/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The platform of runtime/rt/ for unit tests: threads are CPUs, "interrupts off" is a counter that must nest, memory is the program's
 * own except for a range that faults, output is collected.  Each test program has its own rt_script with `native_limits' as its limits.
 */
#ifndef PORT_NATIVE_H
#define PORT_NATIVE_H

#include "rt/port.h"

#define NATIVE_CPUS 4

extern struct rt_limits native_limits; /* SystemTap's defaults, where it has them */

/* Of this thread. */
extern _Thread_local rt_u32 native_cpu;
extern _Thread_local unsigned long native_irq_depth;
extern _Thread_local rt_bool native_nmi;
/* Called whenever interrupts come on again: what may happen between two steps of long work. */
extern _Thread_local void (*native_between)(void);
/* rt_port_stack_pointer(). */
extern _Thread_local unsigned long native_stack_pointer;

/* Records that were flushed, one after the other, NUL-terminated; and how many. */
extern char *native_out;
extern rt_size native_out_n;
extern unsigned native_records;
void native_out_reset(void);

/* Allocations that still succeed; < 0: all. */
extern int native_allocs_left;
/* Reading memory from here to before there fails. */
extern rt_u64 native_bad_from, native_bad_to;
/* Unless 0: only from here to before there can be read. */
extern rt_u64 native_good_from, native_good_to;
extern rt_u64 native_reads; /* how often memory was read; a text is read once */
/* The program of stacks; NULL: there is none. */
extern enum rt_stack_end (*native_unwind_begin)(struct rt_unwind *u);
extern struct rt_code (*native_unwind_code)(rt_u64 addr);
extern rt_u64 (*native_unwind_seen)(rt_u64 addr); /* where image 0 was, in stacks until now; NULL, or 0: nowhere */
extern rt_bool native_unwind_past; /* no process that runs now is meant */
extern const struct rt_image *native_found; /* number rt_script.nimages */
extern rt_bool native_unwind_carefully; /* each word of a stack is read alone */
extern rt_u64 native_trampoline;        /* where hooked calls return to, whose real address is not known; 0: none is hooked */
void native_unwind_forget(void);        /* the tables are others now */
/* Bytes that may be looked at together, else. */
#ifdef NATIVE_MEASURED /* all memory is good, and time matters */
#define NATIVE_WINDOW 65536
#else
#define NATIVE_WINDOW 256
#endif
extern int native_exits; /* calls of exit() */
extern unsigned native_portions; /* of budgets, after the first */
extern enum rt_error_kind native_goes_on; /* the answer of rt_port_goes_on() then */
extern unsigned native_goes_on_before;    /* how often a hit may go on before that */

/* A fresh context in a hit of probe 0 of rt_script; native_ctx_end() ends the hit and frees it. */
struct rt_ctx *native_ctx(void);
void native_ctx_end(struct rt_ctx *c);
/* Clears the error and begins the hit again. */
void native_ctx_again(struct rt_ctx *c);

/* Pseudo-random numbers that are the same in each run, unless RT_SEED is in the environment. */
rt_u64 native_random(void);
rt_u32 native_below(rt_u32 n);
/* Random numbers of all sizes, extremes included. */
rt_s64 native_random_long(void);

#endif
