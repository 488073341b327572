// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of system calls as text.  All memory is the program's, which may be anything: it is read in pieces, as much as there is room for
 * in a string, and what cannot be read is shown as its address.
 */
#include "rt/call.h"

enum {
	MOST_STRINGS = 64, /* of an argv */
	MOST_COUNTED = 256,
	O_CREAT_BIT = 0x40, O_TMPFILE_BIT = 0x400000, AT_FDCWD_VALUE = -100, SYSFS_INDEX_OF = 1, SYSFS_NAME_OF = 2,
};

static const rt_u8 is_text[] = {
#define KIND(kind, class, text) [RT_CALL_##kind] = text,
	RT_CALL_KINDS(KIND)
#undef KIND
};

static const rt_u8 is_output[RT_CALL_NKINDS] = {
#define KIND(kind, class, text) [RT_CALL_##kind] = 1,
	RT_CALL_OUTPUTS(KIND)
#undef KIND
};

static const rt_u8 is_list[RT_CALL_NKINDS] = {
#define KIND(kind, class, text) [RT_CALL_##kind] = 1,
	RT_CALL_LISTS(KIND)
	RT_CALL_BOTH(KIND)
#undef KIND
};

/* ---- pieces ---- */

void rt_call_put(struct rt_call *k, const char *text)
{
	rt_sink_put(&k->s, text, rt_cstr_len(text));
}

static void put_number(struct rt_call *k, char conv, rt_u8 flags, int precision, rt_s64 v)
{
	struct rt_spec spec = {.conv = conv, .flags = flags, .precision = precision};

	rt_sink_number(&k->s, &spec, v);
}

void rt_call_dec(struct rt_call *k, rt_s64 v)
{
	put_number(k, 'd', 0, -1, v);
}

void rt_call_udec(struct rt_call *k, rt_u64 v)
{
	put_number(k, 'u', 0, -1, (rt_s64)v);
}

void rt_call_hex(struct rt_call *k, rt_u64 v)
{
	rt_sink_hex(&k->s, v); /* with less stack than a number of a format, below all others that show something */
}

void rt_call_pointer(struct rt_call *k, rt_u64 v)
{
	if (v)
		rt_call_hex(k, v);
	else
		rt_call_put(k, "NULL");
}

void rt_call_oct(struct rt_call *k, rt_u64 v)
{
	put_number(k, 'o', RT_FMT_ALT, -1, (rt_s64)v);
}

void rt_call_digits(struct rt_call *k, rt_u64 v, int n)
{
	put_number(k, 'u', 0, n, (rt_s64)v);
}

rt_bool rt_call_get(struct rt_call *k, rt_u64 addr, void *to, rt_u32 n)
{
	rt_bool got = addr && !rt_port_read(k->c, RT_USER, addr, to, n);

	k->missing |= addr && !got;
	return got;
}

rt_bool rt_call_read(struct rt_call *k, rt_u64 addr, void *to, rt_u32 n)
{
	if (rt_call_get(k, addr, to, n))
		return 1;
	rt_call_pointer(k, addr);
	return 0;
}

/* n bytes of the chunk. */
static rt_bool put_bytes(struct rt_call *k, rt_u32 n)
{
	struct rt_call_quote *q = &k->quote;
	rt_u32 i;

	for (i = 0; i < n; i++) {
		rt_u32 length = rt_escape(q->text, (unsigned char)k->chunk[i], '"');

		if (k->s.n - q->start + length + 1 > q->limit)
			return 0;
		rt_sink_put(&k->s, q->text, length);
		if (k->s.n - q->start + 4 <= q->limit)
			q->kept = k->s.n;
	}
	return 1;
}

