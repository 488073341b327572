/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module carries for the loader, in sections that the kernel does not load.  Used by the translator, the loader and the runtime. */
#ifndef RT_CARRIED_H
#define RT_CARRIED_H

/* The module of runtime/calls, whole.  Its name begins with the prefix and ends with a version. */
#define CARRIED_CALLS_SECTION ".spile.calls"
#define CARRIED_CALLS_PREFIX "spile_calls_"
#define CARRIED_CALLS_MODULE CARRIED_CALLS_PREFIX "1"

#endif
