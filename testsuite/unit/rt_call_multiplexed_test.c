// SPDX-License-Identifier: GPL-2.0-or-later
/* What socketcall() and ipc() are passed, as text: runtime/rt/call_multiplexed.c, call_hit.c.  All memory has addresses of 32 bits. */
#include "testsuite/unit/rt_call_frame.h"

#define CHECK_CALL(want) check(frame_shown(RT_CALL_COMPAT, socketcall), want, __LINE__)

static const char socketcall[] = {RT_CALL_socketcall, RT_CALL_socketcall_args, RT_CALL_END, RT_CALL_int};

static rt_u32 *low_page(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
}

static struct rt_str saved(rt_s64 i)
{
	return frame_saved(RT_CALL_COMPAT, socketcall, i, 0);
}

static struct rt_str later(struct rt_str text, rt_s64 i, rt_s64 room, rt_s64 returned)
{
	return frame_later(RT_CALL_COMPAT, socketcall, text, i, room, returned, 0);
}

#define PASSED(low, ...) memcpy(low, (const rt_u32[]){__VA_ARGS__}, sizeof((const rt_u32[]){__VA_ARGS__}))

static void test_socketcall_shows_the_call_that_it_stands_for(void)
{
	rt_u32 *low = low_page(), *more = low + 100;
	char want[200];

	memcpy(more, (const rt_u8[]){2, 0, 0, 80, 127, 0, 0, 1}, 8);
	memcpy(more + 10, "abc\"d", 5);
	more[20] = 1;
	PASSED(low, 2, 1 | 04000, 6);
	ARGS(1, AT(low));
	CHECK_CALL("SYS_SOCKET, [PF_INET, SOCK_STREAM|SOCK_NONBLOCK, IPPROTO_TCP]");
	PASSED(low, ~0u, AT(more), 16);
	ARGS(2, AT(low));
	CHECK_CALL("SYS_BIND, [-1, {AF_INET, 127.0.0.1, 80}, 16]");
	ARGS(3, AT(low));
	CHECK_CALL("SYS_CONNECT, [-1, {AF_INET, 127.0.0.1, 80}, 16]");
	check(rt_call_text(c, socketcall, RT_CALL_COMPAT, 1), "[-1, {AF_INET, 127.0.0.1, 80}, 16]", __LINE__);
	check(rt_call_text(c, socketcall, RT_CALL_COMPAT, 0), "SYS_CONNECT", __LINE__);
	check(rt_call_text(c, socketcall, RT_CALL_COMPAT, 2), "", __LINE__);
	CHECK_EQ(rt_call_number(c, socketcall, RT_CALL_COMPAT, 1), AT(low));
	PASSED(low, 5, AT(more + 10), 5, 0x4040, AT(more), 16);
	ARGS(11, AT(low));
	CHECK_CALL("SYS_SENDTO, [5, \"abc\\\"d\", 5, MSG_DONTWAIT|MSG_NOSIGNAL, {AF_INET, 127.0.0.1, 80}, 16]");
	ARGS(9, AT(low));
	CHECK_CALL("SYS_SEND, [5, \"abc\\\"d\", 5, MSG_DONTWAIT|MSG_NOSIGNAL]");
	PASSED(low, 5, 1, 2, AT(more + 20), 4);
	ARGS(14, AT(low));
	CHECK_CALL("SYS_SETSOCKOPT, [5, SOL_SOCKET, SO_REUSEADDR, [1], 4]");
	PASSED(low, 5, 2);
	ARGS(13, AT(low));
	CHECK_CALL("SYS_SHUTDOWN, [5, SHUT_RDWR]");
	ARGS(4, AT(low));
	CHECK_CALL("SYS_LISTEN, [5, 2]");
	for (rt_u32 i = 0; i < 3; i++) { /* no such calls */
		ARGS((const rt_u32[]){0, 21, ~0u}[i], AT(low));
		snprintf(want, sizeof(want), "%s, 0x%x", (const char *const[]){"0x0", "0x15", "-1"}[i], (rt_u32)AT(low));
		CHECK_CALL(want);
	}
	ARGS(3, 0);
	CHECK_CALL("SYS_CONNECT, NULL");
	munmap(low, 4096);
}

