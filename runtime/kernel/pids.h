/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Process ids that a script names. */
#ifndef KERNEL_PIDS_H
#define KERNEL_PIDS_H

#include <linux/types.h>

/*
 * The process with this id in the caller's pid namespace, as the kernel's own number; 0: there is none.
 */
pid_t pids_global(pid_t pid);

#endif
