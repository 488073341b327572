// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about the current task and the hit, for handlers.  Ids are those of the initial namespaces. */
#include <linux/auxvec.h>
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/uidgid.h>

#include "kernel/state.h"
#include "kernel/target.h"
#include "rt/port.h"
#include "rt/rt.h"

rt_s64 rt_pid(void)
{
	return current->tgid;
}

rt_s64 rt_tid(void)
{
	return current->pid;
}

/*
 * The parent, which exists until rcu_read_unlock(); NULL: current has been released at the end of its exit, and its former parent may
 * not exist any more.
 */
static struct task_struct *task_parent(void)
{
	return pid_alive(current) ? rcu_dereference(current->real_parent) : NULL;
}

rt_s64 rt_ppid(void)
{
	struct task_struct *parent;
	rt_s64 pid;

	rcu_read_lock();
	parent = task_parent();
	pid = parent ? parent->tgid : 0;
	rcu_read_unlock();
	return pid;
}

rt_s64 rt_uid(void)
{
	return from_kuid(&init_user_ns, current_uid());
}

rt_s64 rt_euid(void)
{
	return from_kuid(&init_user_ns, current_euid());
}

rt_s64 rt_gid(void)
{
	return from_kgid(&init_user_ns, current_gid());
}

rt_s64 rt_egid(void)
{
	return from_kgid(&init_user_ns, current_egid());
}

rt_s64 rt_pgrp(void)
{
	rt_s64 id;

	rcu_read_lock();
	id = pid_nr(task_pgrp(current));
	rcu_read_unlock();
	return id;
}

rt_s64 rt_sid(void)
{
	rt_s64 id;

	rcu_read_lock();
	id = pid_nr(task_session(current));
	rcu_read_unlock();
	return id;
}

rt_s64 rt_cpu(void)
{
	return raw_smp_processor_id();
}

rt_s64 rt_task_current(void)
{
	return (rt_s64)(unsigned long)current;
}

struct rt_str rt_execname(struct rt_ctx *c)
{
	return rt_str_copy(c, current->comm, TASK_COMM_LEN);
}

struct rt_str rt_pexecname(struct rt_ctx *c)
{
	struct task_struct *parent;
	struct rt_str s;

	rcu_read_lock();
	parent = task_parent();
	s = rt_str_copy(c, parent ? parent->comm : "", TASK_COMM_LEN);
	rcu_read_unlock();
	return s;
}

rt_s64 rt_pid2task(rt_s64 pid)
{
	struct task_struct *t = NULL;

	if (pid <= 0 || pid > PID_MAX_LIMIT)
		return 0;
	rcu_read_lock();
	t = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return (rt_s64)(unsigned long)t;
}

/* ---- the target and its descendants ---- */

rt_s64 rt_target(void)
{
	return state_target();
}

rt_s64 rt_target_set_pid(rt_s64 pid)
{
	struct task_struct *t;
	rt_s64 found;

	if (!state_target() || pid <= 0 || pid > PID_MAX_LIMIT)
		return 0;
	if (pid == current->tgid)
		return target_has(current);
	rcu_read_lock();
	t = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	found = t && target_has(t);
	rcu_read_unlock();
	return found;
}

/* ---- the hit ---- */

rt_u64 rt_load_base(struct rt_ctx *c)
{
	return c->load_base;
}

/* From what the kernel has told the program when it began. */
rt_u64 rt_port_linker(struct rt_ctx *c)
{
	const unsigned long *aux = current->mm ? current->mm->saved_auxv : NULL;
	unsigned int i;

	for (i = 0; aux && i + 1 < ARRAY_SIZE(current->mm->saved_auxv) && aux[i] != AT_NULL; i += 2)
		if (aux[i] == AT_BASE)
			return aux[i + 1];
	return 0;
}

rt_s64 rt_registers_valid(struct rt_ctx *c)
{
	return c->regs != NULL;
}

rt_s64 rt_user_mode(struct rt_ctx *c)
{
	return c->probe->flags & RT_PROBE_USER || (c->regs && user_mode((struct pt_regs *)c->regs));
}

rt_s64 rt_addr(struct rt_ctx *c)
{
	return c->probe_addr ? c->probe_addr : c->regs ? instruction_pointer(c->regs) : 0;
}
