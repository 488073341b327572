/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What C bodies in the tapset may use besides rt.h: facts about the task, the time and the probe, and string helpers.  All may be
 * called wherever a handler runs, and none sleeps.  Returned strings are in the context's arena or in the module.
 *
 * Such a body is written as rt/body.h says, but its strings are slices: STAP_ARG_x is argument x (rt_s64 or
 * struct rt_str), STAP_RETVALUE the result, STAP_RETURN(v) sets it and leaves.  C at the top level is for the
 * headers of @const(); with them, building takes as long as parsing the kernel's headers.
 */
#ifndef RT_EMBED_H
#define RT_EMBED_H

/* ---- the current task ---- */
rt_s64 rt_pid(void);
rt_s64 rt_tid(void);
rt_s64 rt_ppid(void);
rt_s64 rt_uid(void);
rt_s64 rt_euid(void);
rt_s64 rt_gid(void);
rt_s64 rt_egid(void);
rt_s64 rt_pgrp(void);
rt_s64 rt_sid(void);
rt_s64 rt_cpu(void);
rt_s64 rt_task_current(void); /* address of its task_struct */
rt_s64 rt_pid2task(rt_s64 pid); /* that of another task, 0 if there is none */
struct rt_str rt_execname(struct rt_ctx *c);
struct rt_str rt_pexecname(struct rt_ctx *c);

/* ---- the system ---- */
rt_s64 rt_loadavg(rt_s64 i); /* the load, times 2048, over the last 1, 5, 15 minutes: i is 0, 1, 2 */
rt_s64 rt_percpu_sum(struct rt_ctx *c, rt_u64 counters); /* of 32-bit numbers of each CPU, by a pointer to them [fails] */
rt_s64 rt_addr_node(rt_u64 addr); /* the node of memory that a kernel address is in, -1: it is none of memory that is always mapped */

/* ---- the session ---- */
rt_s64 rt_target(void); /* pid of -c or -x, else 0 */
rt_s64 rt_target_set_pid(rt_s64 pid); /* 1: the target or a descendant of it */
struct rt_str rt_module_name(void);
struct rt_str rt_module_size(struct rt_ctx *c); /* "40960 text, 8192 rodata, 16384 data": bytes that it has in the kernel */
rt_s64 rt_loader_pid(void);

/* ---- time ---- */
rt_s64 rt_gettimeofday_ns(void);
rt_s64 rt_clock_monotonic_ns(void);
rt_s64 rt_get_cycles(void);
rt_s64 rt_jiffies(void);
rt_s64 rt_hz(void);
rt_s64 rt_cpu_clock_ns(rt_s64 cpu); /* of that CPU, 0 if there is none; below: of the current one */
rt_s64 rt_local_clock_ns(void);
rt_s64 rt_tz_gmtoff(void); /* the loader's time zone: seconds west of UTC, and its name */
struct rt_str rt_tz_name(struct rt_ctx *c);

/* ---- the probe ---- */
struct rt_str rt_pp(struct rt_ctx *c);
struct rt_str rt_pn(struct rt_ctx *c);
struct rt_str rt_ppfunc(struct rt_ctx *c);
struct rt_str rt_probe_type(struct rt_ctx *c);
/* Function of the probed address by its name in the kernel or the symbol table; "" if unknown. */
struct rt_str rt_probefunc(struct rt_ctx *c);
rt_s64 rt_addr(struct rt_ctx *c); /* address of the probed instruction, 0 if there is none */
rt_s64 rt_user_mode(struct rt_ctx *c);
rt_s64 rt_registers_valid(struct rt_ctx *c);
rt_s64 rt_uaddr(struct rt_ctx *c);     /* where the process was in user mode; 0 if there is no process */
rt_s64 rt_32bit_app(struct rt_ctx *c); /* 1 if that is 32-bit code */
rt_s64 rt_syscall_nr(struct rt_ctx *c); /* the number of the system call that is hit [fails] */
rt_s64 rt_syscall_compat(struct rt_ctx *c); /* 1 if the current task is in a system call of a 32-bit program */
/*
 * What is passed to the system call that begins here.  kinds: an enum rt_call_kind for each argument, a 0, and what is returned; NULL: of any call.
 * abi: the program's.
 * An argument (0 ..) as a number, 0 if the call has fewer; as a text; all as one text.  [fails] elsewhere, and if there is no string space
 */
