/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: rethook_handler 1..2: what a rethook calls at the return.  2: with the return address.  1: without. */
/* COMPAT_RETHOOK_HANDLER_FUNCTION() defines the handler `name', which calls on_return(node, regs). */
#ifndef COMPAT_RETHOOK_HANDLER_H
#define COMPAT_RETHOOK_HANDLER_H

#include <linux/rethook.h>

#if COMPAT_RETHOOK_HANDLER == 2
_Static_assert(__builtin_types_compatible_p(rethook_handler_t, void (*)(struct rethook_node *, void *, unsigned long, struct pt_regs *)),
	       "rethook_handler_t");
#define COMPAT_RETHOOK_HANDLER_FUNCTION(name, on_return) \
	static void notrace name(struct rethook_node *node, void *data, unsigned long to, struct pt_regs *regs) \
	{ \
		on_return(node, regs); \
	}
#elif COMPAT_RETHOOK_HANDLER == 1
_Static_assert(__builtin_types_compatible_p(rethook_handler_t, void (*)(struct rethook_node *, void *, struct pt_regs *)),
	       "rethook_handler_t");
#define COMPAT_RETHOOK_HANDLER_FUNCTION(name, on_return) \
	static void notrace name(struct rethook_node *node, void *data, struct pt_regs *regs) \
	{ \
		on_return(node, regs); \
	}
#endif

#endif
