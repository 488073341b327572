/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "kprobe": kernel functions and addresses.  Shared by the translator, which writes the sites, and
 * runtime/kernel/probes/kprobe.c, which arms them.  Freestanding; used by no generated C.
 *
 *	s[0]  symbol, or NULL: use the address n[2]
 *	s[1]  name of the module that defines the symbol, or NULL for the kernel itself
 *	n[0]  offset from the symbol; 0 for RETURN
 *	n[1]  RETURN: calls that may be active at once; 0 = limits->kretactive, or if that is 0
 *	      at least max(15, 6 * CPUs), more where points are few: kprobe_maxactive() in kprobe.c
 *	n[2]  absolute address when s[0] is NULL (kernel.statement(ADDR).absolute); else, unless 0, the distance of the
 *	      symbol from the kernel's _stext: of several functions of the name the one that is there.  The offset is then
 *	      that of an instruction, perhaps in a piece of the function elsewhere
 *	n[3]  bits of enum site_kprobe_known
 *
 * A site in a module is armed whenever the module is loaded, also if that is later, in its part that only starts it too.
 * A symbol that several static functions of the kernel share (of a module the first is taken) is probed in each of them, unless n[2] says
 * which; only an offset other than 0 makes that an error, because one offset cannot fit different code.
 * Handlers run with preemption off, and never sleep; registers are the kernel's.
 */
#ifndef SITES_KPROBE_H
#define SITES_KPROBE_H

enum site_kprobe_kind {
	SITE_KPROBE_ENTRY = 0,  /* before the instruction at symbol + offset */
	SITE_KPROBE_RETURN = 1, /* when the function has returned; probe->entry runs at its entry */
};

/*
 * What is known about the symbol.  Where the kernel's function tracer has a call, there is a function that returns to its caller and may
 * be traced.  Where it has none, the code may not be a function, or may run where a breakpoint cannot be handled: on a CPU that has no
 * exception table yet.
 */
enum site_kprobe_known {
	SITE_KPROBE_FUNCTION = 1, /* it has a prototype: its return may be probed also where the tracer has no call */
	SITE_KPROBE_TRACED = 2,   /* only where the tracer has a call, if there is a tracer */
	SITE_KPROBE_IN_REGISTERS = 4, /* all its arguments are in registers, and none of them is variable: its body may be called */
	SITE_KPROBE_ASKED = 8,        /* the user asked for that: where the machine does not allow it, it is told */
};

/*
 * The tracer's call is in so many bytes at a function's beginning: enough for a mark of indirect calls and the call, and shorter than any
 * function.
 */
enum { SITE_KPROBE_FUNCTION_HEAD = 16 };

/* Bytes that an entry handler can save for the return: the kernel gives an active call 4096 at most. */
enum { SITE_KPROBE_ENTRY_MAX = 4088 };

#endif
