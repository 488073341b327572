// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests of ioctl() by their names: many, so they are sorted, and in one text, since a module with few addresses in it is loaded faster. */
#include "rt/call.h"

struct names {
#define N(value, name) char n##value[sizeof(name)];
#define R(value, count, name, has_length) N(value, name)
#include "rt/call_ioctls.def"
#undef N
};

static const struct names names = {
#define N(value, name) .n##value = name,
#include "rt/call_ioctls.def"
#undef R
#undef N
};

/* name: where in names */
#define N(value, unused) {value, __builtin_offsetof(struct names, n##value)},

static const struct {
	rt_u32 value, name;
} requests[] = {
#define R(value, count, name, has_length)
#include "rt/call_ioctls.def"
#undef R
#undef N
};

#define N(value, name)

/* Requests of a macro with arguments: as many numbers one after the other, which has_length has with any size. */
static const struct family {
	rt_u32 value, name;
	rt_u8 count, has_length;
} families[] = {
#define R(value, count, unused, has_length) {value, __builtin_offsetof(struct names, n##value), count, has_length},
#include "rt/call_ioctls.def"
#undef R
#undef N
};

/* Of a request: its direction, the size of what is passed, the driver's letter, and a number. */
enum { DIRECTION_AT = 30, SIZE_AT = 16, TYPE_AT = 8, SIZE_BITS = 0x3fff };

static const char *name_of(rt_u32 request)
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

/* One whose macro has arguments: they are shown. */
static rt_bool put_of_family(struct rt_call *k, rt_u32 request)
{
	rt_u32 size = request >> SIZE_AT & SIZE_BITS, i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		const struct family *f = &families[i];
		rt_u32 nth = (f->has_length ? request & ~((rt_u32)SIZE_BITS << SIZE_AT) : request) - f->value;

		if (nth && nth >= f->count)
			continue;
		rt_call_put(k, (const char *)&names + f->name);
		rt_call_put(k, "(");
		if (f->count > 1)
			rt_call_hex(k, nth);
		if (f->count > 1 && f->has_length)
			rt_call_put(k, ", ");
		if (f->has_length)
			rt_call_udec(k, size);
		rt_call_put(k, ")");
		return 1;
	}
	return 0;
}

static void put_parts(struct rt_call *k, rt_u32 request)
{
	static const char directions[4][24] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE"};

	rt_call_put(k, "_IOC(");
	rt_call_put(k, directions[request >> DIRECTION_AT]);
	rt_call_put(k, ", ");
	rt_call_hex(k, request >> TYPE_AT & 0xff);
	rt_call_put(k, ", ");
	rt_call_hex(k, request & 0xff);
	rt_call_put(k, ", ");
	rt_call_hex(k, request >> SIZE_AT & SIZE_BITS);
	rt_call_put(k, ")");
}

void rt_call_ioctl(struct rt_call *k, rt_u32 request)
{
	const char *name = name_of(request);

	if (name)
		rt_call_put(k, name);
	else if (!put_of_family(k, request))
		put_parts(k, request);
}
