/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs with markers are compiled with. */
#ifndef MARKERS_WRITE_H
#define MARKERS_WRITE_H

#include "base/str.h"
#include "markers/parse.h"

/* A header: for each probe the macros PROVIDER_PROBE(...) and PROVIDER_PROBE_ENABLED().  name: of the file. */
void write_header(struct sb *out, const struct parse_providers *all, const char *name);
/* C that defines the semaphores, which the header declares. */
void write_semaphores(struct sb *out, const struct parse_providers *all);

#endif
