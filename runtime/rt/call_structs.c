// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures that are passed to system calls. */
#include "rt/call.h"

enum { UTIME_NOW_VALUE = 0x3fffffff, UTIME_OMIT_VALUE = 0x3ffffffe, SIGINFO_BYTES = 32 };

/* n words of the program at addr, with their signs; 32-bit programs: of 4 bytes, unless wide.  NULL: shown as an address. */
static const rt_s64 *read_words(struct rt_call *k, rt_u64 addr, rt_bool wide, rt_u32 n)
{
	rt_u32 size = !k->abi || wide ? 8 : 4;

	if (!rt_call_read(k, addr, k->block.byte, n * size))
		return 0;
	while (size == 4 && n--)
		k->block.wide[n] = (rt_u64)(rt_s64)(rt_s32)k->block.word[n];
	return (const rt_s64 *)k->block.wide;
}

static void put_words(struct rt_call *k, const char *between, rt_s64 a, rt_s64 b)
{
	rt_call_put(k, "[");
	rt_call_dec(k, a);
	rt_call_put(k, between);
	rt_call_dec(k, b);
	rt_call_put(k, "]");
}

/* ---- times ---- */

static void put_time(struct rt_call *k, rt_s64 seconds, rt_s64 part, int digits)
{
	rt_call_dec(k, seconds);
	rt_call_put(k, ".");
	if (part < 0)
		rt_call_dec(k, part);
	else
		rt_call_digits(k, (rt_u64)part, digits);
}

/* n times of two words: one after the other in brackets each, or all in one pair of brackets. */
static void put_times(struct rt_call *k, rt_u64 addr, rt_u32 n, int digits, rt_bool together)
{
	rt_bool wide = k->abi == RT_CALL_COMPAT_TIME64 && digits == 9;
	const rt_s64 *t = read_words(k, addr, wide, 2 * n);
	rt_u32 i;

	if (!t)
		return;
	for (i = 0; i < n; i++) {
		/* the other half of a wide one need not be set, and the kernel does not look at it */
		rt_s64 part = wide ? (rt_u32)t[2 * i + 1] : t[2 * i + 1];

		rt_call_put(k, i && together ? "," : "[");
		if (k->kind == RT_CALL_timespecs && part == UTIME_NOW_VALUE)
			rt_call_put(k, "UTIME_NOW");
		else if (k->kind == RT_CALL_timespecs && part == UTIME_OMIT_VALUE)
			rt_call_put(k, "UTIME_OMIT");
		else
			put_time(k, t[2 * i], part, digits);
		if (!together || i == n - 1)
			rt_call_put(k, "]");
	}
}

static void put_utimbuf(struct rt_call *k, rt_u64 addr)
{
	const rt_s64 *t = read_words(k, addr, 0, 2);

	if (t)
		put_words(k, ", ", t[0], t[1]);
}

/* ---- limits ---- */

static void put_limit(struct rt_call *k, rt_u64 v, rt_u64 infinity)
{
	if (v == infinity)
		rt_call_put(k, "RLIM_INFINITY");
	else
		rt_call_dec(k, (rt_s64)v);
}

static void put_rlimit(struct rt_call *k, rt_u64 addr, rt_bool wide)
{
	rt_u64 infinity = k->abi && !wide ? 0xffffffff : ~0ull;
	const rt_s64 *v = read_words(k, addr, wide, 2);

	if (!v)
		return;
	rt_call_put(k, "[");
	put_limit(k, (rt_u64)v[0] & infinity, infinity);
	rt_call_put(k, ",");
	put_limit(k, (rt_u64)v[1] & infinity, infinity);
	rt_call_put(k, "]");
}

/* ---- signals ---- */

static void put_sigset(struct rt_call *k, rt_u64 addr)
{
	rt_u64 set;

	if (rt_call_read(k, addr, &set, sizeof(set)))
		rt_call_signals(k, set);
}

/* As the kernel has them, with the function that ends a handler. */
struct sigaction_native {
	rt_u64 handler, flags, restorer, mask;
};
struct sigaction_compat {
	rt_u32 handler, flags, restorer, mask[2];
};

static rt_bool read_sigaction(struct rt_call *k, rt_u64 addr, struct sigaction_native *a)
{
	struct sigaction_compat c;

	if (!k->abi)
		return rt_call_read(k, addr, a, sizeof(*a));
	if (!rt_call_read(k, addr, &c, sizeof(c)))
		return 0;
	*a = (struct sigaction_native){c.handler, c.flags, c.restorer, c.mask[0] | (rt_u64)c.mask[1] << 32};
	return 1;
}

