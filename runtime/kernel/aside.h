/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that a killed loader must not spoil.  With a SIGKILL pending, the kernel maps in no page for a task, so a user probe could be
 * neither armed nor removed by it; a worker of the kernel gets no signals.
 */
#ifndef KERNEL_ASIDE_H
#define KERNEL_ASIDE_H

/*
 * What f(data) returns, which runs in a worker.  Waits for its end; if the caller is killed meanwhile, the session is asked to stop, and f
 * should look at state_going() now and then.  Process context, may sleep.
 */
int aside_run(int (*f)(void *data), void *data);

#endif
