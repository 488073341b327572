/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between the translator and the runtime: the tables in generated C, with their flags, limits and
 * sizes.  Generated C and the runtime get it from rt/rt.h, which has what handlers call; the translator includes
 * this header alone.  What both sides must know is only stated here: neither repeats a number.
 */
#ifndef RT_SCRIPT_H
#define RT_SCRIPT_H

typedef unsigned char rt_u8;
typedef unsigned short rt_u16;
typedef unsigned int rt_u32;
typedef int rt_s32;
typedef unsigned long long rt_u64;
typedef long long rt_s64;
typedef __SIZE_TYPE__ rt_size;
typedef _Bool rt_bool;

#define RT_ABI 24 /* of these tables: a module with another one is refused */

/*
 * A big script is compiled in parts, at the same time: every compile reads the whole text, with RT_PART the
 * number of its part, and leaves out the bodies that belong to others.  Part 0 has the variables and the
 * tables.  Without RT_PART, the text is one part.
 */
#ifdef RT_PART
#define RT_IN_PART(n) (RT_PART == (n))
#define RT_PRIVATE
#else
#define RT_IN_PART(n) 1
#define RT_PRIVATE static
#endif
#define RT_UNUSED __attribute__((unused)) /* some handlers need no context */
#if RT_IN_PART(0)
#define RT_GLOBAL RT_PRIVATE
#define RT_INIT(...) = __VA_ARGS__
#else
#define RT_GLOBAL extern
#define RT_INIT(...)
#endif

/* ---- values ---- */

struct rt_str {
	const char *p;
	rt_u32 n;
};

#define RT_STR(literal) ((struct rt_str){(literal), sizeof(literal) - 1})
#define RT_EMPTY ((struct rt_str){"", 0})
#define RT_TEXT(literal) {(literal), sizeof(literal) - 1} /* in tables */

enum rt_type { RT_LONG, RT_STRING, RT_STATS };
enum rt_space { RT_KERNEL, RT_USER };

/* ---- probes ---- */

struct rt_loc {
	const char *file;
	rt_u32 line, column;
	const char *token; /* as in "near identifier 'x'" */
};

struct rt_ctx; /* rt/rt.h */
typedef void rt_handler(struct rt_ctx *c);

enum rt_probe_flags {
	RT_PROBE_NO_LOCKS = 1 << 0, /* begin, end, error: runs alone, rt_lock() does nothing */
	RT_PROBE_RETURN = 1 << 1,   /* is_return() */
	RT_PROBE_USER = 1 << 2,     /* user_mode(): registers are the user's */
	RT_PROBE_ARMS = 1 << 3,     /* its handlers may change what a condition depends on */
	RT_PROBE_SHOWS = 1 << 4,    /* an end probe: what it prints are rows of a global (WIRE_TABLE of wire.h) */
	RT_PROBE_SYSCALL = 1 << 5,  /* the arguments and the result are a system call's */
	RT_PROBE_TEXT = 1 << 6,     /* a text belongs to the hit: rt_text() */
	/*
	 * Its handler uses no context (it may be called with NULL), cannot fail, calls nothing, ends after a few statements, and changes
	 * globals by single atomic operations only; there is no entry handler.
	 */
	RT_PROBE_SMALL = 1 << 7,
	/*
	 * Of the context its handler uses only what tells an error, and which locks are held, and of the registers only those of the arguments,
	 * or of the result; it reads memory of the kernel only, and ends after a few statements.  There is no entry handler.
	 */
	RT_PROBE_BRIEF = 1 << 8,
	RT_PROBE_GO = 1 << 9,       /* the arguments are passed as Go passes them */
	RT_PROBE_RETURNS = 1 << 10, /* the instruction returns: is_return() too, but no return address was replaced for it */
};

/* The condition for a probe to be armed.  Reads globals, takes its locks, may fail: then the hit reports it. */
typedef rt_bool rt_condition(struct rt_ctx *c);

struct rt_probe {
	rt_handler *handler;
	rt_handler *entry;     /* of return probes with @entry or $param: runs at function entry; else NULL */
	rt_u32 entry_slots;    /* 8-byte slots for it */
	rt_u32 flags;
	rt_u32 loc;
	const char *point;     /* pp(): the probe point as resolved */
	const char *name;      /* pn(): by the alias that it is of; NULL: as point */
	const char *function;  /* ppfunc(): name of the probed function, or "" */
	const char *mechanism; /* that serves it, for scripts with probe_type(); else NULL */
	rt_u32 condition;      /* 1 + index of its condition, which the handler checks as well; 0: always armed */
};

/* Slots of 8 bytes that a value saved at function entry takes; a string has a length and a byte after it. */
#define RT_ENTRY_LONG_SLOTS 1
#define RT_ENTRY_STR_SLOTS(string_max) (1 + ((string_max) + 1 + 7) / 8)

/*
 * One place where a probe is put.  runtime/sites/MECHANISM.h gives the meaning of s[] and n[]; several sites may name one probe
 * (a wildcard).
 */
