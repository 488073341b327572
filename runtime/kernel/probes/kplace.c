// SPDX-License-Identifier: GPL-2.0-or-later
/* See kplace.h. */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>

#include "kernel/ksyms.h"
#include "kernel/probes/kplace.h"
#include "sites/kprobe.h"

static struct {
	unsigned long ftrace_location, within_kprobe_blacklist, size_of_symbol; /* ksyms_address() */
	const struct kretprobe_blackpoint *no_returns;                          /* the kernel's kretprobe_blacklist */
} kplaces;

void kplace_find(void)
{
	kplaces.ftrace_location = ksyms_address("ftrace_location");
	kplaces.within_kprobe_blacklist = ksyms_address("within_kprobe_blacklist");
	kplaces.size_of_symbol = ksyms_address("kallsyms_lookup_size_offset");
	kplaces.no_returns = (const void *)ksyms_address("kretprobe_blacklist");
}

/* The size of the symbol at addr, and how far in it that is; false: the kernel does not know. */
static bool kplace_measure(unsigned long addr, unsigned long *size, unsigned long *offset)
{
	return kplaces.size_of_symbol && (int)ksyms_call3(kplaces.size_of_symbol, addr, (unsigned long)size, (unsigned long)offset);
}

int kplace_check_offset(unsigned long addr, s64 offset)
{
	unsigned long size, before;

	if (!kplace_measure(addr, &size, &before))
		return 0;
	return offset < 0 || offset >= size - before ? -ERANGE : 0;
}

bool kplace_has_tracer(void)
{
	return kplaces.ftrace_location;
}

unsigned long kplace_of_tracer(unsigned long addr)
{
	return kplaces.ftrace_location ? ksyms_call3(kplaces.ftrace_location, addr, 0, 0) : 0;
}

bool kplace_may_be_fast(unsigned long addr)
{
	return kplaces.within_kprobe_blacklist && !(bool)(u8)ksyms_call3(kplaces.within_kprobe_blacklist, addr, 0, 0);
}

/* If functions begin with a mark for indirect calls, the kernel searches its list for the address after that and finds nothing. */
int kplace_check_return(unsigned long addr)
{
	const struct kretprobe_blackpoint *b = kplaces.no_returns;

	if (!b)
		return -ENODATA;
	for (; b->name; b++)
		if (addr - (unsigned long)b->addr < SITE_KPROBE_FUNCTION_HEAD)
			return -EINVAL;
	return 0;
}

/*
 * To find out whether a jump can replace the breakpoint, the kernel decodes everything up to the next symbol, and beyond it for the rest of
 * the last instruction (can_optimize()).  After the last function of a module there may be no page.
 */
bool kplace_can_be_decoded(unsigned long addr)
{
	unsigned long size, offset;
	kprobe_opcode_t beyond[MAX_INSN_SIZE];

	if (!kplace_measure(addr, &size, &offset))
		return true; /* the kernel does not know what to decode either */
	return !copy_from_kernel_nofault(beyond, (void *)(addr - offset + size), sizeof(beyond));
}
