/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between a loaded script module and its loader: the only header that both include.
 * Fixed-width, native byte order, every size asserted; WIRE_VERSION changes with any change here.
 *
 * Files, in procfs spile.MODULE/ (a directory per module: several come and go independently):
 *   ctl      read: whole struct wire_msg with their payloads, blocking; write: commands, one struct wire_msg per write, which returns
 *            when it is done (reading is possible meanwhile); poll: POLLIN = messages, POLLPRI = much to read in a trace file.  Can be
 *            opened once.
 *   trace0.. one per possible CPU: read: struct wire_record + payload, a stream of bytes that may be split
 *            anywhere; never blocks: EAGAIN = nothing now, 0 = end of the data
 *   symbols  ioctl WIRE_LOOKUP: the name of an address in a stack
 *   programs only if the script asks for stacks or code of programs: ioctl WIRE_READER, WIRE_NEXT_PROGRAM and WIRE_TABLES.  Can
 *            be opened by one at a time
 *   state    "STATE PID\n": idle, starting, running, stopping or stopped; pid of the loader, 0 before START
 * The module starts nothing before WIRE_START and stops by itself when the last ctl descriptor is closed.
 */
#ifndef WIRE_H
#define WIRE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#define __u16 uint16_t
#define __u32 uint32_t
#define __u64 uint64_t
#define __s32 int32_t
#define __s64 int64_t
#endif

#define WIRE_VERSION 15
#define WIRE_DIRECTORY_PREFIX "spile."
#define WIRE_DESCRIPTION "script compiled by spile" /* of each module of a script, in its description */
#define WIRE_TEXT_MAX 1024 /* bytes of a WIRE_WARNING, WIRE_ERROR or WIRE_NOTE */

/* What a record is.  All are 0x53NN: a record with another high byte is damaged. */
enum wire_kind {
	WIRE_TEXT = 0x5301, /* output of one hit or a part of it, ready to be printed */
	/*
	 * The same for globals that are shown at the end: lines NAME=VALUE or NAME[KEY,KEY]=VALUE, one for each element, those of a
	 * global together.  Numbers are decimal, strings in double quotes as C writes them.  Statistics have " @count=N" instead of
	 * =VALUE, and " @min=N @max=N @sum=N @avg=N" if that is not 0.  A line may be split, and continue in the next record.
	 */
	WIRE_TABLE,
	/*
	 * WIRE_TEXT with stacks in it: one or more parts, each a text, the addresses of a stack (__u64, not aligned), and a struct
	 * wire_part that says how long both are.  The record is read from its end.  The last part has no stack.
	 */
	WIRE_STACKS,
	WIRE_COMMAND, /* a command of the script for a shell: the loader runs it when it comes to it, after all that was output before */
	WIRE_SWITCH,  /* no payload: what follows goes to a new file */
};

struct wire_part {
	__u32 text;   /* bytes */
	__u32 frames; /* addresses; 0: no stack.  With WIRE_PART_USER, a program's: each is a struct wire_frame */
};

#define WIRE_PART_USER (1u << 31)
#define WIRE_PART_BRIEF (1u << 30) /* only names are wanted */
#define WIRE_FRAMES_MAX 64

/* where: an address for WIRE_LOOKUP, which says what that code of the program is; 0: not known.  at 0: why the stack ends there. */
struct wire_frame {
	__u64 at;
	__u64 where; /* if at is 0: enum wire_end */
};

/* Why a program's stack ends before its outermost call.  X(id, text) */
#define WIRE_ENDS(X)                                                                                              \
	X(WIRE_END_OUTERMOST, "")                                                                                 \
	X(WIRE_END_LIMIT, "")                                                                                     \
	X(WIRE_END_NO_CODE, "the return address is that of no code")                                              \
	X(WIRE_END_FOREIGN, "this is code of no file, or of one that is not known yet: -d FILE names one") \
	X(WIRE_END_UNKNOWN, "nothing says where the caller of this code is")                                      \
	X(WIRE_END_MEMORY, "the stack is not in memory")                                                          \
	X(WIRE_END_BUSY, "the mappings of the program cannot be looked at now")                                   \
	X(WIRE_END_DAMAGED, "the stack is damaged")                                                               \
	X(WIRE_END_HOOKED, "the return is probed, and where it leads to is not known here")                       \
	X(WIRE_END_MACHINE, "this is 32-bit code")                                                                \
	X(WIRE_END_REGISTERS, "the registers of the program are not known here")

