// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The part of rt.h and rt/embed.h that the kernel implements, for a process that has no probed code: with fixed, harmless answers.
 */
#include <stdio.h>

#include "testsuite/unit/port_native.h"

#define NUMBER(name, value) \
	rt_s64 name(void) \
	{ \
		return value; \
	}
#define TEXT(name, value) \
	struct rt_str name(struct rt_ctx *c) \
	{ \
		(void)c; \
		return RT_STR(value); \
	}

NUMBER(rt_pid, 1000)
NUMBER(rt_tid, 1000)
NUMBER(rt_ppid, 999)
NUMBER(rt_uid, 0)
NUMBER(rt_euid, 0)
NUMBER(rt_gid, 0)
NUMBER(rt_egid, 0)
NUMBER(rt_pgrp, 1000)
NUMBER(rt_sid, 1000)
NUMBER(rt_cpu, 0)
NUMBER(rt_task_current, 0)
NUMBER(rt_target, 0)
NUMBER(rt_loader_pid, 1000)
NUMBER(rt_gettimeofday_ns, 1700000000000000000)
NUMBER(rt_clock_monotonic_ns, (rt_s64)rt_port_clock_ns())
NUMBER(rt_get_cycles, (rt_s64)rt_port_clock_ns())
NUMBER(rt_jiffies, 4294937296)
NUMBER(rt_hz, 250)
NUMBER(rt_local_clock_ns, (rt_s64)rt_port_clock_ns())
NUMBER(rt_tz_gmtoff, -3600)
TEXT(rt_execname, "spilerun")
TEXT(rt_pexecname, "sh")
TEXT(rt_probefunc, "")
TEXT(rt_backtrace, "")
TEXT(rt_tz_name, "CET")

rt_s64 rt_cpu_clock_ns(rt_s64 cpu)
{
	return cpu ? 0 : rt_local_clock_ns();
}

rt_u64 rt_stack(struct rt_ctx *c, rt_s64 n)
{
	(void)c;
	(void)n;
	return 0;
}

struct rt_str rt_task_backtrace(struct rt_ctx *c, rt_u64 task)
{
	(void)c;
	(void)task;
	return RT_EMPTY;
}

void rt_print_regs(struct rt_ctx *c)
{
	(void)c;
}

rt_s64 rt_stack_size(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

rt_s64 rt_stack_used(struct rt_ctx *c)
{
	return rt_stack_size(c);
}

rt_s64 rt_stack_unused(struct rt_ctx *c)
{
	return rt_stack_size(c);
}

rt_s64 rt_loadavg(rt_s64 i)
{
	return i;
}

rt_s64 rt_percpu_sum(struct rt_ctx *c, rt_u64 counters)
{
	(void)c;
	(void)counters;
	return 0;
}

rt_s64 rt_pid2task(rt_s64 pid)
{
	(void)pid;
	return 0;
}

rt_s64 rt_uaddr(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

rt_s64 rt_32bit_app(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

rt_s64 rt_syscall_nr(struct rt_ctx *c)
{
	rt_error(c, "no system call in this probe");
	return 0;
}

rt_s64 rt_syscall_compat(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

struct rt_str rt_text(struct rt_ctx *c)
{
	rt_error(c, "there is no $value in this probe");
	return RT_EMPTY;
}

void rt_text_set(struct rt_ctx *c, struct rt_str s)
{
	(void)s;
	rt_text(c);
}

void rt_text_append(struct rt_ctx *c, struct rt_str s)
{
	rt_text_set(c, s);
}

rt_s64 rt_named_reg(struct rt_ctx *c, struct rt_str name, rt_bool is_signed)
{
	(void)name;
	(void)is_signed;
	rt_error(c, "no registers in this probe");
	return 0;
}

rt_s64 rt_target_set_pid(rt_s64 pid)
{
	(void)pid;
	return 0;
}

struct rt_str rt_module_name(void)
{
	return RT_STR("native");
}

rt_s64 rt_addr(struct rt_ctx *c)
{
	return (rt_s64)c->probe_addr;
}

rt_s64 rt_user_mode(struct rt_ctx *c)
{
	return (c->probe->flags & RT_PROBE_USER) != 0;
}

rt_s64 rt_registers_valid(struct rt_ctx *c)
{
	return c->regs != NULL;
}

struct rt_str rt_symname(struct rt_ctx *c, rt_u64 addr, rt_bool without_offset)
{
	(void)c;
	(void)addr;
	(void)without_offset;
	return RT_EMPTY;
}

rt_s64 rt_counter(struct rt_ctx *c, struct rt_str name)
{
	(void)c;
	(void)name;
	return 0;
}

void rt_print_backtrace(struct rt_ctx *c)
{
	(void)c;
}

void rt_warn(struct rt_ctx *c, struct rt_str text)
{
	(void)c;
	fprintf(stderr, "WARNING: %.*s\n", (int)text.n, text.p);
}

rt_u64 rt_arg(struct rt_ctx *c, rt_u32 n)
{
	(void)c;
	(void)n;
	return 0;
}

rt_bool rt_has_far_arg(struct rt_ctx *c, const char *function, rt_s64 n)
{
	rt_error(c, "%s: there is no argument %lld here", function, n);
	return 0;
}

rt_u64 rt_retval(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

rt_u64 rt_reg(struct rt_ctx *c, rt_u32 dwarf)
{
	(void)c;
	(void)dwarf;
	return 0;
}

rt_u64 rt_user_reg(struct rt_ctx *c, rt_u32 dwarf)
{
	return rt_reg(c, dwarf);
}

rt_u64 rt_this_cpu(rt_u64 object)
{
	return object;
}

rt_u64 rt_of_cpu(struct rt_ctx *c, rt_u64 object, rt_u64 cpu)
{
	(void)c;
	(void)cpu;
	return object;
}

rt_u64 rt_thread_pointer(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

rt_u64 rt_load_base(struct rt_ctx *c)
{
	(void)c;
	return 0;
}

rt_u64 rt_image_base(struct rt_ctx *c, rt_u32 image, rt_bool thread)
{
	(void)c;
	(void)image;
	(void)thread;
	return 0;
}
