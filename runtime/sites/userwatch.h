/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "userwatch": memory of processes whose accesses are watched by the machine, in each thread of the processes that a site means.
 * Shared by the translator, which writes the sites, and runtime/kernel/probes/userwatch.c, which arms them.  Freestanding; used by no
 * generated C.
 *
 *	s[0], n[0], n[1]  which processes: sites/task.h; at least one of them is given
 *	s[1]  NULL
 *	n[2]  bytes: 1, 2, 4 or 8
 *	n[3]  address, a multiple of n[2]
 *	own   NULL, or SITE_USERWATCH_OWN numbers: then n[3] is an address of the program's file as it is linked
 *
 * Handlers run with interrupts off, after the access, in the thread that made it, perhaps within a system call, and never sleep; registers
 * are those of the code that made it.  The values of sites/watched.h come with a hit; memory that was not there when it was last looked at
 * counts as 0.
 */
#ifndef SITES_USERWATCH_H
#define SITES_USERWATCH_H

enum site_userwatch_kind { SITE_USERWATCH_WRITE = 0, SITE_USERWATCH_RW = 1 };

/* CODE: where the program's code begins as it is linked. */
enum site_userwatch_own { SITE_USERWATCH_CODE, SITE_USERWATCH_OWN };

#endif
