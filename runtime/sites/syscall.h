/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "syscall": system calls by their numbers.  Shared by the translator, which writes the sites, and
 * runtime/kernel/probes/syscall.c, which arms them.  Freestanding; used by no generated C.
 *
 *	s[0], n[0], n[1]  the processes whose calls are meant, in the words of sites/task.h; without any: those of all
 *	s[1]  NULL
 *	n[2]  how many numbers own has, or SITE_SYSCALL_ALL: all calls, also those with a number that the kernel does not know
 *	n[3]  0
 *	own   numbers below SITE_SYSCALL_NUMBERS; to those of 32-bit programs SITE_SYSCALL_COMPAT is added
 *
 * Handlers run in the task that calls, with preemption off, and never sleep; registers are those of its user code.  At an entry rt_arg() has
 * the six arguments, at a return rt_retval() has the result, and at both rt_given(SITE_SYSCALL_NUMBER) is the number of the call; of 32-bit
 * programs the arguments are extended to 64 bits with zeros, and the result with its sign.
 */
#ifndef SITES_SYSCALL_H
#define SITES_SYSCALL_H

enum site_syscall_kind {
	SITE_SYSCALL_ENTRY = 0,
	SITE_SYSCALL_RETURN = 1, /* probe->entry runs at the entry */
};

/* After the six arguments. */
enum { SITE_SYSCALL_NUMBER = 6, SITE_SYSCALL_VALUES };

enum { SITE_SYSCALL_ALL = -1, SITE_SYSCALL_NUMBERS = 1024, SITE_SYSCALL_COMPAT = 1 << 16 };

#endif