enum rt_call_abi { RT_CALL_NATIVE, RT_CALL_COMPAT, RT_CALL_COMPAT_TIME64 }; /* 32-bit programs; of these, calls with times of 64 bits */
rt_s64 rt_call_number(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, rt_s64 i);
struct rt_str rt_call_text(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, rt_s64 i);
struct rt_str rt_call_args(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi);
/* RT_CALL_ARGS numbers that are in no registers, as the arguments of a call of these kinds, in every probe. */
struct rt_str rt_call_numbers(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, const rt_u64 *numbers);
/* A number as an argument of the kind, which is the name of one or of bits, in every probe. */
struct rt_str rt_call_named(struct rt_ctx *c, enum rt_call_kind kind, rt_s64 value);
/*
 * For the return of the call: what is to be saved of an argument, or of all (i < 0), with what could be read.  Only rt_call_later() knows its form.
 * plain: a text without quotes.
 */
struct rt_str rt_call_save(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi, rt_s64 i, rt_bool plain);
/*
 * The same, of a call such as accept(fd, addr, addrlen): how many bytes the kernel may write to addr, which is what addrlen points to at the
 * entry.  At the return it points to how many there were to write, which may be more.  -1: not known, or the call is none of these.
 */
rt_s64 rt_call_room(struct rt_ctx *c, const char *kinds, enum rt_call_abi abi);
/*
 * At the return, by what was there at the entry: the argument, or all.  What the kernel has written is shown, and what could not be read at the
 * entry is read now.
 */
struct rt_call_past {
	const char *kinds;
	enum rt_call_abi abi;
	struct rt_str saved; /* rt_call_save() */
	rt_s64 room;         /* rt_call_room() */
	rt_s64 result;       /* what is returned */
	rt_u64 args[RT_CALL_ARGS];
};
struct rt_str rt_call_later(struct rt_ctx *c, const struct rt_call_past *p, rt_s64 i, rt_bool plain);
/* Does the call return an address? */
rt_bool rt_call_gives_address(const char *kinds);
/* A register by its name, or by that of its lower half.  [fails] */
rt_s64 rt_named_reg(struct rt_ctx *c, struct rt_str name, rt_bool is_signed);
/* All registers as NAME: VALUE, some on a line; without registers nothing. */
void rt_print_regs(struct rt_ctx *c);
/* The text of the hit: what was written to a file of the script, or what it is to have; set and append: [fail] if it is too long. */
struct rt_str rt_text(struct rt_ctx *c);
void rt_text_set(struct rt_ctx *c, struct rt_str s);
void rt_text_append(struct rt_ctx *c, struct rt_str s);
/* Name of a kernel address: "vfs_read+0x10/0x200 [module]"; without_offset: just "vfs_read". */
struct rt_str rt_symname(struct rt_ctx *c, rt_u64 addr, rt_bool without_offset);
enum rt_line_parts { RT_LINE_FILE = 1, RT_LINE_NUMBER = 2 };
/* File and line of the source of a kernel address, as rt_usymline().  Not known: the address. */
struct rt_str rt_symline(struct rt_ctx *c, rt_u64 addr, rt_u32 parts);
/* " at FILE:LINE" of a kernel address, "" if it is not known.  Any context. */
rt_u32 rt_line_text(rt_u64 addr, char *buf, rt_u32 size);
/* A stack in the output: the loader turns it into lines with the names of the addresses. */
void rt_print_stack(struct rt_ctx *c, const rt_u64 *at, rt_u32 n);
void rt_print_user_stack(struct rt_ctx *c, const struct rt_frame *frames, rt_u32 n, rt_bool brief);
/* The program's stack, its innermost frame first; printed so, which ends with the reason if there is more of it. */
void rt_print_ubacktrace(struct rt_ctx *c, rt_bool brief);
void rt_print_ubacktrace_lines(struct rt_ctx *c); /* with the lines of source files */
/* At most n (-1: MAXBACKTRACE) of its addresses in hex, separated by blanks; named: as rt_usymdata(), a line for each. */
struct rt_str rt_ubacktrace(struct rt_ctx *c, rt_s64 n, rt_bool named);
rt_u64 rt_ustack(struct rt_ctx *c, rt_s64 n); /* the n-th (0 ..) address, 0: it is not so deep */
/* What is at an address of the program: "main+0x15/0x40 [/bin/x]"; just "main"; "x"; its build-id.  Not known: the address, or "". */
struct rt_str rt_usymdata(struct rt_ctx *c, rt_u64 addr);
struct rt_str rt_usymname(struct rt_ctx *c, rt_u64 addr);
struct rt_str rt_umodname(struct rt_ctx *c, rt_u64 addr);
struct rt_str rt_umodbuildid(struct rt_ctx *c, rt_u64 addr);
/* File and line of the source of that code, "/home/x/a.c:12", as parts says.  Not known: the address. */
struct rt_str rt_usymline(struct rt_ctx *c, rt_u64 addr, rt_u32 parts);
/* The address of the same code in the file, as nm and addr2line have it; 0: not known. */
rt_u64 rt_umodaddr(struct rt_ctx *c, rt_u64 addr);
/* The text for where of a frame, as rt_usymdata() has it; "" if it is no code of an image.  Any context. */
rt_u32 rt_where_text(rt_u64 where, char *buf, rt_u32 size);
/*
 * The methods of Java that the current thread is in, a line each, and at the end why if there are not all of them: printed, or as a text.
 * image: libjvm.so in the dynamic linker's list, 0: there is none; tid: the number of the thread that the process itself knows.
 */
