/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64, inline.  See kernel/arch/syscall.h, which includes this. */
#ifndef KERNEL_ARCH_X86_SYSCALL_H
#define KERNEL_ARCH_X86_SYSCALL_H

#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>
#include <asm/unistd.h>
#include <asm/unistd_32_ia32.h>

static __always_inline bool arch_syscall_is_compat(void)
{
	return IS_ENABLED(CONFIG_IA32_EMULATION) && unlikely(current_thread_info()->status & TS_COMPAT);
}

static inline bool arch_syscall_forks(unsigned int nr, bool compat)
{
	if (compat)
		return nr == __NR_ia32_fork || nr == __NR_ia32_vfork || nr == __NR_ia32_clone || nr == __NR_ia32_clone3;
	return nr == __NR_fork || nr == __NR_vfork || nr == __NR_clone || nr == __NR_clone3;
}

static inline int arch_syscall_sigreturn(unsigned int i, bool compat)
{
	if (compat)
		return i == 0 ? __NR_ia32_rt_sigreturn : i == 1 ? __NR_ia32_sigreturn : -1;
	return i == 0 ? __NR_rt_sigreturn : -1;
}

/* mov $NUMBER, %rax; syscall. */
static inline int arch_syscall_made_by_kernel(const struct pt_regs *regs)
{
	struct {
		u8 mov[3];
		int number;
		u8 syscall[2];
	} __packed code;
	static const u8 mov[] = { 0x48, 0xc7, 0xc0 }, syscall[] = { 0x0f, 0x05 };

	if (copy_from_user_nofault(&code, (const void __user *)(regs->ip - sizeof(code)), sizeof(code)))
		return -1;
	return memcmp(code.mov, mov, sizeof(mov)) || memcmp(code.syscall, syscall, sizeof(syscall)) ? -1 : code.number;
}

static inline unsigned long *arch_syscall_argument(struct pt_regs *regs, unsigned int n)
{
	unsigned long *native[] = { &regs->di, &regs->si, &regs->dx, &regs->r10, &regs->r8, &regs->r9 };
	unsigned long *compat[] = { &regs->bx, &regs->cx, &regs->dx, &regs->si, &regs->di, &regs->bp };

	return arch_syscall_is_compat() ? compat[n] : native[n];
}

#endif
