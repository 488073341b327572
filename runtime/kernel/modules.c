// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a module that is loaded the one that the script was compiled for?  See modules.h.
 *
 * Two builds differ in their build-ids.  It is a note in a section that is loaded with the module's constant data.  The kernel shows it in
 * sysfs, but only after the module is announced, so its bytes are looked for: a note that by accident has the same header and 20 equal
 * bytes does not occur.
 */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kernel/build_id.h"
#include "kernel/compat/module_memory.h"
#include "kernel/mail.h"
#include "kernel/modules.h"
#include "rt/rt.h"

static DEFINE_MUTEX(modules_mutex); /* for the warnings */

struct modules_note {
	Elf64_Nhdr header;
	char name[4];
	u8 id[BUILD_ID_HEX / 2];
};

/* The translator writes digits: build_id in struct rt_module. */
static u8 modules_byte(const char *hex)
{
	const char digits[] = { hex[0], hex[1], 0 };
	u8 byte = 0;

	return kstrtou8(digits, 16, &byte) ? 0 : byte;
}

/* Makes the note that a module with this build-id has.  How many bytes that is; 0: it is no build-id. */
static size_t modules_make_note(struct modules_note *note, const char *hex)
{
	size_t n = strlen(hex) / 2;

	if (!n || n > sizeof(note->id))
		return 0;
	for (size_t i = 0; i < n; i++)
		note->id[i] = modules_byte(hex + 2 * i);
	note->header = (Elf64_Nhdr){ .n_namesz = sizeof(note->name), .n_descsz = n, .n_type = BUILD_ID_NOTE };
	memcpy(note->name, "GNU", sizeof(note->name));
	return offsetof(struct modules_note, id) + n;
}

/* Notes begin at multiples of 4.  Read without faults: what is between variables is forbidden ground where KASAN looks. */
static bool modules_has(const struct module *m, const struct modules_note *note, size_t n)
{
	size_t size, at;
	const u8 *memory = compat_module_memory(m, &size);
	struct modules_note there;

	for (at = 0; memory && at + n <= size; at += 4)
		if (!copy_from_kernel_nofault(&there, memory + at, n) && !memcmp(&there, note, n))
			return true;
	return false;
}

static void modules_warn(struct rt_module *known)
{
	bool first;

	mutex_lock(&modules_mutex);
	first = !known->warned;
	known->warned = true;
	mutex_unlock(&modules_mutex);
	if (first)
		mail_warn("module %s is loaded from another build than the one that the script was compiled for: it is left alone; compile the "
			  "script again", known->name);
}

static struct rt_module *modules_find(const struct module *m)
{
	rt_u32 i;

	for (i = 0; i < rt_script.nmodules; i++)
		if (!strcmp(rt_script.modules[i].name, m->name))
			return &rt_script.modules[i];
	return NULL;
}

bool modules_is_used(const struct module *m)
{
	return modules_find(m);
}

enum modules_answer modules_compare(const struct module *m)
{
	struct rt_module *known = modules_find(m);
	struct modules_note note;
	size_t n = known && known->build_id ? modules_make_note(&note, known->build_id) : 0;

	if (!n)
		return MODULES_UNKNOWN;
	if (modules_has(m, &note, n))
		return MODULES_SAME;
	modules_warn(known);
	return MODULES_OTHER;
}
