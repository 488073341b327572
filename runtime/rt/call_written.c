// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures that the kernel has written for a system call, at its return: what people look for in them, and dots for the rest. */
#include "rt/call.h"

/* ---- files ---- */

enum { S_IFMT_BITS = 0170000, S_IFCHR_BITS = 0020000, S_IFBLK_BITS = 0060000 };

static void put_mode(struct rt_call *k, rt_u32 mode)
{
	rt_call_with_mode(k, RT_CALL_mknod_type, mode, 07777);
}

/* The forms of stat(): of 64-bit programs, the two of 32-bit ones. */
static const struct stat_form {
	rt_u8 bytes, mode, mode_size, rdev, size, size_size; /* offsets, and sizes in bytes */
} stat_native = {56, 24, 4, 40, 48, 8}, stat_compat = {24, 8, 2, 16, 20, 4}, stat_compat64 = {52, 16, 4, 32, 44, 8};

static rt_u64 number_at(const rt_u8 *p, rt_u32 bytes)
{
	rt_u64 v = 0;

	memcpy(&v, p, bytes);
	return v;
}

static void put_stat(struct rt_call *k, rt_u64 addr, const struct stat_form *f)
{
	const rt_u8 *p = k->block.byte;
	rt_u32 mode, type, dev;

	if (!rt_call_read(k, addr, k->block.byte, f->bytes))
		return;
	mode = (rt_u32)number_at(p + f->mode, f->mode_size);
	type = mode & S_IFMT_BITS;
	dev = (rt_u32)number_at(p + f->rdev, 4);
	rt_call_put(k, "{st_mode=");
	put_mode(k, mode);
	if (type == S_IFCHR_BITS || type == S_IFBLK_BITS) {
		rt_call_put(k, ", st_rdev=makedev(");
		rt_call_hex(k, dev >> 8 & 0xfff);
		rt_call_put(k, ", ");
		rt_call_hex(k, (dev & 0xff) | (dev >> 12 & 0xfff00));
		rt_call_put(k, ")");
	} else {
		rt_call_put(k, ", st_size=");
		rt_call_dec(k, (rt_s64)number_at(p + f->size, f->size_size));
	}
	rt_call_put(k, ", ...}");
}

static void put_statx(struct rt_call *k, rt_u64 addr)
{
	if (!rt_call_read(k, addr, k->block.byte, 48))
		return;
	rt_call_put(k, "{stx_mask=");
	rt_call_names(k, RT_CALL_statx_mask, k->block.word[0]);
	rt_call_put(k, ", stx_attributes=");
	rt_call_hex(k, k->block.wide[1]);
	rt_call_put(k, ", stx_mode=");
	put_mode(k, k->block.half[14]);
	rt_call_put(k, ", stx_size=");
	rt_call_dec(k, (rt_s64)k->block.wide[5]);
	rt_call_put(k, ", ...}");
}

/* ---- processes ---- */

static void put_status(struct rt_call *k, rt_u64 addr)
{
	rt_u32 s, low;

	if (!k->result || !rt_call_read(k, addr, &s, sizeof(s))) {
		if (!k->result)
			rt_call_hex(k, addr); /* there was no process, and nothing is written */
		return;
	}
	low = s & 0x7f;
	if (s == 0xffff) {
		rt_call_put(k, "[{WIFCONTINUED(s)}]");
		return;
	}
	if (!low) {
		rt_call_put(k, "[{WIFEXITED(s) && WEXITSTATUS(s) == ");
		rt_call_dec(k, s >> 8 & 0xff);
	} else {
		rt_call_put(k, low == 0x7f ? "[{WIFSTOPPED(s) && WSTOPSIG(s) == " : "[{WIFSIGNALED(s) && WTERMSIG(s) == ");
		rt_call_signal(k, low == 0x7f ? s >> 8 & 0xff : low);
		if (low != 0x7f && s & 0x80)
			rt_call_put(k, " && WCOREDUMP(s)");
	}
	rt_call_put(k, "}]");
}

static __attribute__((noinline)) void put_rusage(struct rt_call *k, rt_u64 addr)
{
	rt_u32 size = k->abi ? 4 : 8, i;

	if (!rt_call_read(k, addr, k->block.byte, 4 * size))
		return;
	for (i = 0; i < 2; i++) {
		const rt_u8 *p = k->block.byte + 2 * i * size;

		rt_call_put(k, i ? ", ru_stime={tv_sec=" : "{ru_utime={tv_sec=");
		rt_call_dec(k, (rt_s64)number_at(p, size));
		rt_call_put(k, ", tv_usec=");
		rt_call_dec(k, (rt_s64)number_at(p + size, size));
		rt_call_put(k, "}");
	}
	rt_call_put(k, ", ...}");
}

enum { SIGCHLD_VALUE = 17, CLD_EXITED_VALUE = 1 };