#define X(id, text) id,
enum wire_end { WIRE_ENDS(X) WIRE_END_COUNT };
#undef X

/*
 * WIRE_LOOKUP: what was at an address when a record was written.  In records from that one up to the answer's `order' the address means
 * the same.  Records are asked about in ascending order.
 */
struct wire_symbol {
	__u64 address;
	__u64 order;    /* of the record; in the answer: of the last one for which it holds */
	char text[752]; /* the answer: "NAME+0xOFFSET/0xSIZE", with " [MODULE]" unless it is the kernel's own; or the address as "0x..." */
};

/*
 * An address in a struct wire_frame is asked about by its where: of a program, "NAME+0xOFFSET/0xSIZE [FILE]", or "[FILE+0xOFFSET]".  If lines of
 * source files are wanted, of the kernel too, " at FILE:LINE" comes before " [", and "[kernel]" after it where there is no module.
 */
#define WIRE_LOOKUP 0xc3005301u /* _IOWR('S', 1, struct wire_symbol) */

/* ---- files with code that handlers found in programs, and that the script has no tables of ---- */

/* WIRE_READER: the process that makes tables from now on: its hits are the session's own. */
#define WIRE_READER 0x40045304u /* _IOW('S', 4, __s32) */

/* WIRE_NEXT_PROGRAM: waits for one whose tables were not asked for yet.  ENODATA: no more will come. */
struct wire_program {
	__u32 version; /* WIRE_VERSION */
	__u32 number;
	__s32 fd;      /* the file, opened for reading by the one that asks */
	__u32 wanted;  /* rt_script.programs */
	__u32 tracked; /* rt_script.tracked */
};
#define WIRE_NEXT_PROGRAM 0xc0145302u /* _IOWR('S', 2, struct wire_program) */

/* WIRE_TABLES: the answer, once for each: struct rt_image_tables and what follows it. */
struct wire_tables {
	__u64 data; /* its address */
	__u64 size; /* 0: there are none */
	__u32 number;
	__u32 unused;
};
#define WIRE_TABLES 0x40185303u /* _IOW('S', 3, struct wire_tables) */

/* order counts 1, 2, 3 ... over all CPUs without a gap: lost records have no number. */
struct wire_record {
	__u32 len;   /* payload bytes that follow */
	__u16 kind;  /* enum wire_kind */
	__u16 cpu;   /* that of the file */
	__u64 order;
};

enum wire_type {
	/* module -> loader */
	WIRE_HELLO = 1,  /* struct wire_hello */
	WIRE_BEGIN,      /* begin probes run from here, if there are any */
	WIRE_BEGUN,      /* they have run; arming follows */
	WIRE_STARTED,    /* struct wire_started: begin probes ran, families are armed (or rc != 0: all undone) */
	WIRE_WARNING,    /* text, for stderr */
	WIRE_ERROR,      /* text; the run's exit status becomes 1 */
	WIRE_EXIT,       /* the script asks to stop: exit(), too many errors, overload */
	WIRE_STOPPED,    /* struct wire_ledger: end probes ran, nothing more will be produced */
	WIRE_NOTE,       /* text, for those who want to know more (-v) */
	WIRE_TOLERATED,  /* as WIRE_ERROR, where MAXERRORS is a number above 0: also shown if the same text was shown before */
	/* loader -> module */
	WIRE_START = 64, /* struct wire_start; begin probes run in the thread that writes it, end probes in that of STOP */
	WIRE_STOP,       /* remove probes, run end probes, then WIRE_STOPPED */
	WIRE_HALT,       /* handle no more hits, break off a start: STOP follows.  Returns at once */
	WIRE_INTERRUPT,  /* do not wait for handlers that run for long: they give up.  Returns at once */
};

