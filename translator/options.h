/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: a table (options.def) and a few checks. */
#ifndef TRANSLATOR_OPTIONS_H
#define TRANSLATOR_OPTIONS_H

#include <stdio.h>

#include "translator/session.h"

/* Fills s->opt; 0, or -1 with diagnostics. */
int options_parse(struct session *s, int argc, char **argv);
void options_help(FILE *to);

#endif
