// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What system calls are passed in several parts: buffers in pieces, messages, files to wait for.  Each is shown up to a number of parts, as
 * far as there is room, with dots for the rest.  And options: of sockets, of clone3() and openat2(), which are structures.
 */
#include "rt/call.h"

enum { MOST_PARTS = 16, MOST_FDS = 32, ALL_OF_IT = 0x7fffffff };

static void put_field(struct rt_call *k, const char *name, rt_u64 v)
{
	rt_call_put(k, name);
	rt_call_dec(k, (rt_s64)v);
}

/* Begins the i-th of n parts, of size bytes at list, which is read to the block; false: the list ends here, and its end is shown. */
static rt_bool next_part(struct rt_call *k, rt_u64 list, rt_u32 i, rt_u64 n, rt_u32 size)
{
	rt_u32 most = size >= 16 ? MOST_PARTS : MOST_FDS; /* parts with a buffer are longer */
	rt_bool more = i < n, fits = i < most && k->s.n + RT_CALL_FOLLOWS <= k->s.max;

	if (!i && (!list || !n)) {
		rt_call_put(k, list ? "[]" : "NULL");
		return 0;
	}
	if (more && fits && rt_call_get(k, list + (rt_u64)i * size, k->block.byte, size)) {
		rt_call_put(k, i ? ", " : "[");
		return 1;
	}
	if (more && !i)
		rt_call_hex(k, list);
	else
		rt_call_put(k, more ? ", ...]" : "]");
	return 0;
}

/* ---- buffers in pieces ---- */

/* n pieces; left: how many bytes there are in all of them, < 0: only where they are is shown. */
static void put_iov(struct rt_call *k, rt_u64 list, rt_u64 n, rt_s64 left)
{
	rt_u64 base, length, part;
	rt_u32 i;

	for (i = 0; next_part(k, list, i, n, k->abi ? 8 : 16); i++) {
		base = k->abi ? k->block.word[0] : k->block.wide[0];
		length = k->abi ? k->block.word[1] : k->block.wide[1];
		rt_call_put(k, "{iov_base=");
		if (left < 0) {
			rt_call_pointer(k, base);
		} else {
			part = rt_min(length, (rt_u64)left);
			rt_call_quoted(k, base, part, RT_CALL_BUFFER_TEXT, 0);
			left -= (rt_s64)part;
		}
		put_field(k, ", iov_len=", length);
		rt_call_put(k, "}");
	}
}

/* How many bytes the call has read into buffers. */
static rt_s64 bytes_read(const struct rt_call *k)
{
	return rt_call_has_written(k) ? k->result : -1;
}

/* ---- messages ---- */

/* Reads one, of a program of any kind. */
static rt_bool read_msg(struct rt_call *k, rt_u64 addr)
{
	const rt_u32 *w = k->block.word;
	const rt_u64 *q = k->block.wide;

	if (!rt_call_read(k, addr, k->block.byte, k->abi ? 28 : 56))
		return 0;
	k->msg = k->abi ? (struct rt_call_msg){w[0], w[2], w[3], w[4], w[5], w[1], w[6]}
			: (struct rt_call_msg){q[0], q[2], q[3], q[4], q[5], w[2], w[12]};
	return 1;
}

static void put_msg_name(struct rt_call *k, rt_bool is_input)
{
	rt_call_put(k, "{msg_name=");
	if (!k->msg.name)
		rt_call_put(k, "NULL");
	else if (is_input)
		rt_call_sockaddr(k, k->msg.name, k->msg.namelen);
	else if (rt_call_has_written(k) && k->room >= 0)
		rt_call_sockaddr(k, k->msg.name, rt_min(k->msg.namelen, (rt_u32)k->room));
	else
		rt_call_hex(k, k->msg.name);
	put_field(k, ", msg_namelen=", (rt_u64)(rt_s64)(rt_s32)k->msg.namelen);
}

enum { SOL_SOCKET_VALUE = 1, RIGHTS = 1, CREDENTIALS = 2 };

