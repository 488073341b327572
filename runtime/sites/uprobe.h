/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "uprobe": places in user programs and libraries.  Shared by the translator, which writes the sites,
 * and runtime/kernel/probes/uprobe.c, which arms them.  Freestanding; generated C does not include it.
 *
 *	s[0]  absolute path of the ELF file, symbolic links resolved
 *	s[1]  its build-id in lower-case hex, or NULL: not checked
 *	n[0]  offset in the file of the instruction (of the function's first instruction for RETURN)
 *	n[1]  link-time virtual address of the same instruction: what rt_load_base() subtracts
 *	n[2]  offset in the file of the marker's semaphore (16 bit counter), 0 = none
 *	n[3]  enum site_uprobe_flags
 *	own   SITE_UPROBE_OWN numbers where n[3] says so, else NULL
 *
 * Every process that maps the file is probed, those that run and those that come, with all threads; n[3]
 * restricts that.  Handlers run in the probed task and may sleep; registers are the user's.
 */
#ifndef SITES_UPROBE_H
#define SITES_UPROBE_H

enum site_uprobe_kind {
	SITE_UPROBE_ENTRY = 0,
	SITE_UPROBE_RETURN = 1, /* when the function has returned; probe->entry runs at its entry */
	SITE_UPROBE_UNWIND = 2, /* no handler: the function walks up the stack, so at its entry the returns of active calls are unhooked */
};

enum site_uprobe_flags {
	SITE_UPROBE_TARGET = 1 << 0, /* only the session's target (-c, -x) and its descendants; no target: every process */
	SITE_UPROBE_PID = 1 << 1,    /* only the process whose id is own[SITE_UPROBE_OWN_PID] (process(PID)) */
	SITE_UPROBE_PROGRAM = 1 << 2, /* of UNWIND: only processes that run a program whose returns are probed */
};

enum site_uprobe_own { SITE_UPROBE_OWN_PID, SITE_UPROBE_OWN };

#endif
