// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of kernel addresses and kernel stacks, from the kernel's own symbol table, and addresses of symbols that a script uses. */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "kernel/arch/regs.h"
#include "kernel/ksyms.h"
#include "kernel/machine.h"
#include "kernel/mail.h"
#include "kernel/names.h"
#include "kernel/symbols.h"
#include "rt/rt.h"
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

struct rt_str rt_backtrace(struct rt_ctx *c)
{
	unsigned int max = frames_wanted(), n, i, room = max * 19 + 1, used = 0;
	rt_u64 *at = (rt_u64 *)rt_alloc(c, max * sizeof(*at));
	char *text = rt_alloc(c, room);

	if (!at || !text)
		return RT_EMPTY;
	n = arch_stack_trace(c, at, max);
	for (i = 0; i < n; i++)
		used += scnprintf(text + used, room - used, "%s0x%llx", i ? " " : "", at[i]);
	return cut((struct rt_str){ text, used });
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

/* ---- symbols of the script ---- */

static DEFINE_MUTEX(symbols_mutex); /* the addresses are written under it */

/*
 * A module is being unloaded.  Handlers of kernel probes that still have its address read before its memory is freed, since freeing waits
 * for all that run without preemption; other handlers read with faults handled.
 */
static void symbols_on_module(struct module *m)
{
	u32 i;

	mutex_lock(&symbols_mutex);
	for (i = 0; i < rt_script.nksymbols; i++) {
		struct rt_ksymbol *k = &rt_script.ksymbols[i];

		if (k->module && !strcmp(k->module, m->name))
			WRITE_ONCE(k->address, 0);
	}
	mutex_unlock(&symbols_mutex);
}

static struct machine_listener symbols_machine = { .module_goes = symbols_on_module };

static int symbols_find_one(struct rt_ksymbol *k)
{
	unsigned long addr = 0;
	int rc = 0;

	if (k->module)
		rc = ksyms_module_address(k->module, k->name, &addr);
	else
		addr = ksyms_address(k->name);
	if (rc == -ENODEV)
		mail_error("module %s is not loaded: @var needs its \"%s\"", k->module, k->name);
	else if (rc || !addr)
		mail_error("%s%s has no symbol \"%s\", which @var needs", k->module ? "module " : "the kernel", k->module ?: "", k->name);
	WRITE_ONCE(k->address, addr);
	return rc ?: (addr ? 0 : -ENOENT);
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
