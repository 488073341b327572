/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What few scripts use: the runtime itself never does. */
#include "rt/rt.h"

int rt_seldom(int n)
{
	return rt_seldom_too(n) + 1;
}

int rt_seldom_left(int n)
{
	return n - 1;
}
