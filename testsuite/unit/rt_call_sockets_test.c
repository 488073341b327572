// SPDX-License-Identifier: GPL-2.0-or-later
/* What socketcall() is passed, as text: runtime/rt/call_sockets.c, call_hit.c.  All memory has addresses of 32 bits. */
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
		rt_u32 call = (const rt_u32[]){0, 21, ~0u}[i];

		ARGS(call, AT(low));
		snprintf(want, sizeof(want), "0x%x, 0x%x", call, (rt_u32)AT(low));
		CHECK_CALL(want);
	}
	ARGS(3, 0);
	CHECK_CALL("SYS_CONNECT, NULL");
	munmap(low, 4096);
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

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_socketcall_shows_the_call_that_it_stands_for);
	UNIT_RUN(test_socketcall_at_the_return);
	UNIT_RUN(test_a_socketcall_that_was_cut_short);
	UNIT_RUN(test_socketcalls_of_any_content_do_no_harm);
	native_ctx_end(c);
	return unit_done();
}
