/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session's file "programs": spile-tables takes from it the files that handlers found (found.h), and gives back their tables.  (program.h is
 * about the program that a process runs.)
 */
#ifndef KERNEL_PROGRAMS_H
#define KERNEL_PROGRAMS_H

#include <linux/proc_fs.h>

extern const struct proc_ops programs_proc_ops;

#endif