/* length bytes of data: descriptors, who the sender is, or anything. */
static void put_control_data(struct rt_call *k, rt_u32 level, rt_u32 type, rt_u64 data, rt_u64 length)
{
	rt_u32 i;

	if (level == SOL_SOCKET_VALUE && type == RIGHTS) {
		for (i = 0; next_part(k, data, i, length / 4, 4); i++)
			rt_call_dec(k, (rt_s32)k->block.word[0]);
	} else if (level == SOL_SOCKET_VALUE && type == CREDENTIALS && length >= 12) {
		if (!rt_call_read(k, data, k->block.byte, 12))
			return;
		put_field(k, "{pid=", (rt_u64)(rt_s64)(rt_s32)k->block.word[0]);
		put_field(k, ", uid=", k->block.word[1]);
		put_field(k, ", gid=", k->block.word[2]);
		rt_call_put(k, "}");
	} else {
		rt_call_quoted(k, data, length, RT_CALL_BUFFER_TEXT, 0);
	}
}

/* What goes with a message, one after the other, each with its length before it. */
static void put_control(struct rt_call *k, rt_u64 addr, rt_u64 left)
{
	rt_u32 head = k->abi ? 12 : 16, align = k->abi ? 3 : 7, at = k->abi ? 1 : 2, i, level, type;
	rt_u64 length;

	left = rt_min(left, ALL_OF_IT);
	for (i = 0; left >= head; i++) {
		if (i == MOST_PARTS || k->s.n + RT_CALL_FOLLOWS > k->s.max || !rt_call_get(k, addr, k->block.byte, head))
			break;
		length = k->abi ? k->block.word[0] : k->block.wide[0];
		level = k->block.word[at];
		type = k->block.word[at + 1];
		put_field(k, i ? ", {cmsg_len=" : "[{cmsg_len=", length);
		rt_call_put(k, ", cmsg_level=");
		rt_call_names(k, RT_CALL_sol, level);
		rt_call_put(k, ", cmsg_type=");
		if (level == SOL_SOCKET_VALUE)
			rt_call_names(k, RT_CALL_scm, type);
		else
			rt_call_hex(k, type);
		if (length > head) {
			rt_call_put(k, ", cmsg_data=");
			put_control_data(k, level, type, addr + head, rt_min(length, left) - head);
		}
		rt_call_put(k, "}");
		left = length < head || length >= left ? 0 : left; /* the last one */
		length = (rt_min(length, left) + align) & ~(rt_u64)align;
		addr += length;
		left -= rt_min(length, left);
	}
	if (!i)
		rt_call_pointer(k, addr);
	else
		rt_call_put(k, left >= head ? ", ...]" : "]");
}

/* got: how many bytes were read, if it was one to be read into. */
static void put_msg(struct rt_call *k, rt_u64 addr, rt_bool is_input, rt_s64 got)
{
	if (!read_msg(k, addr))
		return;
	put_msg_name(k, is_input);
	rt_call_put(k, ", msg_iov=");
	put_iov(k, k->msg.iov, k->msg.iovlen, is_input ? ALL_OF_IT : rt_call_has_written(k) ? got : -1);
	put_field(k, ", msg_iovlen=", k->msg.iovlen);
	if (k->msg.controllen) {
		rt_call_put(k, ", msg_control=");
		if (is_input || rt_call_has_written(k))
			put_control(k, k->msg.control, k->msg.controllen);
		else
			rt_call_pointer(k, k->msg.control);
	}
	put_field(k, ", msg_controllen=", k->msg.controllen);
	rt_call_put(k, ", msg_flags=");
	rt_call_names(k, RT_CALL_msg_flags, k->msg.flags);
	rt_call_put(k, "}");
}