static __attribute__((noinline)) void put_siginfo_received(struct rt_call *k, rt_u64 addr)
{
	const rt_s32 *w = (const rt_s32 *)k->block.word;
	rt_u32 sender = k->abi ? 3 : 4;
	const char *code;

	if (!rt_call_read(k, addr, k->block.byte, k->abi ? 32 : 48))
		return;
	if (!w[0]) {
		rt_call_put(k, "{}");
		return;
	}
	rt_call_put(k, "{si_signo=");
	rt_call_signal(k, (rt_u32)w[0]);
	rt_call_put(k, ", si_code=");
	code = w[0] == SIGCHLD_VALUE ? rt_call_name(RT_CALL_child_code, (rt_u32)w[2]) : 0;
	if (code)
		rt_call_put(k, code);
	else
		rt_call_dec(k, w[2]);
	if (code || w[2] <= 0) { /* a sender: of a process, not of the kernel */
		rt_call_put(k, ", si_pid=");
		rt_call_dec(k, w[sender]);
		rt_call_put(k, ", si_uid=");
		rt_call_dec(k, (rt_u32)w[sender + 1]);
	}
	if (code) {
		rt_call_put(k, ", si_status=");
		if (w[2] == CLD_EXITED_VALUE)
			rt_call_dec(k, w[sender + 2]);
		else
			rt_call_signal(k, (rt_u32)w[sender + 2]);
		rt_call_put(k, ", si_utime=");
		rt_call_dec(k, k->abi ? w[6] : (rt_s64)k->block.wide[4]);
		rt_call_put(k, ", si_stime=");
		rt_call_dec(k, k->abi ? w[7] : (rt_s64)k->block.wide[5]);
	}
	rt_call_put(k, code ? "}" : ", ...}");
}

/* ---- others ---- */

enum { UTSNAME_BYTES = 65, UTSNAME_TEXT = 80 };

/* Older forms have no more members. */
static void put_utsname(struct rt_call *k, rt_u64 addr)
{
	static const char *const names[] = {"{sysname=", ", nodename=", ", release=", ", version=", ", machine="};
	rt_u32 i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		rt_call_put(k, names[i]);
		rt_call_quoted(k, addr + i * UTSNAME_BYTES, UTSNAME_BYTES, UTSNAME_TEXT, 1);
	}
	rt_call_put(k, ", ...}");
}

static void put_sockoptval(struct rt_call *k, rt_u64 addr)
{
	rt_u32 length;

	if (k->room >= 0 && rt_call_get(k, rt_call_register(k, k->at + 1), &length, sizeof(length)))
		rt_call_sockoptval(k, addr, rt_min(length, (rt_u32)k->room));
	else
		rt_call_hex(k, addr);
}

/* If there was no room for any, the call only tells how many there are. */
static void put_ids(struct rt_call *k, rt_u64 addr, rt_u32 size)
{
	rt_u32 room = (rt_u32)rt_call_register(k, k->at - 1);

	if (room)
		rt_call_ids(k, addr, rt_min((rt_u64)room, (rt_u64)k->result), size);
	else
		rt_call_hex(k, addr);
}

/* Functions with large frames are not inline, since others are deeper. */
void rt_call_written(struct rt_call *k, rt_u64 addr)
{
	switch (k->kind) {
	case RT_CALL_out_stat:
		put_stat(k, addr, &stat_native);
		break;
	case RT_CALL_out_stat32:
		put_stat(k, addr, &stat_compat);
		break;
	case RT_CALL_out_stat64:
		put_stat(k, addr, &stat_compat64);
		break;
	case RT_CALL_out_statx:
		put_statx(k, addr);
		break;
	case RT_CALL_out_status:
		put_status(k, addr);
		break;
	case RT_CALL_out_rusage:
		put_rusage(k, addr);
		break;
	case RT_CALL_out_siginfo:
		put_siginfo_received(k, addr);
		break;
	case RT_CALL_out_epoll:
		rt_call_events(k, addr, (rt_u64)k->result);
		break;
	case RT_CALL_out_sockoptval:
		put_sockoptval(k, addr);
		break;
	case RT_CALL_out_utsname:
		put_utsname(k, addr);
		break;
	case RT_CALL_out_ids:
		put_ids(k, addr, sizeof(rt_u32));
		break;
	case RT_CALL_out_ids16:
		put_ids(k, addr, sizeof(rt_u16));
		break;
	case RT_CALL_out_long:
		rt_call_number_at(k, addr, k->abi ? sizeof(rt_s32) : sizeof(rt_s64), 1);
		break;
	case RT_CALL_out_cap_data:
		rt_call_cap_data(k, addr);
		break;
	case RT_CALL_out_sched_attr:
		rt_call_sched_attr(k, addr);
		break;
	case RT_CALL_out_cpus:
		rt_call_cpus(k, addr, (rt_u64)k->result);
		break;
	RT_CALL_WRITTEN_ROWS(RT_CALL_CASE)
		rt_call_row(k, addr);
		break;
	RT_CALL_GIVEN(RT_CALL_CASE)
	RT_CALL_FILLED(RT_CALL_CASE)
	RT_CALL_INPUTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}
