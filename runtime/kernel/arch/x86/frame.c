// SPDX-License-Identifier: GPL-2.0-or-later
/* How a user function was entered, on x86-64; 32-bit programs included. */
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/fsgsbase.h>

#include "kernel/access.h"
#include "kernel/arch/frame.h"

enum { CALL_MAX = 7 }; /* bytes of a call, without prefixes */

unsigned long arch_thread_pointer(struct pt_regs *regs)
{
	return user_64bit_mode(regs) ? x86_fsbase_read_cpu() : 0;
}

/* Bytes of a ModRM byte and what belongs to it. */
static unsigned int modrm_length(const u8 *p)
{
	unsigned int mod = p[0] >> 6, rm = p[0] & 7, n = 1;

	if (mod == 3)
		return n;
	if (rm == 4)
		rm = p[n++] & 7; /* the base in the SIB byte; 5 is special in both */
	if (mod == 0)
		return n + (rm == 5 ? 4 : 0);
	return n + (mod == 1 ? 1 : 4);
}

/* Is the instruction before end a call?  CALL_MAX bytes before it and 1 after it can be read. */
static bool ends_with_call(const u8 *end)
{
	unsigned int n;

	if (end[-5] == ARCH_CALL_RELATIVE)
		return true;
	for (n = 2; n <= CALL_MAX; n++)
		if (end[-(int)n] == 0xff && (end[1 - (int)n] & 0x38) == 0x10 && modrm_length(&end[1 - (int)n]) == n - 1)
			return true;
	return false;
}

static bool is_after_call(unsigned long address, struct access_wait *wait)
{
	u8 code[CALL_MAX + 1] = {0}; /* with a byte after the call */
	unsigned int n = address & ~PAGE_MASK;

	if (access_read_user(address - CALL_MAX, code, CALL_MAX, wait)) {
		/* the call may be the first instruction of what is mapped */
		if (!n || n >= CALL_MAX || access_read_user(address - n, code + CALL_MAX - n, n, wait))
			return false;
	}
	return ends_with_call(code + CALL_MAX);
}

/*
 * Where handlers of signals return to: mov $15, %rax; syscall.  sigreturn does not check the word that holds this address, so the
 * trampoline may stand in it.
 */
static bool is_signal_return(unsigned long address, struct access_wait *wait)
{
	static const u8 expected[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	u8 code[sizeof(expected)];

	return !access_read_user(address, code, sizeof(code), wait) && !memcmp(code, expected, sizeof(code));
}

bool arch_entered_by_call(struct pt_regs *regs, bool hooked, struct access_wait *wait)
{
	u64 address = 0;

	if (access_read_user(user_stack_pointer(regs), &address, arch_address_size(regs), wait))
		return false;
	if (hooked && !(address & ~PAGE_MASK)) /* the kernel's trampoline is the first word of a page */
		return true;
	return address > CALL_MAX && (is_after_call(address, wait) || is_signal_return(address, wait));
}
