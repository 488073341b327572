/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files "ctl", by which the loader reads its mail and gives commands, and "state". */
#ifndef KERNEL_CTL_H
#define KERNEL_CTL_H

#include <linux/proc_fs.h>

extern const struct proc_ops ctl_proc_ops;
extern const struct proc_ops ctl_state_proc_ops;

#endif
