// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel symbols that are not exported.  See ksyms.h. */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/ksyms.h"

/* Removing a kprobe waits for all CPUs, so this is done for one symbol only. */
static unsigned long ksyms_probed(const char *name)
{
	struct kprobe kp = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	unsigned long addr;

	if (register_kprobe(&kp) < 0)
		return 0;
	addr = (unsigned long)kp.addr;
	unregister_kprobe(&kp);
	return addr;
}

static unsigned long ksyms_lookup; /* kallsyms_lookup_name() */

unsigned long ksyms_address(const char *name)
{
	if (!ksyms_lookup)
		ksyms_lookup = ksyms_probed("kallsyms_lookup_name");
	return ksyms_address_now(name);
}

unsigned long ksyms_address_now(const char *name)
{
	return ksyms_lookup ? ksyms_call3(ksyms_lookup, (unsigned long)name, 0, 0) : 0;
}

unsigned long ksyms_behind_tracer(const char *name)
{
	unsigned long place = ksyms_address(name), ftrace_location = ksyms_address("ftrace_location");
	unsigned long call = place && ftrace_location ? ksyms_call3(ftrace_location, place, 0, 0) : 0;

	return call ? call + MCOUNT_INSN_SIZE : place;
}

static bool ksyms_is_between(unsigned long addr, const char *begin, const char *end)
{
	unsigned long first = ksyms_address(begin), next = ksyms_address(end);

	return first && addr - first < next - first;
}

/* Newer kernels have the pattern for per-CPU variables in that memory, and count the variables from there. */
bool ksyms_is_freed(unsigned long addr)
{
	return ksyms_is_between(addr, "__init_begin", "__init_end") && !ksyms_is_between(addr, "__per_cpu_start", "__per_cpu_end");
}

int ksyms_each(const char *name, int (*each)(void *data, unsigned long addr), void *data)
{
	static unsigned long fn;

	if (!fn)
		fn = ksyms_address("kallsyms_on_each_match_symbol");
	if (!fn)
		return -EOPNOTSUPP;
	return ksyms_call3(fn, (unsigned long)each, (unsigned long)name, (unsigned long)data);
}

struct module *ksyms_hold_module(const char *name)
{
	struct module *m;

	ksyms_address("find_module"); /* finds kallsyms_lookup_name the first time, which may sleep */
	preempt_disable(); /* m stays */
	m = ksyms_module(name);
	if (m && !try_module_get(m))
		m = NULL;
	preempt_enable();
	return m;
}

struct module *ksyms_module(const char *name)
{
	static unsigned long find;
	struct module *m;

	if (!find)
		find = ksyms_address("find_module");
	if (!find)
		return NULL;
	preempt_disable(); /* m stays */
	m = (struct module *)ksyms_call3(find, (unsigned long)name, 0, 0);
	if (m && READ_ONCE(m->state) != MODULE_STATE_LIVE)
		m = NULL;
	preempt_enable();
	return m;
}

int ksyms_address_in(const struct module *m, const char *name, unsigned long *addr)
{
	static unsigned long lookup;
	char *full;

	if (!lookup)
		lookup = ksyms_address("module_kallsyms_lookup_name");
	if (!lookup)
		return -EOPNOTSUPP;
	full = kasprintf(GFP_KERNEL, "%s:%s", m->name, name);
	if (!full)
		return -ENOMEM;
	*addr = ksyms_call3(lookup, (unsigned long)full, 0, 0);
	kfree(full);
	return *addr ? 0 : -ENOENT;
}

int ksyms_module_address(const char *module, const char *name, unsigned long *addr)
{
	const struct module *m = ksyms_module(module);
	int rc = m ? ksyms_address_in(m, name, addr) : -ENODEV;

	return !rc && within_module_init(*addr, m) ? -ENXIO : rc;
}
