/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the session causes by itself: the system calls by which its loader reads, waits and writes would otherwise be counted by the
 * very probes they serve, the more the more is printed.  Such hits of probes of the whole system are left out: those of the loader,
 * and of its child that waits to become the command of -c, until it begins to.
 *
 * A family whose probes see every process asks own_hit() where a hit or a call begins, before anything else, and counts with
 * hit_own() what it leaves out; a call that is left out has no return.  A site that names the loader's program or its process is
 * asked for, and handled.
 */
#ifndef KERNEL_OWN_H
#define KERNEL_OWN_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "wire.h"

/* As the kernel counts; -1: nobody. */
struct own_processes {
	pid_t loader, child;
};
extern struct own_processes own_processes;

/* The session begins, in the loader's task; target: the kernel's number of its target. */
void own_begin(const struct wire_start *how, pid_t target);
/* Is inode the program that the loader runs? */
bool own_program(const struct inode *inode);
/* Is t a task of the session itself? */
bool own_task(struct task_struct *t);

/* Of own_hit(): the current task may be one.  False as well in an interrupt, which belongs to nobody, and when no hit is handled. */
bool own_caused(struct pt_regs *regs);

/* Is the session itself the cause of this hit?  Any context; calls nothing that can be probed. */
static __always_inline bool own_hit(struct pt_regs *regs)
{
	pid_t pid = current->tgid;

	return unlikely(pid == own_processes.loader || pid == READ_ONCE(own_processes.child)) && own_caused(regs);
}

#endif