struct rt_str rt_java_stack(struct rt_ctx *c, rt_u64 image, rt_s64 pid, rt_s64 tid, rt_bool prints);
/* The address of a symbol that an image in the dynamic linker's list defines, by its GNU hash table; 0: none.  [fails] */
rt_u64 rt_elf_symbol(struct rt_ctx *c, rt_u64 image, struct rt_str name);
/* The entry of the dynamic linker's list that has code at the address; 0: none.  image: any entry of the list. */
rt_u64 rt_elf_image_at(struct rt_ctx *c, rt_u64 image, rt_u64 addr);
/* Kernel stack of the hit: printed so, or addresses in hex separated by blanks. */
void rt_print_backtrace(struct rt_ctx *c);
void rt_print_backtrace_lines(struct rt_ctx *c); /* with the lines of source files */
struct rt_str rt_backtrace(struct rt_ctx *c);
/* Addresses as such a text: n of them, one in `step' words.  [fails] */
struct rt_str rt_addresses_text(struct rt_ctx *c, const rt_u64 *at, rt_u32 n, rt_u32 step);
rt_u64 rt_stack(struct rt_ctx *c, rt_s64 n); /* the n-th (0 ..) address of it, 0: it is not so deep */
/* That of another task, as addresses; "" if it runs, has just run, or is none.  [fails] */
struct rt_str rt_task_backtrace(struct rt_ctx *c, rt_u64 task);
/* Bytes of the kernel stack that the probed code is on: all, those that are used, and the others.  Not known: 0. */
rt_s64 rt_stack_size(struct rt_ctx *c);
rt_s64 rt_stack_used(struct rt_ctx *c);
rt_s64 rt_stack_unused(struct rt_ctx *c);

/* ---- performance events ---- */
/* How often the event of the counter has come, on this CPU or in this thread.  [fails] */
rt_s64 rt_counter(struct rt_ctx *c, struct rt_str name);

/* ---- messages ---- */
/* To the loader's stderr at once, not in the output stream. */
void rt_warn(struct rt_ctx *c, struct rt_str text);
/* A line to the output stream, newline added. */
void rt_log(struct rt_ctx *c, struct rt_str text);
/* To the loader, in the output stream: run this in a shell; write what follows to a new file. */
void rt_system(struct rt_ctx *c, struct rt_str command);
void rt_switch_file(struct rt_ctx *c);

/* ---- the machine, in guru mode ---- */
/* A line in the kernel's log, of a level from 0 (emergency) to 7 (debug), or the default one; in the kernel's trace. */
void rt_printk(struct rt_ctx *c, rt_s64 level, struct rt_str text);
void rt_ftrace(struct rt_ctx *c, struct rt_str text);
/* Waits; for the message, who asks for it.  [fails] */
void rt_delay_us(struct rt_ctx *c, const char *who, rt_s64 us);
void rt_panic(struct rt_ctx *c, struct rt_str text);
/* A signal to the current thread, where the kernel holds no lock that it takes: in probes of programs and of system calls.  [fails] */
void rt_raise(struct rt_ctx *c, rt_s64 signal);

