// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of kernel addresses and kernel stacks, from the kernel's own symbol table, and addresses of symbols that a script uses. */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include "kernel/arch/arch.h"
#include "kernel/arch/regs.h"
#include "kernel/arch/stack.h"
#include "kernel/compat/rethook_of_task.h"
#include "kernel/ksyms.h"
#include "kernel/machine.h"
#include "kernel/mail.h"
#include "kernel/modules.h"
#include "kernel/names.h"
#include "kernel/symbols.h"
#include "rt/body.h"
#include "wire.h"

/* The whole name, however long. */
static struct rt_str symbol_text(struct rt_ctx *c, rt_u64 addr, rt_bool without_offset)
{
	char *mark = rt_mark(c), *buf = rt_alloc(c, KSYM_SYMBOL_LEN);
	struct rt_str s;
	int n;

	if (!buf)
		return RT_EMPTY;
	n = without_offset ? sprint_symbol_no_offset(buf, addr) : sprint_symbol(buf, addr);
	if (without_offset)
		n = strcspn(buf, " ");
	buf[n] = 0;
	if (n <= 64) /* the buffer is much larger than a name, and a handler may need many names */
		rt_release(c, mark + (buf - mark) + n + 1);
	s.p = buf;
	s.n = n;
	return s;
}

/* Cuts to the length of a script's string. */
static struct rt_str cut(struct rt_str s)
{
	s.n = min(s.n, rt_script.limits->string_max);
	return s;
}

/* Any context.  The translator adds kallsyms_lookup_name to the script's symbols, so its address is known before the session runs. */
unsigned long rt_body_symbol(const char *name)
{
	return ksyms_address_now(name);
}

struct rt_str rt_symname(struct rt_ctx *c, rt_u64 addr, rt_bool without_offset)
{
	return cut(symbol_text(c, addr, without_offset));
}

struct rt_str rt_probefunc(struct rt_ctx *c)
{
	const char *known = c->probe->function;

	if (known && *known)
		return cut((struct rt_str){ known, strlen(known) });
	if (!c->regs || rt_user_mode(c))
		return RT_EMPTY;
	return rt_symname(c, rt_addr(c), true);
}

static unsigned int frames_wanted(void)
{
	return min_t(unsigned int, rt_script.limits->backtrace, WIRE_FRAMES_MAX);
}

#define STACK_DEEPEST 256

void rt_print_backtrace(struct rt_ctx *c)
{
	char *mark = rt_mark(c);
	unsigned int max = frames_wanted(), n, i;
	rt_u64 *at = (rt_u64 *)rt_alloc(c, max * sizeof(*at));

	if (!at)
		return;
	n = arch_stack_trace(c, at, max);
	for (i = 0; i < n; i++)
		names_note(at[i]);
	rt_print_stack(c, at, n);
	rt_release(c, mark);
}

/* Frames as of a program, whose places name the code and say that its line is wanted. */
void rt_print_backtrace_lines(struct rt_ctx *c)
{
	char *mark = rt_mark(c);
	unsigned int max = frames_wanted(), n, i;
	rt_u64 *at = (rt_u64 *)rt_alloc(c, max * sizeof(*at));
	struct rt_frame *to = at ? (struct rt_frame *)rt_alloc(c, max * sizeof(*to)) : NULL;

	if (!to)
		return;
	n = arch_stack_trace(c, at, max);
	for (i = 0; i < n; i++) {
		names_note(at[i]);
		to[i] = (struct rt_frame){ at[i], RT_WHERE_KERNEL(at[i], i > 0) };
	}
	rt_print_user_stack(c, to, n, false);
	rt_release(c, mark);
}

rt_u64 rt_stack(struct rt_ctx *c, rt_s64 n)
{
	char *mark = rt_mark(c);
	rt_u64 *at, found = 0;

	if (n < 0 || n >= STACK_DEEPEST)
		return 0;
	at = (rt_u64 *)rt_alloc(c, (n + 1) * sizeof(*at));
	if (at && arch_stack_trace(c, at, n + 1) > n)
		found = at[n];
	rt_release(c, mark);
	return found;
}

/* ---- stacks of tasks ---- */

struct rt_str rt_backtrace(struct rt_ctx *c)
{
	unsigned int max = frames_wanted();
	rt_u64 *at = (rt_u64 *)rt_alloc(c, max * sizeof(*at));

	return at ? rt_addresses_text(c, at, arch_stack_trace(c, at, max), 1) : RT_EMPTY;
}

/* The stack of what is a task if it is found by the id that it says it has: then it stays until rcu_read_unlock(). */
static unsigned int trace_task(unsigned long task, pid_t id, rt_u64 *at, unsigned int max)
{
	struct task_struct *t;
	unsigned long flags;
	unsigned int n = 0;

	rcu_read_lock();
	preempt_disable();
	t = pid_task(find_pid_ns(id, &init_pid_ns), PIDTYPE_PID);
	if ((unsigned long)t == task && compat_rethook_hold(t, &flags)) {
		n = arch_task_stack_trace(t, at, max);
		compat_rethook_let_go(t, flags);
	}
	preempt_enable();
	rcu_read_unlock();
	return n;
}

struct rt_str rt_task_backtrace(struct rt_ctx *c, rt_u64 task)
{
	unsigned int max = frames_wanted();
	rt_u64 *at;
	pid_t id;

