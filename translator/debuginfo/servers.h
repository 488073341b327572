/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the servers of $DEBUGINFOD_URLS have given nothing, for messages. */
#ifndef DEBUGINFO_SERVERS_H
#define DEBUGINFO_SERVERS_H

#include "base/arena.h"

/*
 * Advice for debug information that is missing: "ADVICE, or set DEBUGINFOD_URLS"; or, if that is set, which server cannot be asked and why, or
 * that none has it.  The servers are asked once in this process, for this build (hex; NULL or "": none is asked).
 */
const char *servers_advice(struct arena *a, const char *build_id, const char *advice);
/* "http://server: why", of the servers that cannot be asked; NULL: all were asked, or none is named. */
const char *servers_fault(struct arena *a, const char *build_id);

#endif
