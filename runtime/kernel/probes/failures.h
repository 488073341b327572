/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places that could not be probed, gathered while a mechanism starts and reported once per reason:
 *
 *	12 of 420 kernel functions could not be probed: the kernel forbids probes there (a, b, c, ...)
 */
#ifndef PROBES_FAILURES_H
#define PROBES_FAILURES_H

#include <linux/types.h>

#define FAILURES_REASONS 8
#define FAILURES_NAMES 200 /* bytes of names shown per reason */

struct failures {
	unsigned int nreasons;
	unsigned int others; /* with a reason for which there was no room */
	struct failures_reason {
		const char *text;
		unsigned int n;
		unsigned int used;
		bool cut;
		const char *last;
		char names[FAILURES_NAMES];
	} reasons[FAILURES_REASONS];
};

/* text and name must live as long as f; equal texts are one reason, and a name that is repeated at once is shown once. */
void failures_add(struct failures *f, const char *text, const char *name);
/* Warns; total is the number of tried places, what their plural noun. */
void failures_report(const struct failures *f, unsigned int total, const char *what);

#endif
