/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel that checks the types of indirect calls (clang's CFI) stops at a call of a function whose parameters are declared otherwise
 * than the tracepoint's own.
 */
#ifndef KERNEL_COMPAT_TRACEPOINT_PROBE_H
#define KERNEL_COMPAT_TRACEPOINT_PROBE_H

#include <linux/kconfig.h>
#include <linux/types.h>

/* May a tracepoint call a function that takes its values as numbers of 8 bytes? */
static inline bool compat_tracepoint_takes_any(void)
{
	return !IS_ENABLED(CONFIG_CFI_CLANG) && !IS_ENABLED(CONFIG_CFI); /* one option: its older and its newer name */
}

#endif
