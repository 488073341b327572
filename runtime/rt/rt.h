/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only header that generated C includes. Freestanding: no kernel header, no libc. It has
 *
 *   - the tables that the translator writes (rt/script.h),
 *   - what a handler body may call (rt_*), implemented in runtime/rt/ and by the platform (rt/port.h).
 *
 * Context rules. A handler has a struct rt_ctx of its own until it returns. Nothing here allocates
 * or sleeps, except rt_read*() with RT_USER in a handler that may sleep (ctx->may_sleep). Between
 * rt_lock*() and rt_unlock() interrupts are off and only functions marked [locked] may be called.
 *
 * Soft errors. A function that can fail sets ctx->error and returns a harmless value; generated code tests
 * RT_FAILED(c) after each call marked [fails] and goes to its error exit, which calls rt_unlock() when a
 * lock may be held. The position is ctx->loc, which generated code sets before the call.
 *
 * Strings are slices. A slice that a function returns lives in the context's arena until the enclosing
 * rt_release() or the end of the hit; constants live in the module. A slice is at most limits.string_max
 * bytes and holds no NUL.
 */
#ifndef RT_RT_H
#define RT_RT_H

#include "rt/script.h"

#define RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- values ---- */

union rt_val {
	rt_s64 l;
	struct rt_str s;
};

/* ---- the context of a hit ---- */

/* What follows from the error of a hit. */
enum rt_error_kind {
	RT_OK = 0,
	RT_SOFT,   /* catchable */
	RT_ABORT,  /* abort(): unwinds, not catchable, no message */
	RT_FATAL,  /* overload, damaged context: not catchable, message */
	RT_STOPPED, /* the session is ending and would have to wait for this hit: not catchable, warning */
	RT_SKIP,   /* lock time-out: the hit counts as skipped, not as error */
};

#define RT_CALLERS 6 /* places of calls that an error message shows */

#define RT_SCRATCH 512
struct rt_ctx {
	/* read and written inline by generated code */
	rt_u32 error;          /* enum rt_error_kind */
	rt_u32 loc;            /* index into rt_script.locs of the present operation */
	rt_s64 budget;         /* actions left of this portion */
	char *arena_pos;       /* next free byte of string space */
	/* set by the runtime when the hit begins */
	const struct rt_probe *probe;
	void *regs;            /* registers of the probed code, or NULL */
	unsigned long from[3]; /* the platform's: from where stacks are walked up if there are no registers; [0] == 0: from where that is asked */
	rt_u64 *entry;         /* entry_slots slots: written by the entry handler, read by the handler */
	const rt_u64 *args;    /* nargs values that came with the hit, if they are not in registers; else NULL */
	rt_u32 nargs;
	const void *data;      /* the mechanism's own, about the hit; only its own functions use it */
	/* set by the mechanism after hit_enter(), which clears them */
	rt_u64 probe_addr;     /* of the probed instruction, of the function for returns; 0: none */
	rt_u64 load_base;      /* of user code: what rt_load_base() gives */
	rt_u8 may_sleep;       /* user memory may be faulted in */
	rt_u8 no_locks;
	rt_u8 in_end;          /* begin/end/error: no overload check */
	/* the runtime's own */
	rt_u32 nesting;
	rt_u32 nlocked;        /* globals whose locks are held: locked_all[0 .. nlocked) */
	const rt_u32 *locked_all;
	rt_u32 locked1;        /* storage for rt_lock1() */
	unsigned long irq_flags;
	unsigned long stack_limit; /* lowest stack address that frames of calls may reach */
	char *arena, *arena_end;
	char *iter, *iter_pos, *iter_end;
	char *out;             /* limits->out bytes, and room for one struct rt_part more */
	rt_u32 out_n;
	rt_u32 out_part;       /* where in out the last stack ends, 0: there is none */
	rt_u32 error_loc;
	rt_u32 callers[RT_CALLERS]; /* the places of the calls that led to the error, innermost first */
	rt_u32 ncallers;       /* the number of all, also those that callers[] has no room for */
	rt_u64 start;          /* clock at the begin of the hit, for overload */
	rt_u64 first_asked;    /* the platform's: clock at the hit's first rt_port_goes_on(); 0: not yet */
	char *message;         /* of error: message_size bytes, ends with a NUL */
	rt_u64 wait_until;     /* the platform's: when this hit stops waiting for memory; 0: it has not waited */
	rt_u32 reserve_used;   /* MAXACTION was caught once: see rt_catch() */
	rt_u32 portions;       /* of the budget, after the first */
	rt_u32 message_size;
	char *tokens;          /* what tokenize() cuts up: tokens[tokens_pos .. tokens_n) is left */
	rt_u32 tokens_pos, tokens_n;
	struct rt_match *match;         /* rt/regex.c's memory */
	const struct rt_regex *matched; /* what matched in the last rt_regex_match(), NULL: nothing */
	rt_u8 scratch[RT_SCRATCH] __attribute__((aligned(8))); /* for one function of the runtime while it runs: stacks are small */
};

