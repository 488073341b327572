// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments of system calls as text: runtime/rt/call_hit.c, call.c, call_fields.c, call_ioctls.c, call_lists.c, call_names.c,
 * call_options.c, call_structs.c, call_written.c. */
#include "testsuite/unit/rt_call_frame.h"

#define CHECK_CALL(abi, kinds, want) check(frame_shown(abi, kinds), want, __LINE__)

static void test_each_kind_shows_something(void)
{
	for (int kind = 1; kind < RT_CALL_mknod_type; kind++) { /* from there on they are no arguments */
		ARGS(1, 2, 3, 4, 5, 6);
		native_bad_from = 1;
		native_bad_to = 4096;
		struct rt_str text = frame_shown(RT_CALL_NATIVE, KINDS(RT_CALL_hex, RT_CALL_hex, (char)kind));
		if (kind != RT_CALL_open_mode && kind != RT_CALL_open_attr && kind != RT_CALL_futex_time && kind != RT_CALL_futex_addr &&
		    kind != RT_CALL_futex_val3 && kind != RT_CALL_prctl_arg && kind != RT_CALL_prctl_more && kind != RT_CALL_sysfs_more &&
		    kind != RT_CALL_keyctl_arg)
			CHECK(text.n > strlen("0x1, 0x2, "));
		CHECK(!c->error);
		c->arena_pos = c->arena;
	}
	native_bad_from = native_bad_to = 0;
}

static void test_numbers_have_the_width_of_their_type(void)
{
	ARGS(0xdeadbeefffffffff, 0xdeadbeeffffffffe, ~0ull, ~0ull, 5, 0);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_uint, RT_CALL_long, RT_CALL_size, RT_CALL_octal),
		   "-1, 4294967294, -1, 18446744073709551615, 05");
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_int, RT_CALL_uint, RT_CALL_long, RT_CALL_size, RT_CALL_hex),
		   "-1, 4294967294, -1, 4294967295, 0x5");
}

static void test_numbers_of_no_call_are_shown_as_its_arguments(void)
{
	const rt_u64 numbers[RT_CALL_ARGS] = {0x20000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0xffffffff, 0xfffff000};
	const char *kinds = KINDS(RT_CALL_ptr, RT_CALL_size, (char)RT_CALL_prot, (char)RT_CALL_mmap_flags, RT_CALL_int, RT_CALL_size);

	c->args = NULL;
	c->nargs = 0;
	check(rt_call_numbers(c, kinds, RT_CALL_COMPAT, numbers),
	      "0x20000000, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 4294963200", __LINE__);
}

static void test_64_bits_take_two_registers_of_a_32_bit_program(void)
{
	ARGS(3, 1, 2, 4, 5, 6);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_off64, RT_CALL_int), "3, 1, 2");
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_int, RT_CALL_off64, RT_CALL_int), "3, 8589934593, 4");
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_pos, RT_CALL_int), "3, 0x1, 4");
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_int, RT_CALL_pos, RT_CALL_int), "3, 0x200000001, 4");
	CHECK_EQ(rt_call_number(c, KINDS(RT_CALL_int, RT_CALL_off64, RT_CALL_int), RT_CALL_COMPAT, 2), 4);
	CHECK_EQ(rt_call_number(c, KINDS(RT_CALL_int), RT_CALL_COMPAT, 1), 0);
	CHECK_EQ(rt_call_number(c, KINDS(RT_CALL_int), RT_CALL_COMPAT, -1), 0);
}

static void test_more_kinds_than_registers_are_zeroes(void)
{
	ARGS(1, 2, 3, 4, 5, 6);
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_off64, RT_CALL_off64, RT_CALL_off64, RT_CALL_off64, RT_CALL_int),
		   "8589934593, 17179869187, 25769803781, 0, 0");
}

static void test_a_call_that_is_not_known_shows_its_registers(void)
{
	ARGS(1, 2, 3, 0, ~0ull, 6);
	CHECK_CALL(RT_CALL_NATIVE, NULL, "0x1, 0x2, 0x3, 0x0, 0xffffffffffffffff, 0x6");
}

static void test_names_of_one_value_of_bits_and_of_both(void)
{
	ARGS(0, 0x80241, 0x800241, 0x1801, 1ull << 40 | 0x22, 0x11200);
	CHECK_CALL(RT_CALL_NATIVE,
		   KINDS(RT_CALL_open_flags, RT_CALL_open_flags, RT_CALL_open_flags, RT_CALL_socket_type, RT_CALL_mmap_flags, RT_CALL_clone_flags),
		   "O_RDONLY, O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, O_WRONLY|O_CREAT|O_TRUNC|0x800000, SOCK_STREAM|SOCK_NONBLOCK|0x1000, "
		   "MAP_PRIVATE|MAP_ANONYMOUS|0x10000000000, CLONE_FS|CLONE_PIDFD|CLONE_THREAD");
}

static void test_names_of_zero(void)
{
	ARGS(0, 0, 0, 0, 0, 0);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_access, RT_CALL_msg_flags, RT_CALL_prot, RT_CALL_clock, RT_CALL_signal, RT_CALL_clone_flags),
		   "F_OK, 0x0, PROT_NONE, CLOCK_REALTIME, 0, 0x0");
}

static void test_sets_of_signals(void)
{
	rt_u64 sets[] = {0, 1, ~0ull, ~0ull << 1};

	ARGS(AT(&sets[0]), AT(&sets[1]), AT(&sets[2]), AT(&sets[3]), 0);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_sigset, RT_CALL_sigset, RT_CALL_sigset, RT_CALL_sigset, RT_CALL_sigset),
		   "[EMPTY], [SIGHUP], ~[], ~[SIGHUP], NULL");
}

static void test_text_is_cut_where_it_would_be_too_long(void)
{
	char text[1000];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	ARGS(AT(text), 7, 0);
	struct rt_str s = frame_shown(RT_CALL_NATIVE, KINDS(RT_CALL_str, RT_CALL_int));
	CHECK(s.n <= native_limits.string_max);
	CHECK_MEM(s.p + s.n - 7, 7, "\"..., 7", 7);
	c->arena_pos = c->arena;
	s = rt_call_text(c, KINDS(RT_CALL_str), RT_CALL_NATIVE, 0);
	CHECK_EQ(s.n, native_limits.string_max);
	CHECK_MEM(s.p + s.n - 5, 5, "x\"...", 5);
	c->arena_pos = c->arena;
	ARGS(AT(text), 1000, 0);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_buf, RT_CALL_size), "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"..., 1000");
}