struct wire_msg {
	__u32 type;
	__u32 len; /* payload bytes that follow */
};

struct wire_hello {
	__u32 version;
	__u32 cpus; /* number of trace files */
};

enum wire_start_flags {
	WIRE_START_CHILD = 1 << 0, /* the target is a child of the loader that waits before it executes a command */
	WIRE_START_TRACE_SELF = 1 << 1, /* hits that the session itself causes are handled like all others */
	WIRE_START_RELAYED = 1 << 2, /* the loader's parent passes on the output: its hits are caused by the session too */
};

struct wire_start {
	__s32 target; /* pid, or 0 */
	__u32 flags;  /* enum wire_start_flags */
	__s32 zone_offset; /* of the loader's time zone now: seconds east of UTC */
	char zone[16];     /* its name, NUL-terminated */
};

struct wire_started {
	__s32 rc;     /* 0 or -errno */
	__u32 probes; /* sites armed */
};

/* Why a hit was not handled.  X(id, name for programs, text) */
#define WIRE_SKIPS(X)                                                                   \
	X(WIRE_SKIP_REENTRANT, "reentrant", "a probe hit inside a probe handler")       \
	X(WIRE_SKIP_CONTEXT, "context", "no free context")                              \
	X(WIRE_SKIP_LOCK, "lock", "a global's lock could not be taken in time")           \
	X(WIRE_SKIP_STACK, "stack", "too little kernel stack")                          \
	X(WIRE_SKIP_RETURN, "return", "too many calls of a function active at once")    \
	X(WIRE_SKIP_MISSED, "missed", "the kernel could not deliver the hit")           \
	X(WIRE_SKIP_STOPPING, "stopping", "the session was stopping")                   \
	X(WIRE_SKIP_FRAME, "frame", "a return that cannot be probed safely")

#define X(id, name, text) id,
enum wire_skip { WIRE_SKIPS(X) WIRE_SKIP_COUNT };
#undef X

/*
 * hits = handled + errors + own + sum of skipped, except WIRE_SKIP_STOPPING.  That skip and own are normal and do not make a run
 * imperfect.
 */
struct wire_ledger {
	__u64 hits;
	__u64 handled;
	__u64 errors;          /* ended with a soft error */
	__u64 skipped[8];      /* by enum wire_skip */
	__u64 records;         /* records produced and handed to the transport = highest order */
	__u64 lost_records;    /* no room in the transport */
	__u64 lost_bytes;
	__u64 lost_messages;   /* warnings and errors that found no room in ctl */
	__u64 own;             /* caused by the session itself, and not handled */
};

_Static_assert(WIRE_SKIP_COUNT <= 8, "wire_ledger.skipped");
_Static_assert(sizeof(struct wire_record) == 16, "wire_record");
_Static_assert(sizeof(struct wire_part) == 8, "wire_part");
_Static_assert(sizeof(struct wire_frame) == 16, "wire_frame");
_Static_assert(sizeof(struct wire_symbol) == 768, "wire_symbol");
_Static_assert(sizeof(struct wire_program) == 20, "wire_program");
_Static_assert(sizeof(struct wire_tables) == 24, "wire_tables");
_Static_assert(sizeof(struct wire_msg) == 8, "wire_msg");
_Static_assert(sizeof(struct wire_hello) == 8, "wire_hello");
_Static_assert(sizeof(struct wire_start) == 28, "wire_start");
_Static_assert(sizeof(struct wire_started) == 8, "wire_started");
_Static_assert(sizeof(struct wire_ledger) == 16 * 8, "wire_ledger");

#ifndef __KERNEL__
#undef __u16
#undef __u32
#undef __u64
#undef __s32
#undef __s64
#endif

#endif