static void put_sigaction(struct rt_call *k, rt_u64 addr)
{
	struct sigaction_native a;

	if (!addr) {
		rt_call_put(k, "{NULL}");
		return;
	}
	if (!read_sigaction(k, addr, &a))
		return;
	if (a.handler <= 1) {
		rt_call_put(k, a.handler ? "{SIG_IGN}" : "{SIG_DFL}");
		return;
	}
	rt_call_put(k, "{");
	rt_call_hex(k, a.handler);
	rt_call_put(k, ", ");
	rt_call_names(k, RT_CALL_sa_flags, a.flags);
	rt_call_put(k, ", ");
	rt_call_hex(k, a.restorer);
	rt_call_put(k, ", ");
	rt_call_signals(k, a.mask);
	rt_call_put(k, "}");
}

/* {signal, code, pid, uid, value} of one that a program makes. */
static void put_siginfo_to_send(struct rt_call *k, rt_u64 addr)
{
	const rt_s32 *word = (const rt_s32 *)k->block.word;
	rt_u32 sender = k->abi ? 3 : 4;

	if (!rt_call_read(k, addr, k->block.byte, SIGINFO_BYTES))
		return;
	rt_call_put(k, "{");
	rt_call_signal(k, (rt_u32)word[0]);
	rt_call_put(k, ", ");
	rt_call_dec(k, word[2]);
	rt_call_put(k, ", ");
	rt_call_dec(k, word[sender]);
	rt_call_put(k, ", ");
	rt_call_dec(k, (rt_u32)word[sender + 1]);
	rt_call_put(k, ", ");
	rt_call_hex(k, k->abi ? (rt_u32)word[5] : k->block.wide[3]);
	rt_call_put(k, "}");
}

static void put_sigaltstack(struct rt_call *k, rt_u64 addr)
{
	const rt_s64 *v = read_words(k, addr, 0, 3);

	if (!v)
		return;
	rt_call_put(k, "{");
	rt_call_hex(k, k->abi ? (rt_u32)v[0] : (rt_u64)v[0]);
	rt_call_put(k, ", ");
	rt_call_names(k, RT_CALL_sigstack, (rt_u32)v[1]);
	rt_call_put(k, ", ");
	rt_call_dec(k, v[2]);
	rt_call_put(k, "}");
}

/* ---- addresses of sockets ---- */

enum { UNIX = 1, INET = 2, INET6 = 10, NETLINK = 16, ADDRESS = 128, ADDRESS_READ = 32, UNIX_PATH = 108 };

static rt_u32 two_bytes(const rt_u8 *p)
{
	return (rt_u32)p[0] << 8 | p[1];
}

static void put_ipv4(struct rt_call *k, const rt_u8 *p)
{
	rt_u32 i;

	for (i = 0; i < 4; i++) {
		rt_call_put(k, i ? "." : "");
		rt_call_dec(k, p[i]);
	}
}

/* RFC 5952: "::" for the longest run of at least two groups that are 0, the first of them. */
static void put_ipv6(struct rt_call *k, const rt_u8 *p)
{
	static const char digits[] = "0123456789abcdef";
	rt_u32 i, run = 0, longest = 1, end = 0;
	rt_s32 shift;

	for (i = 0; i < 8; i++) {
		run = two_bytes(p + 2 * i) ? 0 : run + 1;
		if (run > longest) {
			longest = run;
			end = i + 1;
		}
	}
	for (i = 0; i < 8; i++) {
		rt_u32 group = two_bytes(p + 2 * i);

		if (end && i == end - longest) {
			rt_call_put(k, "::");
			i = end - 1;
			continue;
		}
		rt_call_put(k, i && i != end ? ":" : "");
		for (shift = 12; shift >= 0; shift -= 4)
			if (group >> shift || !shift)
				rt_sink_put(&k->s, &digits[group >> shift & 15], 1);
	}
}

static void put_unix(struct rt_call *k, rt_u64 addr, rt_u32 length, const rt_u8 *path)
{
	rt_u32 n = (rt_u32)rt_min(length - 2, UNIX_PATH);

	if (n && !path[0]) { /* it is in no folder */
		rt_call_put(k, "@");
		rt_call_quoted(k, addr + 3, n - 1, 4 * UNIX_PATH + 8, 0);
	} else {
		rt_call_quoted(k, addr + 2, n, 4 * UNIX_PATH + 8, 1);
	}
}