enum rt_site_flags {
	RT_SITE_OPTIONAL = 1 << 0, /* from a wildcard or `?': if it cannot be probed, only warn */
};
#define RT_SITE_TEXTS 2
#define RT_SITE_NUMBERS 4
struct rt_site {
	rt_u32 probe;      /* index into rt_script.probes */
	rt_u16 kind;       /* the mechanism's own: entry, return, ... */
	rt_u16 flags;      /* enum rt_site_flags */
	const char *s[RT_SITE_TEXTS];
	rt_s64 n[RT_SITE_NUMBERS];
	const rt_s64 *own; /* what only some sites have: numbers, as many as the mechanism says; else NULL */
};

struct rt_mechanism; /* kernel/mechanism.h; rt_mechanism_NAME is in kernel/probes/NAME.c, which only scripts with this table are linked with */
struct rt_site_table {
	const struct rt_mechanism *mechanism;
	const struct rt_site *sites;
	rt_u32 nsites;
};

/* ---- system calls ---- */

/*
 * What an argument is: K(kind, the registers it takes and how they make a number, is it shown as a text).
 *	RT_CALL_NUMBERS    a number
 *	RT_CALL_SOMETIMES  it is passed only with some values of other arguments
 *	RT_CALL_MEMORY     it is the address of a text, or of a list of texts
 *	RT_CALL_TEXTS      it has a text of its own form
 *	RT_CALL_STRUCTS    it is the address of a structure (rt/call_structs.c)
 *	RT_CALL_LISTS      it is shown by rt/call_lists.c, options by rt/call_options.c: lists, what has pointers, what may be no address
 *	RT_CALL_ROWS         of these, numbers and structures that one layout describes
 *	RT_CALL_NEWER        of these, newer calls' and multiplexed calls'
 *	RT_CALL_BOTH       the same, but the kernel writes there, too, if rt_call_writes()
 *	RT_CALL_OUTPUTS    the kernel writes there: a text at the return only.  Those are
 *	RT_CALL_GIVEN        as long as the result or another argument says (rt/call.c)
 *	RT_CALL_FILLED       structures, most of which are passed to other calls (rt/call_structs.c)
 *	RT_CALL_WRITTEN      the others (rt/call_written.c), with RT_CALL_WRITTEN_ROWS, numbers and structures that one layout describes
 *	RT_CALL_NAMES      it is shown by the names of rt/call_names.def
 *	RT_CALL_PARTS      the same, but not all of it, or not always
 */
enum rt_call_class {
	RT_CALL_INT,  /* 32 bits, with a sign */
	RT_CALL_UINT, /* 32 bits */
	RT_CALL_WORD, /* as long as a pointer */
	RT_CALL_LONG, /* the same, with a sign */
	RT_CALL_PAIR, /* 64 bits: in 32-bit programs two registers, the low bits first */
	RT_CALL_POS,  /* the same, but two registers in all programs, of which 64-bit ones use the first */
};
#define RT_CALL_NUMBERS(K) \
	K(int, INT, 0) K(uint, UINT, 0) K(size, WORD, 0) K(long, LONG, 0) K(ptr, WORD, 0) K(hex, WORD, 0) K(hex32, UINT, 0) \
	K(octal, UINT, 0) K(ipc_first, INT, 0) K(off64, PAIR, 0) K(off64_hex, PAIR, 0) K(pos, POS, 0)
#define RT_CALL_SOMETIMES(K) \
	K(open_mode, UINT, 0) K(open_attr, WORD, 0) K(futex_val, INT, 0) K(futex_time, WORD, 1) K(futex_addr, WORD, 0) K(futex_val3, UINT, 0) \
	K(fcntl_arg, WORD, 1) K(prctl_more, WORD, 0) K(keyctl_arg, WORD, 1) K(sysfs_arg, WORD, 1) K(sysfs_more, WORD, 0)
#define RT_CALL_MEMORY(K) \
	K(str, WORD, 1) K(buf, WORD, 1) K(argv, WORD, 1) K(envp, WORD, 1)
#define RT_CALL_TEXTS(K) \
	K(ioctl, UINT, 1) K(dirfd, INT, 1) K(ipc_key, INT, 1) K(ioprio, INT, 1) K(mknod, UINT, 1) K(sighandler, WORD, 1) K(unshare, WORD, 1) \
	K(quota_cmd, UINT, 1) K(sigmask, UINT, 1)
#define RT_CALL_STRUCTS(K) \
	K(sigset, WORD, 1) K(sigaction, WORD, 1) K(siginfo, WORD, 1) K(sigaltstack, WORD, 1) K(sockaddr, WORD, 1) K(rlimit, WORD, 1) \
	K(rlimit64, WORD, 1) K(timespec, WORD, 1) K(timespecs, WORD, 1) K(itimerspec, WORD, 1) K(timeval, WORD, 1) \
	K(timevals, WORD, 1) K(itimerval, WORD, 1) K(utimbuf, WORD, 1)
#define RT_CALL_ROWS(K) \
	K(int_at, WORD, 1) K(off64_at, WORD, 1) K(cap_header, WORD, 1) K(cachestat_range, WORD, 1) K(landlock_ruleset, WORD, 1) \
	K(mount_attr, WORD, 1) K(old_mmap, WORD, 1) K(old_select, WORD, 1) K(old_sigaction, WORD, 1) K(timezone, WORD, 1) K(user_desc, WORD, 1)