/* Messages with the number of bytes that were sent or received of each.  Of those that are read, msg_iov has no end before there is a length. */
static void put_mmsg(struct rt_call *k, rt_u64 list, rt_u32 n)
{
	rt_u32 size = k->abi ? 32 : 64, i;
	rt_s32 length;

	if (rt_call_has_written(k))
		n = (rt_u32)rt_min((rt_u64)n, (rt_u64)k->result);
	for (i = 0; next_part(k, list, i, n, size); i++) {
		length = (rt_s32)(k->abi ? k->block.word[7] : k->block.word[14]);
		rt_call_put(k, "{msg_hdr=");
		put_msg(k, list + (rt_u64)i * size, k->kind == RT_CALL_mmsg_send, length);
		if (rt_call_has_written(k))
			put_field(k, ", msg_len=", (rt_u32)length);
		rt_call_put(k, "}");
	}
}

rt_s64 rt_call_msg_room(struct rt_call *k, rt_u64 addr, rt_u32 n)
{
	rt_u32 i, size = k->abi ? 32 : 64;
	rt_s64 least = -1;
	rt_s32 room;
	rt_u64 name;

	for (i = 0; i < n && i < MOST_PARTS; i++, addr += size) {
		name = 0;
		if (!rt_call_get(k, addr, &name, k->abi ? 4 : 8) || !rt_call_get(k, addr + (k->abi ? 4 : 8), &room, sizeof(room)) || room < 0)
			return -1;
		if (name && (least < 0 || room < least))
			least = room;
	}
	return least;
}

/* ---- waiting for files ---- */

static void put_pollfds(struct rt_call *k, rt_u64 list, rt_u64 n)
{
	rt_u32 i, events, got;

	for (i = 0; next_part(k, list, i, n, 8); i++) {
		events = k->block.half[2];
		got = k->block.half[3];
		put_field(k, "{fd=", (rt_u64)(rt_s64)(rt_s32)k->block.word[0]);
		rt_call_put(k, ", events=");
		rt_call_names(k, RT_CALL_poll_events, events);
		if (rt_call_has_written(k) && got) {
			rt_call_put(k, ", revents=");
			rt_call_names(k, RT_CALL_poll_events, got);
		}
		rt_call_put(k, "}");
	}
}

/* The first bits of a set. */
static void put_bits(struct rt_call *k, rt_u64 addr, rt_u64 passed)
{
	rt_u32 n = (rt_u32)rt_min(passed, RT_CALL_SET_BITS), i;
	rt_bool any = 0;

	if (!addr || (n && !rt_call_get(k, addr, k->block.byte, (n + 7) / 8))) {
		rt_call_pointer(k, addr);
		return;
	}
	rt_call_put(k, "[");
	for (i = 0; i < n && k->s.n + RT_CALL_FOLLOWS <= k->s.max; i++) {
		if (!(k->block.byte[i / 8] >> i % 8 & 1))
			continue;
		rt_call_put(k, any ? " " : "");
		rt_call_dec(k, i);
		any = 1;
	}
	rt_call_put(k, i < n || passed > RT_CALL_SET_BITS ? " ...]" : "]");
}

/* Those below the number that the call was passed first. */
static void put_fdset(struct rt_call *k, rt_u64 addr)
{
	rt_s32 passed = (rt_s32)rt_call_register(k, 0);

	put_bits(k, addr, passed < 0 ? 0 : (rt_u64)passed);
}

void rt_call_cpus(struct rt_call *k, rt_u64 addr, rt_u64 bytes)
{
	put_bits(k, addr, 8 * rt_min(bytes, RT_CALL_SET_BITS));
}

void rt_call_ids(struct rt_call *k, rt_u64 list, rt_u64 n, rt_u32 size)
{
	rt_u32 i;

	for (i = 0; next_part(k, list, i, n, size); i++)
		rt_call_udec(k, size == sizeof(rt_u16) ? k->block.half[0] : k->block.word[0]);
}

void rt_call_number_at(struct rt_call *k, rt_u64 addr, rt_u32 size, rt_bool is_signed)
{
	k->block.wide[0] = 0;
	if (!rt_call_read(k, addr, k->block.byte, size))
		return;
	rt_call_put(k, "[");
	if (is_signed)
		rt_call_dec(k, size == sizeof(rt_s32) ? (rt_s32)k->block.word[0] : (rt_s64)k->block.wide[0]);
	else
		rt_call_udec(k, k->block.wide[0]);
	rt_call_put(k, "]");
}

