// SPDX-License-Identifier: GPL-2.0-or-later
/* What runtime/rt/ needs of the kernel and has no file of its own: see rt/port.h. */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "kernel/arch/arch.h"
#include "kernel/compat/module_memory.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/memory.h"
#include "kernel/state.h"
#include "kernel/transport.h"
#include "rt/port.h"

/* Used by one thread at a time, when the session begins. */
static unsigned long allocated;

/* A script must not make the kernel kill processes for memory. */
void *rt_port_alloc(rt_size size)
{
	unsigned long allowed = (unsigned long)rt_script.limits->memory_kb << 10;
	void *p;

	if ((allowed && size > allowed - allocated) || !memory_take(size))
		return NULL;
	p = kvzalloc(size, GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	if (p)
		allocated += size;
	else
		memory_give(size);
	return p;
}

void rt_port_free(void *p)
{
	kvfree(p);
}

rt_u32 rt_port_ncpus(void)
{
	return nr_cpu_ids;
}

rt_u32 rt_port_cpu(void)
{
	return raw_smp_processor_id();
}

unsigned long rt_port_irq_save(void)
{
	unsigned long flags;

	local_irq_save(flags);
	return flags;
}

void rt_port_irq_restore(unsigned long flags)
{
	local_irq_restore(flags);
}

rt_bool rt_port_in_nmi(void)
{
	return hit_in_nmi();
}

void rt_port_relax(void)
{
	cpu_relax();
}

void rt_port_breathe(struct rt_ctx *c)
{
	if (c->may_sleep && !irqs_disabled())
		cond_resched();
}

rt_u64 rt_port_clock_ns(void)
{
	return local_clock();
}

rt_u32 rt_port_format(char *buf, rt_u32 size, const char *fmt, __builtin_va_list ap)
{
	return vscnprintf(buf, size, fmt, ap);
}

static_assert(sizeof(struct rt_part) == sizeof(struct wire_part) && offsetof(struct rt_part, frames) == offsetof(struct wire_part, frames));

/* What comes after the text may be the beginning of a line that is not sent yet: the caller puts it back. */
static struct wire_part end_stacks(struct rt_ctx *c)
{
	struct wire_part part = { .text = c->out_n - c->out_part }, was;

	memcpy(&was, c->out + c->out_n, sizeof(was));
	memcpy(c->out + c->out_n, &part, sizeof(part));
	c->out_n += sizeof(part);
	return was;
}

/* Begin, end and error probes can wait, and their output is often all that the user wants. */
static void send(struct rt_ctx *c, enum wire_kind kind, const char *p, u32 n)
{
	if (c->in_end && c->may_sleep)
		transport_write_waiting(kind, p, n);
	else
		transport_write(kind, p, n);
}

void rt_port_flush(struct rt_ctx *c)
{
	enum wire_kind kind = c->out_part ? WIRE_STACKS : c->probe->flags & RT_PROBE_SHOWS ? WIRE_TABLE : WIRE_TEXT;

	struct wire_part rest;

	if (kind == WIRE_STACKS)
		rest = end_stacks(c);
	send(c, kind, c->out, c->out_n);
	if (kind == WIRE_STACKS)
		memcpy(c->out + c->out_n - sizeof(rest), &rest, sizeof(rest));
}

void rt_port_request(struct rt_ctx *c, enum rt_request what, struct rt_str with)
{
	send(c, what == RT_REQUEST_COMMAND ? WIRE_COMMAND : WIRE_SWITCH, with.p, with.n);
}

void rt_port_exit(struct rt_ctx *c)
{
	state_request_stop();
}

unsigned long rt_port_stack_pointer(void)
{
	return arch_stack_pointer();
}

struct rt_str rt_module_name(void)
{
	return (struct rt_str){ THIS_MODULE->name, strlen(THIS_MODULE->name) };
}

struct rt_str rt_module_size(struct rt_ctx *c)
{
	const struct compat_module_sizes n = compat_module_sizes(THIS_MODULE);
	const u32 room = 64;
	char *text = rt_alloc(c, room);

	if (!text)
		return RT_EMPTY;
	return (struct rt_str){ text, scnprintf(text, room, "%u text, %u rodata, %u data", n.text, n.rodata, n.data) };
}

rt_s64 rt_loader_pid(void)
{
	return state_loader();
}

void rt_warn(struct rt_ctx *c, struct rt_str text)
{
	mail_warn("%.*s", (int)text.n, text.p);
}
