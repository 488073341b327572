// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers with the prototype of the function that they look at.  See jprobes.h; one file of the module includes this one. */
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "jprobes.h"

_Static_assert(offsetof(struct jprobe, kp) == 0, "arrays of them are arrays of kprobes");

/*
 * A caller that passes more than a function takes does it no harm.  So all arguments are passed on that there can be: those in registers, and
 * as many words of the stack.  The handler gets copies of both, in a frame of ours.  The kernel's check of types of indirect calls would not
 * know this one.
 */
static int __nocfi jprobes_on_entry(struct kprobe *kp, struct pt_regs *regs)
{
	typedef unsigned long word;
	void (*entry)(word, word, word, word, word, word, word, word, word, word, word, word, word, word) =
		container_of(kp, struct jprobe, kp)->entry;
	word a[JPROBES_ARGUMENTS];

	for (unsigned int i = 0; i < JPROBES_ARGUMENTS; i++)
		a[i] = regs_get_kernel_argument(regs, i);
	entry(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
	return 0;
}

/* By the text "name+0x0/0x30": the functions that say it as a number are not exported. */
static int jprobes_check_place(const struct kprobe *kp)
{
	char *text, *plus;
	int rc = -EINVAL;

	if (kp->offset)
		return -EINVAL;
	if (!kp->addr)
		return 0;
	text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	sprint_symbol(text, (unsigned long)kp->addr);
	plus = strrchr(text, '+');
	if (plus && strstarts(plus, "+0x0/"))
		rc = 0;
	kfree(text);
	return rc;
}

static int jprobes_prepare(struct jprobe *jp)
{
	if (!jp->entry)
		return -EINVAL;
	jp->kp.pre_handler = jprobes_on_entry;
	return jprobes_check_place(&jp->kp);
}

int register_jprobes(struct jprobe **jps, int num)
{
	for (int i = 0; i < num; i++) {
		int rc = jprobes_prepare(jps[i]);

		if (rc)
			return rc;
	}
	return register_kprobes((struct kprobe **)jps, num);
}

int register_jprobe(struct jprobe *jp)
{
	return register_jprobes(&jp, 1);
}

void unregister_jprobes(struct jprobe **jps, int num)
{
	unregister_kprobes((struct kprobe **)jps, num);
}

void unregister_jprobe(struct jprobe *jp)
{
	unregister_jprobes(&jp, 1);
}
