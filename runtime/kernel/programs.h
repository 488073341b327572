/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file "programs": a program of ours reads files that handlers found there, and writes tables of them. */
#ifndef KERNEL_PROGRAMS_H
#define KERNEL_PROGRAMS_H

#include <linux/proc_fs.h>

extern const struct proc_ops programs_proc_ops;

#endif
