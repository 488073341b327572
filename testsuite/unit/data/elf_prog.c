// SPDX-License-Identifier: GPL-2.0-or-later
/* Traced by elf_test.c: each function is called once, with the values that the test expects to fetch. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define KEEP __attribute__((noinline, noclone))

enum color { RED = 1, BLUE = -5 };

struct node {
	int value;
	struct node *next;
	char name[8];
	unsigned low : 3;
	int mid : 5;
	unsigned long wide : 40;
	union {
		long whole;
		struct {
			short x, y;
		};
	};
	enum color color;
	bool flag;
	unsigned short grid[2][3];
	const char *const *words;
};

struct small {
	int a;
	short b;
	char c;
};

struct pair {
	long a, b;
};

struct mixed {
	int n;
	double d;
};

struct big {
	long v[4];
	int tail;
};

struct opaque;

volatile long sink;
int counter = 77;

KEEP long integers(int a, long b, char c, unsigned char d, short e, unsigned f, int g, long h, char i)
{
	sink += a + b + c + d + e + f + g + h + i;
	return -1234567890123;
}

KEEP unsigned char walk(const struct node *n, bool deep)
{
	sink += n->next->value + deep;
	return (unsigned char)(0x1f0 + sink * 0);
}

KEEP int by_value(struct small s, struct pair p, double d, int after, struct big b, long last)
{
	sink += s.a + s.b + s.c + p.a + p.b + (long)d + after + b.v[2] + b.tail + last;
	return -7;
}

KEEP struct big make_big(int seed)
{
	struct big b = {{seed, seed + 1, seed + 2, seed + 3}, seed + 4};

	return b;
}

KEEP struct small make_small(int seed)
{
	return (struct small){seed, (short)-seed, 'x'};
}

KEEP struct pair make_pair(long seed)
{
	return (struct pair){seed, -seed};
}

KEEP struct mixed make_mixed(struct mixed m)
{
	return (struct mixed){m.n + 1, m.d};
}

KEEP double make_double(void)
{
	volatile double d = 2.5;

	return d;
}

KEEP int variadic(const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = va_arg(ap, int);
	sink += format[1];
	va_end(ap);
	return n;
}

KEEP bool callback(bool (*fn)(int), enum color c, struct opaque *o)
{
	sink += (long)o + c;
	return fn(c);
}

KEEP void nothing(void)
{
	sink++;
}

static KEEP bool is_red(int c)
{
	return c == RED;
}

/* May be specialised: constant and unused parameters. */
static __attribute__((noinline)) int special(int scale, const struct pair *p, int unused)
{
	sink += scale * p->a;
	return (int)p->b;
}

/* Its parameters are unused, named or not, set before they are read, or needed in memory. */
KEEP int rewritten(int x, int y)
{
	x = 5;
	__asm__ volatile("" : : "r"(x));
	sink += y;
	return y;
}

KEEP int unnamed(int, int y);
KEEP int unnamed(int a __attribute__((unused)), int y)
{
	sink += y;
	return y;
}

static __attribute__((noinline)) int kept_in_memory(int unused, int y, int *z)
{
	(void)unused;
	__asm__ volatile("" : : "r"(&y) : "memory");
	sink += *z;
	return y;
}

/* Half of p is not used, and the result never. */
static __attribute__((noinline)) int halved(struct pair p, int k)
{
	sink += k + p.b;
	return k * 7;
}

/* In two parts, of which the one that is never run is elsewhere: DWARF gives ranges. */
extern void rarely(int) __attribute__((cold, noinline, noclone));
void rarely(int n)
{
	sink += n;
}

KEEP long in_parts(int a, long b)
{
	if (__builtin_expect(a < 0, 0)) {
		rarely(a);
		rarely((int)b);
		sink *= b;
		rarely((int)sink);
	}
	return a + b;
}

/* Inlined wherever it is called, in optimised code and, by the attribute, at -O0. */
static inline __attribute__((always_inline)) int only_inline(int x)
{
	return x * 3;
}

int aliased(int x) __attribute__((alias("integers_of_alias")));

KEEP int integers_of_alias(int x)
{
	return x + 1;
}

int main(void)
{
	static const char *const words[] = {"zero", "one", "two"};
	struct node second = {.value = -22};
	struct node first = {.value = 11,
			     .next = &second,
			     .name = "first",
			     .low = 5,
			     .mid = -9,
			     .wide = 0x9876543210,
			     .x = -3,
			     .y = 4,
			     .color = BLUE,
			     .flag = true,
			     .grid = {{1, 2, 3}, {4, 5, 60000}},
			     .words = words};
	struct pair pair = {100, 200};

	integers(-1, 1L << 40, -3, 250, -5, 4000000000u, -7, -8, -9);
	__asm__ volatile("" : : "r"(&first) : "memory"); /* so that optimisers keep all of it */
	walk(&first, true);
	by_value((struct small){-41, -42, 'c'}, pair, 1.5, -43, (struct big){{1, 2, 3, 4}, 5}, 44);
	sink += make_big(500).tail;
	sink += make_small(600).a;
	sink += make_pair(700).b;
	sink += make_mixed((struct mixed){800, 8.5}).n;
	sink += (long)make_double();
	variadic("%d", 99);
	callback(is_red, BLUE, NULL);
	nothing();
	sink += special(3, &pair, 9) + special(3, &pair, 10);
	for (int i = 0; i < 2; i++) {
		rewritten(31 + i, 32 + i);
		unnamed(33 + i, 34 + i);
		sink += kept_in_memory(35 + i, 36 + i, &counter);
		halved((struct pair){300 + i, 400 + i}, 37 + i);
		sink += in_parts(38 + i, 39 + i);
	}
	sink += only_inline((int)sink) + aliased(5);
	return 0;
}