/* ---- what a thread may do, and how it is scheduled ---- */

enum { CAPABILITY_V1 = 0x19980330, NAMED_CAPABILITIES = 4 };

/* Few of them by their names, more as a number. */
static void put_capabilities(struct rt_call *k, rt_u64 set)
{
	rt_u32 i, n = 0;
	rt_bool any = 0;

	for (i = 0; i < 64; i++)
		n += set >> i & 1;
	if (!n || n > NAMED_CAPABILITIES) {
		rt_call_hex(k, set);
		return;
	}
	for (i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		rt_call_put(k, any ? "|1<<" : "1<<");
		rt_call_names(k, RT_CALL_cap, i);
		any = 1;
	}
}

/* Three sets of 32 bits; but in the form of the first version, the upper halves of them follow. */
void rt_call_cap_data(struct rt_call *k, rt_u64 addr)
{
	static const char names[3][16] = {"{effective=", ", permitted=", ", inheritable="};
	rt_u32 version, i, bytes = 24;

	if (rt_call_get(k, rt_call_register(k, 0), &version, sizeof(version)) && version == CAPABILITY_V1)
		bytes = 12;
	if (!rt_call_read(k, addr, k->block.byte, bytes))
		return;
	for (i = 0; i < 3; i++) {
		rt_call_put(k, names[i]);
		put_capabilities(k, k->block.word[i] | (rt_u64)(bytes == 24 ? k->block.word[3 + i] : 0) << 32);
	}
	rt_call_put(k, "}");
}

enum { SCHED_ATTR_SIZE_VER0 = 48 };

/* Its first member is its size, and 0 stands for that of the first version. */
void rt_call_sched_attr(struct rt_call *k, rt_u64 addr)
{
	rt_u32 size;

	if (rt_call_read(k, addr, &size, sizeof(size)))
		rt_call_fields(k, RT_FIELDS_sched_attr, addr, size ? size : SCHED_ATTR_SIZE_VER0);
}

/* One that was read to the block: without a gap between its numbers. */
static void put_event(struct rt_call *k)
{
	rt_u32 low = k->block.word[1];
	rt_u64 data = low | (rt_u64)k->block.word[2] << 32;

	rt_call_put(k, "{events=");
	rt_call_names(k, RT_CALL_epoll_events, k->block.word[0]);
	put_field(k, ", data={u32=", low);
	rt_call_put(k, ", u64=");
	rt_call_udec(k, data);
	rt_call_put(k, "}}");
}

void rt_call_events(struct rt_call *k, rt_u64 list, rt_u64 n)
{
	rt_u32 i;

	for (i = 0; next_part(k, list, i, n, 12); i++)
		put_event(k);
}

/* ---- options ---- */

/* Of a socket: a number, as most of them are. */
void rt_call_sockoptval(struct rt_call *k, rt_u64 addr, rt_u32 length)
{
	if (length == sizeof(rt_s32))
		rt_call_number_at(k, addr, sizeof(rt_s32), 1);
	else
		rt_call_pointer(k, addr);
}

/* clone3()'s, of the first kernels that had it, and of those with cgroup.  All members have 64 bits in all programs. */
enum { CLONE_ARGS_FIRST = 64, CLONE_ARGS_CGROUP = 88 };

