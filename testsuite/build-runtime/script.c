/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the translator would generate. */
#include "rt/rt.h"

struct big {
	long v[40];
};
static struct big table[3];
static int handler(int (*callback)(int), int n)
{
	struct big copy = table[n & 1];

	rt_print("copied", (int)copy.v[n & 7]);
	table[2] = copy;
	return callback(n) + 2;
}

const struct rt_script rt_script = {1, 0, "mini", handler};