#define RT_CALL_NEWER(K) \
	K(futex_waitv, WORD, 1) K(landlock_rule_attr, WORD, 1) K(mnt_id_req, WORD, 1) K(sigset_arg, WORD, 1) K(old_sigset, WORD, 1) \
	K(socketcall_args, WORD, 1)
#define RT_CALL_LISTS(K) \
	RT_CALL_ROWS(K) RT_CALL_NEWER(K) K(iov, WORD, 1) K(msghdr, WORD, 1) K(epoll_event, WORD, 1) K(sockoptval, WORD, 1) K(clone_args, WORD, 1) \
	K(open_how, WORD, 1) K(iov_remote, WORD, 1) K(ids, WORD, 1) K(ids16, WORD, 1) K(cpus, WORD, 1) K(bpf_attr, WORD, 1) K(cap_data, WORD, 1) \
	K(sched_attr, WORD, 1)
#define RT_CALL_BOTH(K) \
	K(iov_read, WORD, 1) K(msg_read, WORD, 1) K(pollfds, WORD, 1) K(fdset, WORD, 1) K(length, WORD, 1) \
	K(mmsg_send, WORD, 1) K(mmsg_read, WORD, 1) K(ioctl_arg, WORD, 1) K(prctl_arg, WORD, 1) K(timex, WORD, 1) K(uring_params, WORD, 1)
#define RT_CALL_GIVEN(K) \
	K(out_buf, WORD, 1) K(out_str, WORD, 1) K(out_sockaddr, WORD, 1)
#define RT_CALL_FILLED(K) \
	K(out_fds, WORD, 1) K(out_timespec, WORD, 1) K(out_timeval, WORD, 1) K(out_itimerspec, WORD, 1) K(out_itimerval, WORD, 1) \
	K(out_rlimit, WORD, 1) K(out_rlimit64, WORD, 1) K(out_sigset, WORD, 1) K(out_sigaction, WORD, 1) K(out_sigaltstack, WORD, 1)
#define RT_CALL_WRITTEN_ROWS(K) \
	K(out_sysinfo, WORD, 1) K(out_statfs, WORD, 1) K(out_statfs64, WORD, 1) K(out_tms, WORD, 1) K(out_cachestat, WORD, 1) \
	K(out_int, WORD, 1) K(out_id, WORD, 1) K(out_id16, WORD, 1) K(out_off64, WORD, 1) K(out_user_desc, WORD, 1)
#define RT_CALL_WRITTEN(K) \
	RT_CALL_WRITTEN_ROWS(K) K(out_stat, WORD, 1) K(out_stat32, WORD, 1) K(out_stat64, WORD, 1) K(out_statx, WORD, 1) K(out_status, WORD, 1) \
	K(out_rusage, WORD, 1) K(out_siginfo, WORD, 1) K(out_epoll, WORD, 1) K(out_sockoptval, WORD, 1) K(out_utsname, WORD, 1) \
	K(out_ids, WORD, 1) K(out_ids16, WORD, 1) K(out_cpus, WORD, 1) K(out_long, WORD, 1) K(out_cap_data, WORD, 1) K(out_sched_attr, WORD, 1)
#define RT_CALL_OUTPUTS(K) RT_CALL_GIVEN(K) RT_CALL_FILLED(K) RT_CALL_WRITTEN(K)
#define RT_CALL_ARGUMENT_NAMES(K) \
	K(access, UINT, 1) K(access_flags, UINT, 1) K(arch_prctl, UINT, 1) K(at_flags, UINT, 1) K(bpf, UINT, 1) \
	K(clock, UINT, 1) K(close_range_flags, UINT, 1) K(epoll_op, UINT, 1) K(eventfd_flags, UINT, 1) K(fadvise, UINT, 1) \
	K(fallocate, UINT, 1) K(fanotify_init, UINT, 1) K(fanotify_mark, UINT, 1) K(fanotify_mask, PAIR, 1) \
	K(fcntl, UINT, 1) K(finit_flags, UINT, 1) K(flock, UINT, 1) K(futex_op, UINT, 1) K(inotify_mask, UINT, 1) \
	K(ioprio_which, UINT, 1) K(itimer, UINT, 1) K(kcmp, UINT, 1) K(keyctl, UINT, 1) K(madvise, UINT, 1) \
	K(mbind_flags, UINT, 1) K(membarrier, UINT, 1) K(memfd_flags, UINT, 1) K(mempolicy, UINT, 1) \
	K(mempolicy_flags, UINT, 1) K(mlock2, UINT, 1) K(mlockall, UINT, 1) K(mmap_flags, WORD, 1) K(module_flags, UINT, 1) \
	K(mount_flags, WORD, 1) K(mremap_flags, UINT, 1) K(msg_flags, UINT, 1) K(msg_op, UINT, 1) K(msgctl, UINT, 1) \
	K(shmctl, UINT, 1) K(semctl, UINT, 1) K(msync, UINT, 1) K(open_flags, UINT, 1) K(open_only, UINT, 1) \
	K(perf_flags, WORD, 1) K(epoll_create, UINT, 1) K(inotify_init, UINT, 1) K(signalfd_flags, UINT, 1) K(pf, UINT, 1) \
	K(pkey_rights, UINT, 1) K(prctl, UINT, 1) K(priority, UINT, 1) K(prot, WORD, 1) K(ptrace, UINT, 1) \
	K(random_flags, UINT, 1) K(reboot, UINT, 1) K(reboot_magic, UINT, 1) K(rename_flags, UINT, 1) \
	K(rlimit_name, UINT, 1) K(rusage, UINT, 1) K(rwf, UINT, 1) K(sched, UINT, 1) K(seccomp, UINT, 1) \
	K(seccomp_flags, UINT, 1) K(shmat, UINT, 1) K(shutdown, UINT, 1) K(sigmask_how, UINT, 1) K(socket_flags, UINT, 1) \
	K(socket_type, UINT, 1) K(sol, UINT, 1) K(splice_flags, UINT, 1) K(statx_mask, UINT, 1) K(swap_flags, UINT, 1) \
	K(sync_range, UINT, 1) K(timer_flags, UINT, 1) K(timerfd_flags, UINT, 1) K(umount_flags, UINT, 1) \
	K(userfaultfd_flags, UINT, 1) K(wait_options, UINT, 1) K(waitid, UINT, 1) K(xattr_flags, UINT, 1) K(whence, UINT, 1) \
	K(fsconfig, UINT, 1) K(fsmount_flags, UINT, 1) K(fsopen_flags, UINT, 1) K(fspick_flags, UINT, 1) \
	K(futex2_flags, UINT, 1) K(ipc, UINT, 1) K(landlock_rule, UINT, 1) K(lsm_attr, UINT, 1) K(mount_attrs, UINT, 1) \
	K(move_mount, UINT, 1) K(open_tree, UINT, 1) K(persona, UINT, 1) K(socketcall, UINT, 1) K(syslog, UINT, 1) \
	K(uring_enter, UINT, 1) K(uring_op, UINT, 1) K(kexec_flags, WORD, 1) K(kexec_file_flags, WORD, 1) \
	K(handle_flags, UINT, 1) K(landlock_flags, UINT, 1) K(membarrier_flags, UINT, 1) K(pidfd_flags, UINT, 1) \
	K(pidfd_signal, UINT, 1) K(rseq_flags, UINT, 1) K(timerfd_set, UINT, 1)
