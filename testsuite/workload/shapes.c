/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shapes: calls functions with parameters of many types, and prints what they return. */
#include <string.h>
#include <sys/mman.h>

#include "workload.h"

enum colour { RED, GREEN = 5, BLUE = -1 };

struct point {
	int x, y;
};

union number {
	int whole;
	short half[2];
};

struct shape {
	int id;
	char letter;
	_Bool filled;
	enum colour colour;
	unsigned int flags : 3;
	int level : 5;
	struct point at;
	union number n;
	struct {
		int inner;
		union {
			unsigned int a;
			unsigned char b;
		};
	};
	long sizes[3];
	int many[7];
	char name[8];
	const char *title, *nothing, *bad;
	struct shape *next;
	double weight;
	struct point corners[2];
};

PROBED long shapes_area(struct shape *s, int factor, unsigned char step)
{
	long area = 0;

	for (int i = 0; i < 3; i++)
		area += s->sizes[i];
	return area * factor + step * s->level + s->flags;
}

/* Small enough for a register. */
PROBED long shapes_distance(struct point p, long scale)
{
	return (p.x + p.y) * scale;
}

/* Writes into its argument, so that its old value is only known at the entry. */
PROBED long shapes_name(char *name, const char *const *more, long n)
{
	long length = (long)strlen(name);

	for (long i = 0; i < length; i++)
		name[i] = '-';
	return length + (n ? more[n - 1][0] : 0);
}

/* Seven parameters: the last one is on the stack. */
PROBED long shapes_sum(long a, long b, long c, long d, long e, long f, long g)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7;
}

/* Of its argument, only the first part can be read. */
PROBED long shapes_half(struct shape *s, const char *text)
{
	return s->id + text[0];
}

/* The last bytes of memory before an unmapped page. */
static char *end_of_memory(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || munmap(p + 4096, 4096))
		exit(1);
	return p + 4096;
}

int main(void)
{
	static struct shape second = {.id = 2};
	static struct shape first = {
		.id = 1, .letter = 'a', .filled = 1, .colour = BLUE, .flags = 5, .level = -3, .at = {10, -20},
		.n = {0x20001}, .inner = 7, .a = 0x141, .sizes = {1, 2, 3}, .many = {1, 2, 3, 4, 5, 6, 7}, .name = "sq\"\n",
		.title = "a square", .bad = (const char *)16, .next = &second, .weight = 1.5, .corners = {{1, 2}, {3, 4}},
	};
	static const char *const more[] = {"one", "two"};
	char name[] = "circle";

	printf("area %ld\n", shapes_area(&first, 10, 3));
	printf("distance %ld\n", shapes_distance((struct point){3, 4}, 100));
	printf("name %ld\n", shapes_name(name, more, 2));
	printf("sum %ld\n", shapes_sum(1, 1, 1, 1, 1, 1, 1));
	printf("no area %ld\n", shapes_area((struct shape *)argument(1, NULL, 1, (long)&second), 0, 0));
	char *end = end_of_memory();
	memset(end - 100, 'x', 100);
	printf("half %ld\n", shapes_half((struct shape *)(end - 20), end - 80));
	printf("first %d %c %d\n", first.id, first.letter, first.at.y);
	return 0;
}