static void put_clone_args(struct rt_call *k, rt_u64 addr)
{
	static const struct {
		char name[16];
		rt_u8 at, minimum; /* which of the members; the size that it needs */
		enum { AN_ADDRESS, A_SIZE, A_SIGNAL, A_FILE } is;
		rt_u64 flags; /* with which the kernel looks at it; 0: always */
	} members[] = {
		{", pidfd=", 1, 0, AN_ADDRESS, 0x1000},                      /* CLONE_PIDFD */
		{", child_tid=", 2, 0, AN_ADDRESS, 0x1200000},               /* CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID */
		{", parent_tid=", 3, 0, AN_ADDRESS, 0x100000},               /* CLONE_PARENT_SETTID */
		{", exit_signal=", 4, 0, A_SIGNAL, 0},
		{", stack=", 5, 0, AN_ADDRESS, 0},
		{", stack_size=", 6, 0, A_SIZE, 0},
		{", tls=", 7, 0, AN_ADDRESS, 0x80000},                       /* CLONE_SETTLS */
		{", cgroup=", 10, CLONE_ARGS_CGROUP, A_FILE, 0x200000000},   /* CLONE_INTO_CGROUP */
	};
	rt_u32 size = (rt_u32)rt_min(rt_call_register(k, k->at + 1), CLONE_ARGS_CGROUP), i;
	const rt_u64 *v = k->block.wide;

	if (!rt_call_read(k, addr, k->block.byte, size < CLONE_ARGS_CGROUP ? CLONE_ARGS_FIRST : CLONE_ARGS_CGROUP))
		return;
	rt_call_put(k, "{flags=");
	rt_call_names(k, RT_CALL_clone_flags, v[0]);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		rt_u64 value = v[members[i].at];

		if (size < members[i].minimum || (members[i].flags && !(v[0] & members[i].flags)))
			continue;
		rt_call_put(k, members[i].name);
		switch (members[i].is) {
		case AN_ADDRESS:
			rt_call_pointer(k, value);
			break;
		case A_SIZE:
			rt_call_hex(k, value);
			break;
		case A_SIGNAL:
			rt_call_signal(k, value);
			break;
		case A_FILE:
			rt_call_udec(k, value);
			break;
		}
	}
	rt_call_put(k, "}");
}

static void put_open_how(struct rt_call *k, rt_u64 addr)
{
	const rt_u64 *v = k->block.wide;

	if (!rt_call_read(k, addr, k->block.byte, 24))
		return;
	rt_call_put(k, "{flags=");
	rt_call_names(k, RT_CALL_open_flags, v[0]);
	rt_call_put(k, ", mode=");
	rt_call_oct(k, v[1]);
	rt_call_put(k, ", resolve=");
	rt_call_names(k, RT_CALL_resolve_flags, v[2]);
	rt_call_put(k, "}");
}

/* Of what the kernel writes: how much room there is; at the return, if that is not the same, how much there was to write. */
static void put_length(struct rt_call *k, rt_u64 addr)
{
	rt_s32 n;

	if (!rt_call_get(k, addr, &n, sizeof(n))) {
		rt_call_hex(k, addr);
		return;
	}
	rt_call_put(k, "[");
	if (rt_call_has_written(k) && k->room >= 0 && k->room != n) {
		rt_call_dec(k, k->room);
		rt_call_put(k, " => ");
	}
	rt_call_dec(k, n);
	rt_call_put(k, "]");
}

/*
 * A row has all that is particular to the kind: NUMBER, a number of a type is there; LAYOUT, the structure of a layout.  is_sized: the next
 * argument says how much of it there is.
 */
#define ROWS(NUMBER, LAYOUT) \
	NUMBER(int_at, rt_s32, 1) \
	NUMBER(off64_at, rt_s64, 1) \
	NUMBER(out_int, rt_s32, 1) \
	NUMBER(out_id, rt_u32, 0) \
	NUMBER(out_id16, rt_u16, 0) \
	NUMBER(out_off64, rt_s64, 1) \
	LAYOUT(cap_header, cap_header, 0) \
	LAYOUT(timex, timex, 0) \
	LAYOUT(out_sysinfo, sysinfo, 0) \
	LAYOUT(out_statfs, statfs, 0) \
	LAYOUT(out_statfs64, statfs64, 0) \
	LAYOUT(out_tms, tms, 0) \
	LAYOUT(cachestat_range, cachestat_range, 0) \
	LAYOUT(out_cachestat, cachestat, 0) \
	LAYOUT(landlock_ruleset, landlock_ruleset, 1) \
	LAYOUT(mount_attr, mount_attr, 1) \
	LAYOUT(uring_params, uring_params, 0) \
	LAYOUT(old_mmap, old_mmap, 0) \
	LAYOUT(old_select, old_select, 0) \
	LAYOUT(old_sigaction, old_sigaction, 0) \
	LAYOUT(timezone, timezone, 0) \
	LAYOUT(user_desc, user_desc, 0) \
	LAYOUT(out_user_desc, user_desc, 0)

