/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers of spile itself: where each numbered pass begins and ends, with the names of SystemTap's markers, so that scripts for stap need only
 * another path (examples/profiling/stap_time.stp).  There is none for the library (pass1b) nor for tidying up (pass6).  Their arguments: the
 * address of the session, and the script's name, which is "" at pass0__start: no option is read yet.  A pass that fails does not end.
 */
#ifndef TRANSLATOR_MARKERS_H
#define TRANSLATOR_MARKERS_H

#include "translator/session.h"

/* pass: 0 to 5, as -p and the manual number them (0: options, 5: the run); another one has no marker. */
void markers_begin(const struct session *s, int pass);
void markers_end(const struct session *s, int pass);

#endif
