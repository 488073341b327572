/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * left: calls left_on(), then left_work(1), which is left by longjmp(); left_off(), then left_work(2), in which left_on() is called; then
 * left_work(3).  Waits a moment before each left_work() for what left_on() or left_off() may have changed.
 */
#include <setjmp.h>
#include <unistd.h>

#include "workload.h"

static jmp_buf out;
static volatile int on;

PROBED void left_on(void)
{
	on = 1;
}

PROBED void left_off(void)
{
	on = 0;
}

PROBED long left_work(long n)
{
	if (n == 1)
		longjmp(out, 1);
	if (n == 2)
		left_on();
	return n * 2;
}

int main(void)
{
	volatile long sum = 0;

	for (volatile long n = 1; n <= 3; n++) {
		if (n != 3)
			n == 1 ? left_on() : left_off();
		sleep(1);
		if (!setjmp(out))
			sum += left_work(n);
	}
	printf("left_work %ld\n", sum);
	return sum != 10;
}
