/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What C in a script is written with.  Generated C includes it after rt.h when there is such C; with the kernel's headers it is
 * included by kernel/body.h.
 *
 * In the body of a function: STAP_ARG_x is argument x (rt_s64, or char[MAXSTRINGLEN]), STAP_RETVALUE the
 * result, STAP_RETURN(v) sets it and leaves, STAP_NEXT leaves for the next overload, STAP_GLOBAL_GET_x(keys)
 * and STAP_GLOBAL_SET_x(keys, value) use a global (the translator defines these); CONTEXT is the struct
 * rt_ctx *. A body leaves by the label stap_out; a fault goes to deref_fault.
 */
#ifndef RT_BODY_H
#define RT_BODY_H

#include "rt/rt.h"

#define CONTEXT stap_ctx
#define THIS stap_this

/* The context of the hit for what may also be called by C outside of bodies, where kernel/body.h finds it out. */
#ifndef RT_BODY_HERE
#define RT_BODY_HERE stap_ctx
#endif

/* A soft error, with a text as printf makes it; leaves the body. */
#define STAP_ERROR(...)                                                                                      \
	do {                                                                                                 \
		rt_body_error(stap_ctx, __VA_ARGS__);                                                        \
		goto stap_out;                                                                               \
	} while (0)
/* To the output of the script. */
#define STAP_PRINTF(...) rt_body_printf(RT_BODY_HERE, __VA_ARGS__)

/* The same, as scripts call SystemTap's runtime. */
#define _stp_printf(...) STAP_PRINTF(__VA_ARGS__)
#define _stp_print(text) STAP_PRINTF("%s", text)
#define _stp_print_char(byte) STAP_PRINTF("%c", byte)
#define _stp_print_flush() ((void)0) /* output is sent when the hit ends */
#define _stp_warn(...) rt_warn(RT_BODY_HERE, rt_body_text(RT_BODY_HERE, __VA_ARGS__))
#define _stp_error(...) rt_body_error(RT_BODY_HERE, __VA_ARGS__)
#define _stp_softerror(...) rt_body_error(RT_BODY_HERE, __VA_ARGS__)
#define _stp_exit() rt_exit(RT_BODY_HERE)
#define _stp_target rt_target()
#define _stp_gettimeofday_ns() rt_gettimeofday_ns()

/*
 * Memory that may not be mapped: *ptr, or size (1, 2, 4, 8) bytes at an address.  A fault is a soft error, which leaves the body by
 * deref_fault.
 */
#define RT_BODY_READ(space, size, addr)                                                                      \
	({                                                                                                   \
		rt_u64 rt_value_ = rt_read(stap_ctx, space, (rt_u64)(unsigned long)(addr), size);            \
		if (RT_FAILED(stap_ctx))                                                                     \
			goto deref_fault;                                                                    \
		rt_value_;                                                                                   \
	})
#define RT_BODY_SIZE(ptr)                                                                                    \
	({                                                                                                   \
		_Static_assert(sizeof(*(ptr)) == 1 || sizeof(*(ptr)) == 2 || sizeof(*(ptr)) == 4 ||          \
				       sizeof(*(ptr)) == 8,                                                  \
			       "only of numbers and pointers");                                              \
		(rt_u32)sizeof(*(ptr));                                                                      \
	})
#define kread(ptr) ((__typeof__(*(ptr) + 0))(unsigned long)RT_BODY_READ(RT_KERNEL, RT_BODY_SIZE(ptr), ptr))
#define uread(ptr) ((__typeof__(*(ptr) + 0))(unsigned long)RT_BODY_READ(RT_USER, RT_BODY_SIZE(ptr), ptr))
#define kderef(size, addr) RT_BODY_READ(RT_KERNEL, size, addr)
#define uderef(size, addr) RT_BODY_READ(RT_USER, size, addr)
/* *ptr = value in kernel memory. */
#define kwrite(ptr, value) store_kderef(RT_BODY_SIZE(ptr), ptr, (unsigned long)(value))
#define store_kderef(size, addr, value)                                                                      \
	({                                                                                                   \
		rt_write(stap_ctx, RT_KERNEL, (rt_u64)(unsigned long)(addr), (rt_u64)(value), size);         \
		if (RT_FAILED(stap_ctx))                                                                     \
			goto deref_fault;                                                                    \
	})
/* At most size - 1 bytes of a string, and a NUL. */
#define kderef_string(to, addr, size)                                                                        \
	({                                                                                                   \
		if (rt_body_read_string(stap_ctx, RT_KERNEL, (rt_u64)(unsigned long)(addr), to, size))       \
			goto deref_fault;                                                                    \
	})
#define uderef_string(to, addr, size)                                                                        \
	({                                                                                                   \
		if (rt_body_read_string(stap_ctx, RT_USER, (rt_u64)(unsigned long)(addr), to, size))         \
			goto deref_fault;                                                                    \
	})
#define kderef_buffer(to, addr, size)                                                                        \
	({                                                                                                   \
		if (rt_body_read(stap_ctx, RT_KERNEL, (rt_u64)(unsigned long)(addr), to, size))              \
			goto deref_fault;                                                                    \
	})
/* SystemTap's older names of these macros, from when it did not distinguish memory of the kernel and of programs. */
#define deref(size, addr) kderef(size, addr)
#define store_deref(size, addr, value) store_kderef(size, addr, value)
#define deref_string(to, addr, size) kderef_string(to, addr, size)
#define deref_buffer(to, addr, size) kderef_buffer(to, addr, size)
#define CATCH_DEREF_FAULT() ((void)0) /* old bodies end with it; every body has it now */

/* ---- rt/body.c: the functions that these call, and what generated C calls around a body ---- */

void rt_body_error(struct rt_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rt_body_printf(struct rt_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Until the next string of the hit is made. */
struct rt_str rt_body_text(struct rt_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* At deref_fault: an error, if there is none yet. */
void rt_body_fault(struct rt_ctx *c);
/* 0, or -1 with a soft error. */
int rt_body_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *to, rt_u32 size);
int rt_body_read_string(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *to, rt_u32 size);
/* A buffer of string_max + 1 bytes that begins with s and a NUL; an empty constant when there is no space.  [fails] */
char *rt_body_string(struct rt_ctx *c, struct rt_str s);
/* Such a buffer, written by the body, as a string; "" for NULL. */
struct rt_str rt_body_result(const char *buffer);
struct rt_str rt_body_slice(const char *text);
/* The context of the handler that runs here, of which there must be one. */
struct rt_ctx *rt_body_here(void);
/* The address of a symbol of the kernel, or of the first module that has it; 0: there is none. */
unsigned long rt_body_symbol(const char *name);
/* The text, cut at string_max, into such a buffer. */
void rt_body_copy(char *buffer, const char *text);

#endif