/* Sizes are the program's: it may say anything. */
static void test_no_more_is_read_than_is_shown(void)
{
	static char big[1 << 20], texts[6][600];
	rt_u32 most = native_limits.string_max;

	memset(big, 'b', sizeof(big));
	for (unsigned i = 0; i < 6; i++)
		memset(texts[i], 'x', sizeof(texts[i]) - 1);
	for (native_limits.string_max = 16; native_limits.string_max <= most; native_limits.string_max++)
		for (unsigned length = 0; length < 600; length += 37) {
			const char *kinds[] = {
				KINDS(RT_CALL_str, RT_CALL_str, RT_CALL_buf, RT_CALL_size),
				KINDS(RT_CALL_str, RT_CALL_str, RT_CALL_str, RT_CALL_mount_flags, RT_CALL_str),
			};

			memset(texts[0], 'x', sizeof(texts[0]) - 1);
			texts[0][length] = 0;
			texts[1][40] = texts[2][25] = 0;
			for (unsigned k = 0; k < 2; k++) {
				ARGS(AT(texts[0]), AT(texts[1]), k ? AT(texts[2]) : AT(big), k ? 3 : sizeof(big), AT(texts[3]), 0);
				native_reads = 0;
				CHECK(frame_shown(RT_CALL_NATIVE, kinds[k]).n <= native_limits.string_max);
				CHECK(native_reads <= native_limits.string_max + 200);
				c->arena_pos = c->arena;
			}
			native_reads = 0;
			CHECK(rt_call_text(c, KINDS(RT_CALL_str, RT_CALL_str, RT_CALL_buf, RT_CALL_size), RT_CALL_NATIVE, 0).n <=
			      native_limits.string_max);
			c->arena_pos = c->arena;
		}
	native_limits.string_max = most;
}

static void test_times_of_each_size(void)
{
	rt_s64 wide[4] = {1, 2, 3, 4};
	rt_s32 narrow[4] = {5, 6, 7, -8};

	ARGS(AT(wide), AT(wide), AT(wide), 0);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_timespec, RT_CALL_timevals, RT_CALL_itimerspec, RT_CALL_timeval),
		   "[1.000000002], [1.000002][3.000004], [1.000000002,3.000000004], NULL");
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	memcpy(low, narrow, sizeof(narrow));
	memcpy(low + 64, wide, sizeof(wide));
	ARGS(AT(low), AT(low), 0);
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_timespec, RT_CALL_itimerval), "[5.000000006], [5.000006,7.-8]");
	ARGS(AT(low + 64), 0);
	CHECK_CALL(RT_CALL_COMPAT_TIME64, KINDS(RT_CALL_timespec), "[1.000000002]");
	wide[1] |= (rt_s64)0xdead << 32; /* padding there */
	CHECK_CALL(RT_CALL_COMPAT_TIME64, KINDS(RT_CALL_timespec), "[1.000000002]");
	munmap(low, 4096);
}

static void test_addresses_of_sockets_in_all_lengths(void)
{
	rt_u8 a[128] = {10, 0, 0, 80, 0, 0, 0, 0, 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5};

	ARGS(AT(a), 28);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_sockaddr, RT_CALL_uint), "{AF_INET6, 2001:db8::5, 80}, 28");
	for (rt_u64 n = 0; n < 200; n++) {
		for (rt_u8 family = 0; family < 60; family++) {
			a[0] = family;
			ARGS(AT(a), n);
			frame_shown(RT_CALL_NATIVE, KINDS(RT_CALL_sockaddr));
			CHECK(!c->error);
			c->arena_pos = c->arena;
		}
	}
}

static struct rt_str later(const char *kinds, struct rt_str saved, rt_s64 i, rt_s64 room, rt_s64 returned, rt_bool plain)
{
	return frame_later(RT_CALL_NATIVE, kinds, saved, i, room, returned, plain);
}

static struct rt_str result(const char *kinds, rt_s64 i, rt_s64 room, rt_s64 returned)
{
	return later(kinds, RT_EMPTY, i, room, returned, 0);
}

static struct rt_str saved(const char *kinds, rt_s64 i, rt_bool plain)
{
	return frame_saved(RT_CALL_NATIVE, kinds, i, plain);
}

#define CHECK_LATER(kinds, saved, returned, want) check(later(kinds, saved, -1, -1, returned, 0), want, __LINE__)

static void test_a_return_shows_what_was_there_at_the_entry(void)
{
	const char *kinds = KINDS(RT_CALL_int, RT_CALL_str, RT_CALL_out_buf, RT_CALL_size);
	char text[] = "before", buf[] = "1234";

	ARGS(7, AT(text), AT(buf), 3);
	struct rt_str s = saved(kinds, -1, 0);
	strcpy(text, "after");
	CHECK_LATER(kinds, s, 2, "7, \"before\", \"12\", 3");
	s = saved(kinds, 1, 0);
	strcpy(text, "later");
	check(later(kinds, s, 1, -1, 0, 0), "\"after\"", __LINE__);
	s = saved(kinds, 1, 1);
	strcpy(text, "other");
	check(later(kinds, s, 1, -1, 0, 1), "later", __LINE__);
}

static void test_what_was_not_in_memory_is_read_at_the_return(void)
{
	const char *kinds = KINDS(RT_CALL_str, RT_CALL_str, RT_CALL_timespec, RT_CALL_int);
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	rt_s64 time[2] = {1, 2};
	char want[200], text[] = "there";

	native_bad_from = AT(page) + 4096; /* this text ends in the page that is missing */
	native_bad_to = AT(page) + 8192;
	strcpy(page + 4096 - 3, "abcdef");
	memcpy(page + 4096 + 16, time, sizeof(time));
	ARGS(AT(page) + 4096 - 3, AT(text), AT(page) + 4096 + 16, 5);
	snprintf(want, sizeof(want), "\"abc\"..., \"there\", 0x%llx, 5", AT(page) + 4096 + 16);
	CHECK_CALL(RT_CALL_NATIVE, kinds, want);
	struct rt_str s = saved(kinds, -1, 0);
	strcpy(text, "gone!");
	CHECK_LATER(kinds, s, -2, want); /* it is missing still */
	s = saved(kinds, -1, 0);
	native_bad_from = native_bad_to = 0;
	CHECK_LATER(kinds, s, -2, "\"abcdef\", \"gone!\", [1.000000002], 5");
	munmap(page, 8192);
}

