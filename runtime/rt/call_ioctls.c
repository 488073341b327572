// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of requests of ioctl(): many, so they are sorted, and in one text, since a module with few addresses in it is loaded faster. */
#include "rt/call.h"

struct names {
#define N(value, name) char name[sizeof(#name)];
#include "rt/call_ioctls.def"
#undef N
};

static const struct names names = {
#define N(value, name) .name = #name,
#include "rt/call_ioctls.def"
#undef N
};

static const struct {
	rt_u32 value, name; /* name: where in names */
} requests[] = {
#define N(value, name) {value, __builtin_offsetof(struct names, name)},
#include "rt/call_ioctls.def"
#undef N
};

const char *rt_call_ioctl(rt_u32 request)
{
	rt_u32 low = 0, high = sizeof(requests) / sizeof(requests[0]);

	while (low < high) {
		rt_u32 i = (low + high) / 2;

		if (requests[i].value == request)
			return (const char *)&names + requests[i].name;
		if (requests[i].value < request)
			low = i + 1;
		else
			high = i;
	}
	return 0;
}
