/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about floating-point numbers share. */
#ifndef RT_FP_H
#define RT_FP_H

#include "rt/lib.h"

#define RT_FP_INFINITE 0x7ff0000000000000ULL
#define RT_FP_NAN 0x7ff8000000000000LL

enum rt_fp_class { RT_FP_IS_NUMBER, RT_FP_IS_INFINITE, RT_FP_IS_NAN };
enum rt_fp_class rt_fp_class(rt_s64 v);

/* A number without its sign is m * 2^e; m has at most 53 bits. */
struct rt_fp {
	rt_u64 m;
	int e;
};
struct rt_fp rt_fp_parts(rt_s64 v);
/* The number nearest to m * 2^e, with that sign (the highest bit).  If m is not exact, bit 0 is set and m has more than 55 bits. */
rt_s64 rt_fp_pack(rt_u64 sign, rt_u64 m, int e);

#endif