#define RT_FAILED(c) RT_UNLIKELY((c)->error)

/* A function that was called at loc has failed: error messages show the calls. */
void rt_called_from(struct rt_ctx *c, rt_u32 loc);

/* ---- control ---- */

/* A portion is used up: false when there is another and the hit goes on. */
rt_bool rt_budget_exceeded(struct rt_ctx *c);

/* For work that takes long for one action: true when the hit must not go on (the error is then set).  [fails] [locked] */
rt_bool rt_must_end(struct rt_ctx *c);

/* Takes n actions from the budget; true when it is used up (the error is then set).  [fails] [locked] */
static inline rt_bool rt_charge(struct rt_ctx *c, rt_u32 n)
{
	c->budget -= n;
	if (RT_LIKELY(c->budget >= 0))
		return 0;
	return rt_budget_exceeded(c);
}

/*
 * Entering and leaving a script function: nesting and stack checks.  True when it must not go on.  [fails:
 * then do not leave]
 */
rt_bool rt_call_enter(struct rt_ctx *c);
void rt_call_leave(struct rt_ctx *c);

/*
 * Soft error at c->loc: printf-like with %s %d %u %x %lld %llu %llx %c %%.  Only the first error of a hit is kept.
 * [locked]
 */
void rt_error(struct rt_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* error(text), abort(), exit() of the language.  rt_exit() only asks; the handler goes on. */
void rt_error_str(struct rt_ctx *c, struct rt_str text);
void rt_abort(struct rt_ctx *c);
void rt_exit(struct rt_ctx *c);
/*
 * catch: takes the error if it can be caught (true) and gives its text, unless text is NULL; else false and
 * the error stays. MAXACTION exceeded can be caught once in a hit, which then has an eighth of its budget
 * left.
 */
rt_bool rt_catch(struct rt_ctx *c, struct rt_str *text);

/* ---- string space ---- */

/* The mark is c->arena_pos itself; what was made after it is given back. */
static inline char *rt_mark(struct rt_ctx *c)
{
	return c->arena_pos;
}
static inline void rt_release(struct rt_ctx *c, char *mark)
{
	c->arena_pos = mark;
}
/*
 * The end of a script function: gives back what was made after the mark, except s, which moves to the mark if it is there.
 */
struct rt_str rt_keep(struct rt_ctx *c, char *mark, struct rt_str s);
/* At least n bytes; NULL with a soft error "string space exhausted".  [fails] [locked] */
char *rt_alloc(struct rt_ctx *c, rt_u32 n);
/*
 * A buffer of string_max + 1 bytes for a string local that is assigned in a loop; rt_local_set() copies
 * into it.  [fails]
 */
char *rt_local_alloc(struct rt_ctx *c);
struct rt_str rt_local_set(struct rt_ctx *c, char *local, struct rt_str s);

/* ---- integers ---- */

static inline rt_u64 rt_symbol(struct rt_ctx *c, const struct rt_ksymbol *k) /* [fails] if its module is not there */
{
	rt_u64 address = *(const volatile rt_u64 *)&k->address;

	if (RT_UNLIKELY(!address))
		rt_error(c, "module %s is not loaded, and \"%s\" is in it", k->module, k->name);
	return address;
}

rt_s64 rt_div(struct rt_ctx *c, rt_s64 a, rt_s64 b); /* [fails] "division by 0"  [locked] */
rt_s64 rt_mod(struct rt_ctx *c, rt_s64 a, rt_s64 b); /* [fails] [locked] */
rt_u64 rt_umod(struct rt_ctx *c, rt_u64 a, rt_u64 b); /* [fails] [locked] */
#define rt_add(a, b) ((rt_s64)((rt_u64)(a) + (rt_u64)(b)))
#define rt_sub(a, b) ((rt_s64)((rt_u64)(a) - (rt_u64)(b)))
#define rt_mul(a, b) ((rt_s64)((rt_u64)(a) * (rt_u64)(b)))
#define rt_neg(a) ((rt_s64)(0 - (rt_u64)(a)))
#define rt_shl(a, b) ((rt_s64)((rt_u64)(a) << ((b) & 63)))
#define rt_shr(a, b) ((rt_s64)(a) >> ((b) & 63))
#define rt_ushr(a, b) ((rt_s64)((rt_u64)(a) >> ((b) & 63)))

/* ---- strings: all [locked], those that make a string [fail] when the space is exhausted ---- */

int rt_str_cmp(struct rt_str a, struct rt_str b); /* byte order, unsigned: < 0, 0, > 0 */
rt_bool rt_str_eq(struct rt_str a, struct rt_str b);
struct rt_str rt_str_cat(struct rt_ctx *c, const struct rt_str *parts, rt_u32 n);
struct rt_str rt_str_copy(struct rt_ctx *c, const char *p, rt_size n); /* cut at string_max and at a NUL */
struct rt_str rt_str_constant(const char *p); /* cut at string_max; p stays for ever, so it is not copied.  Cannot fail */
/* Globals: reading copies to the arena, writing copies into the storage. */
struct rt_str rt_strvar_get(struct rt_ctx *c, const struct rt_strvar *v);
void rt_strvar_set(struct rt_ctx *c, struct rt_strvar *v, struct rt_str s);

/* A string that an entry handler saves for the handler at the return: in a slot for its length and string_max + 1 bytes after it. */
void rt_entry_save_str(struct rt_ctx *c, rt_u32 slot, struct rt_str s);
static inline struct rt_str rt_entry_str(const struct rt_ctx *c, rt_u32 slot)
{
	return (struct rt_str){(const char *)(c->entry + slot + 1), (rt_u32)c->entry[slot]};
}

/* ---- regular expressions (rt/regex.c): tables that translator/regex/ makes; [locked] ---- */

/* Does it match anywhere?  One step per byte, until the answer is known. */
rt_bool rt_regex_test(const struct rt_regex *re, struct rt_str s);
/* The same, and keeps the text for rt_matched(); needs limits->regex_groups. */
rt_bool rt_regex_match(struct rt_ctx *c, const struct rt_regex *re, struct rt_str s);

struct rt_str rt_enum_name(struct rt_ctx *c, const struct rt_enum_name *names, rt_u32 n, rt_s64 value);

/* ---- locks ---- */

/*
 * Takes the locks of globals (indices into rt_script.globals, ascending) for a region; interrupts are off until rt_unlock().  If a lock
 * cannot be taken within limits->lock_us: false with error RT_SKIP, nothing held.  Does nothing when c->no_locks.  Not recursive: a
 * region never contains another.
 */
rt_bool rt_lock(struct rt_ctx *c, const rt_u32 *globals, rt_u32 n);
rt_bool rt_lock1(struct rt_ctx *c, rt_u32 global);
/* Releases what is held, if anything. */
void rt_unlock(struct rt_ctx *c);

/* ---- arrays: the global's lock is held by the caller, except where stated ---- */

/* key: shape->nkeys values in order. */
rt_s64 rt_map_get_long(struct rt_ctx *c, struct rt_map *m, const union rt_val *key); /* 0 if absent */
/* A copy; "" if absent.  [fails] */
struct rt_str rt_map_get_str(struct rt_ctx *c, struct rt_map *m, const union rt_val *key);
/*
 * The element's place, made with 0 when absent: valid until rt_unlock().  NULL with error when full.
 * [fails]
 */
rt_s64 *rt_map_ref(struct rt_ctx *c, struct rt_map *m, const union rt_val *key);
/* [fail] */
void rt_map_set_long(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v);
void rt_map_set_str(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, struct rt_str v);
/* a[k] += v for shared arrays: per CPU, needs no global lock; any context, as a[k] <<< v below.  [fails] when full */
void rt_map_add(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v);
/* Also of arrays of statistics, as the next two. */
rt_bool rt_map_has(struct rt_ctx *c, struct rt_map *m, const union rt_val *key); /* this and the next two fail where arrays are shared */
void rt_map_delete(struct rt_ctx *c, struct rt_map *m, const union rt_val *key);
void rt_map_clear(struct rt_ctx *c, struct rt_map *m);
/*
 * Slices: bit i of fixed says that key[i] counts; the others match anything.  Not [locked]: they take the lock, for some elements at a
 * time, and actions for them.  [fail]
 */
rt_bool rt_map_has_slice(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 fixed);
void rt_map_delete_slice(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 fixed);

/*
 * a[k] <<< v: per CPU, needs no global lock; any context (in an NMI it is given up as RT_SKIP if it would have to wait).  Size and order
 * of insertion count over all CPUs.  [fails] when full
 */
void rt_map_stat_add(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v);
/* Merged over CPUs.  @min, @max, @avg, @variance without values: "empty aggregate".  [fails] */
rt_s64 rt_map_stat_get(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, enum rt_stat_op op);

/*
 * The value that permille thousandths of all do not exceed, less than 1 % from the exact one; between @min and
 * @max.  "empty aggregate", and thousandths outside 0 to 1000.  [fails]
 */
rt_s64 rt_map_quantile(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 permille);

/*
 * foreach: rt_iter_begin() takes a snapshot of the elements, sorted and cut; then rt_iter_next() is called for each.  Elements that are
 * deleted meanwhile are left out.  Not [locked]: they take the array's lock for some elements at a time, and hold none while the body
 * runs.  Nested loops nest; rt_iter_end() must be called in reverse order, also on error exits.
 */
struct rt_order {
	rt_s64 limit;     /* < 0: all */
	int direction;    /* 0 insertion order, 1 ascending, -1 descending */
	rt_u32 by;        /* 0 the value, i the i-th key */
	enum rt_stat_op stat; /* of values that are statistics */
	rt_u32 permille;      /* of RT_QUANTILE: 0 .. 1000 */
	rt_bool free;         /* takes no actions from the budget */
};
struct rt_iter {
	struct rt_map *map;
	void *items;
	rt_u32 n, i;
	char *mark;
};
/* fixed/key as in slices; fixed 0 = all.  [fails] */
void rt_iter_begin(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, const struct rt_order *order,
		   const union rt_val *key, rt_u32 fixed);
/*
 * Fills nkeys keys (strings copied to the arena) and, if not NULL, the value (long or string); false at the
 * end.  [fails]
 */
rt_bool rt_iter_next(struct rt_ctx *c, struct rt_iter *it, union rt_val *key, union rt_val *value);
void rt_iter_end(struct rt_ctx *c, struct rt_iter *it);

/* ---- scalar statistics: no lock needed, [locked] allowed ---- */

void rt_stat_add(struct rt_ctx *c, struct rt_stat *s, rt_s64 v); /* [fails] */
rt_s64 rt_stat_get(struct rt_ctx *c, struct rt_stat *s, enum rt_stat_op op); /* [fails] "empty aggregate" */
rt_s64 rt_stat_quantile(struct rt_ctx *c, struct rt_stat *s, rt_s64 permille); /* [fails] as rt_map_quantile() */
void rt_stat_clear(struct rt_ctx *c, struct rt_stat *s);

/*
 * ---- printing: [locked], except %m and %M, and histograms ----
 *
 * Goes to the hit's buffer, which is sent as one record when the hit ends; a full buffer is sent up to its last line end.  A print that
 * fails prints nothing, except parts that were already sent because it was too long.
 */

void rt_print_str(struct rt_ctx *c, struct rt_str s);
void rt_print_char(struct rt_ctx *c, rt_s64 byte);

/* Arguments in order, widths and precisions included.  [fails] for %m and %M of bad memory */
void rt_printf(struct rt_ctx *c, const struct rt_fmt *fmt, const union rt_val *args);
struct rt_str rt_sprintf(struct rt_ctx *c, const struct rt_fmt *fmt, const union rt_val *args);

/*
 * print(@hist_log(x)) and its sprint form; key NULL for scalars (then s), else m.  [fails]  Take and
 * release their own locks.
 */
void rt_print_hist(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key);
struct rt_str rt_sprint_hist(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key);
/* @hist_log(x)[i]: count of a bucket; "histogram index out of range".  [fails] */
rt_s64 rt_hist_bucket(struct rt_ctx *c, struct rt_stat *s, struct rt_map *m, const union rt_val *key,
		      rt_s64 i);

/* ---- the probed code: registers and memory.  Not [locked] ---- */

/* n-th (0..) argument of the hit: what came with it, or of the probed function at its entry, by the calling convention. */
rt_u64 rt_arg(struct rt_ctx *c, rt_u32 n);
/* Is an argument (from 1 on) certain beyond those that every call passes in registers?  If not: an error, which names the function. */
rt_bool rt_has_far_arg(struct rt_ctx *c, const char *function, rt_s64 n);
/* The same of any argument. */
static inline rt_bool rt_has_arg(struct rt_ctx *c, const char *function, rt_s64 n)
{
	return (n >= 1 && n <= 6) || rt_has_far_arg(c, function, n);
}
/* The same of a probe whose hits always bring more than n values. */
static inline rt_u64 rt_given(struct rt_ctx *c, rt_u32 n)
{
	return c->args[n];
}
rt_u64 rt_retval(struct rt_ctx *c);
/* Register by its DWARF number. */
rt_u64 rt_reg(struct rt_ctx *c, rt_u32 dwarf);
/* The same of the current task's user code; if it has none: [fails] */
rt_u64 rt_user_reg(struct rt_ctx *c, rt_u32 dwarf);
/* The current CPU's copy of a per-CPU object. */
rt_u64 rt_this_cpu(rt_u64 object);
/* That of another; a CPU that the machine cannot have: [fails] */
rt_u64 rt_of_cpu(struct rt_ctx *c, rt_u64 object, rt_u64 cpu);
/* Run-time minus link-time address of the ELF image that holds the probed user code. */
rt_u64 rt_load_base(struct rt_ctx *c);
/*
 * The same of rt_script.images[image] in the current process; it is not mapped there, or there are several copies: [fails].
 * thread: what is read is the thread's own.
 */
rt_u64 rt_image_base(struct rt_ctx *c, rt_u32 image, rt_bool thread);
/* What the current thread has its own variables at a distance from. */
rt_u64 rt_thread_pointer(struct rt_ctx *c);
/*
 * Where the current thread, of which thread is rt_thread_pointer(), has its variables of the library that is loaded at bias; none yet, or not known:
 * [fails].  list, offset: of the dynamic linker's list from its own beginning, and of the place of the variables in its structure for the library.
 */
rt_u64 rt_thread_block(struct rt_ctx *c, rt_u64 thread, rt_u64 bias, rt_u64 list, rt_u64 offset);
/* size 1, 2, 4, 8; the value is zero-extended.  Bad address: error "... fault at 0x...".  [fails] */
rt_u64 rt_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u32 size);
/* Returns otherwise if it cannot be read, without an error. */
rt_u64 rt_read_or(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u32 size, rt_u64 otherwise);
/* A string of at most max bytes (cut at string_max).  Bad address: [fails] */
struct rt_str rt_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 max);
/* The same with a replacement instead of the error. */
struct rt_str rt_read_str_or(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 max,
			     struct rt_str otherwise);

