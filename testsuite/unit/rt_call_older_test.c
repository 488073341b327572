// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments of system calls as text: of keys, quotas, segments and older signals; flags that only one call has, and numbers without a name. */
#include "testsuite/unit/rt_call_frame.h"

#define CHECK_CALL(abi, kinds, want) check(frame_shown(abi, kinds), want, __LINE__)

static void test_arguments_of_keyctl(void)
{
	const char *kinds = KINDS(RT_CALL_keyctl, RT_CALL_keyctl_arg, RT_CALL_keyctl_arg, RT_CALL_keyctl_arg, RT_CALL_keyctl_arg);

	ARGS(0, (rt_u32)-3, 1, 8, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1");
	ARGS(1, 0, 7, 8, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_JOIN_SESSION_KEYRING, NULL");
	ARGS(10, 77, AT("user"), AT("one \"key\""), ~0ull);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_SEARCH, 77, \"user\", \"one \\\"key\\\"\", KEY_SPEC_THREAD_KEYRING");
	ARGS(2, 77, AT("payload"), 3, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_UPDATE, 77, \"pay\", 3");
	ARGS(4, 77, ~0ull, 100, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_CHOWN, 77, -1, 100");
	ARGS(5, (rt_u32)-9, 0x3f010000, 8, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_SETPERM, -9, 0x3f010000");
	ARGS(18, 6, 7, 8, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_SESSION_TO_PARENT");
	ARGS(23, 0x1000, 0x2000, 64, 0);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "KEYCTL_DH_COMPUTE, 0x1000, 0x2000, 64, 0x0");
	ARGS(99, 6, 7, 8, 9);
	CHECK_CALL(RT_CALL_NATIVE, kinds, "0x63, 0x6, 0x7, 0x8, 0x9");
}

static void test_calls_whose_first_argument_says_the_others(void)
{
	const char *sysfs = KINDS(RT_CALL_int, RT_CALL_sysfs_arg, RT_CALL_sysfs_more);

	ARGS(1, AT("ext4"), 9);
	CHECK_CALL(RT_CALL_NATIVE, sysfs, "1, \"ext4\"");
	ARGS(2, 5, 0x1000);
	CHECK_CALL(RT_CALL_NATIVE, sysfs, "2, 5, 0x1000");
	ARGS(3, 5, 9);
	CHECK_CALL(RT_CALL_NATIVE, sysfs, "3");
	ARGS(0x80000200, 0x580100, 0x800007ff);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_quota_cmd, RT_CALL_quota_cmd, RT_CALL_quota_cmd),
		   "QCMD(Q_QUOTAON, USRQUOTA), QCMD(Q_XQUOTAON, USRQUOTA), QCMD(Q_GETQUOTA, 0xff)");
}

static void test_structures_of_older_calls(void)
{
	rt_s32 zone[2] = {-60, 1};
	rt_u32 segment[4] = {(rt_u32)-1, 0x1000, 0xfffff, 0x51}, action[4] = {0x8000, 2, 0x10000000};

	ARGS(AT(zone), AT(segment), 0x4002);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_timezone, RT_CALL_user_desc, RT_CALL_sigmask),
		   "{tz_minuteswest=-60, tz_dsttime=1}, {entry_number=-1, base_addr=0x1000, limit=0xfffff, flags=seg_32bit|limit_in_pages|useable}, "
		   "[SIGINT|SIGTERM]");
	ARGS(AT(action), 0x3e0001, 5);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_old_sigaction, RT_CALL_kexec_flags, RT_CALL_kexec_file_flags),
		   "{sa_handler=0x8000, sa_mask=0x2, sa_flags=SA_RESTART}, KEXEC_ON_CRASH|KEXEC_ARCH_X86_64, "
		   "KEXEC_FILE_UNLOAD|KEXEC_FILE_NO_INITRAMFS");
}

static void test_flags_have_the_names_of_their_call(void)
{
	ARGS(0x800, 0x200, 1, 1, 1, 3);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_pidfd_flags, RT_CALL_handle_flags, RT_CALL_timerfd_set, RT_CALL_rseq_flags, RT_CALL_membarrier_flags,
					 RT_CALL_pidfd_signal),
		   "PIDFD_NONBLOCK, AT_HANDLE_FID, TFD_TIMER_ABSTIME, RSEQ_FLAG_UNREGISTER, MEMBARRIER_CMD_FLAG_CPU, "
		   "PIDFD_SIGNAL_THREAD|PIDFD_SIGNAL_THREAD_GROUP");
	CHECK(RT_CALL_mknod_type < 256); /* those before it are bytes of a text */
}

static void test_a_segment_that_the_kernel_tells(void)
{
	const char *kinds = KINDS(RT_CALL_out_user_desc);
	rt_u32 segment[4] = {12};
	char address[32];

	ARGS(AT(segment));
	snprintf(address, sizeof(address), "0x%lx", (unsigned long)AT(segment));
	CHECK_CALL(RT_CALL_NATIVE, kinds, address);
	struct rt_str s = frame_saved(RT_CALL_NATIVE, kinds, -1, 0);
	segment[1] = 0x2000;
	check(frame_later(RT_CALL_NATIVE, kinds, s, -1, 0, 0, 0), "{entry_number=12, base_addr=0x2000, limit=0x0, flags=0x0}", __LINE__);
	check(frame_later(RT_CALL_NATIVE, kinds, s, -1, 0, -22, 0), address, __LINE__);
}

static void test_what_has_no_name_and_is_negative(void)
{
	ARGS((rt_u32)-1, ~0ull, (rt_u32)-4096, (rt_u32)-1, (rt_u32)-1, ~0ull);
	CHECK_CALL(RT_CALL_NATIVE, KINDS(RT_CALL_whence, RT_CALL_pf, RT_CALL_whence, RT_CALL_splice_flags, RT_CALL_rusage, RT_CALL_ioprio),
		   "-1, -1, 0xfffff000, SPLICE_F_MOVE|SPLICE_F_NONBLOCK|SPLICE_F_MORE|SPLICE_F_GIFT|0xfffffff0, RUSAGE_CHILDREN, -1");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_arguments_of_keyctl);
	UNIT_RUN(test_calls_whose_first_argument_says_the_others);
	UNIT_RUN(test_structures_of_older_calls);
	UNIT_RUN(test_flags_have_the_names_of_their_call);
	UNIT_RUN(test_a_segment_that_the_kernel_tells);
	UNIT_RUN(test_what_has_no_name_and_is_negative);
	native_ctx_end(c);
	return unit_done();
}