static void test_negative_protocols_and_options(void)
{
	static const char pair[] = {RT_CALL_pf, RT_CALL_socket_type, RT_CALL_socket_protocol, RT_CALL_END};
	static const char option[] = {RT_CALL_int, RT_CALL_sol, RT_CALL_sockopt, RT_CALL_END};
	rt_u32 *low = low_page();
	char want[100];

	PASSED(low, 0, 0x2b, -8192u, AT(low + 100));
	ARGS(8, AT(low));
	snprintf(want, sizeof(want), "SYS_SOCKETPAIR, [PF_UNSPEC, 0x2b, -8192, 0x%x]", (rt_u32)AT(low + 100));
	CHECK_CALL(want);
	PASSED(low, 2, 1, -1u);
	ARGS(1, AT(low));
	CHECK_CALL("SYS_SOCKET, [PF_INET, SOCK_STREAM, -1]");
	PASSED(low, 5, 6, -1u, 0, 0);
	ARGS(14, AT(low));
	CHECK_CALL("SYS_SETSOCKOPT, [5, SOL_TCP, -1, NULL, 0]");
	PASSED(low, 5, 1, -1u, 0, 0);
	CHECK_CALL("SYS_SETSOCKOPT, [5, SOL_SOCKET, -1, NULL, 0]");
	munmap(low, 4096);
	for (int dirty = 0; dirty < 2; dirty++) { /* of the register of a 64-bit program, the lower half is passed */
		rt_u64 upper = dirty ? 0x1234ull << 32 : 0;

		ARGS(0, 0x2b, (rt_u32)-8192 | upper);
		check(frame_shown(RT_CALL_NATIVE, pair), "PF_UNSPEC, 0x2b, -8192", __LINE__);
		ARGS(2 | upper, 1, 6 | upper);
		check(frame_shown(RT_CALL_NATIVE, pair), "PF_INET, SOCK_STREAM, IPPROTO_TCP", __LINE__);
		CHECK_EQ(rt_call_number(c, pair, RT_CALL_NATIVE, 2), 6);
		ARGS(0, 0, (rt_u32)-8192 | upper);
		CHECK_EQ(rt_call_number(c, pair, RT_CALL_NATIVE, 2), -8192);
		ARGS(5, 6, (rt_u32)-1 | upper);
		check(frame_shown(RT_CALL_NATIVE, option), "5, SOL_TCP, -1", __LINE__);
		ARGS(5, 1, (rt_u32)-1 | upper);
		check(frame_shown(RT_CALL_NATIVE, option), "5, SOL_SOCKET, -1", __LINE__);
	}
}

static void test_socketcall_at_the_return(void)
{
	rt_u32 *low = low_page(), *more = low + 100;
	struct rt_str s;
	char want[200];

	memcpy(more, (const rt_u8[]){2, 0, 0, 80, 127, 0, 0, 1}, 8);
	more[10] = 16;
	PASSED(low, 5, AT(more), AT(more + 10), 0x800);
	ARGS(18, AT(low));
	CHECK_EQ(rt_call_room(c, socketcall, RT_CALL_COMPAT), 16);
	for (int i = -1; i < 2; i += 2) {
		s = saved(i);
		CHECK(!memchr(s.p, 0, s.n));
		PASSED(low, 9, 9, 9, 9); /* too late: the kernel has read them */
		check(later(s, i, 16, 7), i < 0 ? "SYS_ACCEPT4, [5, {AF_INET, 127.0.0.1, 80}, [16], SOCK_NONBLOCK]" :
			      "[5, {AF_INET, 127.0.0.1, 80}, [16], SOCK_NONBLOCK]", __LINE__);
		PASSED(low, 5, AT(more), AT(more + 10), 0x800);
	}
	snprintf(want, sizeof(want), "SYS_ACCEPT4, [5, 0x%x, [16], SOCK_NONBLOCK]", (rt_u32)AT(more));
	check(later(saved(-1), -1, 16, -11), want, __LINE__);
	PASSED(low, 5, AT(more + 20), 100, 0);
	memcpy(more + 20, "new", 3);
	ARGS(10, AT(low));
	check(later(saved(-1), -1, -1, 3), "SYS_RECV, [5, \"new\", 100, 0x0]", __LINE__);
	/* what was not in memory at the entry is shown as it is at the return */
	native_bad_from = AT(low);
	native_bad_to = AT(low) + 4;
	s = saved(-1);
	snprintf(want, sizeof(want), "SYS_RECV, 0x%x", (rt_u32)AT(low));
	check(later(s, -1, -1, 3), want, __LINE__);
	CHECK_EQ(rt_call_room(c, socketcall, RT_CALL_COMPAT), -1);
	native_bad_from = native_bad_to = 0;
	check(later(s, -1, -1, 3), "SYS_RECV, [5, \"new\", 100, 0x0]", __LINE__);
	ARGS(99, AT(low));
	snprintf(want, sizeof(want), "0x63, 0x%x", (rt_u32)AT(low));
	check(later(saved(-1), -1, -1, -22), want, __LINE__);
	check(later(RT_EMPTY, -1, -1, -22), "", __LINE__);
	munmap(low, 4096);
}