/* No arguments of calls: their numbers may be beyond those of a byte. */
#define RT_CALL_INNER_NAMES(K) \
	K(mknod_type, UINT, 1) K(poll_events, UINT, 1) K(epoll_events, UINT, 1) K(child_code, UINT, 1) K(fd_flags, UINT, 1) \
	K(resolve_flags, WORD, 1) K(lock_type, UINT, 1) K(sa_flags, UINT, 1) K(sigstack, UINT, 1) K(fs_type, UINT, 1) \
	K(fs_flags, UINT, 1) K(if_flags, UINT, 1) K(bpf_map, UINT, 1) K(bpf_map_flags, UINT, 1) K(bpf_prog, UINT, 1) \
	K(bpf_elem_flags, WORD, 1) K(baud, UINT, 1) K(cap, UINT, 1) K(dumpable, UINT, 1) K(scm, UINT, 1) \
	K(seccomp_mode, UINT, 1) K(tc_flow, UINT, 1) K(tc_flush, UINT, 1) K(bpf_attach, UINT, 1) K(cap_ambient, UINT, 1) \
	K(cap_version, UINT, 1) K(set_mm, UINT, 1) K(sched_flags, UINT, 1) K(set_vma, UINT, 1) K(spec, UINT, 1) \
	K(spec_ctrl, UINT, 1) K(tsc, UINT, 1) K(landlock_fs, WORD, 1) K(uring_setup, UINT, 1) K(key_serial, UINT, 1) \
	K(quota_op, UINT, 1) K(quota_type, UINT, 1) K(user_desc_flags, UINT, 1)
#define RT_CALL_NAMES(K) RT_CALL_ARGUMENT_NAMES(K) RT_CALL_INNER_NAMES(K)
#define RT_CALL_PARTS(K) \
	K(clone_flags, WORD, 1) K(ipc_flags, UINT, 1) K(shmget, UINT, 1) K(socket_protocol, INT, 1) K(sockopt, INT, 1) K(signal, UINT, 1)
#define RT_CALL_INPUTS(K) \
	RT_CALL_NUMBERS(K) RT_CALL_SOMETIMES(K) RT_CALL_MEMORY(K) RT_CALL_TEXTS(K) RT_CALL_STRUCTS(K) RT_CALL_LISTS(K) \
	RT_CALL_BOTH(K) RT_CALL_NAMES(K) RT_CALL_PARTS(K)
#define RT_CALL_KINDS(K) \
	RT_CALL_NUMBERS(K) RT_CALL_SOMETIMES(K) RT_CALL_MEMORY(K) RT_CALL_TEXTS(K) RT_CALL_STRUCTS(K) RT_CALL_LISTS(K) \
	RT_CALL_BOTH(K) RT_CALL_ARGUMENT_NAMES(K) RT_CALL_PARTS(K) RT_CALL_OUTPUTS(K) RT_CALL_INNER_NAMES(K)

#define RT_CALL_KIND(kind, class, text) RT_CALL_##kind,
enum rt_call_kind { RT_CALL_END, RT_CALL_KINDS(RT_CALL_KIND) RT_CALL_NKINDS };
#undef RT_CALL_KIND
#define RT_CALL_ARGS 6

