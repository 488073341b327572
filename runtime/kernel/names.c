// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See names.h.  The kernel's own functions never change their addresses.  Those of modules, which have an area of their own, are noted in
 * a table that handlers fill without a lock.  When a module goes, or the part of it that only initialises it, the names of what is noted
 * there are put aside, with the number of the newest record: records up to that one mean these names, later ones what is there then.
 * This number is taken when none of that code is running any more; so no stack with its addresses is still to be written.
 *
 * Code that is not a module's (programs of BPF, trampolines) goes without notice.  Its names are those at the time of the question, a few
 * hundredths of a second after the hit.
 */
#include <linux/hash.h>
#include <linux/ioctl.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kernel/arch/arch.h"
#include "kernel/found.h"
#include "kernel/machine.h"
#include "kernel/names.h"
#include "kernel/transport.h"
#include "rt/port.h"
#include "rt/rt.h"
#include "wire.h"

#define NOTED_BITS 10
#define NOTED (1 << NOTED_BITS)
#define TRIES 8        /* places for an address; if all are taken it is not noted */
#define KEPT_MOST 4096 /* if the loader does not ask */

static_assert(WIRE_LOOKUP == _IOWR('S', 1, struct wire_symbol));

/* What was at an address in records up to `order'. */
struct kept_name {
	struct list_head list;
	unsigned long addr;
	u64 order;
	char text[];
};

static unsigned long noted[NOTED]; /* 0: free */
static DEFINE_MUTEX(names_mutex);
static LIST_HEAD(kept_names); /* in ascending order */
static unsigned int nkept;
static bool names_ended; /* names_end() was called: the tables of programs may be freed */

void names_note(unsigned long addr)
{
	unsigned int at = hash_long(addr, NOTED_BITS), i;

	if (!arch_is_of_module(addr))
		return;
	for (i = 0; i < TRIES; i++, at++) {
		unsigned long *place = &noted[at % NOTED], old = READ_ONCE(*place);

		if (!old)
			old = cmpxchg(place, 0, addr);
		if (!old || old == addr)
			return;
	}
}

/* ---- names of what goes ---- */

static void drop_name(struct kept_name *k)
{
	list_del(&k->list);
	kfree(k);
	nkept--;
}

/* A name that finds no memory is lost: the loader then prints the address. */
static void keep_name(unsigned long addr, u64 order)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL | __GFP_NOWARN);
	struct kept_name *k = NULL;
	int n;

	if (text && nkept < KEPT_MOST) {
		n = sprint_symbol(text, addr);
		k = kmalloc(sizeof(*k) + n + 1, GFP_KERNEL | __GFP_NOWARN);
	}
	if (k) {
		k->addr = addr;
		k->order = order;
		memcpy(k->text, text, n + 1);
		list_add_tail(&k->list, &kept_names);
		nkept++;
	}
	kfree(text);
}

static void keep_names(struct module *m, bool init_only)
{
	u64 order;
	int i;

	mutex_lock(&names_mutex);
	order = transport_order_now();
	for (i = 0; i < NOTED; i++) {
		unsigned long addr = READ_ONCE(noted[i]);

		if (!addr || !(init_only ? within_module_init(addr, m) : within_module(addr, m)))
			continue;
		keep_name(addr, order);
		WRITE_ONCE(noted[i], 0);
	}
	mutex_unlock(&names_mutex);
}

static void names_module_lives(struct module *m)
{
	keep_names(m, true);
}

static void names_module_goes(struct module *m)
{
	keep_names(m, false);
}

static struct machine_listener names_machine = { .module_lives = names_module_lives, .module_goes = names_module_goes };

int names_begin(void)
{
	return machine_listen(&names_machine);
}

void names_end(void)
{
	struct kept_name *k, *next;

	machine_leave(&names_machine);
	mutex_lock(&names_mutex);
	list_for_each_entry_safe(k, next, &kept_names, list)
		drop_name(k);
	names_ended = true;
	mutex_unlock(&names_mutex);
}

/* ---- the loader's questions ---- */

/* The name that was kept for the address at that time; names that no later question can mean are dropped.  Under names_mutex. */
static const struct kept_name *find_kept(unsigned long addr, u64 order)
{
	struct kept_name *k, *next;

	list_for_each_entry_safe(k, next, &kept_names, list) {
		if (k->order < order)
			drop_name(k);
		else if (k->addr == addr)
			return k;
	}
	return NULL;
}

/* Is it struct wire_frame.where of an image, the script's or a found one? */
static bool is_of_program(u64 address)
{
	return address >> 48 && rt_image_of(RT_WHERE_IMAGE(address));
}

/* Puts " at FILE:LINE" before the module, and in its place "[kernel]" if there is none. */
static void add_line(char *text, size_t size, u64 addr)
{
	char *module = strchr(text, '['), name[MODULE_NAME_LEN + 4];
	size_t n;

	strscpy(name, module ?: "[kernel]", sizeof(name));
	n = strcspn(text, " [");
	n += rt_line_text(addr, text + n, size - n);
	scnprintf(text + n, size - n, " %s", name);
}

/* A module that is there now was there when the record was written, or a name would have been kept; and it is at least until now. */
static void look_up(struct wire_symbol *s, char *room)
{
	const u64 where = s->address;
	const struct kept_name *k;

	if (RT_WHERE_IS_KERNEL(where))
		s->address = RT_WHERE_ADDRESS(where);
	mutex_lock(&names_mutex); /* modules wait for us before their memory is freed */
	if (!names_ended && is_of_program(where)) {
		if (found_is_settled(RT_WHERE_IMAGE(where)))
			s->order = U64_MAX;
		rt_where_text(s->address, s->text, sizeof(s->text));
		mutex_unlock(&names_mutex);
		return;
	}
	k = find_kept(s->address, s->order);
	if (k) {
		s->order = k->order;
		strscpy(s->text, k->text, sizeof(s->text));
	} else {
		s->order = arch_is_of_module(s->address) ? max(s->order, transport_order_now()) : U64_MAX;
		sprint_symbol(room, s->address);
		strscpy(s->text, room, sizeof(s->text));
		if (RT_WHERE_IS_KERNEL(where) && strncmp(s->text, "0x", 2))
			add_line(s->text, sizeof(s->text), s->address - RT_WHERE_KERNEL_IS_RETURN(where));
	}
	mutex_unlock(&names_mutex);
}

static long names_ioctl(struct file *f, unsigned int command, unsigned long arg)
{
	struct wire_symbol *s;
	char *room;
	long rc = -ENOMEM;

	if (command != WIRE_LOOKUP)
		return -ENOTTY;
	s = memdup_user((void __user *)arg, sizeof(*s));
	if (IS_ERR(s))
		return PTR_ERR(s);
	room = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	if (room) {
		memset(s->text, 0, sizeof(s->text));
		look_up(s, room);
		rc = copy_to_user((void __user *)arg, s, sizeof(*s)) ? -EFAULT : 0;
	}
	kfree(room);
	kfree(s);
	return rc;
}

static int names_open(struct inode *inode, struct file *f)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
}

static int names_release(struct inode *inode, struct file *f)
{
	module_put(THIS_MODULE);
	return 0;
}

const struct proc_ops names_proc_ops = {
	.proc_open = names_open,
	.proc_ioctl = names_ioctl,
	.proc_release = names_release,
};