/* A kind without a row is not declared here. */
#define ROW(kind, more, is) ROW_##kind,
enum { ROWS(ROW, ROW) };
/* Compile-time check: each kind of these lists has a row. */
#define OR_ROW(kind, class, text) | ROW_##kind
enum { EACH_HAS_A_ROW = 0 RT_CALL_ROWS(OR_ROW) RT_CALL_WRITTEN_ROWS(OR_ROW) | ROW_timex | ROW_uring_params };
#undef ROW
#undef OR_ROW

void rt_call_row(struct rt_call *k, rt_u64 addr)
{
	static const struct {
		rt_u8 kind, size, is_signed, layout;
		rt_bool is_sized;
	} rows[] = {
#define NUMBER(kind, type, is_signed) {RT_CALL_##kind, sizeof(type), is_signed, 0, 0},
#define LAYOUT(kind, layout, is_sized) {RT_CALL_##kind, 0, 0, RT_FIELDS_##layout, is_sized},
		ROWS(NUMBER, LAYOUT)
#undef NUMBER
#undef LAYOUT
	};
	rt_u32 i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind != k->kind)
			continue;
		if (rows[i].size)
			rt_call_number_at(k, addr, rows[i].size, rows[i].is_signed);
		else
			rt_call_fields(k, (enum rt_call_layout)rows[i].layout, addr,
				       rows[i].is_sized ? rt_call_register(k, k->at + 1) : RT_CALL_WHOLE);
		return;
	}
}

/* ---- newer calls, and those that stand for several ---- */

enum { FUTEX_WAITV_SIZE = 24 };

/* An array of n struct futex_waitv. */
static void put_futex_waitv(struct rt_call *k, rt_u64 list, rt_u32 n)
{
	rt_u32 i;

	for (i = 0; next_part(k, list, i, n, FUTEX_WAITV_SIZE); i++)
		rt_call_fields(k, RT_FIELDS_futex_waitv, list + (rt_u64)i * FUTEX_WAITV_SIZE, RT_CALL_WHOLE);
}

enum { LANDLOCK_PATH = 1, LANDLOCK_PORT = 2 };

static void put_landlock_rule(struct rt_call *k, rt_u64 addr)
{
	rt_u32 type = (rt_u32)rt_call_register(k, k->at - 1);

	if (type == LANDLOCK_PATH || type == LANDLOCK_PORT)
		rt_call_fields(k, type == LANDLOCK_PATH ? RT_FIELDS_landlock_path : RT_FIELDS_landlock_port, addr, RT_CALL_WHOLE);
	else
		rt_call_pointer(k, addr);
}

/* The first member is the size: 24, or 32 with mnt_ns_id. */
static void put_mnt_id_req(struct rt_call *k, rt_u64 addr)
{
	rt_u32 size;

	if (rt_call_read(k, addr, &size, sizeof(size)))
		rt_call_fields(k, RT_FIELDS_mnt_id_req, addr, size);
}

/* pselect6() has six arguments without its signals: where they are, and in how many bytes, is in memory. */
static void put_sigset_arg(struct rt_call *k, rt_u64 addr)
{
	rt_u64 set, length, where;

	if (!rt_call_read(k, addr, k->block.byte, k->abi ? 8 : 16))
		return;
	where = k->abi ? k->block.word[0] : k->block.wide[0];
	length = k->abi ? k->block.word[1] : k->block.wide[1];
	rt_call_put(k, "{sigmask=");
	if (where && length == sizeof(set) && rt_call_get(k, where, &set, sizeof(set)))
		rt_call_signals(k, set);
	else
		rt_call_pointer(k, where);
	rt_call_put(k, ", sigsetsize=");
	rt_call_udec(k, length);
	rt_call_put(k, "}");
}

static void put_old_sigset(struct rt_call *k, rt_u64 addr)
{
	rt_u32 set;

	if (rt_call_read(k, addr, &set, sizeof(set)))
		rt_call_signals(k, set);
}