static void test_a_socketcall_that_was_cut_short(void)
{
	rt_u32 *low = low_page(), usual = native_limits.string_max;

	PASSED(low, 5, AT(low + 100), 100, 0);
	ARGS(10, AT(low));
	for (rt_u32 n = 1; n <= 80; n++) {
		native_limits.string_max = n;
		struct rt_str s = saved(-1);
		CHECK(s.n <= n && !memchr(s.p, 0, s.n));
		struct rt_str got = later(s, -1, -1, 3);
		CHECK(got.n <= n);
		for (rt_u32 i = 0; i < got.n; i++)
			CHECK(got.p[i] >= ' ' && got.p[i] <= '~'); /* none of what was saved */
		c->arena_pos = c->arena;
	}
	native_limits.string_max = usual;
	CHECK(!c->error);
	munmap(low, 4096);
}

static void test_socketcalls_of_any_content_do_no_harm(void)
{
	rt_u32 *low = low_page();

	native_good_from = AT(low);
	native_good_to = AT(low + 64);
	for (unsigned i = 0; i < 20000; i++) {
		for (unsigned j = 0; j < 64; j++)
			low[j] = native_below(3) ? (rt_u32)AT(low + native_below(64)) : (rt_u32)native_random_long();
		ARGS(native_below(22), AT(low + native_below(64)), (rt_u64)native_random_long());
		native_reads = 0;
		struct rt_str s = saved(-1);
		CHECK(s.n <= native_limits.string_max && !memchr(s.p, 0, s.n));
		CHECK(later(s, -1, native_random_long(), native_random_long()).n <= native_limits.string_max);
		CHECK(native_reads < 3000);
		CHECK(!c->error);
		c->arena_pos = c->arena;
	}
	native_good_from = native_good_to = 0;
	munmap(low, 4096);
}

/* ---- ipc() ---- */

static const char ipc[] = {RT_CALL_ipc, RT_CALL_ipc_first, RT_CALL_int, RT_CALL_hex, RT_CALL_ptr, RT_CALL_hex, RT_CALL_END, RT_CALL_int};

#define CHECK_IPC(want) check(frame_shown(RT_CALL_COMPAT, ipc), want, __LINE__)

static void test_ipc_shows_the_call_that_it_stands_for(void)
{
	rt_u32 *low = low_page();
	char want[200];

	PASSED(low, 5, 600, 7, (rt_u32)-2);
	ARGS(23, 0, 4096, 05644, 0xdead, 0xdead);
	CHECK_IPC("SHMGET, [IPC_PRIVATE, 4096, IPC_CREAT|SHM_HUGETLB|0644]");
	ARGS(23, 5, 0x80000000, 0, 0, 0);
	CHECK_IPC("SHMGET, [5, 2147483648, 0]");
	ARGS(1, ~0ull, 3, 0xdead, 0x1000);
	CHECK_IPC("SEMOP, [-1, 0x1000, 3]");
	ARGS(4, 1, 3, 0xdead, 0x1000, AT(low));
	CHECK_IPC("SEMTIMEDOP, [1, 0x1000, 3, [5.000000600]]");
	ARGS(2, 0x20, 3, 03600);
	CHECK_IPC("SEMGET, [32, 3, IPC_CREAT|IPC_EXCL|0600]");
	ARGS(3, 1, 2, 16, AT(low + 2));
	CHECK_IPC("SEMCTL, [1, 2, SETVAL, 0x7]");
	ARGS(11, 1, 20, 04000, 0x1000, 0xdead);
	CHECK_IPC("MSGSND, [1, 0x1000, 20, IPC_NOWAIT]");
	ARGS(12, 1, 20, 04000, AT(low + 2), 0xdead);
	CHECK_IPC("MSGRCV, [1, 0x7, 20, -2, IPC_NOWAIT]");
	ARGS(12 | 1 << 16, 1, 20, 04000, 0x1000, (rt_u32)-3);
	CHECK_IPC("MSGRCV|0x10000, [1, 0x1000, 20, -3, IPC_NOWAIT]");
	ARGS(13, 0, 01000, 0xdead, 0xdead, 0xdead);
	CHECK_IPC("MSGGET, [IPC_PRIVATE, IPC_CREAT|0]");
	ARGS(14, 1, 0, 0xdead, 0x1000);
	CHECK_IPC("MSGCTL, [1, IPC_RMID, 0x1000]");
	ARGS(21, 1, 010000, 0x2000, 0x1000);
	CHECK_IPC("SHMAT, [1, 0x1000, SHM_RDONLY]");
	ARGS(22, 0xdead, 0xdead, 0xdead, 0x1000);
	CHECK_IPC("SHMDT, [0x1000]");
	ARGS(24, 1, 2, 0xdead, 0x1000);
	CHECK_IPC("SHMCTL, [1, IPC_STAT, 0x1000]");
	CHECK_EQ(rt_call_number(c, ipc, RT_CALL_COMPAT, 1), 1);
	CHECK_EQ(rt_call_number(c, ipc, RT_CALL_COMPAT, 4), 0x1000);
	/* no such call, or no memory: the registers */
	ARGS(99, 1, 2, 3, 4, 5);
	CHECK_IPC("0x63, 1, 2, 0x3, 0x4, 0x5");
	for (rt_u32 call = 25; call <= 0xffff; call++) { /* those that the kernel knows end at 24 */
		for (rt_u32 version = 0; version < 2; version++) {
			ARGS(call | version << 16, 1, 2, 3, 4, 5);
			snprintf(want, sizeof(want), "0x%x, 1, 2, 0x3, 0x4, 0x5", call | version << 16);
			CHECK_IPC(want);
			c->arena_pos = c->arena;
		}
	}
	ARGS(12, 1, 20, 04000, 0, 5);
	CHECK_IPC("MSGRCV, 1, 20, 0x800, 0x0, 0x5");
	native_bad_from = AT(low);
	native_bad_to = AT(low) + 4;
	ARGS(3, 1, 2, 16, AT(low), 5);
	snprintf(want, sizeof(want), "SEMCTL, 1, 2, 0x10, 0x%x, 0x5", (rt_u32)AT(low));
	CHECK_IPC(want);
	native_bad_from = native_bad_to = 0;
	munmap(low, 4096);
}

