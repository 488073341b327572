/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages as JSON, for editors: one object a line.  It has "severity" and "message"; "id"; where there is a place, "file",
 * "line", "column" (from 1, in bytes) and "end" with the "line" and "column" after it; "expansion", the macro calls that
 * led to the place, innermost first; "notes", objects alike; "hints", strings.
 */
#ifndef TRANSLATOR_JSON_H
#define TRANSLATOR_JSON_H

#include "base/diag.h"

extern const struct diag_format json_format;

#endif