/* ---- globals ---- */

/* Which statistics a variable's readers need, and the buckets of its histogram. */
enum rt_hist { RT_HIST_NONE, RT_HIST_LOG, RT_HIST_LINEAR };
/* RT_QUANTILE: in struct rt_order only. */
enum rt_stat_op { RT_COUNT, RT_SUM, RT_MIN, RT_MAX, RT_AVG, RT_VARIANCE, RT_QUANTILE };
struct rt_stat_shape {
	enum rt_hist hist;
	rt_s64 low, high, step; /* of RT_HIST_LINEAR */
	rt_u32 shift;           /* of @variance, @avg */
	rt_u32 variance;        /* 1: keep what variance needs */
	rt_u32 quantile;        /* 1: keep what percentiles need */
};

/*
 * What an aggregate takes on each CPU, in words of 8 bytes: its cell, what variance needs, the buckets of its histogram, and the word of
 * its percentiles, which have blocks of their own (rt/stat.h, rt/quantile.h).
 */
#define RT_CELL_WORDS 5
#define RT_VARIANCE_WORDS 4
#define RT_LOG_BUCKETS 128
#define RT_LINEAR_ENDS 3 /* buckets besides one for each step: one for `high', two for what is out of range */

#define RT_OCTAVES 118 /* 59 of each sign */
#define RT_QUANTILE_BLOCK 512
#define RT_QUANTILE_MOST (RT_OCTAVES + 1) /* blocks that one aggregate may take on a CPU */

/* most: limits.max_buckets. */
static inline rt_u32 rt_buckets(const struct rt_stat_shape *shape, rt_u32 most)
{
	rt_u64 n;

	if (shape->hist == RT_HIST_NONE)
		return 0;
	if (shape->hist == RT_HIST_LOG)
		return RT_LOG_BUCKETS;
	if (shape->step <= 0 || shape->high < shape->low)
		return RT_LINEAR_ENDS;
	n = ((rt_u64)shape->high - (rt_u64)shape->low) / (rt_u64)shape->step;
	return (rt_u32)(n < most - RT_LINEAR_ENDS ? n : most - RT_LINEAR_ENDS) + RT_LINEAR_ENDS;
}

static inline rt_u32 rt_more_words(const struct rt_stat_shape *shape, rt_u32 most)
{
	return (shape->variance ? RT_VARIANCE_WORDS : 0) + rt_buckets(shape, most) + !!shape->quantile;
}

#define RT_MAX_KEYS 9
#define RT_COUNT_BYTES 16 /* memory of an element of a shared array on each CPU */

struct rt_map_shape {
	rt_u8 nkeys;
	rt_u8 key[RT_MAX_KEYS]; /* RT_LONG or RT_STRING */
	rt_u8 value;            /* enum rt_type */
	rt_u8 wrap;             /* a full array recycles its oldest element instead of failing */
	rt_u8 sized;            /* max was declared: the message names it instead of MAXMAPENTRIES */
	rt_u32 max;             /* elements */
	struct rt_stat_shape stat;
	rt_u8 shared; /* of longs, does not wrap, is mostly changed by rt_map_add(): needs no global lock */
};

struct rt_map;  /* rt/map.c */
struct rt_stat; /* rt/stat.c */

/* A string global's storage, with string_max + 1 bytes after it. */
struct rt_strvar {
	rt_u32 n;
	char s[];
};

/*
 * A global.  The script defines the storage and the runtime fills what needs memory before any probe runs:
 *   long: rt_s64;  string: struct rt_strvar with string_max + 1 bytes;  stats: struct rt_stat *;
 *   array: struct rt_map *.
 * -G name=value sets longs and strings through storage.
 */
struct rt_global {
	const char *name;
	enum rt_type type;
	void *storage;
	const struct rt_map_shape *map;   /* arrays, else NULL */
	const struct rt_stat_shape *stat; /* scalar statistics, else NULL */
};

/* ---- tables of single operations ---- */

/* Formats of print and printf. */
enum rt_fmt_flags {
	RT_FMT_MINUS = 1 << 0,
	RT_FMT_PLUS = 1 << 1,
	RT_FMT_SPACE = 1 << 2,
	RT_FMT_ALT = 1 << 3,
	RT_FMT_ZERO = 1 << 4,
	RT_FMT_WIDTH_ARG = 1 << 5,     /* width is the next argument */
	RT_FMT_PRECISION_ARG = 1 << 6,
};
/* One conversion and the literal text before it; conv 0: only the text. */
struct rt_fmt_piece {
	struct rt_str text;
	char conv;      /* d i u o x X p c s b m M */
	rt_u8 flags;
	int width;      /* -1 = none */
	int precision;  /* -1 = none */
};
#define RT_FMT_PLAIN .width = -1, .precision = -1
struct rt_fmt {
	const struct rt_fmt_piece *pieces;
	rt_u32 n;
};

/*
 * Pretty-printing: a text and, after it, an input's value as conv says; in_memory: the width bits from bit_off of the memory at
 * input + off.
 *   d u x  a number; c: a character in quotes; s: the string that a pointer points to, or the pointer; a: n characters in place
 *   n      skips the next n pieces and prints 0x0 if the input is 0;   0  only the text
 * Unreadable memory is printed as ERROR; a text that is too long ends with "...".  Strings are in the same address space.
 */
