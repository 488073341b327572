// SPDX-License-Identifier: GPL-2.0-or-later
/* Division: the two cases in which the machine's division fails have a defined result here. */
#include "rt/lib.h"

rt_s64 rt_div(struct rt_ctx *c, rt_s64 a, rt_s64 b)
{
	if (RT_UNLIKELY(b == 0)) {
		rt_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? rt_neg(a) : a / b;
}

rt_s64 rt_mod(struct rt_ctx *c, rt_s64 a, rt_s64 b)
{
	if (RT_UNLIKELY(b == 0)) {
		rt_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

rt_u64 rt_umod(struct rt_ctx *c, rt_u64 a, rt_u64 b)
{
	if (RT_UNLIKELY(b == 0)) {
		rt_error(c, "division by 0");
		return 0;
	}
	return a % b;
}
