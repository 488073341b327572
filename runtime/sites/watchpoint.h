/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "watchpoint": memory of the kernel whose accesses are watched by the machine.  Shared by the translator, which writes the sites,
 * and runtime/kernel/probes/watchpoint.c, which arms them.  Freestanding; used by no generated C.
 *
 *	s[0]  symbol, or NULL: use the address n[1]
 *	s[1]  name of the module that defines the symbol, or NULL for the kernel itself
 *	n[0]  bytes: 1, 2, 4 or 8; 0 = as many as the symbol table has for the symbol, or if that is not one of these, 1
 *	n[1]  address when s[0] is NULL, a multiple of n[0]
 *	n[2]  not 0: the symbol is a per-CPU variable, so each CPU watches its own
 *	n[3]  0
 *
 * Handlers run with interrupts off, after the access, in any context but an NMI, and never sleep; registers are those of the code that made it.
 * The values of sites/watched.h come with a hit.
 */
#ifndef SITES_WATCHPOINT_H
#define SITES_WATCHPOINT_H

enum site_watchpoint_kind {
	SITE_WATCHPOINT_WRITE = 0,
	SITE_WATCHPOINT_RW = 1, /* reads, too */
};

#endif