/* The text is the program's: whatever is in it, and whatever becomes of its memory, it is one argument. */
static void test_no_byte_of_a_text_is_taken_for_more(void)
{
	const char *kinds = KINDS(RT_CALL_str, RT_CALL_buf, RT_CALL_int, RT_CALL_str);
	char text[256], want[1200];

	for (unsigned first = 1; first < 256; first++) {
		memset(text, (int)first, 8);
		memcpy(text + 8, "\1\2\3\4\5\6\x7f\xff\x80\xc0\x41", 12);
		ARGS(AT(text), AT(text), 12, AT(text + 2));
		struct rt_str s = frame_shown(RT_CALL_NATIVE, kinds);
		snprintf(want, sizeof(want), "%.*s", (int)s.n, s.p);
		c->arena_pos = c->arena;
		s = saved(kinds, -1, 0);
		memset(text, 0x81, sizeof(text));
		CHECK_LATER(kinds, s, 0, want);
	}
	/* a text that is the address of another one, or of itself, where that is missing */
	kinds = KINDS(RT_CALL_str, RT_CALL_str, RT_CALL_int, RT_CALL_str);
	ARGS(1, AT(text), 12, 1);
	native_bad_from = 1;
	native_bad_to = 4096;
	strcpy(text, "0x1");
	struct rt_str s = saved(kinds, -1, 0);
	strcpy(text, "x");
	CHECK_LATER(kinds, s, 0, "0x1, \"0x1\", 12, 0x1");
	native_bad_from = native_bad_to = 0;
}

/* Whatever was saved, nothing but it is read, and no more than a string is made. */
static void test_saved_text_that_is_wrong_does_no_harm(void)
{
	const char *kinds = KINDS(RT_CALL_str, RT_CALL_buf, RT_CALL_int, RT_CALL_str);
	char text[] = "text", *wrong = malloc(16);

	ARGS(AT(text), AT(text), 3, AT(text));
	for (unsigned i = 0; i < 100000; i++) {
		rt_u32 n = native_below(17);

		for (rt_u32 j = 0; j < n; j++)
			wrong[j] = (char)native_random();
		memmove(wrong + 16 - n, wrong, n); /* ASan sees what is after it */
		CHECK(later(kinds, (struct rt_str){wrong + 16 - n, n}, i % 6 - 1, 5, 0, 0).n <= native_limits.string_max);
		CHECK(!c->error);
		c->arena_pos = c->arena;
	}
	free(wrong);
}

static void test_what_was_cut_at_the_entry_has_dots_at_the_return(void)
{
	const char *kinds = KINDS(RT_CALL_str, RT_CALL_str, RT_CALL_str, RT_CALL_int, RT_CALL_mount_flags, RT_CALL_hex);
	rt_u32 most = native_limits.string_max;
	char text[600];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ARGS(AT(text), AT(text), AT(text), 1, ~0ull, 6);
	for (native_limits.string_max = 7; native_limits.string_max <= most; native_limits.string_max++) {
		struct rt_str s = saved(kinds, -1, 0), t = later(kinds, s, -1, -1, 0, 0);

		CHECK(s.n <= native_limits.string_max && t.n <= native_limits.string_max && t.n >= native_limits.string_max - 2);
		CHECK_MEM(t.p + t.n - 3, 3, "...", 3);
		c->arena_pos = c->arena;
		s = saved(kinds, 1, 0);
		t = later(kinds, s, 1, -1, 0, 0);
		CHECK(t.n <= native_limits.string_max - 2);
		c->arena_pos = c->arena;
	}
	native_limits.string_max = most;
}

static void test_the_memory_of_a_new_program_is_not_that_of_the_call(void)
{
	const char *kinds = KINDS(RT_CALL_str, RT_CALL_argv);
	char *list[] = {NULL}, text[] = "/bin/new";
	char want[100];

	ARGS(AT(text), AT(list));
	native_bad_from = AT(text);
	native_bad_to = AT(text) + 1;
	struct rt_str s = saved(kinds, -1, 0);
	native_bad_from = native_bad_to = 0;
	snprintf(want, sizeof(want), "0x%llx, []", AT(text));
	CHECK_LATER(kinds, s, 0, want);
	CHECK_LATER(kinds, s, -2, "\"/bin/new\", []");
}

static void test_an_address_has_only_the_bytes_that_were_written(void)
{
	const char *kinds = KINDS(RT_CALL_out_sockaddr, RT_CALL_ptr);
	rt_u8 in[16] = {2, 0, 0, 80, 127, 0, 0, 1}, path[128] = {1, 0, 'p', 'a', 't', 'h', 'x', 'x'};
	rt_u32 length = 16;
	char address[32], both[64];

	ARGS(AT(in), AT(&length));
	snprintf(address, sizeof(address), "0x%llx", AT(in));
	check(result(kinds, 0, 16, 0), "{AF_INET, 127.0.0.1, 80}", __LINE__);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_ptr, RT_CALL_length), strcat(strcpy(both, address), ", [16]"));
	check(later(KINDS(RT_CALL_out_sockaddr, RT_CALL_length), saved(KINDS(RT_CALL_out_sockaddr, RT_CALL_length), -1, 0), -1, 7, 0, 0),
	      "{AF_INET}, [7 => 16]", __LINE__);
	check(result(kinds, 0, 7, 0), "{AF_INET}", __LINE__);
	check(result(kinds, 0, 1, 0), address, __LINE__);
	check(result(kinds, 0, -1, 0), address, __LINE__); /* not known */
	check(result(kinds, 0, 16, -9), address, __LINE__);
	ARGS(AT(path), AT(&length));
	check(result(kinds, 0, 6, 0), "{AF_UNIX, \"path\"}", __LINE__);
	c->args = args;
	CHECK_EQ(rt_call_room(c, kinds, RT_CALL_NATIVE), 16);
	CHECK_EQ(rt_call_room(c, KINDS(RT_CALL_int), RT_CALL_NATIVE), -1);
	ARGS(AT(path), 0);
	CHECK_EQ(rt_call_room(c, kinds, RT_CALL_NATIVE), -1);
}