void rt_call_quoted(struct rt_call *k, rt_u64 addr, rt_u64 n, rt_u32 limit, rt_bool is_str)
{
	/* not more than there is room for: n is the program's, and may be anything */
	struct rt_call_quote *q = &k->quote;
	rt_bool fits = 1;
	rt_u64 done = 0;

	q->start = k->s.n;
	q->kept = (rt_u32)rt_min(k->s.n + 1, k->s.max);
	q->limit = rt_min(limit, k->s.max - k->s.n);
	rt_call_put(k, "\"");
	while (fits && done < n) { /* in parts that do not cross pages */
		rt_u32 part = (rt_u32)rt_min(n - done, RT_CALL_CHUNK - (addr + done) % RT_CALL_CHUNK);
		rt_s64 got = is_str ? rt_port_read_str(k->c, RT_USER, addr + done, k->chunk, part)
				    : rt_port_read(k->c, RT_USER, addr + done, k->chunk, part);

		k->missing |= got < 0 && addr;
		if (got < 0 && !done) {
			k->s.n = q->start;
			rt_call_hex(k, addr);
			return;
		}
		fits = got >= 0 && put_bytes(k, is_str ? (rt_u32)got : part);
		done += part;
		if (is_str && got >= 0 && got < (rt_s64)part)
			break;
	}
	if (!fits && k->s.n - q->start + 4 > q->limit)
		k->s.n = q->kept;
	rt_call_put(k, fits ? "\"" : "\"...");
}

/* How long a text may be: as there is room, or, among others, most of that. */
static rt_u32 text_limit(const struct rt_call *k)
{
	rt_u32 left = k->s.max - k->s.n;

	return k->alone ? left : left > 2 * RT_CALL_FOLLOWS ? left - RT_CALL_FOLLOWS : left / 2;
}

/* As it is, without quotes. */
static void put_plain_str(struct rt_call *k, rt_u64 addr)
{
	rt_s64 got = rt_port_read_str(k->c, RT_USER, addr, k->s.buf + k->s.n, k->s.max - k->s.n);

	k->missing |= got < 0 && addr;
	if (got < 0)
		rt_call_hex(k, addr);
	else
		k->s.n += (rt_u32)got;
}

static void put_str(struct rt_call *k, rt_u64 addr)
{
	if (k->plain)
		put_plain_str(k, addr);
	else
		rt_call_quoted(k, addr, rt_script.limits->string_max, text_limit(k), 1);
}

/* ---- lists of strings ---- */

static rt_bool read_pointer(struct rt_call *k, rt_u64 list, rt_u32 i, rt_u64 *p)
{
	rt_u32 size = k->abi ? 4 : 8;

	*p = 0;
	return rt_call_get(k, list + (rt_u64)size * i, p, size);
}

static void put_argv(struct rt_call *k, rt_u64 list)
{
	rt_u64 p;
	rt_u32 i;

	if (!list || !read_pointer(k, list, 0, &p)) {
		rt_call_hex(k, list);
		return;
	}
	rt_call_put(k, "[");
	for (i = 0;; i++) {
		if (i == MOST_STRINGS || k->s.n + RT_CALL_FOLLOWS > k->s.max || !read_pointer(k, list, i, &p)) {
			rt_call_put(k, i ? ", ..." : "...");
			break;
		}
		if (!p)
			break;
		rt_call_put(k, i ? ", " : "");
		put_str(k, p);
	}
	rt_call_put(k, "]");
}

static void put_envp(struct rt_call *k, rt_u64 list)
{
	rt_bool all = 0;
	rt_u32 n = 0;
	rt_u64 p;

	if (!list || !read_pointer(k, list, 0, &p)) {
		rt_call_hex(k, list);
		return;
	}
	while (n < MOST_COUNTED && read_pointer(k, list, n, &p) && !(all = !p))
		n++;
	rt_call_put(k, "[/* ");
	rt_call_dec(k, n);
	rt_call_put(k, all ? " vars */]" : " or more vars */]");
}

/* ---- what depends on another argument ---- */

static rt_bool creates(const struct rt_call *k, rt_u32 flags)
{
	return rt_call_register(k, flags) & (O_CREAT_BIT | O_TMPFILE_BIT);
}

/* Which operations of futex() use its fourth argument as a time, or as a number; its fifth; and its sixth. */
enum { FUTEX_TIME = 0x2a41, FUTEX_NUMBER = 0x1038, FUTEX_ADDR = 0x1838, FUTEX_VAL3 = 0x1630 };

static rt_bool futex_uses(const struct rt_call *k, rt_u32 operations)
{
	return operations >> (rt_call_register(k, 1) & 15) & 1;
}

