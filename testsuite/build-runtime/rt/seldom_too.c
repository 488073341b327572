/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What seldom.c uses in turn. */
#include "rt/rt.h"

int rt_seldom_too(int n)
{
	return rt_print("seldom", n);
}