#define RT_SHOW_CHARS 'a'
#define RT_SHOW_SKIP 'n'
struct rt_show_piece {
	struct rt_str text;
	char conv;
	rt_u8 in_memory, is_signed, space, bit_off, width;
	rt_u32 input, n;
	rt_u64 off;
};

/* Constants of an enum by ascending value; a value without a name is shown as digits. */
struct rt_enum_name {
	rt_s64 value;
	struct rt_str name;
};

/* Regular expressions (rt/regex.c reads them). */

/* States are offsets of rows in next[]; sorted: 0 is the dead state, from which nothing matches. */
struct rt_regex_table {
	const rt_u16 *next; /* next[state + class] */
	rt_u16 start;
	rt_u16 found;       /* up to this state, a match ends here */
	rt_u16 at_end;      /* up to this one, it does if the text ends too */
};
/* A thread's last step: from which thread before, and over which marks. */
#define RT_REGEX_START 0xffff /* the match begins here */
/* Marks: group g begins, ends. */
#define RT_REGEX_BEGINS(g) (2 * (g) + 2)
#define RT_REGEX_ENDS(g) (2 * (g) + 3)
struct rt_regex_step {
	rt_u16 from, marks;
};
struct rt_regex_groups {
	rt_u32 ngroups;             /* with the whole match, group 0 */
	const rt_u16 *last;         /* of each group: the last group inside it, or itself */
	struct rt_regex_table back; /* from the end of the text to where the leftmost match begins */
	struct rt_regex_table way;  /* from there to its end */
	rt_u16 start_at_begin;      /* of way, at the beginning of the text */
	const rt_u16 *moves;        /* parallel to way.next[]: the first step into the next state */
	const rt_u16 *ends;         /* 2 per state: 1 + the step that ends a match in it; 1 + the one that does at the end of the text */
	const struct rt_regex_step *steps;
	const rt_u16 *marks;        /* runs, ended by 0, of RT_REGEX_BEGINS(g) and RT_REGEX_ENDS(g); last one first */
};
struct rt_regex {
	const rt_u8 *classes;       /* column of each of 256 bytes, in all tables */
	rt_u16 nclasses;
	struct rt_regex_table test; /* is there a match?  The first state where one ends is final */
	const struct rt_regex_groups *groups; /* NULL: for rt_regex_test() only */
};

/* ---- stacks and symbols of programs ---- */

/*
 * How stacks are walked up: for each stretch of code, where the caller's frame begins (the canonical frame address, CFA), and what registers
 * were in the caller.  Registers are numbered: 0 is the stack pointer, the others are rt_script.followed; of saved[], 0 is the return address.
 * RT_CFA_KEPT and RT_CFA_PARENT are of the code that runs, and not of one of its callers, as only then registers[n] is known.
 */
enum rt_cfa {
	RT_CFA_UNKNOWN,
	RT_CFA_OUTERMOST, /* there is no caller */
	RT_CFA_REGISTER,  /* register + offset */
	RT_CFA_MEMORY,    /* the word at that address, + n */
	RT_CFA_PLAIN,     /* register + offset; nothing was interrupted, and all that was changed is saved at the CFA + offset */
	RT_CFA_STUB,      /* register + offset, and a word more from the n-th of each 16 bytes of code on */
	RT_CFA_KEPT,      /* register + offset; registers[n] is the return address, and not the word where it was */
	RT_CFA_PARENT,    /* register + offset, if registers[n] is not 0; else there is no caller */
};
enum rt_saved { /* from RT_SAVED_AT_CFA on they are saved in memory */
	RT_SAVED_SAME,
	RT_SAVED_LOST,
	RT_SAVED_AT_CFA,      /* the word at the CFA + offset */
	RT_SAVED_AT_REGISTER, /* the word at the register that the CFA is found by + offset */
};
#define RT_UNWIND_REGISTERS 9
#define RT_SAVED(how, off) ((off) * 4 + RT_SAVED_##how)
struct rt_unwind_rule {
	rt_u8 cfa, reg, n;
	rt_u8 is_signal; /* the caller was interrupted */
	rt_u32 changed;  /* bit i: saved[i], i > 0, is not RT_SAVED_SAME */
	rt_s32 off;
	rt_s32 saved[RT_UNWIND_REGISTERS]; /* RT_SAVED() */
};

struct rt_image_symbol {
	rt_u32 at, size; /* in the file */
	rt_u32 name;     /* in names */
};

/* A segment with code: where in the file, and the address that the file says of its beginning. */
struct rt_image_code {
	rt_u64 off, size, address;
};

/*
 * Which lines of source files code is of.  A row holds from an offset on, up to the next row.  It has the difference to the offset of the row
 * before, that to its line, and the file, if that is another one.  All are numbers, the lowest 7 bits first, with the highest bit of a byte set
 * if there are more.  A difference d of lines is x = 2 * d, or -2 * d - 1 if d < 0; what is there is 2 * x, or 2 * x + 1 if a file follows.
 * A block has RT_LINES_BLOCK rows, the last one perhaps fewer.  Before its first row the offset is the block's, and line and file are 0.
 */
