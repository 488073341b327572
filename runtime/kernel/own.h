/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hits that the session itself causes.  The loader's system calls (it reads, waits and writes) would be hits of the script's own probes:
 * the more a script prints, the more hits there would be.  So probes of the whole system ignore the hits of the loader, of its child
 * that waits before it executes the command of -c, of its parent if that passes on what it prints, as in a guest, and of spile-tables, which
 * reads programs for the session (programs.h).
 *
 * A mechanism whose probes see every process calls own_hit() at the beginning of a hit or a call, before all else, and counts what it
 * ignores with hit_own(); it also ignores the return of a call that it ignored.  A site that names the program of one of them or its process
 * is meant by the script, so its hits are handled.
 */
#ifndef KERNEL_OWN_H
#define KERNEL_OWN_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "wire.h"

/* Process ids in the initial pid namespace; -1: none. */
struct own_processes {
	pid_t loader, child, relay, reader;
};
extern struct own_processes own_processes;

/*
 * When the session begins, in the loader's task.  target: process id of its target in the initial pid namespace.
 */
void own_begin(const struct wire_start *how, pid_t target);
/* The process of spile-tables, or -1.  Before or after own_begin(). */
void own_set_reader(pid_t reader);
/* Is inode the program that the loader runs, or its parent that passes on the output? */
bool own_program(const struct inode *inode);
/* Is t a task of the session itself? */
bool own_task(struct task_struct *t);

/*
 * The slow part of own_hit(), for these processes.  False in an interrupt, since it belongs to no task, and before the
 * session begins and while it stops, when hits are not handled anyway.  While probes are being armed, hits are not handled either, but the
 * return of a call that begins then may be.
 */
bool own_caused(struct pt_regs *regs);

/* May it be, as far as the task says? */
static __always_inline bool own_hit_perhaps(void)
{
	pid_t pid = current->tgid;

	return unlikely(pid == own_processes.loader || pid == own_processes.relay || pid == READ_ONCE(own_processes.child) ||
			pid == READ_ONCE(own_processes.reader));
}

/* Is the session itself the cause of this hit?  Any context; calls nothing that can be probed. */
static __always_inline bool own_hit(struct pt_regs *regs)
{
	return own_hit_perhaps() && own_caused(regs);
}

#endif
