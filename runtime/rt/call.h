/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of system calls as text: what rt/call.c, rt/call_names.c and rt/call_structs.c share. */
#ifndef RT_CALL_H
#define RT_CALL_H

#include "rt/lib.h"

/* For a switch over kinds: all of a list.  It has no default, so that the compiler asks for a new kind. */
#define RT_CALL_CASE(kind, class, text) case RT_CALL_##kind:

/* An argument that is being shown. */
struct rt_call {
	struct rt_ctx *c;
	struct rt_sink s;
	const rt_u64 *args; /* RT_CALL_ARGS registers */
	rt_s64 result;      /* at a return */
	rt_bool is_return;
	enum rt_call_abi abi;
	enum rt_call_kind kind;
	rt_u32 at;       /* the register where it begins, 0 .. */
	rt_bool alone;   /* no other is shown with it */
};

/* A register of the call, 0 if it has none; 32-bit programs': without a sign. */
rt_u64 rt_call_register(const struct rt_call *k, rt_u32 i);

void rt_call_put(struct rt_call *k, const char *text);
void rt_call_dec(struct rt_call *k, rt_s64 v);
void rt_call_hex(struct rt_call *k, rt_u64 v);    /* 0x0 for 0 */
void rt_call_oct(struct rt_call *k, rt_u64 v);    /* 0644, 0 for 0 */
void rt_call_digits(struct rt_call *k, rt_u64 v, int n); /* n decimal digits, with zeroes before it */
/*
 * Up to n bytes of the program's memory in quotes, in at most limit bytes of text; is_str: until a NUL.  What does not fit, or cannot be read
 * after what could be, is dots after the quotes; if nothing can be read, the address is shown.
 */
void rt_call_quoted(struct rt_call *k, rt_u64 addr, rt_u64 n, rt_u32 limit, rt_bool is_str);
/* False: the memory cannot be read, and its address is shown, or NULL. */
rt_bool rt_call_read(struct rt_call *k, rt_u64 addr, void *to, rt_u32 n);

/* call_names.c.  Shows value by the names of its kind, with | between. */
void rt_call_names(struct rt_call *k, enum rt_call_kind kind, rt_u64 value);
/* The one name that has exactly this value, or NULL. */
const char *rt_call_name(enum rt_call_kind kind, rt_u64 value);
/* Are there names for values of this kind? */
rt_bool rt_call_has_names(enum rt_call_kind kind);
/* Shows a signal by its name or number; the signals of a set, bit 0 is signal 1. */
void rt_call_signal(struct rt_call *k, rt_u64 signal);
void rt_call_signals(struct rt_call *k, rt_u64 set);

/* call_structs.c: what the argument points to; the address of a socket (length: how many bytes the call gave). */
void rt_call_struct(struct rt_call *k, rt_u64 addr);
void rt_call_sockaddr(struct rt_call *k, rt_u64 addr, rt_u32 length);

#endif