/* ---- strings (rt/strfn.c): [fail] like rt_str_copy ---- */
struct rt_str rt_substr(struct rt_ctx *c, struct rt_str s, rt_s64 start, rt_s64 length);
rt_s64 rt_str_find(struct rt_str s, struct rt_str sub); /* offset or -1 */
rt_s64 rt_strtol(struct rt_str s, rt_s64 base);         /* 0 when not a number; no leading blanks, no '+' */
/* Does a pattern, as shells have them, fit the whole text?  * ? [set] [a-z] [!set] [^set]; of bytes. */
rt_bool rt_str_glob(struct rt_ctx *c, struct rt_str s, struct rt_str pattern);
struct rt_str rt_str_replace(struct rt_ctx *c, struct rt_str s, struct rt_str from, struct rt_str to);
struct rt_str rt_string_quoted(struct rt_ctx *c, struct rt_str s);
/* With escapes for bytes that are not printable; at most max bytes (0: as long as a string can be). */
struct rt_str rt_text_str(struct rt_ctx *c, struct rt_str s, rt_s64 max, rt_bool quoted);
rt_s64 rt_str_char(struct rt_str s, rt_s64 i);          /* byte, 0 when out of range */
/*
 * tokenize(): with a nonempty s starts anew, with "" goes on where this hit's last call stopped; "" at the
 * end.
 */
struct rt_str rt_tokenize(struct rt_ctx *c, struct rt_str s, struct rt_str delim);
/* In double quotes, as JSON has it; cut where it would be too long, before the closing quote. */
struct rt_str rt_json_quoted(struct rt_ctx *c, struct rt_str s);
/* The place of a text among names, some of which may be NULL; -1: it is none of them. */
rt_s64 rt_str_index(const char *const *names, rt_u64 n, struct rt_str s);
/* Names of the bits that are set, "A|B|0x40": names come first, in the order of the table; bits without a name as a number; "0x0". */
struct rt_flag {
	rt_u64 bits;
	const char *name;
};
struct rt_str rt_flag_names(struct rt_ctx *c, const struct rt_flag *flags, rt_u32 n, rt_u64 value);
/* n bytes of memory (cut at string_max), zeroes too: only for rt_text_str().  Text of 2- or 4-byte characters (size), as UTF-8.  [fails] */
struct rt_str rt_read_bytes(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 n);
struct rt_str rt_read_wide(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u32 size);

/* ---- floating-point numbers of 64 bits, as integers that have their bits (rt/fp.c, rt/fptext.c) ---- */
rt_s64 rt_fp_add(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_sub(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_mul(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_div(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_rem(rt_s64 a, rt_s64 b); /* a - n * b, n the integer nearest to a / b */
rt_s64 rt_fp_sqrt(rt_s64 a);
rt_s64 rt_fp_lt(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_le(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_eq(rt_s64 a, rt_s64 b);
rt_s64 rt_fp_from_long(rt_s64 v);
rt_s64 rt_fp_from_fp32(rt_s64 v);
enum rt_fp_rounding { RT_FP_NEAREST_EVEN, RT_FP_TO_ZERO, RT_FP_DOWN, RT_FP_UP, RT_FP_NEAREST_AWAY };
rt_s64 rt_fp_to_long(struct rt_ctx *c, rt_s64 v, rt_s64 rounding); /* -2^63 if there is no such integer [fails] */
/* As strtod() and printf("%.*f") of C: the nearest number; at most 2 KB of string space are needed meanwhile.  [fail] */
rt_s64 rt_fp_from_string(struct rt_ctx *c, struct rt_str s);
struct rt_str rt_fp_to_string(struct rt_ctx *c, rt_s64 v, rt_s64 precision); /* < 0: 6 */

/* ---- the last =~ (rt/regex.c): an error if it did not match.  The function's C text must have pragma:tagged_dfa. ---- */
struct rt_str rt_matched(struct rt_ctx *c, rt_s64 n); /* text of a group, 0: of the match; "" if it has no part in it */
struct rt_str rt_matched_str(struct rt_ctx *c);       /* the same as rt_matched(c, 0) */
rt_s64 rt_ngroups(struct rt_ctx *c);                  /* groups of the expression, and the whole match */

#endif
