// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of numbers that are passed to system calls. */
#include "rt/call.h"

#define ALL (~0ull)

/* The values of a kind, and their names one after the other: with few addresses in it, a module is loaded faster. */
#define NAMES(kind, part) static const rt_u32 kind##_values[] = {
#define N(value, name) value,
#define END };
#include "rt/call_names.def"
#undef NAMES
#undef N
#undef END

#define NAMES(kind, part) static const char kind##_names[] =
#define N(value, name) name "\0"
#define END ;
#include "rt/call_names.def"
#undef NAMES
#undef N
#undef END

static const struct names {
	rt_u64 part;
	const rt_u32 *values;
	const char *names;
	rt_u32 n;
} names_known[RT_CALL_NKINDS] = {
#define NAMES(kind, part) [RT_CALL_##kind] = {part, kind##_values, kind##_names, sizeof(kind##_values) / sizeof(kind##_values[0])},
#define N(value, name)
#define END
#include "rt/call_names.def"
#undef NAMES
#undef N
#undef END
};

rt_bool rt_call_has_names(enum rt_call_kind kind)
{
	return names_known[kind].n != 0;
}

const char *rt_call_name(enum rt_call_kind kind, rt_u64 value)
{
	const struct names *t = &names_known[kind];
	const char *name = t->names;
	rt_u32 i;

	for (i = 0; i < t->n; i++, name += rt_cstr_len(name) + 1)
		if (t->values[i] == value)
			return name;
	return 0;
}

/* Is the name of bits to be shown?  Of a part: if value has just that there.  Of flags: if all of them are left. */
static rt_bool fits(const struct names *t, rt_bool in_part, rt_u64 bits, rt_u64 value, rt_u64 left)
{
	return in_part ? (value & t->part) == bits : bits && (left & bits) == bits;
}

/* Is it a small negative number, of 32 or 64 bits? */
static rt_bool is_minus(rt_u64 v)
{
	return (v == (rt_u32)v || v == (rt_u64)(rt_s64)(rt_s32)v) && (rt_s32)v < 0 && (rt_s32)v >= -4095;
}

void rt_call_names(struct rt_call *k, enum rt_call_kind kind, rt_u64 value)
{
	const struct names *t = &names_known[kind];
	const char *name = t->names;
	rt_bool part_is_named = 0, any = 0;
	rt_u64 left = value;
	rt_u32 i;

	for (i = 0; i < t->n; i++, name += rt_cstr_len(name) + 1) {
		rt_u64 bits = t->values[i];
		rt_bool in_part = t->part && !(bits & ~t->part);

		if ((in_part && part_is_named) || !fits(t, in_part, bits, value, left))
			continue;
		part_is_named |= in_part;
		left &= ~bits;
		rt_call_put(k, any ? "|" : "");
		rt_call_put(k, name);
		any = 1;
	}
	if (any && !left)
		return;
	name = !left && !t->part ? rt_call_name(kind, 0) : 0;
	if (name) {
		rt_call_put(k, name);
		return;
	}
	rt_call_put(k, any ? "|" : "");
	if (!any && t->part == ALL && is_minus(left)) /* no flags, of which all would be set */
		rt_call_dec(k, (rt_s32)left);
	else
		rt_call_hex(k, left);
}

/* ---- signals ---- */

enum { FIRST_REALTIME = 32, SIGNALS = 64 };

void rt_call_signal(struct rt_call *k, rt_u64 signal)
{
	const char *name = rt_call_name(RT_CALL_signal, signal);

	if (name) {
		rt_call_put(k, name);
	} else if (signal >= FIRST_REALTIME && signal <= SIGNALS) {
		rt_call_put(k, signal > FIRST_REALTIME ? "SIGRTMIN+" : "SIGRTMIN");
		if (signal > FIRST_REALTIME)
			rt_call_dec(k, (rt_s64)(signal - FIRST_REALTIME));
	} else {
		rt_call_dec(k, (rt_s32)signal);
	}
}

/* A set with more than half of all signals is shown by those that are not in it. */
void rt_call_signals(struct rt_call *k, rt_u64 set)
{
	rt_bool most, any = 0;
	rt_u32 i, n = 0;

	for (i = 0; i < SIGNALS; i++)
		n += set >> i & 1;
	most = n > SIGNALS / 2;
	if (!set) {
		rt_call_put(k, "[EMPTY]");
		return;
	}
	rt_call_put(k, most ? "~[" : "[");
	for (i = 0; i < SIGNALS; i++) {
		if ((set >> i & 1) == most)
			continue;
		rt_call_put(k, any ? "|" : "");
		rt_call_signal(k, i + 1);
		any = 1;
	}
	rt_call_put(k, "]");
}
