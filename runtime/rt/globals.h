/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What globals.c makes: arrays (map.c) and statistics (stat.c).  Process context; NULL: no memory. */
#ifndef RT_GLOBALS_H
#define RT_GLOBALS_H

#include "rt/rt.h"

struct rt_map *rt_map_new(const struct rt_map_shape *shape);
void rt_map_destroy(struct rt_map *m); /* NULL allowed */
struct rt_stat *rt_stat_new(const struct rt_stat_shape *shape);
void rt_stat_destroy(struct rt_stat *s); /* NULL allowed */

#endif
