/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is passed to system calls, by the table call_args.def: for the runtime, and as variables of handlers. */
#ifndef TRANSLATOR_CALL_ARGS_H
#define TRANSLATOR_CALL_ARGS_H

#include "translator/debuginfo/kernel.h"
#include "translator/probes/probe.h"

/*
 * The kinds of the call's arguments, enum rt_call_kind, then RT_CALL_END, and what it returns: a kind, or RT_CALL_END.  False: the table does not
 * have the call.
 */
bool call_args_kinds(struct arena *a, const struct kernel_call *call, unsigned char kinds[RT_CALL_ARGS + 2]);
/* The variables of a site of these n calls, at the entry or at the return; ends with a NULL name. */
const struct probe_local *call_args_locals(struct arena *a, const struct kernel_call *calls, size_t n, bool is_return);

#endif