static void test_what_the_kernel_writes_is_shown_at_the_return_only(void)
{
	char text[] = "abc\0de";
	rt_u32 length = 1000;
	rt_s32 fds[2] = {3, -1};
	const char *kinds = KINDS(RT_CALL_out_buf, RT_CALL_size, RT_CALL_out_fds, RT_CALL_out_sockaddr, RT_CALL_ptr);
	rt_u8 address[128] = {1, 0, 'p'};

	ARGS(AT(text), 3, AT(fds), AT(address), AT(&length));
	check(result(kinds, 0, 1000, 6), "\"abc\"", __LINE__); /* never more than there was room for */
	check(result(kinds, 0, 1000, 2), "\"ab\"", __LINE__);
	check(result(kinds, 2, 1000, 0), "[3, -1]", __LINE__);
	check(result(kinds, 3, 1000, 5), "{AF_UNIX, \"p\"}", __LINE__);
	check(result(kinds, 5, 1000, 5), "", __LINE__);
	check(result(NULL, 0, 1000, 5), "", __LINE__);
	ARGS(4096, 3);
	native_bad_from = 4096;
	native_bad_to = 8192;
	check(result(kinds, 0, 1000, -14), "0x1000", __LINE__);
	check(result(kinds, 0, 1000, 2), "0x1000", __LINE__);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_out_buf, RT_CALL_size), "0x1000, 3");
	native_bad_from = native_bad_to = 0;
}

/* Counts, sizes and addresses of anything: no more is read than is shown, and what is shown fits. */
static void test_lists_of_any_length_and_content_do_no_harm(void)
{
	static rt_u64 memory[64];
	rt_u64 any[RT_CALL_ARGS];

	for (unsigned i = 0; i < 20000; i++)
		for (int kind = 1; kind < RT_CALL_NKINDS; kind += 1 + (int)native_below(30)) {
			const char *kinds = KINDS(RT_CALL_hex, (char)kind, RT_CALL_hex, RT_CALL_hex);
			rt_u64 addr = AT(memory + native_below(8)) + native_below(8);

			for (unsigned j = 0; j < 64; j++)
				memory[j] = native_below(3) ? AT(memory + native_below(60)) : (rt_u64)native_random_long();
			for (unsigned j = 0; j < RT_CALL_ARGS; j++)
				any[j] = native_below(2) ? addr : (rt_u64)native_random_long();
			any[1] = addr;
			native_good_from = AT(memory);
			native_good_to = AT(memory + 64);
			memcpy(args, any, sizeof(args));
			native_reads = 0;
			struct rt_str s = saved(kinds, -1, 0);
			CHECK(s.n <= native_limits.string_max);
			CHECK(later(kinds, s, -1, native_random_long(), native_random_long(), 0).n <= native_limits.string_max);
			CHECK(native_reads < 3000);
			CHECK(!c->error);
			c->arena_pos = c->arena;
		}
	native_good_from = native_good_to = 0;
}

static void test_lists_that_are_too_long_have_dots(void)
{
	struct { rt_u64 base, length; } parts[100] = {{0, 0}};
	rt_u8 set[200];
	char want[600] = "";

	memset(set, 0, sizeof(set));
	set[125] = 1;
	ARGS(1 << 30, AT(set), AT(parts), 1ull << 63);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_fdset), "1073741824, [1000 ...]");
	ARGS(AT(parts), 17);
	for (unsigned i = 0; i < 16; i++)
		strcat(want, i ? ", {iov_base=\"\", iov_len=0}" : "[{iov_base=\"\", iov_len=0}");
	struct rt_str s = frame_shown(RT_CALL_NATIVE, KINDS(RT_CALL_iov, RT_CALL_size));
	CHECK(s.n < 512);
	CHECK_MEM(s.p + s.n - 10, 10, ", ...], 17", 10);
	c->arena_pos = c->arena;
}

static void test_requests_of_ioctl(void)
{
	ARGS(0x5413, 0x541b, 0x40049409, 0, 0xffffffff, 0x5401);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl),
		   "TIOCGWINSZ, FIONREAD, FICLONE, _IOC(_IOC_NONE, 0x0, 0x0, 0x0), _IOC(_IOC_READ|_IOC_WRITE, 0xff, 0xff, 0x3fff), TCGETS");
	ARGS(0x1272, 0x80081272, 0x400454ca, 0x4c80, 0xc0585609, 0x4602);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl),
		   "_IOC(_IOC_NONE, 0x12, 0x72, 0x0), BLKGETSIZE64, TUNSETIFF, LOOP_CTL_ADD, VIDIOC_QUERYBUF, FBIOGET_FSCREENINFO");
	/* with a length, of a kind of event, of an axis, and the ends of the ranges; a number that two drivers have */
	ARGS(0x81004506, 0x80084520, 0x8040453f, 0x80184540, 0x401845ff, 0x6701);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl, RT_CALL_ioctl),
		   "EVIOCGNAME(256), EVIOCGBIT(0x0, 8), EVIOCGBIT(0x1f, 64), EVIOCGABS(0x0), EVIOCSABS(0x3f), "
		   "FUNCTIONFS_FIFO_STATUS or GADGETFS_FIFO_STATUS");
}

static void test_structures_member_by_member(void)
{
	struct { rt_s64 uptime; rt_u64 loads[3], total[6]; rt_u16 procs; rt_u64 high[2]; rt_u32 unit; } info = {
		7, {1, 2, 3}, {4, 5, 6, 7, 8, 9}, 10, {11, 12}, 1,
	};
	rt_u64 fs[15] = {0xef53, 4096, 100, 50, 40, 30, 20, 0, 255, 4096, 0x1021};
	rt_u32 narrow[16] = {0x01021994, 4096, 100, 50, 40, 30, 20, 0, 0, 255, 4096, 0x20};
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	struct rt_call_past past = {.kinds = KINDS(RT_CALL_out_statfs), .abi = RT_CALL_COMPAT};

	ARGS(AT(&info));
	check(result(KINDS(RT_CALL_out_sysinfo), 0, -1, 0), "{uptime=7, loads=[1, 2, 3], totalram=4, freeram=5, sharedram=6, bufferram=7, "
	      "totalswap=8, freeswap=9, procs=10, totalhigh=11, freehigh=12, mem_unit=1}", __LINE__);
	ARGS(AT(fs));
	check(result(KINDS(RT_CALL_out_statfs), 0, -1, 0), "{f_type=EXT2_SUPER_MAGIC, f_bsize=4096, f_blocks=100, f_bfree=50, f_bavail=40, "
	      "f_files=30, f_ffree=20, f_namelen=255, f_frsize=4096, f_flags=ST_RDONLY|ST_VALID|ST_RELATIME, ...}", __LINE__);
	ARGS(AT(low));
	memcpy(low, narrow, sizeof(narrow));
	memcpy(past.args, args, sizeof(args));
	check(rt_call_later(c, &past, 0, 0), "{f_type=TMPFS_MAGIC, f_bsize=4096, f_blocks=100, f_bfree=50, f_bavail=40, f_files=30, f_ffree=20, "
	      "f_namelen=255, f_frsize=4096, f_flags=ST_VALID, ...}", __LINE__);
	munmap(low, 4096);
}