static void test_ipc_at_the_return(void)
{
	rt_u32 *low = low_page();
	struct rt_str s;
	char want[200];

	PASSED(low, 7, (rt_u32)-2);
	ARGS(12, 1, 20, 04000, AT(low), 0xdead);
	s = frame_saved(RT_CALL_COMPAT, ipc, -1, 0);
	CHECK(!memchr(s.p, 0, s.n));
	CHECK_EQ(rt_call_room(c, ipc, RT_CALL_COMPAT), -1);
	PASSED(low, 9, 9); /* too late: the kernel has read them */
	check(frame_later(RT_CALL_COMPAT, ipc, s, -1, -1, 5, 0), "MSGRCV, [1, 0x7, 20, -2, IPC_NOWAIT]", __LINE__);
	/* what was not in memory at the entry is shown as it is at the return */
	native_bad_from = AT(low);
	native_bad_to = AT(low) + 4;
	s = frame_saved(RT_CALL_COMPAT, ipc, -1, 0);
	snprintf(want, sizeof(want), "MSGRCV, 1, 20, 0x800, 0x%x, 0xdead", (rt_u32)AT(low));
	check(frame_later(RT_CALL_COMPAT, ipc, s, -1, -1, -14, 0), want, __LINE__);
	native_bad_from = native_bad_to = 0;
	check(frame_later(RT_CALL_COMPAT, ipc, s, -1, -1, 5, 0), "MSGRCV, [1, 0x9, 20, 9, IPC_NOWAIT]", __LINE__);
	/* what the script asks for one by one */
	s = frame_saved(RT_CALL_COMPAT, ipc, 0, 0);
	check(frame_later(RT_CALL_COMPAT, ipc, s, 0, -1, 5, 0), "MSGRCV", __LINE__);
	munmap(low, 4096);
}

static void test_ipc_of_any_content_does_no_harm(void)
{
	rt_u32 *low = low_page(), usual = native_limits.string_max;

	native_good_from = AT(low);
	native_good_to = AT(low + 64);
	for (unsigned i = 0; i < 20000; i++) {
		for (unsigned j = 0; j < 64; j++)
			low[j] = (rt_u32)native_random_long();
		ARGS(native_below(26), (rt_u64)native_random_long(), (rt_u64)native_random_long(), (rt_u64)native_random_long(),
		     AT(low + native_below(70)), AT(low + native_below(70)));
		native_limits.string_max = i % 4 ? usual : native_below(usual) + 1;
		struct rt_str s = frame_saved(RT_CALL_COMPAT, ipc, -1, 0);
		CHECK(s.n <= native_limits.string_max && !memchr(s.p, 0, s.n));
		CHECK(frame_later(RT_CALL_COMPAT, ipc, s, -1, native_random_long(), native_random_long(), 0).n <= native_limits.string_max);
		CHECK(!c->error);
		c->arena_pos = c->arena;
	}
	native_limits.string_max = usual;
	native_good_from = native_good_to = 0;
	munmap(low, 4096);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_socketcall_shows_the_call_that_it_stands_for);
	UNIT_RUN(test_negative_protocols_and_options);
	UNIT_RUN(test_socketcall_at_the_return);
	UNIT_RUN(test_a_socketcall_that_was_cut_short);
	UNIT_RUN(test_socketcalls_of_any_content_do_no_harm);
	UNIT_RUN(test_ipc_shows_the_call_that_it_stands_for);
	UNIT_RUN(test_ipc_at_the_return);
	UNIT_RUN(test_ipc_of_any_content_does_no_harm);
	native_ctx_end(c);
	return unit_done();
}
