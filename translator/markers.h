/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers of spile itself: where each numbered pass begins and ends, by the names that stap.pass1.end and the like of the library probe
 * (tapset/stap.stp). Their arguments: the address of the session, and the script's name. A pass that fails does not end.
 */
#ifndef TRANSLATOR_MARKERS_H
#define TRANSLATOR_MARKERS_H

#include "translator/session.h"

void markers_begin(const struct session *s, int pass);
void markers_end(const struct session *s, int pass);

#endif