static void test_lists_of_numbers_and_masks(void)
{
	rt_u32 ids[40] = {0, 5, 4294967295u};
	rt_u8 mask[128] = {3, 0x80};
	char want[100];

	ARGS(2, AT(ids));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_ids), "2, [0, 5]");
	check(result(KINDS(RT_CALL_int, RT_CALL_out_ids), 1, -1, 3), "[0, 5]", __LINE__); /* never more than there is room for */
	check(result(KINDS(RT_CALL_int, RT_CALL_out_ids), 1, -1, 1), "[0]", __LINE__);
	ARGS(0, AT(ids));
	snprintf(want, sizeof(want), "0x%llx", AT(ids));
	check(result(KINDS(RT_CALL_int, RT_CALL_out_ids), 1, -1, 3), want, __LINE__);
	ARGS(0, 128, AT(mask));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_uint, RT_CALL_cpus), "0, 128, [0 1 15]");
	check(result(KINDS(RT_CALL_int, RT_CALL_uint, RT_CALL_out_cpus), 2, -1, 1), "[0 1]", __LINE__);
	ARGS(0, 1ull << 31, AT(mask));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_uint, RT_CALL_cpus), "0, 2147483648, [0 1 15 ...]");
}

struct message { /* struct mmsghdr */
	rt_u64 name, namelen, iov, iovlen, control, controllen;
	rt_u32 flags, pad, length, more;
};

static void test_what_goes_with_a_message(void)
{
	struct { rt_u64 length; rt_u32 level, type, data[2]; } control[3] = {
		{20, 1, 1, {3}}, {24, 0, 8, {0x04030201, 5}}, {1ull << 63, 1, 2, {0}},
	};
	struct message m = {.control = AT(control), .controllen = 48};
	const char *head = "{msg_name=NULL, msg_namelen=0, msg_iov=NULL, msg_iovlen=0, msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, "
			   "cmsg_type=SCM_RIGHTS, cmsg_data=[3]}, {cmsg_len=24, cmsg_level=SOL_IP, cmsg_type=0x8, cmsg_data=";
	char want[400];

	ARGS(AT(&m));
	snprintf(want, sizeof(want), "%s\"\\001\\002\\003\\004\\005\\000\\000\\000\"}], msg_controllen=48, msg_flags=0x0}", head);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_msghdr), want);
	control[0].length = 5; /* there is no next one after it */
	m.controllen = ~0ull;
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_msghdr), "{msg_name=NULL, msg_namelen=0, msg_iov=NULL, msg_iovlen=0, msg_control=[{cmsg_len=5, "
		   "cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS}], msg_controllen=-1, msg_flags=0x0}");
	control[0].length = 1ull << 40;
	m.controllen = 16;
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_msghdr), "{msg_name=NULL, msg_namelen=0, msg_iov=NULL, msg_iovlen=0, msg_control=[{cmsg_len="
		   "1099511627776, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[]}], msg_controllen=16, msg_flags=0x0}");
}

static void test_several_messages(void)
{
	struct { rt_u64 base, length; } one = {AT("hello"), 5};
	rt_u8 address[16] = {2, 0, 0, 80, 127, 0, 0, 1};
	struct message m[3] = {{.iov = AT(&one), .iovlen = 1, .length = 2}, {.name = AT(address), .namelen = 16, .length = 0}};
	const char *kinds = KINDS(RT_CALL_int, RT_CALL_mmsg_read, RT_CALL_uint);

	ARGS(3, AT(m), 3);
	check(later(kinds, RT_EMPTY, 1, 16, 1, 0), "", __LINE__); /* nothing was saved */
	struct rt_str s = saved(kinds, 1, 0);
	check(later(kinds, s, 1, 16, 1, 0), "[{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"he\", iov_len=5}], msg_iovlen=1, "
	      "msg_controllen=0, msg_flags=0x0}, msg_len=2}]", __LINE__);
	s = saved(kinds, 1, 0);
	check(later(kinds, s, 1, 8, 2, 0), "[{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"he\", iov_len=5}], msg_iovlen=1, "
	      "msg_controllen=0, msg_flags=0x0}, msg_len=2}, {msg_hdr={msg_name={AF_INET, 127.0.0.1, 80}, msg_namelen=16, msg_iov=NULL, "
	      "msg_iovlen=0, msg_controllen=0, msg_flags=0x0}, msg_len=0}]", __LINE__);
	c->args = args;
	CHECK_EQ(rt_call_room(c, kinds, RT_CALL_NATIVE), 16); /* of that which has a name */
	kinds = KINDS(RT_CALL_int, RT_CALL_mmsg_send, RT_CALL_uint);
	ARGS(3, AT(m), 1);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "3, [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"hello\", iov_len=5}], msg_iovlen=1, "
		   "msg_controllen=0, msg_flags=0x0}}], 1");
}

static void test_the_third_argument_of_ioctl(void)
{
	const char *kinds = KINDS(RT_CALL_int, RT_CALL_ioctl, RT_CALL_ioctl_arg);
	rt_u16 size[4] = {24, 80};
	rt_u32 termios[9] = {0, 1, 15, 8 | 1};
	struct { char name[16]; rt_u16 flags, port; rt_u8 address[4], more[16]; } ifr = {"lo", 0x49, 0, {127, 0, 0, 1}, {0}};
	char want[100];

	ARGS(1, 0x5451, 77);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "1, FIOCLEX");
	ARGS(1, 0x540b, 2);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "1, TCFLSH, TCIOFLUSH");
	ARGS(1, 0x5413, AT(size));
	snprintf(want, sizeof(want), "1, TIOCGWINSZ, 0x%llx", AT(size));
	CHECK_CALL(RT_CALL_NATIVE, kinds, want);
	struct rt_str s = saved(kinds, -1, 0);
	CHECK_LATER(kinds, s, -25, want);
	s = saved(kinds, -1, 0);
	CHECK_LATER(kinds, s, 0, "1, TIOCGWINSZ, {ws_row=24, ws_col=80, ws_xpixel=0, ws_ypixel=0}");
	ARGS(1, 0x5414, AT(size)); /* what is passed is that of the entry */
	s = saved(kinds, -1, 0);
	size[0] = 99;
	CHECK_LATER(kinds, s, 0, "1, TIOCSWINSZ, {ws_row=24, ws_col=80, ws_xpixel=0, ws_ypixel=0}");
	ARGS(1, 0x5402, AT(termios));
	CHECK_CALL(RT_CALL_NATIVE, kinds, "1, TCSETS, {B38400 opost isig -icanon echo ...}");
	ARGS(3, 0x8913, AT(&ifr));
	s = saved(kinds, -1, 0);
	CHECK_LATER(kinds, s, -19, "3, SIOCGIFFLAGS, {ifr_name=\"lo\"}");
	s = saved(kinds, -1, 0);
	CHECK_LATER(kinds, s, 0, "3, SIOCGIFFLAGS, {ifr_name=\"lo\", ifr_flags=IFF_UP|IFF_LOOPBACK|IFF_RUNNING}");
	ARGS(3, 0x8916, AT(&ifr));
	ifr.flags = 2; /* its family */
	CHECK_CALL(RT_CALL_NATIVE, kinds, "3, SIOCSIFADDR, {ifr_name=\"lo\", ifr_addr={AF_INET, 127.0.0.1, 0}}");
}

