/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures CALLS: structures in a list, enumerations and variables of the program, for probes that look at them. */
#include "workload.h"

enum colour { RED, GREEN = 5, BLUE = -2 };

struct point {
	int x, y;
};

struct figure {
	enum colour colour;
	struct point corners[2];
	const char *name;
	struct figure *next;
	unsigned sides : 5;
};

static struct figure triangle = {.colour = GREEN, .corners = {{1, 2}, {3, 4}}, .name = "triangle", .sides = 3};
struct figure figures_first = {.colour = BLUE, .corners = {{-5, 6}, {7, 8}}, .name = "square", .next = &triangle, .sides = 4};
static long drawn[2];
static long measured;
__thread long figures_per_thread;

PROBED long figures_draw(struct figure *what, long n)
{
	static volatile long turns;

	turns++;
	drawn[n & 1] += n;
	return what->sides + n;
}

PROBED long figures_measure(struct point *what, long n)
{
	measured++;
	figures_per_thread++;
	return what->x * n + what->y;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 3), sum = 0;

	for (long i = 0; i < n; i++) {
		sum += figures_draw(&figures_first, i);
		sum += figures_measure(&figures_first.corners[1], i);
	}
	printf("figures_draw %ld of %ld %ld %ld %ld\n", n, drawn[0], drawn[1], measured, sum + figures_per_thread);
	return 0;
}
