/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mistakes on the command line, in the same words for every program that uses getopt_long(). */
#ifndef BASE_USAGE_H
#define BASE_USAGE_H

#include <getopt.h>

#include "base/arena.h"

struct usage_mistake {
	const char *what;  /* "unknown option --vmm" */
	const char *given; /* the word itself, without a value: "--vmm", "-Q" */
	const char *hint;  /* what may have been meant, or NULL */
};

/* What getopt_long() did not take when it returned c, '?' or ':' (`letters' has a ':' in front), in the arena. */
struct usage_mistake usage_mistake(struct arena *a, int c, char *const *argv, const char *letters, const struct option *longs);

#endif