static void test_arguments_of_prctl(void)
{
	const char *kinds = KINDS(RT_CALL_prctl, RT_CALL_prctl_arg, RT_CALL_prctl_more, RT_CALL_prctl_more, RT_CALL_prctl_more);
	rt_s32 sig = 15;
	char name[16] = "before";

	ARGS(3, 1, 2, 3, 4);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_GET_DUMPABLE");
	ARGS(4, 1, 2, 3, 4);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_SET_DUMPABLE, SUID_DUMP_USER");
	ARGS(23, 21, 2, 3, 4);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_CAPBSET_READ, CAP_SYS_ADMIN");
	ARGS(38, 1, 0, 0, 0);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_SET_NO_NEW_PRIVS, 1, 0x0, 0x0, 0x0");
	ARGS(53, 0, 4, 0, 0);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0x0, 0x0");
	ARGS(0x53564d41, 0, 0x1000, 4096, AT("heap of \"x\""));
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_SET_VMA, PR_SET_VMA_ANON_NAME, 0x1000, 0x1000, \"heap of \\\"x\\\"\"");
	ARGS(33, 1, 2, 3, 4);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "PR_MCE_KILL, 0x1, 0x2, 0x3, 0x4");
	ARGS(2, AT(&sig), 0, 0, 0);
	struct rt_str s = saved(kinds, -1, 0);
	CHECK_LATER(kinds, s, 0, "PR_GET_PDEATHSIG, [SIGTERM]");
	ARGS(16, AT(name), 0, 0, 0);
	s = saved(kinds, -1, 0);
	strcpy(name, "after");
	CHECK_LATER(kinds, s, 0, "PR_GET_NAME, \"after\"");
	ARGS(15, AT(name), 0, 0, 0);
	s = saved(kinds, -1, 0);
	strcpy(name, "later");
	CHECK_LATER(kinds, s, 0, "PR_SET_NAME, \"after\"");
}

static void test_attributes_of_bpf(void)
{
	const char *kinds = KINDS(RT_CALL_bpf, RT_CALL_bpf_attr, RT_CALL_uint);
	rt_u32 map[18] = {2, 4, 8, 100, 1, 0, 0, 0x616e}, info[4] = {3, 88};
	rt_u64 prog[9] = {1 | 2ull << 32, 0, AT("GPL")};

	ARGS(0, AT(map), 72);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_ARRAY, key_size=4, value_size=8, max_entries=100, "
		   "map_flags=BPF_F_NO_PREALLOC, inner_map_fd=0, map_name=\"na\", map_ifindex=0, ...}, 72");
	ARGS(0, AT(map), 15);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_ARRAY, key_size=4, value_size=8}, 15");
	ARGS(15, AT(info), 16);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "BPF_OBJ_GET_INFO_BY_FD, {info={bpf_fd=3, info_len=88, info=NULL}}, 16");
	rt_u32 query[8] = {5, 37, 1, 0, 0, 0, 64};
	ARGS(16, AT(query), 32);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "BPF_PROG_QUERY, {query={target_fd=5, attach_type=BPF_XDP, query_flags=0x1, attach_flags=0x0, "
		   "prog_ids=NULL, prog_cnt=64, ...}}, 32");
	ARGS(33, AT(query), 8);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "BPF_ITER_CREATE, {iter_create={link_fd=5, flags=0x25}}, 8");
	ARGS(5, AT(prog), 72);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_SOCKET_FILTER, insn_cnt=2, insns=NULL, license=\"GPL\", "
		   "log_level=0, log_size=0, log_buf=NULL, prog_flags=0x0, prog_name=\"\", prog_ifindex=0, ...}, 72");
	ARGS(0, AT(map), 0);
	char want[100];
	snprintf(want, sizeof(want), "BPF_MAP_CREATE, 0x%llx, 0", AT(map));
	CHECK_CALL(RT_CALL_NATIVE, kinds, want);
}

