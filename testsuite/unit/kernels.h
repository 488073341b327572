/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernels that a unit test is about, as testsuite/lib/kernels.sh chooses them. */
#ifndef TESTSUITE_KERNELS_H
#define TESTSUITE_KERNELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/unit.h"

/* Their releases, oldest first: how many, at most max.  They stay in memory. */
static inline size_t test_kernels(const char **releases, size_t max)
{
	static char lines[4096];
	char command[5000], *save;
	size_t n = 0;
	FILE *from;

	snprintf(command, sizeof command, ". '%s' && test_kernels", unit_source_path("testsuite/lib/kernels.sh"));
	from = popen(command, "r");
	if (!from)
		return 0;
	lines[fread(lines, 1, sizeof lines - 1, from)] = 0;
	pclose(from);
	for (char *line = strtok_r(lines, "\n", &save); line && n < max; line = strtok_r(NULL, "\n", &save))
		releases[n++] = line;
	return n;
}

#endif