/* What fcntl() is passed with its commands; 32-bit programs have more of the locks, with 64 bits. */
enum fcntl_form { FCNTL_HEX, FCNTL_NONE, FCNTL_INT, FCNTL_FD_FLAGS, FCNTL_OPEN_FLAGS, FCNTL_SIGNAL, FCNTL_LOCK, FCNTL_LOCK64 };

static enum fcntl_form fcntl_form(const struct rt_call *k)
{
	switch ((rt_u32)rt_call_register(k, k->at - 1)) {
	case 0:    /* F_DUPFD */
	case 8:    /* F_SETOWN */
	case 1030: /* F_DUPFD_CLOEXEC */
	case 1031: /* F_SETPIPE_SZ */
		return FCNTL_INT;
	case 1:    /* F_GETFD */
	case 3:    /* F_GETFL */
	case 9:    /* F_GETOWN */
	case 11:   /* F_GETSIG */
	case 1025: /* F_GETLEASE */
	case 1032: /* F_GETPIPE_SZ */
	case 1034: /* F_GET_SEALS */
		return FCNTL_NONE;
	case 2: /* F_SETFD */
		return FCNTL_FD_FLAGS;
	case 4: /* F_SETFL */
		return FCNTL_OPEN_FLAGS;
	case 5: /* F_GETLK, F_SETLK, F_SETLKW */
	case 6:
	case 7:
		return FCNTL_LOCK;
	case 10: /* F_SETSIG */
		return FCNTL_SIGNAL;
	case 12: /* F_GETLK64 ... of 32-bit programs */
	case 13:
	case 14:
		return k->abi ? FCNTL_LOCK64 : FCNTL_HEX;
	case 36: /* F_OFD_GETLK ... */
	case 37:
	case 38:
		return FCNTL_LOCK64;
	default:
		return FCNTL_HEX;
	}
}

