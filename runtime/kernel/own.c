// SPDX-License-Identifier: GPL-2.0-or-later
/* Which hits the session causes by itself.  See own.h. */
#include <linux/sched/task_stack.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "kernel/hit.h"
#include "kernel/own.h"
#include "kernel/program.h"
#include "kernel/state.h"

struct own_processes own_processes __read_mostly = { -1, -1, -1, -1 };
static pid_t own_reader = -1;
/* Only compared: the loader and the one that waits for it keep them open while there are hits. */
static const struct inode *own_inode, *own_relay_inode;

static void own_find_program(void)
{
	program_init();
	own_inode = program_inode_and_put(program_of_task(current));
}

/* Process context. */
static void own_find_relay(void)
{
	struct task_struct *parent;

	rcu_read_lock();
	parent = rcu_dereference(current->real_parent);
	get_task_struct(parent);
	rcu_read_unlock();
	own_processes.relay = parent->tgid;
	own_relay_inode = program_inode_and_put(program_of_task(parent));
	put_task_struct(parent);
}

void own_begin(const struct wire_start *how, pid_t target)
{
	if (how->flags & WIRE_START_TRACE_SELF)
		return;
	own_find_program();
	own_processes.loader = current->tgid;
	own_processes.reader = own_reader;
	if (how->flags & WIRE_START_CHILD)
		own_processes.child = target;
	if (how->flags & WIRE_START_RELAYED)
		own_find_relay();
}

void own_set_reader(pid_t reader)
{
	own_reader = reader;
	if (own_processes.loader != -1)
		WRITE_ONCE(own_processes.reader, reader);
}

bool own_program(const struct inode *inode)
{
	return inode == own_inode || (own_relay_inode && inode == own_relay_inode);
}

/*
 * A child has executed nothing since fork() as long as it has PF_FORKNOEXEC.  The flag of its first thread counts: threads that the
 * command creates have the flag too.
 */
static bool own_child(struct task_struct *t)
{
	return t->tgid == READ_ONCE(own_processes.child) && (READ_ONCE(t->group_leader->flags) & PF_FORKNOEXEC);
}

bool own_task(struct task_struct *t)
{
	return t->tgid == own_processes.loader || t->tgid == own_processes.relay || t->tgid == READ_ONCE(own_processes.reader) || own_child(t);
}

/* The child's execve() counts as the first action of the command, so it is handled. */
bool own_caused(struct pt_regs *regs)
{
	if (!state_begun() || !hit_comes_from_task(regs))
		return false;
	if (current->tgid == own_processes.loader || current->tgid == own_processes.relay || current->tgid == READ_ONCE(own_processes.reader))
		return true;
	if (own_child(current))
		return syscall_get_nr(current, task_pt_regs(current)) != __NR_execve;
	WRITE_ONCE(own_processes.child, -1); /* it is the command now: its hits need not be checked here */
	return false;
}
