// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module: parameters and files.  At load it only allocates memory for the transport; the session begins with START on ctl.  The files
 * are in procfs, which is always there, also when debugfs is not mounted or the kernel is locked down.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/string.h>

#include "kernel/ctl.h"
#include "kernel/mail.h"
#include "kernel/session.h"
#include "kernel/transport.h"
#include "rt/rt.h"

static unsigned int buffer_kb;
module_param(buffer_kb, uint, 0444);
MODULE_PARM_DESC(buffer_kb, "transport buffer per CPU in KiB, 0: as the script says");

/* %XX in place: the kernel splits parameters at blanks and quotes. */
static int decode_percent(char *s)
{
	char *to = s;
	u8 byte;

	for (; *s; s++) {
		if (*s != '%') {
			*to++ = *s;
			continue;
		}
		if (hex2bin(&byte, s + 1, 1) || !byte)
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

static struct proc_dir_entry *module_directory;

static int make_files(void)
{
	char name[64];
	int cpu;

	snprintf(name, sizeof(name), WIRE_DIRECTORY_PREFIX "%s", THIS_MODULE->name);
	module_directory = proc_mkdir_mode(name, 0500, NULL);
	if (!module_directory)
		return -ENOMEM;
	if (!proc_create("state", 0400, module_directory, &ctl_state_proc_ops))
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "trace%d", cpu);
		if (!proc_create_data(name, 0400, module_directory, &transport_proc_ops, (void *)(long)cpu))
			return -ENOMEM;
	}
	return proc_create("ctl", 0600, module_directory, &ctl_proc_ops) ? 0 : -ENOMEM;
}

static int __init module_begin(void)
{
	int rc;

	rc = mail_init();
	if (rc)
		goto err_settings;
	rc = transport_init(buffer_kb ? buffer_kb : rt_script.limits->buffer_kb, rt_script.limits->out);
	if (rc)
		goto err_mail;
	rc = make_files();
	if (rc)
		goto err_transport;
	return 0;

err_transport:
	proc_remove(module_directory);
	transport_free();
err_mail:
	mail_free();
err_settings:
	session_free();
	return rc;
}

static void __exit module_end(void)
{
	proc_remove(module_directory); /* waits for running calls of its files */
	session_free();
	transport_free();
	mail_free();
}

module_init(module_begin);
module_exit(module_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("script compiled by spile");
