/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that must not fail because the loader is killed.  With a SIGKILL pending, the kernel maps no page for a task, so the task could
 * neither arm nor remove a user probe.  A worker of the kernel gets no signals.
 */
#ifndef KERNEL_ASIDE_H
#define KERNEL_ASIDE_H

/*
 * Runs f(data) in a worker and waits for its end; gives its result.  If the caller is killed meanwhile, the session is requested to stop;
 * f should check state_going() from time to time.  Process context, may sleep.
 */
int aside_run(int (*f)(void *data), void *data);

#endif
