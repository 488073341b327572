// SPDX-License-Identifier: GPL-2.0-or-later
/* See kcalls.h. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "kernel/ksyms.h"
#include "kernel/probes/kcalls.h"

#define KCALLS_MAX (CALLS_SLOTS / 4) /* what one session may take of the table, which is for all of them */

/* ---- functions that are hooked ---- */

/*
 * Parts of the kernel's code that it tells from other code in a stack, as /proc/PID/wchan does with the scheduler's, or where it may sleep
 * in the middle of a switch or without RCU.
 */
static const char *const kcalls_parts[][2] = {
	{ "__sched_text_start", "__sched_text_end" },
	{ "__cpuidle_text_start", "__cpuidle_text_end" },
	{ "__lock_text_start", "__lock_text_end" },
	{ "__irqentry_text_start", "__irqentry_text_end" },
	{ "__softirqentry_text_start", "__softirqentry_text_end" },
};

static struct module *kcalls_module; /* from hold to let_go; NULL: it was not loaded */

static struct {
	bool asked; /* whether the module is there */
	const struct spile_calls *calls; /* NULL: it is not */
	struct spile_calls_slot *claimed[KCALLS_MAX];
	unsigned int n;
	unsigned long parts[ARRAY_SIZE(kcalls_parts)][2]; /* where they are */
} kcalls;

/*
 * These never return, or return in another task.  A leading "_sys_" means: the end of the name, which is a system call's.  It is a list of
 * names since no rule tells: "noreturn" is in no table of a kernel that runs, and neither is in which task a function returns.
 */
static const char *const kcalls_endless[] = {
	"do_exit", "do_group_exit", "make_task_dead", "do_task_dead", "_sys_exit", "_sys_exit_group", "_sys_reboot", "_sys_call", "kthread",
	"kthread_exit", "kthread_complete_and_exit", "module_put_and_kthread_exit", "call_usermodehelper_exec_async", "io_wq_worker",
	"io_wqe_worker", "io_worker_exit", "io_sq_thread", "worker_thread", "rescuer_thread", "kthread_worker_fn",
	"smpboot_thread_fn", "do_idle", "cpu_startup_entry", "ret_from_fork", "schedule_tail", "finish_task_switch",
	"__switch_to", "panic", "die", "oops_end", "kernel_init", "rest_init",
};

static bool kcalls_is_endless(const char *name)
{
	size_t n = strlen(name), length;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kcalls_endless); i++) {
		const char *endless = kcalls_endless[i];

		length = strlen(endless);
		if (n >= length && !strcmp(name + n - length, endless) && (n == length || !strncmp(endless, "_sys_", 5)))
			return true;
	}
	return false;
}

static bool kcalls_is_left_out(unsigned long ip, const char *name)
{
	unsigned int i;

	if (strchr(name, '.')) /* made by the compiler of the function that has the prototype, with other parameters perhaps */
		return true;
	for (i = 0; i < ARRAY_SIZE(kcalls_parts); i++)
		if (ip >= kcalls.parts[i][0] && ip < kcalls.parts[i][1])
			return true;
	return kcalls_is_endless(name);
}

/* ---- the module ---- */

static const struct spile_calls *kcalls_ask(const struct module *m)
{
	unsigned long addr;

	return ksyms_address_in(m, CALLS_INTERFACE, &addr) ? NULL : (const struct spile_calls *)ksyms_call3(addr, 0, 0, 0);
}

void kcalls_hold(void)
{
	if (!kcalls_module)
		kcalls_module = ksyms_hold_module(CALLS_MODULE);
}

void kcalls_let_go(void)
{
	if (kcalls_module)
		module_put(kcalls_module);
	kcalls_module = NULL;
}

static void kcalls_join(void)
{
	unsigned int i;

	kcalls.asked = true;
	kcalls.calls = kcalls_module ? kcalls_ask(kcalls_module) : NULL;
	if (!kcalls.calls)
		return;
	for (i = 0; i < 2 * ARRAY_SIZE(kcalls_parts); i++)
		kcalls.parts[i / 2][i % 2] = ksyms_address(kcalls_parts[i / 2][i % 2]);
	kcalls.calls->join();
}

bool kcalls_is_there(void)
{
	if (!kcalls.asked)
		kcalls_join();
	return kcalls.calls;
}

unsigned long kcalls_entry(void)
{
	return kcalls.calls ? kcalls.calls->entry : 0;
}

bool kcalls_claim(unsigned long ip, const char *name, const struct spile_calls_slot *how)
{
	struct spile_calls_slot *s;

	if (!kcalls_is_there() || kcalls.n == KCALLS_MAX || kcalls_is_left_out(ip, name))
		return false;
	s = kcalls.calls->claim(ip + MCOUNT_INSN_SIZE, how);
	if (s)
		kcalls.claimed[kcalls.n++] = s;
	return s;
}

void kcalls_leave(void (*wait)(void))
{
	unsigned int i;

	if (kcalls.calls) {
		for (i = 0; i < kcalls.n; i++)
			WRITE_ONCE(kcalls.claimed[i]->era, 0);
		wait();
		for (i = 0; i < kcalls.n; i++)
			WRITE_ONCE(kcalls.claimed[i]->ip, 0);
		kcalls.calls->leave();
	}
	memset(&kcalls, 0, sizeof(kcalls));
}