struct rt_str rt_show(struct rt_ctx *c, const struct rt_show_piece *pieces, rt_u32 n, const rt_u64 *inputs);

/*
 * Writing, in guru mode.  To memory: the low size (1, 2, 4, 8) bytes of v; or the low width bits of v to those from bit off (0..7) of
 * the first byte on, byte by byte, leaving the others alone.  Bad or read-only address: error "... write fault at 0x...".  [fails]
 */
void rt_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 v, rt_u32 size);
void rt_write_bits(struct rt_ctx *c, enum rt_space space, rt_u64 addr, rt_u64 v, rt_u32 off, rt_u32 width);
/* The counterparts of rt_arg(), rt_retval(), rt_reg().  [fails] */
void rt_set_arg(struct rt_ctx *c, rt_u32 n, rt_u64 v);
void rt_set_retval(struct rt_ctx *c, rt_u64 v);
void rt_set_reg(struct rt_ctx *c, rt_u32 dwarf, rt_u64 v);

/* word with width (< 64) bits from bit off replaced by the low ones of v. */
static inline rt_u64 rt_replace_bits(rt_u64 word, rt_u32 off, rt_u32 width, rt_u64 v)
{
	rt_u64 mask = ((1ULL << width) - 1) << off;

	return (word & ~mask) | (v << off & mask);
}

#define rt_sext(v, bytes) ((rt_s64)((rt_u64)(v) << (64 - 8 * (bytes))) >> (64 - 8 * (bytes)))
#define rt_zext(v, bytes) ((rt_s64)((rt_u64)(v) << (64 - 8 * (bytes)) >> (64 - 8 * (bytes))))
/* width bits from bit off of v. */
#define rt_bits(v, off, width) ((rt_s64)((rt_u64)(v) << (64 - (off) - (width)) >> (64 - (width))))
#define rt_bits_signed(v, off, width) ((rt_s64)((rt_u64)(v) << (64 - (off) - (width))) >> (64 - (width)))

#include "rt/embed.h"

#endif
