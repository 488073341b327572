/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module carries for the loader, in sections that the kernel does not load. */
#ifndef BASE_CARRIED_H
#define BASE_CARRIED_H

/* The module of runtime/calls, whole.  Its name begins with the prefix and ends with a version. */
#define CARRIED_CALLS_SECTION ".spile.calls"
#define CARRIED_CALLS_PREFIX "spile_calls_"

#endif