static void test_numbers_that_are_pointed_to(void)
{
	rt_u16 small[3] = {1, 65535, 3};
	rt_s64 wide = -5;
	rt_s32 one = -7;
	rt_u32 cap[6] = {1, 2, 0, 0x1f, 0x20, 0}, version[2] = {0x20080522, 5};
	rt_u64 attr[6] = {48 | 6ull << 32, 1, 5, 1, 2, 3};

	ARGS(3, AT(small));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int, RT_CALL_ids16), "3, [1, 65535, 3]");
	ARGS(AT(&one), AT(&wide));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int_at, RT_CALL_off64_at), "[-7], [-5]");
	ARGS(0, 0);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_int_at, RT_CALL_off64_at), "NULL, NULL");
	ARGS(AT(&small[1]));
	check(result(KINDS(RT_CALL_out_id16), 0, -1, 0), "[65535]", __LINE__);
	ARGS(AT(&one));
	check(result(KINDS(RT_CALL_out_id), 0, -1, 0), "[4294967289]", __LINE__);
	check(result(KINDS(RT_CALL_out_int), 0, -1, 0), "[-7]", __LINE__);
	ARGS(AT(&wide));
	check(result(KINDS(RT_CALL_out_off64), 0, -1, 0), "[-5]", __LINE__);
	check(result(KINDS(RT_CALL_out_long), 0, -1, 0), "[-5]", __LINE__);
	ARGS(AT(version), AT(cap));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_cap_header, RT_CALL_cap_data),
		   "{version=_LINUX_CAPABILITY_VERSION_3, pid=5}, {effective=0x1f00000001, permitted=1<<CAP_DAC_OVERRIDE|"
		   "1<<CAP_AUDIT_READ, inheritable=0x0}");
	version[0] = 0x19980330; /* its sets have 32 bits */
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_cap_header, RT_CALL_cap_data),
		   "{version=_LINUX_CAPABILITY_VERSION_1, pid=5}, {effective=1<<CAP_CHOWN, permitted=1<<CAP_DAC_OVERRIDE, inheritable=0x0}");
	ARGS(AT(attr));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_sched_attr), "{size=48, sched_policy=SCHED_DEADLINE, sched_flags=SCHED_FLAG_RESET_ON_FORK, "
		   "sched_nice=5, sched_priority=0, sched_runtime=1, sched_deadline=2, sched_period=3}");
	attr[0] = 20;
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_sched_attr), "{size=20, sched_policy=SCHED_OTHER, "
		   "sched_flags=SCHED_FLAG_RESET_ON_FORK, sched_nice=5}");
	attr[0] = 0; /* as large as the first version, without what came later */
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_sched_attr), "{size=0, sched_policy=SCHED_OTHER, sched_flags=SCHED_FLAG_RESET_ON_FORK, "
		   "sched_nice=5, sched_priority=0, sched_runtime=1, sched_deadline=2, sched_period=3}");
}

static void test_structures_of_newer_calls(void)
{
	rt_u64 waiters[6] = {5, 0x1000, 0x82, 6, 0x2000, 0x83}, attr[4] = {0x9, 0x20, 1 << 18, 7}, request[4] = {24, 0x10, 0x21, 9};
	rt_u64 rules[3] = {0x2004, 3, 1}, range[2] = {1, 2}, cached[5] = {1, 2, 3, 4, 5};
	rt_u32 ring[30] = {8, 16, 3, 1, 1000, 0xff, 4}, rule[3] = {1 << 15, 0, 77};
	rt_u64 set = 1, where[2] = {AT(&set), 8};
	char want[100];

	ARGS(AT(waiters), 2);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_futex_waitv, RT_CALL_uint),
		   "[{val=5, uaddr=0x1000, flags=FUTEX2_SIZE_U32|FUTEX2_PRIVATE}, {val=6, uaddr=0x2000, flags=FUTEX2_SIZE_U64|FUTEX2_PRIVATE}], 2");
	ARGS(AT(attr), 32, AT(attr), 17);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_mount_attr, RT_CALL_size, RT_CALL_mount_attr, RT_CALL_size),
		   "{attr_set=MOUNT_ATTR_RDONLY|MOUNT_ATTR_NOEXEC, attr_clr=MOUNT_ATTR_STRICTATIME, propagation=MS_PRIVATE, userns_fd=7}, 32, "
		   "{attr_set=MOUNT_ATTR_RDONLY|MOUNT_ATTR_NOEXEC, attr_clr=MOUNT_ATTR_STRICTATIME}, 17");
	ARGS(AT(request), AT(range));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_mnt_id_req, RT_CALL_cachestat_range),
		   "{size=24, mnt_id=0x10, param=0x21}, {off=1, len=2}");
	ARGS(AT(rules), 24, 1, AT(rule), 2, AT(range));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_landlock_ruleset, RT_CALL_size, RT_CALL_landlock_rule, RT_CALL_landlock_rule_attr,
		   RT_CALL_landlock_rule, RT_CALL_landlock_rule_attr), "{handled_access_fs=LANDLOCK_ACCESS_FS_READ_FILE|LANDLOCK_ACCESS_FS_REFER, "
		   "handled_access_net=0x3, scoped=0x1}, 24, LANDLOCK_RULE_PATH_BENEATH, {allowed_access=LANDLOCK_ACCESS_FS_IOCTL_DEV, "
		   "parent_fd=77}, LANDLOCK_RULE_NET_PORT, {allowed_access=0x1, port=2}");
	ARGS(7, 8);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_landlock_rule, RT_CALL_landlock_rule_attr), "0x7, 0x8");
	ARGS(AT(rules), 7, 0, 0);
	snprintf(want, sizeof(want), "0x%llx, 7, NULL, 0", AT(rules)); /* shorter than its first member */
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_landlock_ruleset, RT_CALL_size, RT_CALL_landlock_ruleset, RT_CALL_size), want);
	ARGS(AT(ring), AT(where));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_uring_params, RT_CALL_sigset_arg), "{sq_entries=8, cq_entries=16, flags=IORING_SETUP_IOPOLL|"
		   "IORING_SETUP_SQPOLL, sq_thread_cpu=1, sq_thread_idle=1000, features=0xff, wq_fd=4, ...}, {sigmask=[SIGHUP], sigsetsize=8}");
	where[1] = 7;
	where[0] = 0x10;
	ARGS(AT(where));
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_sigset_arg), "{sigmask=0x10, sigsetsize=7}");
	ARGS(AT(cached));
	check(result(KINDS(RT_CALL_out_cachestat), 0, -1, 0),
	      "{nr_cache=1, nr_dirty=2, nr_writeback=3, nr_evicted=4, nr_recently_evicted=5}", __LINE__);
	ARGS(3, 0x80000010, 0x80000000, 0x10, 0x40000);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_uring_enter, RT_CALL_uring_op, RT_CALL_uring_op, RT_CALL_lsm_attr, RT_CALL_persona),
		   "IORING_ENTER_GETEVENTS|IORING_ENTER_SQ_WAKEUP, IORING_REGISTER_BUFFERS_UPDATE|IORING_REGISTER_USE_REGISTERED_RING, "
		   "IORING_REGISTER_BUFFERS|IORING_REGISTER_USE_REGISTERED_RING, 0x10, PER_LINUX|ADDR_NO_RANDOMIZE");
}

static void test_calls_that_stand_for_several(void)
{
	rt_u32 *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	memcpy(low, (const rt_u32[]){3, 0x1000, 16, 0x22, ~0u, 4096}, 24);
	ARGS(1 << 16 | 4, 23, 99);
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_ipc, RT_CALL_ipc, RT_CALL_ipc), "SEMTIMEDOP|0x10000, SHMGET, 0x63");
	ARGS(AT(low), AT(low));
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_old_mmap, RT_CALL_old_select), "{addr=0x3, len=4096, prot=0x10, flags=MAP_PRIVATE|MAP_ANONYMOUS, "
		   "fd=-1, offset=4096}, {n=3, inp=0x1000, outp=0x10, exp=0x22, tvp=0xffffffff}");
	ARGS(AT(low), 0);
	CHECK_CALL(RT_CALL_COMPAT, KINDS(RT_CALL_old_sigset, RT_CALL_old_sigset), "[SIGHUP|SIGINT], NULL");
	munmap(low, 4096);
}

