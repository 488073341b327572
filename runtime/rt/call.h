/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of system calls as text: what the files rt/call*.c share. */
#ifndef RT_CALL_H
#define RT_CALL_H

#include "rt/lib.h"

/* For a switch over kinds: all of a list.  It has no default, so that the compiler asks for a new kind. */
#define RT_CALL_CASE(kind, class, text) case RT_CALL_##kind:

/* Bytes that are read at once: of a text; of a structure or a set, of which that of 1024 files is the longest. */
enum { RT_CALL_CHUNK = 64, RT_CALL_SET_BITS = 1024, RT_CALL_BLOCK = RT_CALL_SET_BITS / 8 };
/* Bytes of text: at most of a buffer, and what a long text or list leaves for what follows it. */
enum { RT_CALL_BUFFER_TEXT = 45, RT_CALL_FOLLOWS = 96 };

/* An argument that is being shown: in the hit's scratch memory. */
struct rt_call {
	struct rt_ctx *c;
	struct rt_sink s;
	const rt_u64 *args; /* RT_CALL_ARGS registers */
	const char *saved;  /* at a return: what is left of rt_call_save()'s text */
	rt_u32 nsaved;
	rt_s64 result;      /* at a return */
	rt_s64 room;        /* at a return: of what the kernel writes, see rt_call_room() */
	rt_bool is_return;
	enum rt_call_abi abi;
	enum rt_call_kind kind;
	rt_u32 at;       /* the register where it begins, 0 .. */
	rt_u32 taken;    /* how many registers it takes */
	rt_u64 value;
	rt_bool alone;   /* no other is shown with it */
	rt_bool plain;   /* a text without quotes */
	rt_bool missing; /* set: some memory of it could not be read */
	char chunk[RT_CALL_CHUNK]; /* rt_call_quoted()'s */
	struct rt_call_quote {     /* a text in quotes whose end may have to be replaced by dots */
		rt_u32 start, kept, limit; /* in the sink; kept: where the dots still fit */
		char text[4];              /* a byte as it is shown */
	} quote;
	union {                    /* a structure that is shown, in whole or in part: one at a time */
		rt_u8 byte[RT_CALL_BLOCK];
		rt_u16 half[RT_CALL_BLOCK / 2];
		rt_u32 word[RT_CALL_BLOCK / 4];
		rt_u64 wide[RT_CALL_BLOCK / 8];
	} block;
	struct rt_call_msg {       /* a message that is shown */
		rt_u64 name, iov, iovlen, control, controllen;
		rt_u32 namelen, flags;
	} msg;
	rt_u64 multiplexed[RT_CALL_ARGS]; /* arguments that socketcall() or ipc() passes on: args points here while they are shown */
};

/* call_hit.c.  A register of the call, 0 if it has none; 32-bit programs': without a sign. */
rt_u64 rt_call_register(const struct rt_call *k, rt_u32 i);
/* Has the kernel written what this call was to get? */
rt_bool rt_call_has_written(const struct rt_call *k);

/* call.c.  Has the call the argument at all?  Otherwise there is anything in its register. */
rt_bool rt_call_is_shown(const struct rt_call *k);
/* Flags by the names of the kind, and permissions in the bits of mode. */
void rt_call_with_mode(struct rt_call *k, enum rt_call_kind kind, rt_u64 v, rt_u64 mode);
/* Shows the present argument, which has this value. */
void rt_call_argument(struct rt_call *k, rt_u64 v);

void rt_call_put(struct rt_call *k, const char *text);
void rt_call_dec(struct rt_call *k, rt_s64 v);
void rt_call_udec(struct rt_call *k, rt_u64 v);   /* without a sign */
void rt_call_hex(struct rt_call *k, rt_u64 v);    /* 0x0 for 0 */
void rt_call_pointer(struct rt_call *k, rt_u64 v); /* the same, but NULL, as users of strace know it */
void rt_call_oct(struct rt_call *k, rt_u64 v);    /* 0644, 0 for 0 */
void rt_call_digits(struct rt_call *k, rt_u64 v, int n); /* n decimal digits, with zeroes before it */
/*
 * Up to n bytes of the program's memory in quotes, in at most limit bytes of text; is_str: until a NUL.  What does not fit, or cannot be read
 * after what could be, is dots after the quotes; if nothing can be read, the address is shown.
 */
