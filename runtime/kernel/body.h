/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The beginning of C in a script that needs the kernel's headers: the headers that such code expects, and rt/body.h.  It is compiled
 * with the kernel's own flags, separately from the rest of the script.
 */
#ifndef KERNEL_BODY_H
#define KERNEL_BODY_H

#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

/* A body has a parameter of that name, which hides this one. */
static struct rt_body_nowhere {
	char nothing;
} stap_ctx __maybe_unused;
#define RT_BODY_HERE                                                                                         \
	__builtin_choose_expr(__builtin_types_compatible_p(__typeof__(stap_ctx), struct rt_body_nowhere), rt_body_here(), stap_ctx)

#include "rt/body.h"

typedef long intptr_t; /* kernels from 6.8 on have the same typedef; older ones have none */

/* ---- the context of a hit, as SystemTap has it ---- */

/*
 * What scripts use of it.  regs and kregs or uregs are the registers of the probed code, the last two by its mode; NULL: there are none.
 * last_error: an error of the script, raised when the body has ended; error_buffer has room for it, MAXSTRINGLEN bytes.
 */
struct context {
	struct pt_regs *regs, *kregs, *uregs;
	const char *probe_point, *last_error;
	char *error_buffer;
	int user_mode_p, full_uregs_p;
	struct rt_ctx *rt;
};

static inline __maybe_unused struct context rt_body_context(struct rt_ctx *c)
{
	int user = rt_user_mode(c);

	return (struct context){
		.regs = c->regs,
		.kregs = user ? NULL : c->regs,
		.uregs = user ? c->regs : NULL,
		.user_mode_p = user,
		.full_uregs_p = user && c->regs,
		.rt = c,
	};
}

/* The cleanup of stap_view: runs however the body is left. */
static inline __maybe_unused void rt_body_context_end(struct context *view)
{
	if (view->last_error && *view->last_error)
		rt_error_str(view->rt, rt_body_slice(view->last_error));
}

#undef CONTEXT
#define CONTEXT (&stap_view)

#define REG_IP(regs) instruction_pointer(regs)
#define REG_SP(regs) user_stack_pointer(regs)

/* ---- as scripts call SystemTap's runtime ---- */

#define _stp_snprintf(to, size, ...) snprintf(to, size, __VA_ARGS__)
#define _stp_vsnprintf(to, size, format, list) vsnprintf(to, size, format, list)
#define _stp_kmalloc(size) kmalloc(size, GFP_ATOMIC | __GFP_NOWARN)
#define _stp_kzalloc(size) kzalloc(size, GFP_ATOMIC | __GFP_NOWARN)
#define _stp_kmalloc_gfp(size, flags) kmalloc(size, flags)
#define _stp_kzalloc_gfp(size, flags) kzalloc(size, flags)
#define _stp_kfree(memory) kfree(memory)
#define _stp_vfree(memory) vfree(memory)
#define _stp_print_regs(regs) rt_print_regs(RT_BODY_HERE)
/* Every user may see all tasks here: modules are loaded by root. */
#define is_myproc() 1
#define assert_is_myproc() ((void)0)
/* Since 5.7 the kernel does not export its own function of this name. */
#define kallsyms_lookup_name(name) rt_body_symbol(name)

/* Is it a task that exists? */
static inline __maybe_unused bool _stp_valid_task(struct task_struct *task)
{
	pid_t pid;

	return task && !copy_from_kernel_nofault(&pid, &task->pid, sizeof(pid)) && pid &&
	       rt_pid2task(pid) == (rt_s64)(long)task;
}

/* 1: some of the memory cannot be read. */
static inline __maybe_unused int rt_body_bad_memory(const char *at, size_t size)
{
	size_t i;
	char byte;

	for (i = 0; i < size; i += min_t(size_t, size - i, PAGE_SIZE))
		if (copy_from_kernel_nofault(&byte, at + i, 1))
			return 1;
	return size && copy_from_kernel_nofault(&byte, at + size - 1, 1);
}
#define lookup_bad_addr(type, at, size) rt_body_bad_memory((const char *)(unsigned long)(at), size)

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
