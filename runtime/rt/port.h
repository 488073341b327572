/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runtime/rt/ needs from its platform, and what the platform calls in rt/.
 * Platforms: runtime/kernel/port.c, and testsuite/unit/port_native.c (threads instead of CPUs).
 */
#ifndef RT_PORT_H
#define RT_PORT_H

#include "rt/rt.h"

/* ---- provided by the platform ---- */

/* Process context, may sleep.  Zeroed, on a cache line of its own (64 bytes); NULL when there is none. */
void *rt_port_alloc(rt_size size);
void rt_port_free(void *p); /* NULL allowed */
/* Possible CPUs: 1 .. ; the current one, stable while interrupts are off. */
rt_u32 rt_port_ncpus(void);
rt_u32 rt_port_cpu(void);
/* Interrupts (and with them preemption) off on this CPU; nests. */
unsigned long rt_port_irq_save(void);
void rt_port_irq_restore(unsigned long flags);
/* Is this an NMI?  Then locks are only tried, once. */
rt_bool rt_port_in_nmi(void);
void rt_port_relax(void); /* in spin loops */
/* In long work, with nothing held: lets others run if the handler may sleep. */
void rt_port_breathe(struct rt_ctx *c);
/*
 * Called when a hit has used up a portion of its budget and has another one, or is in the middle of long work.  RT_OK: go on;
 * RT_STOPPED: it would delay the end of the session; RT_FATAL: it keeps other tasks from its CPU.  Any context, perhaps with locks held.
 */
enum rt_error_kind rt_port_goes_on(struct rt_ctx *c);
rt_u64 rt_port_clock_ns(void); /* fast, monotonic on one CPU; any context */
/* Why memory could not be accessed. */
enum rt_access {
	RT_ACCESS_BAD = -1,    /* not mapped, or not for this kind of access */
	RT_ACCESS_LATE = -2,   /* the page is not in memory, and did not come in time */
	RT_ACCESS_OTHERS = -3, /* it is not in memory, and comes from a program or a server that may take long */
	RT_ACCESS_STACK = -4,  /* it is not in memory, and too little stack is left to bring it in */
};
/*
 * n bytes to dst; 0 or enum rt_access.  Kernel space never faults in; user space does when c->may_sleep, for a limited time.
 */
int rt_port_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *dst, rt_u32 n);
/* n (1, 2, 4 or 8) bytes from src; 0 or enum rt_access.  Faults in like rt_port_read(). */
int rt_port_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, const void *src, rt_u32 n);
/* Up to n bytes, stops after a NUL: bytes copied without the NUL, or enum rt_access. */
rt_s64 rt_port_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *dst, rt_u32 n);
/* As vsnprintf() of C does it: bytes written, at most size - 1, and a NUL after them.  size > 0.  Any context. */
rt_u32 rt_port_format(char *buf, rt_u32 size, const char *fmt, __builtin_va_list ap);
/* In c->out, after a text and the addresses of a stack that was printed: the bytes of the one, the number of the others. */
struct rt_part {
	rt_u32 text, frames; /* frames: of a program's stack with RT_PART_USER, each a struct rt_frame */
};
#define RT_PART_USER (1u << 31)
#define RT_PART_BRIEF (1u << 30) /* names only */
/*
 * Hands c->out[0 .. c->out_n) to the transport as one record; the caller sets out_n and out_part to 0.  If out_part is not 0, there are
 * stacks in it, and the platform ends it with a struct rt_part for the text after the last of them.
 */
void rt_port_flush(struct rt_ctx *c);
/* Of the script, to whoever takes the output, in order with it: run this command; go on in a new file (without a text). */
enum rt_request { RT_REQUEST_COMMAND, RT_REQUEST_NEW_FILE };
void rt_port_request(struct rt_ctx *c, enum rt_request what, struct rt_str with);
/* exit(): asks the session to stop. */
void rt_port_exit(struct rt_ctx *c);
unsigned long rt_port_stack_pointer(void);

/* ---- stacks of programs: rt/unwind.h walks, rt/ustack.c shows ---- */

/* Code of a program: [start, end) is in memory what the image has from start - base on. */
struct rt_code {
	rt_u64 start, end, base;
	rt_u32 image; /* rt_image_of()'s number, or RT_NO_IMAGE */
	enum rt_stack_end why; /* if there are no tables */
	rt_bool is_unmapped; /* the program has nothing at the address */
	/* rt/unwind.h's: */
	rt_u64 where;             /* RT_WHERE of the image; 0: none */
	const struct rt_image *m; /* or NULL */
	const struct rt_unwind_rule *rules; /* its rules, or NULL */
};
#define RT_NO_IMAGE 0xffffffffu
#define RT_CODE_OFFSETS (1ULL << 32) /* a frame has room for offsets below this only: code that goes on beyond has no image */
#define RT_UNWIND_CODES 4

/* The state of a walk, from the innermost frame up. */
struct rt_unwind {
	rt_u64 at;                       /* the instruction */
	rt_u32 saved;                    /* bit i: reg[i] is not the value, but where it is saved; 0: it is not known */
	rt_u32 ncodes, newest;
	rt_u32 port;                     /* the platform's */
	rt_bool is_return;               /* `at' is the instruction after a call */
	rt_bool is_stack;                /* a stack is walked up; false: code is asked about */
	rt_u64 reg[RT_UNWIND_REGISTERS]; /* as rt_script.followed numbers them */
	struct rt_code code[RT_UNWIND_CODES]; /* ncodes that were found; the last one used is code[newest] */
};