static void test_members_of_clone3(void)
{
	rt_u64 v[11] = {0x1000 | 0x200000000, 0x10, 0x20, 0x30, 17, 0x40, 0x50, 0x60, 0, 0, 9};

	ARGS(AT(v), 64);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_clone_args, RT_CALL_size),
		   "{flags=CLONE_PIDFD|0x200000000, pidfd=0x10, exit_signal=SIGCHLD, stack=0x40, stack_size=0x50}, 64");
	ARGS(AT(v), 88);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_clone_args, RT_CALL_size),
		   "{flags=CLONE_PIDFD|0x200000000, pidfd=0x10, exit_signal=SIGCHLD, stack=0x40, stack_size=0x50, cgroup=9}, 88");
	v[0] = 0x80000 | 0x100000 | 0x200000;
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_clone_args, RT_CALL_size), "{flags=CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID, "
		   "child_tid=0x20, parent_tid=0x30, exit_signal=SIGCHLD, stack=0x40, stack_size=0x50, tls=0x60}, 88");
}

static void test_devices_that_are_asked(void)
{
	const char *kinds = KINDS(RT_CALL_int, RT_CALL_ioctl, RT_CALL_ioctl_arg);
	rt_u64 size = 1ull << 40, range[2] = {4096, 8192};

	ARGS(3, 0x80081272, AT(&size));
	struct rt_str s = saved(kinds, -1, 0);
	CHECK_LATER(kinds, s, 0, "3, BLKGETSIZE64, [1099511627776]");
	ARGS(3, 0x1277, AT(range));
	CHECK_CALL(RT_CALL_NATIVE, kinds, "3, BLKDISCARD, {start=4096, length=8192}");
	ARGS(3, 0x4c00, 5);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "3, LOOP_SET_FD, 5");
	ARGS(3, 0x4c01, 5);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "3, LOOP_CLR_FD");
}

static void test_states_of_children(void)
{
	static const struct {
		rt_u32 status;
		const char *text;
	} all[] = {
		{0x300, "[{WIFEXITED(s) && WEXITSTATUS(s) == 3}]"}, {9, "[{WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL}]"},
		{0x8b, "[{WIFSIGNALED(s) && WTERMSIG(s) == SIGSEGV && WCOREDUMP(s)}]"}, {0x137f, "[{WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP}]"},
		{0xffff, "[{WIFCONTINUED(s)}]"},
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		ARGS(AT(&all[i].status));
		check(result(KINDS(RT_CALL_out_status), 0, -1, 5), all[i].text, __LINE__);
	}
}

static void test_what_is_returned_follows_the_arguments(void)
{
	CHECK(rt_call_gives_address(KINDS(RT_CALL_int, RT_CALL_END, RT_CALL_ptr)));
	CHECK(rt_call_gives_address(KINDS(RT_CALL_END, RT_CALL_ptr)));
	CHECK(!rt_call_gives_address(KINDS(RT_CALL_ptr, RT_CALL_END)));
	CHECK(!rt_call_gives_address(NULL));
}

static void test_elsewhere_it_is_an_error(void)
{
	c->args = NULL;
	CHECK_EQ(rt_call_args(c, NULL, RT_CALL_NATIVE).n, 0);
	CHECK_EQ(c->error, RT_SOFT);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_each_kind_shows_something);
	UNIT_RUN(test_numbers_have_the_width_of_their_type);
	UNIT_RUN(test_numbers_of_no_call_are_shown_as_its_arguments);
	UNIT_RUN(test_64_bits_take_two_registers_of_a_32_bit_program);
	UNIT_RUN(test_more_kinds_than_registers_are_zeroes);
	UNIT_RUN(test_a_call_that_is_not_known_shows_its_registers);
	UNIT_RUN(test_names_of_one_value_of_bits_and_of_both);
	UNIT_RUN(test_names_of_zero);
	UNIT_RUN(test_sets_of_signals);
	UNIT_RUN(test_text_is_cut_where_it_would_be_too_long);
	UNIT_RUN(test_no_more_is_read_than_is_shown);
	UNIT_RUN(test_times_of_each_size);
	UNIT_RUN(test_addresses_of_sockets_in_all_lengths);
	UNIT_RUN(test_what_the_kernel_writes_is_shown_at_the_return_only);
	UNIT_RUN(test_a_return_shows_what_was_there_at_the_entry);
	UNIT_RUN(test_what_was_not_in_memory_is_read_at_the_return);
	UNIT_RUN(test_no_byte_of_a_text_is_taken_for_more);
	UNIT_RUN(test_saved_text_that_is_wrong_does_no_harm);
	UNIT_RUN(test_what_was_cut_at_the_entry_has_dots_at_the_return);
	UNIT_RUN(test_the_memory_of_a_new_program_is_not_that_of_the_call);
	UNIT_RUN(test_an_address_has_only_the_bytes_that_were_written);
	UNIT_RUN(test_lists_of_any_length_and_content_do_no_harm);
	UNIT_RUN(test_lists_that_are_too_long_have_dots);
	UNIT_RUN(test_requests_of_ioctl);
	UNIT_RUN(test_structures_member_by_member);
	UNIT_RUN(test_lists_of_numbers_and_masks);
	UNIT_RUN(test_what_goes_with_a_message);
	UNIT_RUN(test_several_messages);
	UNIT_RUN(test_the_third_argument_of_ioctl);
	UNIT_RUN(test_arguments_of_prctl);
	UNIT_RUN(test_attributes_of_bpf);
	UNIT_RUN(test_numbers_that_are_pointed_to);
	UNIT_RUN(test_structures_of_newer_calls);
	UNIT_RUN(test_calls_that_stand_for_several);
	UNIT_RUN(test_members_of_clone3);
	UNIT_RUN(test_devices_that_are_asked);
	UNIT_RUN(test_states_of_children);
	UNIT_RUN(test_what_is_returned_follows_the_arguments);
	UNIT_RUN(test_elsewhere_it_is_an_error);
	native_ctx_end(c);
	return unit_done();
}
