/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: uretprobe_call 1..3: how a 64-bit program enters the kernel at a hooked return.  3: by a system call that seccomp lets pass.
 * 2: by one that seccomp asks about.  1: by a breakpoint.
 */
#ifndef COMPAT_URETPROBE_CALL_H
#define COMPAT_URETPROBE_CALL_H

#include <linux/sched.h>
#include <linux/thread_info.h>
#include <linux/version.h>
#include <asm/unistd.h>

/*
 * COMPAT_URETPROBE_BY_CALL: does it do so by a system call?  compat_uretprobe_interceptor(): what would intercept such a call of current as if the
 * program had made it, which ends the program; NULL: nothing.
 */
#if COMPAT_URETPROBE_CALL >= 2
#define COMPAT_URETPROBE_BY_CALL true
_Static_assert(__NR_uretprobe > 0, "there is such a system call");

#if COMPAT_URETPROBE_CALL == 3
_Static_assert(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0) ||
	       (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 3) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)) ||
	       (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 14) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)), "seccomp lets it pass");
enum { COMPAT_URETPROBE_SECCOMP = 0 };
#else
enum { COMPAT_URETPROBE_SECCOMP = SYSCALL_WORK_SECCOMP };
#endif

static inline const char *compat_uretprobe_interceptor(void)
{
	unsigned long work = READ_ONCE(current_thread_info()->syscall_work);

	if (likely(!(work & (SYSCALL_WORK_SYSCALL_USER_DISPATCH | SYSCALL_WORK_SYSCALL_EMU | COMPAT_URETPROBE_SECCOMP))))
		return NULL;
	if (work & SYSCALL_WORK_SYSCALL_USER_DISPATCH)
		return "Syscall User Dispatch";
	return work & SYSCALL_WORK_SYSCALL_EMU ? "its tracer (PTRACE_SYSEMU)" : "seccomp";
}
#elif COMPAT_URETPROBE_CALL == 1
#define COMPAT_URETPROBE_BY_CALL false

static inline const char *compat_uretprobe_interceptor(void)
{
	return NULL;
}
#endif

#endif