void rt_call_quoted(struct rt_call *k, rt_u64 addr, rt_u64 n, rt_u32 limit, rt_bool is_str);
/* Reads memory of the program; false: it cannot be read. */
rt_bool rt_call_get(struct rt_call *k, rt_u64 addr, void *to, rt_u32 n);
/* The same, and then the address is shown, or NULL. */
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

/* call_lists.c: an argument of RT_CALL_LISTS or RT_CALL_BOTH; events of epoll; an option of a socket, with so many bytes. */
void rt_call_list(struct rt_call *k, rt_u64 v);
void rt_call_events(struct rt_call *k, rt_u64 list, rt_u64 n);
void rt_call_sockoptval(struct rt_call *k, rt_u64 addr, rt_u32 length);
/* Numbers of groups, of size bytes each; CPUs of a mask of so many bytes. */
void rt_call_ids(struct rt_call *k, rt_u64 list, rt_u64 n, rt_u32 size);
void rt_call_cpus(struct rt_call *k, rt_u64 addr, rt_u64 bytes);
/* In brackets, the number of size bytes at addr. */
void rt_call_number_at(struct rt_call *k, rt_u64 addr, rt_u32 size, rt_bool is_signed);
/* What the argument points to, of a kind that has a row: a number or fields. */
void rt_call_row(struct rt_call *k, rt_u64 addr);
/* What a thread may do, and how it is scheduled. */
void rt_call_cap_data(struct rt_call *k, rt_u64 addr);
void rt_call_sched_attr(struct rt_call *k, rt_u64 addr);
/* How much room each of the n messages at addr has for an address, at least; -1: not known. */
rt_s64 rt_call_msg_room(struct rt_call *k, rt_u64 addr, rt_u32 n);

/* call_written.c: what a call that has written it points to, of RT_CALL_WRITTEN. */
void rt_call_written(struct rt_call *k, rt_u64 addr);

/*
 * call_multiplexed.c.  If this is the second argument of socketcall() or ipc(): the kinds of the real call's arguments, else NULL.  NULL as well if
 * the number is that of no call.
 */
const char *rt_call_multiplexed(const struct rt_call *k);
/* Reads the n of them into multiplexed[]; false: they cannot be read. */
rt_bool rt_call_multiplexed_read(struct rt_call *k, rt_u32 n);

/* call_options.c: an argument of ioctl(), prctl() or bpf(), whose form another argument tells. */
void rt_call_option(struct rt_call *k, rt_u64 v);
/* Of keyctl(), those after the first. */
void rt_call_keyctl_arg(struct rt_call *k, rt_u64 v);
/* Of prctl(), those after the first. */
void rt_call_prctl_more(struct rt_call *k, rt_u64 v);
/* Does the request or option have this argument? */
rt_bool rt_call_takes(const struct rt_call *k);
/* Does the kernel write to where this argument points? */
rt_bool rt_call_writes(const struct rt_call *k);

/* call_fields.c: the members of a structure, of which the program has length bytes; RT_CALL_WHOLE: as many as the layout. */
enum { RT_CALL_WHOLE = 0x7fffffff };
enum rt_call_layout {
#define FIELDS(layout, bytes, bytes32, more) RT_FIELDS_##layout,
#define F(name, form, n, kind, at, size, at32, size32)
#define END
#include "rt/call_fields.def"
#undef FIELDS
#undef F
#undef END
};
void rt_call_fields(struct rt_call *k, enum rt_call_layout layout, rt_u64 addr, rt_u64 length);

/* call_ioctls.c.  Shows a request by its name, or by its parts. */
void rt_call_ioctl(struct rt_call *k, rt_u32 request);

#endif
