/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The beginning of C in a script that needs the kernel's headers: the headers that such code expects, and rt/body.h.  It is compiled
 * with the kernel's own flags, separately from the rest of the script.
 */
#ifndef KERNEL_BODY_H
#define KERNEL_BODY_H

#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include "rt/body.h"

/* As scripts call SystemTap's runtime. */
#define _stp_snprintf(to, size, ...) snprintf(to, size, __VA_ARGS__)

/* strlcpy() was removed from the kernel in 6.8, but many scripts use it. */
static inline __maybe_unused size_t rt_body_strlcpy(char *to, const char *from, size_t size)
{
	size_t n = strlen(from);

	if (size) {
		size_t cut = n < size ? n : size - 1;

		memcpy(to, from, cut);
		to[cut] = 0;
	}
	return n;
}
#undef strlcpy
#define strlcpy(to, from, size) rt_body_strlcpy(to, from, size)

#endif
