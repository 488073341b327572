/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes with a hit of watched memory (rt_arg()), as many bytes as are watched, the others 0: what the memory contained when it was last looked
 * at, and what it contains now.  Shared by the translator and the mechanisms that watch.
 */
#ifndef SITES_WATCHED_H
#define SITES_WATCHED_H

enum site_watched_value { SITE_WATCHED_BEFORE, SITE_WATCHED_AFTER, SITE_WATCHED_VALUES };

#endif
