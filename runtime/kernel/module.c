// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module: parameters and files.  At load it only allocates memory for the transport; the session begins with START on ctl.  The files
 * are in procfs, which is always there, also when debugfs is not mounted or the kernel is locked down.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "kernel/ctl.h"
#include "kernel/files.h"
#include "kernel/mail.h"
#include "kernel/names.h"
#include "kernel/programs.h"
#include "kernel/session.h"
#include "kernel/transport.h"
#include "rt/rt.h"

static unsigned int buffer_kb;
module_param(buffer_kb, uint, 0444);
MODULE_PARM_DESC(buffer_kb, "transport buffer per CPU in KiB, 0: as the script says");

/* %XX in place: the kernel splits parameters at blanks and quotes. */
static int decode_percent(char *s)
{
	char *to = s, digits[3] = "";
	u8 byte;

	for (; *s; s++) {
		if (*s != '%') {
			*to++ = *s;
			continue;
		}
		if (!isxdigit(s[1]) || !isxdigit(s[2]))
			return -EINVAL;
		memcpy(digits, s + 1, 2);
		if (kstrtou8(digits, 16, &byte) || !byte)
			return -EINVAL;
		*to++ = byte;
		s += 2;
	}
	*to = 0;
	return 0;
}

static int set_global(const char *val, const struct kernel_param *kp)
{
	char *name = kstrdup(val, GFP_KERNEL), *value;
	int rc = -EINVAL;

	if (!name)
		return -ENOMEM;
	value = strchr(name, '=');
	if (value) {
		*value++ = 0;
		rc = decode_percent(value);
	}
	if (!rc)
		rc = session_add_global(name, value);
	kfree(name);
	return rc;
}
static const struct kernel_param_ops global_ops = { .set = set_global };
module_param_cb(G, &global_ops, NULL, 0);
MODULE_PARM_DESC(G, "name=value of a global of the script, %XX for other characters; may be repeated");

/* ---- files ---- */

static int make_files(void)
{
	char name[64];
	int cpu, rc = files_begin();

	if (rc)
		return rc;
	if (!files_add("state", 0400, NULL, &ctl_state_proc_ops, NULL))
		return -ENOMEM;
	if (!files_add("symbols", 0400, NULL, &names_proc_ops, NULL))
		return -ENOMEM;
	if (rt_script.programs && !files_add("programs", 0600, NULL, &programs_proc_ops, NULL))
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "trace%d", cpu);
		if (!files_add(name, 0400, NULL, &transport_proc_ops, (void *)(long)cpu))
			return -ENOMEM;
	}
	return files_add("ctl", 0600, NULL, &ctl_proc_ops, NULL) ? 0 : -ENOMEM;
}

static int __init module_begin(void)
{
	int rc;

	rc = mail_init();
	if (rc)
		goto err_settings;
	rc = transport_init(buffer_kb ? buffer_kb : rt_script.limits->buffer_kb, rt_script.limits->out + sizeof(struct wire_part));
	if (rc)
		goto err_mail;
	session_hold();
	rc = make_files();
	if (rc)
		goto err_transport;
	return 0;

err_transport:
	files_end();
	transport_free();
err_mail:
	mail_free();
err_settings:
	session_free();
	return rc;
}

static void __exit module_end(void)
{
	files_end(); /* waits for running calls of the files */
	session_free();
	transport_free();
	mail_free();
}

module_init(module_begin);
module_exit(module_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION(WIRE_DESCRIPTION);