	if (task == (unsigned long)current)
		return rt_backtrace(c);
	id = rt_read(c, RT_KERNEL, task + offsetof(struct task_struct, pid), sizeof(id));
	if (RT_FAILED(c) || id <= 0)
		return RT_EMPTY;
	at = (rt_u64 *)rt_alloc(c, max * sizeof(*at));
	return at ? rt_addresses_text(c, at, trace_task(task, id, at, max), 1) : RT_EMPTY;
}

/* ---- room on the stack ---- */

struct stack_room {
	unsigned long size, unused;
};

/* Of the kernel stack that the probed code is on; for a program, which is on none, the one that the handler is on.  Not known: 0. */
static struct stack_room stack_room(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;
	unsigned long sp = regs && !user_mode(regs) ? kernel_stack_pointer(regs) : arch_stack_pointer();
	unsigned long bottom = (unsigned long)task_stack_page(current);
	struct stack_room room = { .size = THREAD_SIZE };

	if (sp - bottom > THREAD_SIZE) {
		preempt_disable();
		bottom = arch_cpu_stack_bottom(sp);
		room.size = bottom ? arch_cpu_stack_size(sp) : 0;
		preempt_enable();
	}
	room.unused = room.size ? sp - bottom : 0;
	return room;
}

rt_s64 rt_stack_size(struct rt_ctx *c)
{
	return stack_room(c).size;
}

rt_s64 rt_stack_used(struct rt_ctx *c)
{
	struct stack_room room = stack_room(c);

	return room.size - room.unused;
}

rt_s64 rt_stack_unused(struct rt_ctx *c)
{
	return stack_room(c).unused;
}

/* ---- symbols of the script ---- */

static DEFINE_MUTEX(symbols_mutex); /* the addresses are written under it */

static bool symbols_is_of(const struct rt_ksymbol *k, const struct module *m)
{
	return k->module && !strcmp(k->module, m->name);
}

/*
 * A module is being unloaded.  Handlers of kernel probes that still have its address read before its memory is freed, since freeing waits
 * for all that run without preemption; other handlers read with faults handled.
 */
static void symbols_module_goes(struct module *m)
{
	u32 i;

	mutex_lock(&symbols_mutex);
	for (i = 0; i < rt_script.nksymbols; i++)
		if (symbols_is_of(&rt_script.ksymbols[i], m))
			WRITE_ONCE(rt_script.ksymbols[i].address, 0);
	mutex_unlock(&symbols_mutex);
}

/* What is freed when the module has started is not read. */
static int symbols_find_in(struct rt_ksymbol *k, const struct module *m)
{
	unsigned long addr;
	int rc = modules_compare(m) == MODULES_OTHER ? -ESTALE : ksyms_address_in(m, k->name, &addr);

	if (!rc && !within_module_init(addr, m))
		WRITE_ONCE(k->address, addr);
	return rc;
}

/* It is about to run, or has started and was not seen to come, since the session began meanwhile. */
static void symbols_module_comes(struct module *m)
{
	u32 i;

	mutex_lock(&symbols_mutex);
	for (i = 0; i < rt_script.nksymbols; i++) {
		struct rt_ksymbol *k = &rt_script.ksymbols[i];

		if (!k->address && symbols_is_of(k, m))
			symbols_find_in(k, m);
	}
	mutex_unlock(&symbols_mutex);
}

static struct machine_listener symbols_machine = {
	.module_comes = symbols_module_comes,
	.module_lives = symbols_module_comes,
	.module_goes = symbols_module_goes,
};

/* The same for the kernel itself. */
static int symbols_find_in_kernel(struct rt_ksymbol *k)
{
	unsigned long addr = ksyms_address(k->name);

	if (!addr)
		return -ENOENT;
	if (ksyms_is_freed(addr))
		return -ENXIO;
	WRITE_ONCE(k->address, addr);
	return 0;
}

/* One of another build than the script was compiled for counts as not loaded: a warning says so. */
static int symbols_find_one(struct rt_ksymbol *k)
{
	const struct module *m;
	int rc;

	if (!k->module) {
		rc = symbols_find_in_kernel(k);
	} else {
		m = ksyms_module(k->module);
		rc = m ? symbols_find_in(k, m) : -ENODEV;
	}
	if (k->optional)
		return 0;
	if (rc == -ENODEV)
		mail_warn("module %s is not loaded: its \"%s\", which @var needs, is found as soon as it is", k->module, k->name);
	if (rc == -ENODEV || rc == -ESTALE)
		return 0;
	if (rc == -ENXIO)
		mail_error("the kernel has freed the memory of \"%s\", which @var needs: it needed it only to start", k->name);
	else if (rc)
		mail_error("%s%s has no symbol \"%s\", which @var needs", k->module ? "module " : "the kernel", k->module ?: "", k->name);
	return rc;
}

int symbols_find(void)
{
	int rc;
	u32 i;

	if (!rt_script.nksymbols)
		return 0;
	rc = machine_listen(&symbols_machine);
	if (rc)
		return rc;
	mutex_lock(&symbols_mutex);
	for (i = 0; i < rt_script.nksymbols && !rc; i++)
		rc = symbols_find_one(&rt_script.ksymbols[i]);
	mutex_unlock(&symbols_mutex);
	return rc;
}

void symbols_forget(void)
{
	machine_leave(&symbols_machine);
}