rt_bool rt_call_is_shown(const struct rt_call *k)
{
	switch (k->kind) {
	case RT_CALL_open_mode:
		return creates(k, k->at - 1);
	case RT_CALL_open_attr:
		return creates(k, k->at - 2);
	case RT_CALL_futex_time:
		return futex_uses(k, FUTEX_TIME | FUTEX_NUMBER);
	case RT_CALL_futex_addr:
		return futex_uses(k, FUTEX_ADDR);
	case RT_CALL_futex_val3:
		return futex_uses(k, FUTEX_VAL3);
	case RT_CALL_futex_val:
		return !futex_uses(k, 1 << 7); /* FUTEX_UNLOCK_PI */
	case RT_CALL_fcntl_arg:
		return fcntl_form(k) != FCNTL_NONE;
	case RT_CALL_ioctl_arg:
	case RT_CALL_prctl_arg:
	case RT_CALL_prctl_more:
	case RT_CALL_keyctl_arg:
		return rt_call_takes(k);
	case RT_CALL_sysfs_arg:
		return rt_call_register(k, 0) == SYSFS_INDEX_OF || rt_call_register(k, 0) == SYSFS_NAME_OF;
	case RT_CALL_sysfs_more:
		return rt_call_register(k, 0) == SYSFS_NAME_OF;
	RT_CALL_NUMBERS(RT_CALL_CASE)
	RT_CALL_MEMORY(RT_CALL_CASE)
	RT_CALL_TEXTS(RT_CALL_CASE)
	RT_CALL_STRUCTS(RT_CALL_CASE)
	RT_CALL_LISTS(RT_CALL_CASE)
	case RT_CALL_iov_read:
	case RT_CALL_msg_read:
	case RT_CALL_pollfds:
	case RT_CALL_fdset:
	case RT_CALL_length:
	case RT_CALL_mmsg_send:
	case RT_CALL_mmsg_read:
	case RT_CALL_timex:
	case RT_CALL_uring_params:
	RT_CALL_OUTPUTS(RT_CALL_CASE)
	RT_CALL_NAMES(RT_CALL_CASE)
	RT_CALL_PARTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
	return 1;
}

static void put_futex_time(struct rt_call *k, rt_u64 v)
{
	if (futex_uses(k, FUTEX_NUMBER)) {
		rt_call_dec(k, (rt_s32)v);
		return;
	}
	k->kind = RT_CALL_timespec;
	rt_call_struct(k, v);
}

/* From where, and how long: of 64 bits, with 4 bytes before them in 64-bit programs; or of 32 bits. */
static void put_lock(struct rt_call *k, rt_u64 addr, rt_bool wide)
{
	const rt_s32 *w = (const rt_s32 *)k->block.word;
	rt_u32 at = k->abi ? 1 : 2, i;

	wide |= !k->abi;
	if (!rt_call_read(k, addr, k->block.byte, wide ? 24 : 12))
		return;
	rt_call_put(k, "{l_type=");
	rt_call_names(k, RT_CALL_lock_type, k->block.half[0]);
	rt_call_put(k, ", l_whence=");
	rt_call_names(k, RT_CALL_whence, k->block.half[1]);
	for (i = 0; i < 2; i++) {
		rt_call_put(k, i ? ", l_len=" : ", l_start=");
		rt_call_dec(k, wide ? (rt_s64)((rt_u32)w[at + 2 * i] | (rt_u64)(rt_u32)w[at + 2 * i + 1] << 32) : w[at + i]);
	}
	rt_call_put(k, "}");
}

static void put_fcntl_arg(struct rt_call *k, rt_u64 v)
{
	switch (fcntl_form(k)) {
	case FCNTL_INT:
		rt_call_dec(k, (rt_s32)v);
		break;
	case FCNTL_FD_FLAGS:
		rt_call_names(k, RT_CALL_fd_flags, (rt_u32)v);
		break;
	case FCNTL_OPEN_FLAGS:
		rt_call_names(k, RT_CALL_open_flags, (rt_u32)v);
		break;
	case FCNTL_SIGNAL:
		rt_call_signal(k, v);
		break;
	case FCNTL_LOCK:
	case FCNTL_LOCK64:
		put_lock(k, v, fcntl_form(k) == FCNTL_LOCK64);
		break;
	case FCNTL_HEX:
	case FCNTL_NONE:
		rt_call_hex(k, v);
		break;
	}
}

static void put_protocol(struct rt_call *k, rt_u64 v)
{
	rt_u32 family = (rt_u32)rt_call_register(k, 0);

	if ((family == 2 || family == 10) && rt_call_name(k->kind, v))
		rt_call_names(k, k->kind, v);
	else
		rt_call_dec(k, (rt_s64)v);
}

static void put_ioprio(struct rt_call *k, rt_u64 v)
{
	static const char *const classes[] = {"IOPRIO_CLASS_NONE", "IOPRIO_CLASS_RT", "IOPRIO_CLASS_BE", "IOPRIO_CLASS_IDLE"};

	if (v >> 13 > 3) {
		if ((rt_s64)v < 0)
			rt_call_dec(k, (rt_s64)v);
		else
			rt_call_hex(k, v);
		return;
	}
	rt_call_put(k, "IOPRIO_PRIO_VALUE(");
	rt_call_put(k, classes[v >> 13]);
	rt_call_put(k, ", ");
	rt_call_dec(k, v & 0x1fff);
	rt_call_put(k, ")");
}

void rt_call_with_mode(struct rt_call *k, enum rt_call_kind kind, rt_u64 v, rt_u64 mode)
{
	if (v & ~mode) {
		rt_call_names(k, kind, v & ~mode);
		rt_call_put(k, "|");
	}
	rt_call_oct(k, v & mode);
}

static void put_clone_flags(struct rt_call *k, rt_u64 v)
{
	if (v & ~0xffull || !v)
		rt_call_names(k, RT_CALL_clone_flags, v & ~0xffull);
	if (v & ~0xffull && v & 0xff)
		rt_call_put(k, "|");
	if (v & 0xff)
		rt_call_signal(k, v & 0xff);
}

static void put_handler(struct rt_call *k, rt_u64 v)
{
	if (v > 1)
		rt_call_hex(k, v);
	else
		rt_call_put(k, v ? "SIG_IGN" : "SIG_DFL");
}

/* What is to be done, and with which quota: both in one number. */
static void put_quota_cmd(struct rt_call *k, rt_u64 v)
{
	rt_call_put(k, "QCMD(");
	rt_call_names(k, RT_CALL_quota_op, v >> 8);
	rt_call_put(k, ", ");
	rt_call_names(k, RT_CALL_quota_type, v & 0xff);
	rt_call_put(k, ")");
}

/* ---- an argument ---- */

/* A number without a name. */
static __attribute__((noinline)) void put_plain(struct rt_call *k, rt_u64 v)
{
	switch (k->kind) {
	case RT_CALL_ptr:
	case RT_CALL_hex:
	case RT_CALL_hex32:
	case RT_CALL_off64_hex:
	case RT_CALL_pos:
	case RT_CALL_open_attr:
	case RT_CALL_futex_addr:
	case RT_CALL_futex_val3:
	case RT_CALL_sysfs_more:
		rt_call_hex(k, v);
		break;
	case RT_CALL_prctl_more:
		rt_call_prctl_more(k, v);
		break;
	case RT_CALL_octal:
	case RT_CALL_open_mode:
		rt_call_oct(k, v);
		break;
	case RT_CALL_size:
	case RT_CALL_uint:
		rt_call_udec(k, v);
		break;
	case RT_CALL_int:
	case RT_CALL_long:
	case RT_CALL_off64:
	case RT_CALL_ipc_first:
	case RT_CALL_futex_val:
		rt_call_dec(k, (rt_s64)v);
		break;
	case RT_CALL_futex_time:
	case RT_CALL_fcntl_arg:
	case RT_CALL_keyctl_arg:
	case RT_CALL_sysfs_arg:
	RT_CALL_MEMORY(RT_CALL_CASE)
	RT_CALL_TEXTS(RT_CALL_CASE)
	RT_CALL_STRUCTS(RT_CALL_CASE)
	RT_CALL_LISTS(RT_CALL_CASE)
	RT_CALL_BOTH(RT_CALL_CASE)
	RT_CALL_OUTPUTS(RT_CALL_CASE)
	RT_CALL_NAMES(RT_CALL_CASE)
	RT_CALL_PARTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}

/* Numbers that have names, in part. */
static __attribute__((noinline)) void put_named(struct rt_call *k, rt_u64 v)
{
	switch (k->kind) {
	case RT_CALL_socket_protocol:
		put_protocol(k, v);
		break;
	case RT_CALL_sockopt:
		if ((rt_u32)rt_call_register(k, k->at - 1) != 1) /* SOL_SOCKET */
			rt_call_dec(k, (rt_s64)v);
		else
			rt_call_names(k, k->kind, (rt_u32)v);
		break;
	case RT_CALL_ipc_flags:
	case RT_CALL_shmget:
		rt_call_with_mode(k, k->kind, v, 0777);
		break;
	case RT_CALL_clone_flags:
		put_clone_flags(k, v);
		break;
	case RT_CALL_signal:
		rt_call_signal(k, v);
		break;
	RT_CALL_NAMES(RT_CALL_CASE)
		rt_call_names(k, k->kind, v);
		break;
	RT_CALL_NUMBERS(RT_CALL_CASE)
	RT_CALL_SOMETIMES(RT_CALL_CASE)
	RT_CALL_MEMORY(RT_CALL_CASE)
	RT_CALL_TEXTS(RT_CALL_CASE)
	RT_CALL_STRUCTS(RT_CALL_CASE)
	RT_CALL_LISTS(RT_CALL_CASE)
	RT_CALL_BOTH(RT_CALL_CASE)
	RT_CALL_OUTPUTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}

static __attribute__((noinline)) void put_written_sockaddr(struct rt_call *k, rt_u64 v)
{
	rt_u32 length = 0;

	if (v && k->room >= 0 && rt_call_get(k, rt_call_register(k, k->at + 1), &length, sizeof(length)))
		rt_call_sockaddr(k, v, rt_min(length, (rt_u32)k->room)); /* length may be more than was written */
	else
		rt_call_hex(k, v);
}

/* What the kernel has written; its address at an entry, and after a call that failed. */
static __attribute__((noinline)) void put_output(struct rt_call *k, rt_u64 v)
{
	if (!rt_call_has_written(k)) {
		rt_call_hex(k, v);
		return;
	}
	switch (k->kind) {
	case RT_CALL_out_buf:
		if (!v) {
			rt_call_pointer(k, v);
			break;
		}
		rt_call_quoted(k, v, rt_min((rt_u64)k->result, rt_call_register(k, k->at + 1)), RT_CALL_BUFFER_TEXT, 0);
		break;
	case RT_CALL_out_str:
		rt_call_quoted(k, v, (rt_u64)k->result, text_limit(k), 1);
		break;
	case RT_CALL_out_sockaddr:
		put_written_sockaddr(k, v);
		break;
	RT_CALL_FILLED(RT_CALL_CASE)
		if (v)
			rt_call_struct(k, v);
		else
			rt_call_pointer(k, v);
		break;
	RT_CALL_WRITTEN(RT_CALL_CASE)
		if (v)
			rt_call_written(k, v);
		else
			rt_call_pointer(k, v);
		break;
	RT_CALL_INPUTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}

static __attribute__((noinline)) void put_text(struct rt_call *k, rt_u64 v)
{
	switch (k->kind) {
	case RT_CALL_str:
		put_str(k, v);
		break;
	case RT_CALL_buf:
		rt_call_quoted(k, v, rt_call_register(k, k->at + 1), RT_CALL_BUFFER_TEXT, 0);
		break;
	case RT_CALL_dirfd:
		if ((rt_s64)v == AT_FDCWD_VALUE)
			rt_call_put(k, "AT_FDCWD");
		else
			rt_call_dec(k, (rt_s64)v);
		break;
	case RT_CALL_argv:
		put_argv(k, v);
		break;
	case RT_CALL_envp:
		put_envp(k, v);
		break;
	case RT_CALL_ipc_key:
		if (v)
			rt_call_dec(k, (rt_s64)v);
		else
			rt_call_put(k, "IPC_PRIVATE");
		break;
	case RT_CALL_ioprio:
		put_ioprio(k, v);
		break;
	case RT_CALL_mknod:
		if (v & 0170000)
			rt_call_with_mode(k, RT_CALL_mknod_type, v, 07777);
		else
			rt_call_oct(k, v);
		break;
	case RT_CALL_futex_time:
		put_futex_time(k, v);
		break;
	case RT_CALL_sighandler:
		put_handler(k, v);
		break;
	case RT_CALL_unshare:
		rt_call_names(k, RT_CALL_clone_flags, v);
		break;
	case RT_CALL_fcntl_arg:
		put_fcntl_arg(k, v);
		break;
	case RT_CALL_keyctl_arg:
		rt_call_keyctl_arg(k, v);
		break;
	case RT_CALL_sysfs_arg:
		if (rt_call_register(k, 0) == SYSFS_INDEX_OF)
			put_str(k, v);
		else
			rt_call_udec(k, v);
		break;
	case RT_CALL_quota_cmd:
		put_quota_cmd(k, v);
		break;
	case RT_CALL_sigmask:
		rt_call_signals(k, v);
		break;
	case RT_CALL_ioctl:
		rt_call_ioctl(k, (rt_u32)v);
		break;
	RT_CALL_STRUCTS(RT_CALL_CASE)
		rt_call_struct(k, v);
		break;
	RT_CALL_OUTPUTS(RT_CALL_CASE)
	RT_CALL_LISTS(RT_CALL_CASE)
	RT_CALL_BOTH(RT_CALL_CASE)
	case RT_CALL_open_mode:
	case RT_CALL_open_attr:
	case RT_CALL_futex_val:
	case RT_CALL_futex_addr:
	case RT_CALL_futex_val3:
	case RT_CALL_prctl_more:
	case RT_CALL_sysfs_more:
	RT_CALL_NUMBERS(RT_CALL_CASE)
	RT_CALL_NAMES(RT_CALL_CASE)
	RT_CALL_PARTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}

/* Functions that are not inline: lists and what the kernel has written are deep, and do not stand on their frames. */
static void put_no_list(struct rt_call *k, rt_u64 v)
{
	if (is_output[k->kind])
		put_output(k, v);
	else if (rt_call_has_names(k->kind))
		put_named(k, v);
	else if (is_text[k->kind])
		put_text(k, v);
	else
		put_plain(k, v);
}

void rt_call_argument(struct rt_call *k, rt_u64 v)
{
	if (is_list[k->kind])
		rt_call_list(k, v);
	else
		put_no_list(k, v);
}