/* One of a family with numbers that are known; false: there is not all of it, or it is another. */
static rt_bool put_known_family(struct rt_call *k, const rt_u8 *p, rt_u32 length)
{
	rt_u16 family = *(const rt_u16 *)p;
	const rt_u32 *words = (const rt_u32 *)p;

	if (family == INET && length >= 8) {
		rt_call_put(k, ", ");
		put_ipv4(k, p + 4);
	} else if (family == INET6 && length >= 24) {
		rt_call_put(k, ", ");
		put_ipv6(k, p + 8);
	} else if (family == NETLINK && length >= 12) {
		rt_call_put(k, ", ");
		rt_call_dec(k, (rt_s32)words[1]);
		rt_call_put(k, ", ");
		rt_call_hex(k, words[2]);
		return 1;
	} else {
		return 0;
	}
	rt_call_put(k, ", ");
	rt_call_dec(k, two_bytes(p + 2));
	return 1;
}

void rt_call_sockaddr(struct rt_call *k, rt_u64 addr, rt_u32 length)
{
	const rt_u8 *a = k->block.byte; /* all of the others, the beginning of one with a path */
	rt_u16 family;
	const char *name;

	length = (rt_u32)rt_min(length, ADDRESS);
	if (addr && length < 2) {
		rt_call_hex(k, addr);
		return;
	}
	if (!rt_call_read(k, addr, k->block.byte, rt_min(length, ADDRESS_READ)))
		return;
	family = k->block.half[0];
	name = rt_call_name(RT_CALL_pf, family);
	rt_call_put(k, "{AF_");
	if (name)
		rt_call_put(k, family == UNIX ? "UNIX" : name + 3);
	else
		rt_call_dec(k, family);
	if (family == UNIX && length > 2) {
		rt_call_put(k, ", ");
		put_unix(k, addr, length, a + 2);
	} else if (family != UNIX) {
		put_known_family(k, a, length);
	}
	rt_call_put(k, "}");
}

static void put_fds(struct rt_call *k, rt_u64 addr)
{
	rt_s32 fds[2];

	if (rt_call_read(k, addr, fds, sizeof(fds)))
		put_words(k, ", ", fds[0], fds[1]);
}

void rt_call_struct(struct rt_call *k, rt_u64 addr)
{
	switch (k->kind) {
	case RT_CALL_out_fds:
		put_fds(k, addr);
		break;
	case RT_CALL_timespec:
	case RT_CALL_out_timespec:
		put_times(k, addr, 1, 9, 0);
		break;
	case RT_CALL_timespecs:
		put_times(k, addr, 2, 9, 0);
		break;
	case RT_CALL_itimerspec:
	case RT_CALL_out_itimerspec:
		put_times(k, addr, 2, 9, 1);
		break;
	case RT_CALL_timeval:
	case RT_CALL_out_timeval:
		put_times(k, addr, 1, 6, 0);
		break;
	case RT_CALL_timevals:
		put_times(k, addr, 2, 6, 0);
		break;
	case RT_CALL_itimerval:
	case RT_CALL_out_itimerval:
		put_times(k, addr, 2, 6, 1);
		break;
	case RT_CALL_utimbuf:
		put_utimbuf(k, addr);
		break;
	case RT_CALL_rlimit:
	case RT_CALL_rlimit64:
	case RT_CALL_out_rlimit:
	case RT_CALL_out_rlimit64:
		put_rlimit(k, addr, k->kind == RT_CALL_rlimit64 || k->kind == RT_CALL_out_rlimit64);
		break;
	case RT_CALL_sigset:
	case RT_CALL_out_sigset:
		put_sigset(k, addr);
		break;
	case RT_CALL_sigaction:
	case RT_CALL_out_sigaction:
		put_sigaction(k, addr);
		break;
	case RT_CALL_siginfo:
		put_siginfo_to_send(k, addr);
		break;
	case RT_CALL_sigaltstack:
	case RT_CALL_out_sigaltstack:
		put_sigaltstack(k, addr);
		break;
	case RT_CALL_sockaddr:
		rt_call_sockaddr(k, addr, (rt_u32)rt_call_register(k, k->at + 1));
		break;
	RT_CALL_GIVEN(RT_CALL_CASE)
	RT_CALL_WRITTEN(RT_CALL_CASE)
	RT_CALL_LISTS(RT_CALL_CASE)
	RT_CALL_BOTH(RT_CALL_CASE)
	RT_CALL_NUMBERS(RT_CALL_CASE)
	RT_CALL_SOMETIMES(RT_CALL_CASE)
	RT_CALL_MEMORY(RT_CALL_CASE)
	RT_CALL_TEXTS(RT_CALL_CASE)
	RT_CALL_NAMES(RT_CALL_CASE)
	RT_CALL_PARTS(RT_CALL_CASE)
	case RT_CALL_END:
	case RT_CALL_NKINDS:
		break;
	}
}