#define RT_LINES_BLOCK 64
struct rt_lines_block {
	rt_u32 at, pos; /* pos: in packed */
};
struct rt_lines {
	const struct rt_lines_block *blocks; /* ascending */
	const rt_u8 *packed;
	const rt_u32 *files; /* in names; the first one is of code that has no line */
	const char *names;
	rt_u32 nblocks, nfiles, npacked;
};

/* A program or library.  Code is known by its offset in the file. */
#define RT_IMAGE_BLOCK 128
#define RT_VDSO "[vdso]" /* the path of the code that the kernel maps into each program */
struct rt_image {
	const char *path, *build_id; /* build_id may be NULL: then it must have this size and time of change, in seconds */
	rt_s64 size, changed;
	const rt_u32 *at;       /* where the code of each row begins; the first is 0, and the last one has no end */
	const rt_u16 *rule;
	const rt_u32 *blocks;   /* of each RT_IMAGE_BLOCK bytes: the last row that begins before their second one; nblocks of them */
	const struct rt_unwind_rule *rules;
	rt_u32 nrows, nblocks;
	rt_u32 nsymbols;
	const struct rt_image_symbol *symbols; /* ascending */
	const char *names;
	rt_u32 ncode;
	const struct rt_image_code *code;
	const struct rt_lines *lines; /* or NULL */
};

/*
 * The tables of an image in one piece, made while the session runs.  After it come in this order, each without a gap: rules, code, symbols, at,
 * blocks, rule, names, and path and build-id with their NULs; an empty build-id: none.
 */
struct rt_image_tables {
	rt_u32 nrules, ncode, nsymbols, nrows, nblocks, nnames; /* nnames: bytes; the last one is 0 */
	rt_u32 npath, nbuild_id;                                /* bytes, with the NUL */
};

/*
 * A frame: an address, and which code that is: image and offset in its file, and whether that is where a call returns to.  0: not known.
 * The first 16 bits of RT_WHERE are never those of a kernel address.
 */
struct rt_frame {
	rt_u64 at, where;
};
#define RT_WHERE(image, off, is_return) ((rt_u64)((image) + 1) << 48 | (rt_u64)(is_return) << 47 | (off))
#define RT_WHERE_IMAGE(where) ((rt_u32)((where) >> 48) - 1)
#define RT_WHERE_IS_RETURN(where) ((where) >> 47 & 1)
#define RT_WHERE_RETURN (1ull << 47)
#define RT_WHERE_LINE (1ull << 46) /* the line is wanted too */
/*
 * The same of code of the kernel: its address, with two of its highest bits, which are ones, cleared: always the one, the other for is_return.  So
 * it is no RT_WHERE of an image, as there are not so many.
 */
#define RT_WHERE_KERNEL(address, is_return) ((address) & ~((rt_u64)1 << 48 | (rt_u64)(is_return) << 47))
#define RT_WHERE_IS_KERNEL(where) ((where) >> 48 == 0xfffe)
#define RT_WHERE_KERNEL_IS_RETURN(where) (!((where) >> 47 & 1))
#define RT_WHERE_ADDRESS(where) ((where) | (rt_u64)3 << 47)
#define RT_WHERE_OFFSET(where) ((rt_u32)(where))
#define RT_IMAGES_MOST 0xf000 /* of the script; those that the platform finds have numbers above theirs */
#define RT_FRAMES_MOST 64 /* that are printed or asked for at once, with one that says why there are no more */

/* Why a stack ends before its outermost call.  As a frame: at is 0 and where is one of these. */
enum rt_stack_end {
	RT_END_OUTERMOST, /* it does not */
	RT_END_LIMIT,     /* as many frames as were asked for */
	RT_END_NO_CODE,   /* the address is of no code */
	RT_END_FOREIGN,   /* of a file without tables: not known when the script was compiled, or replaced since; or of none */
	RT_END_UNKNOWN,   /* nothing says what the caller is */
	RT_END_MEMORY,    /* the stack cannot be read, or is not in memory */
	RT_END_BUSY,      /* mappings are being changed, or cannot be looked at here */
	RT_END_DAMAGED,   /* the caller would be below what it called */
	RT_END_HOOKED,    /* the return is probed, and where it leads to is not known here */
	RT_END_MACHINE,   /* 32-bit code */
	RT_END_REGISTERS, /* the program's registers are not known here */
	RT_ENDS
};

/* ---- the script ---- */

/* A kernel symbol that the script uses.  Its address is found when the session starts; of a module's, it is 0 while that is not loaded. */
struct rt_ksymbol {
	const char *name;
	const char *module; /* or NULL */
	rt_bool optional;   /* it is no error that there is none */
	rt_u64 address;
};

/* Lines of code of the kernel, by offsets from the address of ksymbols[symbol]. */
struct rt_kernel_lines {
	rt_u32 symbol;
	const struct rt_lines *lines;
};

/* A module of the kernel that the script was compiled for: probes are in it, or variables of it are read. */
struct rt_module {
	const char *name;
	const char *build_id; /* in lower-case hex, or NULL: not known */
	rt_bool warned;       /* the runtime's */
};

