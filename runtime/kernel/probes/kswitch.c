// SPDX-License-Identifier: GPL-2.0-or-later
/* The switch of all kprobes.  See kswitch.h.  A kprobe in the switch sees that they will be switched off, while they are still on. */
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kernel/ksyms.h"
#include "kernel/probes/kswitch.h"

static struct {
	struct kprobe probe; /* at the file's write(): file, text, length, offset */
	const bool *all_disarmed; /* the kernel's; NULL: not known */
	bool watched;
	bool noticed; /* that they were off */
} kswitch;

/* As kstrtobool() reads it. */
static bool kswitch_says_on(const char __user *text)
{
	char c = 0;

	if (copy_from_user_nofault(&c, text, 1))
		return false;
	if ((c | 0x20) == 'o')
		return !copy_from_user_nofault(&c, text + 1, 1) && (c | 0x20) == 'n';
	return c && strchr("1yYtT", c);
}
NOKPROBE_SYMBOL(kswitch_says_on);

/* Takes it as off, unless it certainly says on. */
static int kswitch_on_write(struct kprobe *k, struct pt_regs *regs)
{
	if (!kswitch_says_on((const char __user *)regs_get_kernel_argument(regs, 1)))
		WRITE_ONCE(kswitch.noticed, true);
	return 0;
}
NOKPROBE_SYMBOL(kswitch_on_write);

void kswitch_find(void)
{
	kswitch.all_disarmed = (const bool *)ksyms_address("kprobes_all_disarmed");
}

void kswitch_watch(void)
{
	unsigned long place = ksyms_behind_tracer("write_enabled_file_bool");

	kswitch.probe = (struct kprobe){ .addr = (kprobe_opcode_t *)place, .pre_handler = kswitch_on_write };
	kswitch.watched = place && !register_kprobe(&kswitch.probe);
}

void kswitch_unwatch(void)
{
	if (kswitch.watched)
		unregister_kprobe(&kswitch.probe);
	memset(&kswitch, 0, sizeof(kswitch));
}

bool kswitch_is_off(void)
{
	if (!kswitch.all_disarmed || !READ_ONCE(*kswitch.all_disarmed))
		return false;
	WRITE_ONCE(kswitch.noticed, true);
	return true;
}

bool kswitch_has_been_off(void)
{
	return kswitch_is_off() || READ_ONCE(kswitch.noticed);
}