/*
 * Static functions of the file that includes rt/unwind.h, before it:
 *
 * enum rt_stack_end rt_port_unwind_begin(struct rt_ctx *c, struct rt_unwind *u): fills at, reg and is_return of a state, whose other members
 *	up to reg are 0, with those of the hit's program.  RT_END_LIMIT: done; RT_END_OUTERMOST: there is no program; RT_END_MACHINE: only `at' is
 *	known.
 * void rt_port_unwind_end(struct rt_ctx *c, struct rt_unwind *u): after it, if it gave RT_END_LIMIT or RT_END_MACHINE.
 * struct rt_code rt_port_unwind_code(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr): which code is at addr?
 * rt_bool rt_port_unwind_seen(rt_u64 addr, struct rt_code *code): did all stacks that had code at addr have the same?  Then sets image and base.
 * rt_bool rt_port_unwind_is_past(struct rt_ctx *c): true in end probes: current is the loader there, and an address is one of an earlier process.
 * rt_bool rt_port_unwind_read(struct rt_ctx *c, struct rt_unwind *u, rt_u64 addr, rt_u64 *word): reads a word of the stack.  False: it
 *	cannot be read.  What rt_port_unwind_code() gave may be out of date after it: then it makes u->ncodes 0, and the ends of u->code[]
 *	their starts.  The walk still has a pointer to one of them, and asks again because no address is in it.
 * rt_bool rt_port_unwind_return(struct rt_ctx *c, struct rt_unwind *u, rt_u64 slot, rt_u64 *addr): where a call returns to whose return
 *	address, at slot, is *addr; false: it is hooked, and that is not known.
 *
 * To read many words at little cost:
 * rt_bool rt_port_unwind_open(struct rt_unwind *u, rt_u64 *from): from now on, until rt_port_unwind_close(void), words from about the stack pointer
 *	on may be looked at, and no function is called but those two.  False: they cannot be.
 * rt_bool rt_port_unwind_look(rt_u64 from, rt_u64 addr, rt_u64 *word): a word there.  False: nothing is known of it; it has to be read.
 * rt_bool rt_port_unwind_is_return(rt_u64 addr): rt_port_unwind_return() would leave it as it is, and it is not 0.
 */

/* These are in rt/unwind.h, which that file includes.  The stack, of at most max > 0 frames; their number, and why there are no more. */
rt_u32 rt_port_unwind_stack(struct rt_ctx *c, struct rt_frame *to, rt_u32 max, enum rt_stack_end *end);
/*
 * The innermost frame whose address is in [low, high): RT_END_LIMIT, or why it was not found; with RT_END_FOREIGN, `at' is in the code that has no
 * tables.  What it has in registers is 0 if it is not known.
 */
struct rt_place {
	rt_u64 at, sp, fp;
	rt_bool inside; /* this is the instruction itself, not one after a call */
};
enum rt_stack_end rt_port_unwind_to(struct rt_ctx *c, rt_u64 low, rt_u64 high, struct rt_place *p);
/* Provided by the platform: a file with code that it found in a program, with a number from rt_script.nimages on; NULL: there is none. */
const struct rt_image *rt_port_image(rt_u32 number);
static inline const struct rt_image *rt_image_of(rt_u32 number)
{
	return number < rt_script.nimages ? &rt_script.images[number] : rt_port_image(number);
}
/* What code an address of the program is, as in a frame; 0: not known. */
rt_u64 rt_port_unwind_where(struct rt_ctx *c, rt_u64 addr);

/*
 * The platform also provides rt_arg() .. rt_load_base() of rt.h, and all of embed.h except the strings, rt_print_stack(),
 * rt_log(), rt_system(), rt_switch_file(), rt_pp() and rt_ppfunc().
 */

/* Where the dynamic linker of the current program is loaded; 0: it has none. */
rt_u64 rt_port_linker(struct rt_ctx *c);

/* ---- provided by rt/ ---- */

/*
 * The image of the struct rt_image_tables at `tables', which has size bytes with what follows it: *m points into it.  False: they are damaged, and
 * the image must not be used.
 */
rt_bool rt_image_tables_read(const void *tables, rt_u64 size, struct rt_image *m);

/*
 * Makes arrays, statistics and locks of rt_script; -1 and *what = name of the global for which there is no memory.
 */
int rt_globals_init(const char **what);
void rt_globals_free(void);
/* -G: 0, -1 unknown name, -2 not a number, -3 array or statistics, -4 too long. */
int rt_global_set(const char *name, const char *value);

/* Allocates what a context needs by limits (out, arena, iter).  -1: no memory. */
int rt_ctx_init(struct rt_ctx *c);
void rt_ctx_free(struct rt_ctx *c);
/*
 * Before and after a handler.  rt_hit_begin() does not change what the platform sets: regs, entry, args, data, probe_addr, load_base,
 * may_sleep, stack_limit, start, port.  rt_hit_end() releases locks and flushes the output; what happened stays in
 * c->error/message/error_loc.
 */
void rt_hit_begin(struct rt_ctx *c, const struct rt_probe *p);
void rt_hit_end(struct rt_ctx *c);
/*
 * "MESSAGE near TOKEN at FILE:LINE:COL in probe PP": the text of the error that the hit ended with, "" when
 * it has none.
 */
rt_u32 rt_error_text(struct rt_ctx *c, char *buf, rt_u32 size);

#endif
