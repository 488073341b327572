// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel symbols that are not exported.  See ksyms.h. */
#include <linux/errno.h>
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

unsigned long ksyms_address(const char *name)
{
	static unsigned long fn;

	if (!fn)
		fn = ksyms_probed("kallsyms_lookup_name");
	return fn ? ksyms_call3(fn, (unsigned long)name, 0, 0) : 0;
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

int ksyms_module_address(const char *module, const char *name, unsigned long *addr)
{
	static unsigned long find, lookup;
	const struct module *mod;
	char *full;
	int rc = 0;

	if (!find)
		find = ksyms_address("find_module");
	if (!lookup)
		lookup = ksyms_address("module_kallsyms_lookup_name");
	if (!find || !lookup)
		return -EOPNOTSUPP;
	full = kasprintf(GFP_KERNEL, "%s:%s", module, name);
	if (!full)
		return -ENOMEM;
	preempt_disable(); /* mod stays */
	mod = (const struct module *)ksyms_call3(find, (unsigned long)module, 0, 0);
	if (!mod || mod->state == MODULE_STATE_GOING) {
		rc = -ENODEV;
	} else {
		*addr = ksyms_call3(lookup, (unsigned long)full, 0, 0);
		if (!*addr)
			rc = -ENOENT;
		else if (within_module_init(*addr, mod))
			rc = -ENXIO;
	}
	preempt_enable();
	kfree(full);
	return rc;
}