#define NEWER(kind, class, text) NEWER_##kind = RT_CALL_##kind,
enum newer { RT_CALL_NEWER(NEWER) };
#undef NEWER

static void put_newer(struct rt_call *k, rt_u64 v)
{
	switch ((enum newer)k->kind) {
	case NEWER_futex_waitv:
		put_futex_waitv(k, v, (rt_u32)rt_call_register(k, k->at + 1));
		break;
	case NEWER_landlock_rule_attr:
		put_landlock_rule(k, v);
		break;
	case NEWER_mnt_id_req:
		put_mnt_id_req(k, v);
		break;
	case NEWER_sigset_arg:
		put_sigset_arg(k, v);
		break;
	case NEWER_old_sigset:
		put_old_sigset(k, v);
		break;
	case NEWER_socketcall_args:
		rt_call_pointer(k, v); /* call_hit.c could not read what is there */
		break;
	}
}

void rt_call_list(struct rt_call *k, rt_u64 v)
{
	rt_u64 next = rt_call_register(k, k->at + 1);

	switch (k->kind) {
	case RT_CALL_iov:
		put_iov(k, v, next, ALL_OF_IT);
		break;
	case RT_CALL_iov_read:
		put_iov(k, v, next, bytes_read(k));
		break;
	case RT_CALL_iov_remote:
		put_iov(k, v, next, -1);
		break;
	case RT_CALL_ids:
	case RT_CALL_ids16:
		rt_call_ids(k, v, (rt_u32)rt_call_register(k, k->at - 1), k->kind == RT_CALL_ids ? sizeof(rt_u32) : sizeof(rt_u16));
		break;
	RT_CALL_ROWS(RT_CALL_CASE)
	case RT_CALL_uring_params:
		rt_call_row(k, v);
		break;
	RT_CALL_NEWER(RT_CALL_CASE)
		put_newer(k, v);
		break;
	case RT_CALL_cap_data:
		rt_call_cap_data(k, v);
		break;
	case RT_CALL_sched_attr:
		rt_call_sched_attr(k, v);
		break;
	case RT_CALL_timex:
		if (k->abi == RT_CALL_COMPAT_TIME64)
			rt_call_hex(k, v); /* of another form */
		else
			rt_call_row(k, v);
		break;
	case RT_CALL_cpus:
		rt_call_cpus(k, v, (rt_u32)rt_call_register(k, k->at - 1));
		break;
	case RT_CALL_msghdr:
	case RT_CALL_msg_read:
		put_msg(k, v, k->kind == RT_CALL_msghdr, k->result);
		break;
	case RT_CALL_pollfds:
		put_pollfds(k, v, (rt_u32)next);
		break;
	case RT_CALL_fdset:
		put_fdset(k, v);
		break;
	case RT_CALL_length:
		put_length(k, v);
		break;
	case RT_CALL_epoll_event:
		if (rt_call_read(k, v, k->block.byte, 12))
			put_event(k);
		break;
	case RT_CALL_sockoptval:
		rt_call_sockoptval(k, v, (rt_u32)next);
		break;
	case RT_CALL_clone_args:
		put_clone_args(k, v);
		break;
	case RT_CALL_open_how:
		put_open_how(k, v);
		break;
	case RT_CALL_mmsg_send:
	case RT_CALL_mmsg_read:
		put_mmsg(k, v, (rt_u32)next);
		break;
	case RT_CALL_ioctl_arg:
	case RT_CALL_prctl_arg:
	case RT_CALL_bpf_attr:
		rt_call_option(k, v);
		break;
	RT_CALL_NUMBERS(RT_CALL_CASE)
	RT_CALL_SOMETIMES(RT_CALL_CASE)
	RT_CALL_MEMORY(RT_CALL_CASE)
	RT_CALL_TEXTS(RT_CALL_CASE)
	RT_CALL_STRUCTS(RT_CALL_CASE)
	RT_CALL_OUTPUTS(RT_CALL_CASE)
	RT_CALL_NAMES(RT_CALL_CASE)
	RT_CALL_PARTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}
