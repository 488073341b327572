/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for which the calling convention matters: see ../arm64_test.sh.  arm64_prog.b64 is made from it, a program that also
 * serves as a kernel:
 *
 *   cc="clang-14 --target=aarch64-linux-gnu -g -ffreestanding -c arm64_prog.c"
 *   $cc -O0 -o plain.o && $cc -O1 -o optimised.o && ld.lld -e enter -o arm64_prog plain.o optimised.o
 *   pahole -J --btf_gen_floats arm64_prog && xz -9e <arm64_prog | base64 >arm64_prog.b64
 */
struct small {
	long a;
	int b;
};
struct big {
	long v[4];
};
struct point {
	double x, y, z;
};
struct node {
	struct node *next;
	short value;
};

#ifdef __OPTIMIZE__
extern volatile long sink;

long optimised(int x0, struct node *x1, long not_used)
{
	return sink = x0 + x1->next->value;
}
#else
volatile long sink;

void enter(void)
{
	for (;;)
		sink++;
}

long sum(int x0, long x1, signed char x2, long x3, long x4, long x5, long x6, struct node *x7, short on_stack, long above)
{
	return sink = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7->next->value + on_stack + above;
}

long of_small(struct small in_two, int after)
{
	return sink = in_two.a + in_two.b + after;
}

long of_big(struct big by_reference, int after)
{
	return sink = by_reference.v[3] + after;
}

struct big make_big(int seed)
{
	return (struct big){{sink = seed, seed, 3, 4}};
}

struct small make_small(int seed)
{
	return (struct small){sink = seed, 2};
}

long of_floats(double d, struct point p, int first)
{
	return sink = (long)(d + p.x + p.y + p.z) + first;
}

long of_wide(int first, __int128 from_x2, int x4)
{
	return sink = first + (long)(from_x2 >> 64) + (long)from_x2 + x4;
}

long six(long a, long b, long c, long d, long e, long f, long x6, struct small none_left, long too_late)
{
	return sink = a + b + c + d + e + f + x6 + none_left.a + too_late;
}
#endif
