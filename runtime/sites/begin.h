/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mechanism "begin": begin, end and error probes (never has no sites).  Shared by the translator, which writes
 * the sites, and runtime/kernel/probes/begin.c, which runs them.  Freestanding; used by no generated C.
 *
 *	s[]   NULL
 *	n[0]  order: lower numbers run first, equal ones in the order of the sites
 *	n[1]..n[3]  0
 *
 * Their handlers run one at a time in the loader's process and may sleep; there are no registers.
 */
#ifndef SITES_BEGIN_H
#define SITES_BEGIN_H

enum site_begin_kind {
	SITE_BEGIN = 0, /* before any other probe is armed */
	SITE_END = 1,   /* when all other probes are removed, unless the session failed */
	SITE_ERROR = 2, /* instead of END probes, when it failed */
};

#endif
