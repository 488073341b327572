// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hand-written module whose probes do what is written to its parameter `ask', and whose other parameters say what happened:
 *
 *	probe SLOT PID ADDRESS	registers the probe of that slot
 *	return SLOT PID ADDRESS	the same, for returns
 *	remove SLOT 0 0		unregisters it
 *	set SLOT PID ADDRESS	only sets where it is to be, for handlers of others that register it
 *	mode SLOT MODE SLOT	what its handler does, see below; SLOT: another one that it deals with
 */
#include <linux/delay.h>
#include <linux/module.h>

#include "jprobes.c"
#include "probes.c"

#define SLOTS 4

enum mode { COUNT, REMOVE, ADD, SLEEP, CHANGE, FLIP, KERNEL, LATE };

static struct slot {
	struct user_retprobe rp;
	bool returns;
	unsigned long mode;
	struct slot *other;
	atomic_long_t hits, sum;
	atomic_t added, removed, failed; /* callbacks */
} slots[SLOTS];

static int result;
static char order[17];
static atomic_t places;

static void take_off(struct slot *s)
{
	if (s->returns)
		unregister_uretprobe(&s->rp);
	else
		unregister_uprobe(&s->rp.u);
}

static int put_on(struct slot *s)
{
	return s->returns ? register_uretprobe(&s->rp) : register_uprobe(&s->rp.u);
}

/* Counts its calls, by a probe of the kernel that is there meanwhile only. */
static __attribute__((noipa)) void touch(struct slot *s)
{
	barrier_data(s);
}

static void on_touch(struct slot *s)
{
	atomic_long_inc(&s->sum);
}

static void probe_kernel(struct slot *s)
{
	struct jprobe jp = { .kp.addr = (kprobe_opcode_t *)touch, .entry = on_touch };

	result = register_jprobe(&jp);
	touch(s);
	if (!result)
		unregister_jprobe(&jp);
	touch(s);
}

static void on_hit(struct slot *s, struct pt_regs *regs)
{
	int place = atomic_inc_return(&places) - 1;

	atomic_long_inc(&s->hits);
	if (place < 16)
		order[place] = '0' + (s - slots);
	switch ((enum mode)s->mode) {
	case COUNT:
	case LATE: /* its callback lasts until the mode is another one, 30 s at most */
		break;
	case REMOVE:
		take_off(s->other);
		break;
	case ADD:
		result = put_on(s->other);
		break;
	case SLEEP:
		msleep(5);
		break;
	case CHANGE:
		regs_set_return_value(regs, 7);
		break;
	case KERNEL:
		probe_kernel(s);
		break;
	case FLIP:
		put_on(s->other);
		take_off(s);
		break;
	}
}

static void on_entry(struct user_probe *u, struct pt_regs *regs)
{
	on_hit(container_of(u, struct slot, rp.u), regs);
}

static void on_return(struct user_retprobe_instance *ri, struct pt_regs *regs)
{
	struct slot *s = container_of(ri->rp, struct slot, rp);

	atomic_long_add(regs_return_value(regs), &s->sum);
	on_hit(s, regs);
}

static void on_callback(struct user_probe *u, int reg, enum user_probe_type type, int rc)
{
	struct slot *s = container_of(u, struct slot, rp.u);

	if (rc || type != (s->returns ? USER_RETPROBE : USER_PROBE))
		atomic_inc(&s->failed);
	else
		atomic_inc(reg ? &s->added : &s->removed);
	for (int i = 0; i < 3000 && READ_ONCE(s->mode) == LATE; i++)
		msleep(10);
}

static void prepare(struct slot *s, bool returns, unsigned long pid, unsigned long addr)
{
	if (s->rp.u.status == USER_PROBE_REGISTERED)
		return;
	s->returns = returns;
	s->rp.u.pid = pid;
	s->rp.u.vaddr = addr;
	s->rp.u.handler = on_entry;
	s->rp.u.registration_callback = on_callback;
	s->rp.handler = on_return;
}

static int ask(const char *text, const struct kernel_param *unused)
{
	unsigned long number, first, second;
	char what[16];
	struct slot *s;

	if (sscanf(text, "%15s %lu %lu %lx", what, &number, &first, &second) != 4 || number >= SLOTS)
		return -EINVAL;
	s = &slots[number];
	if (!strcmp(what, "mode")) {
		s->mode = first;
		s->other = &slots[second % SLOTS];
	} else if (!strcmp(what, "set")) {
		prepare(s, false, first, second);
	} else if (!strcmp(what, "remove")) {
		take_off(s);
	} else {
		prepare(s, !strcmp(what, "return"), first, second);
		result = put_on(s);
	}
	return 0;
}

static int report(char *text, const struct kernel_param *unused)
{
	int n = 0;

	for (struct slot *s = slots; s < slots + SLOTS; s++)
		n += sysfs_emit_at(text, n, "%ld/%d/%d.%d.%d/%ld/%ld ", atomic_long_read(&s->hits), s->rp.u.status, atomic_read(&s->added),
				   atomic_read(&s->removed), atomic_read(&s->failed), atomic_long_read(&s->rp.nmissed),
				   atomic_long_read(&s->sum));
	return n + sysfs_emit_at(text, n, "%d\n", result);
}

static const struct kernel_param_ops ask_ops = { .set = ask }, report_ops = { .get = report };
module_param_cb(ask, &ask_ops, NULL, 0200);
module_param_cb(report, &report_ops, NULL, 0444);
module_param_string(order, order, sizeof(order), 0444);

static int __init papers_init(void)
{
	return 0;
}

module_init(papers_init);
module_exit(unregister_all_uprobes);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("probes that are registered and removed as is asked for");