/* Bits of rt_script.programs: what the tables have that are made, while the session runs, of files without tables. */
#define RT_PROGRAMS 1         /* such tables are made: where code is in the file, its path and build-id */
#define RT_PROGRAMS_UNWIND 2  /* how stacks are walked up */
#define RT_PROGRAMS_SYMBOLS 4 /* names of functions */

#define RT_NO_LIMIT 0xffffffffu

struct rt_limits {
	rt_u32 string_max;     /* MAXSTRINGLEN - 1: most bytes a string has */
	rt_u32 action;         /* budget of the first portion */
	rt_u32 more;           /* what MAXACTION allows beyond the first, in portions of the same size */
	rt_u32 nesting;        /* MAXNESTING: calls */
	rt_u32 errors;         /* MAXERRORS tolerated */
	rt_u32 skipped;        /* MAXSKIPPED tolerated; RT_NO_LIMIT: any number */
	rt_u32 lock_us;        /* longest wait for a lock: MAXTRYLOCK * TRYLOCKDELAY */
	rt_u32 arena;          /* bytes of string temporaries a hit may need at once */
	rt_u32 iter;           /* bytes for foreach snapshots of a hit */
	rt_u32 out;            /* STP_BUFFER_SIZE: print buffer of a hit */
	rt_u32 overload_interval_us, overload_percent; /* 0 percent: no check */
	rt_u32 stack;          /* MINSTACKSPACE: bytes of the kernel's stack to leave, if more than the runtime needs */
	rt_u32 buffer_kb;      /* transport buffer per CPU (-s) */
	rt_u32 kretactive;     /* 0 = choose */
	rt_u32 backtrace;      /* MAXBACKTRACE */
	rt_u32 timing;         /* 1: what handlers take is reported at the end */
	rt_u32 memory_kb;      /* STP_MAXMEMORY: most that globals and contexts may take; 0 = no such limit */
	rt_u32 max_buckets;    /* STP_MAX_BUCKETS: buckets of a linear histogram, those beyond its ends included */
	rt_u32 hist_width;     /* HIST_WIDTH: longest bar */
	rt_u32 hist_elision;   /* HIST_ELISION: empty rows shown on each side of rows that are left out; RT_NO_LIMIT: none are left out */
	rt_u32 quantile_kb;    /* MAXQUANTILEKB: room on each CPU for the percentiles of an array's elements */
	rt_u32 regex_groups;   /* most groups of a regular expression, the whole match included; 0: groups are not needed */
};

/* A budget is written as RT_BUDGET(actions). */
#define RT_PORTION 1000 /* a larger budget comes in portions of so many actions: then the handler may have to end */
#define RT_BUDGET(n) .action = (n) < RT_PORTION ? (n) : RT_PORTION, .more = (n) < RT_PORTION ? 0 : (n) - RT_PORTION

/* The limits of most scripts; their C only has those that differ. */
#define RT_USUAL_LIMITS                                                                                      \
	.string_max = 511, RT_BUDGET(10000u), .nesting = 32, .skipped = RT_NO_LIMIT, .lock_us = 100000,      \
	.arena = 16384, .out = 8192, .overload_interval_us = 1000000, .overload_percent = 50, .stack = 1024, \
	.buffer_kb = 16384, .backtrace = 20, .max_buckets = 128, .hist_width = 50, .hist_elision = 2,        \
	.quantile_kb = 4096

/* What a foreach over so many elements takes of limits.iter while it runs, in addition to outer ones, with room for a step of its walk. */
#define RT_ITER_STEP 64
#define RT_ITER_BYTES(elements) (16 * (elements))
#define RT_ITER_ROOM(elements) RT_ITER_BYTES((elements) + RT_ITER_STEP)
#define RT_ITER_MOST (RT_NO_LIMIT / RT_ITER_BYTES(1) - RT_ITER_STEP) /* elements for which limits.iter can state the room */

struct rt_script {
	rt_u32 abi; /* RT_ABI */
	rt_u32 frame; /* stack of its largest function, in bytes: known after compiling; translator/build/ writes it here */
	const char *name; /* module name */
	const struct rt_limits *limits;
	const struct rt_loc *locs;
	rt_u32 nlocs;
	const struct rt_probe *probes;
	rt_u32 nprobes;
	const struct rt_site_table *tables; /* only mechanisms in use, in the order in which they start */
	rt_u32 ntables;
	const struct rt_global *globals;
	rt_u32 nglobals;
	struct rt_ksymbol *ksymbols;
	rt_u32 nksymbols;
	struct rt_module *modules;
	rt_u32 nmodules;
	rt_condition *const *conditions;
	rt_u32 nconditions;
	const struct rt_image *images;
	rt_u32 nimages;
	const struct rt_kernel_lines *kernel_lines;
	rt_u32 nkernel_lines;
	rt_u8 followed[RT_UNWIND_REGISTERS]; /* DWARF's numbers of registers 1 .. */
	/* bit i: the rules of the script's images restore register i; rules of files found later may find frames only by such registers */
	rt_u16 tracked;
	rt_u8 programs; /* RT_PROGRAMS and its bits; 0: the script asks for no stacks and no code of programs */
	rt_u8 guru;     /* made with -g: memory of programs is watched in an emulator too */
};

/* Defined by the generated C. */
extern const struct rt_script rt_script;

#endif
