/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the mechanisms have in common that watch memory. */
#ifndef PROBES_WATCHED_H
#define PROBES_WATCHED_H

#include <linux/types.h>

#include "rt/port.h"

/* Do the k-th and the i-th site, k < i, watch the same byte? */
typedef bool watched_overlap_fn(rt_u32 k, rt_u32 i);
/* Warns of all that do, where that matters. */
void watched_warn_of_overlaps(const struct rt_site *sites, rt_u32 n, watched_overlap_fn *overlap);

#endif
