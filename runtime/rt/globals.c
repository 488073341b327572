// SPDX-License-Identifier: GPL-2.0-or-later
/* Globals of the script: their memory, and -G name=value. */
#include "rt/globals.h"
#include "rt/map.h"

static int make(rt_u32 i)
{
	const struct rt_global *g = &rt_script.globals[i];
	struct rt_map *m;

	if (g->map) {
		*(struct rt_map **)g->storage = m = rt_map_new(g->map);
		if (m)
			m->lock = i + 1;
		return m ? 0 : -1;
	}
	if (g->type == RT_STATS)
		return (*(struct rt_stat **)g->storage = rt_stat_new(g->stat)) ? 0 : -1;
	return 0;
}

int rt_globals_init(const char **what)
{
	rt_u32 i;

	*what = "the locks";
	if (rt_locks_init(rt_script.nglobals))
		return -1;
	for (i = 0; i < rt_script.nglobals; i++)
		if (make(i)) {
			*what = rt_script.globals[i].name;
			rt_globals_free();
			return -1;
		}
	return 0;
}

void rt_globals_free(void)
{
	rt_u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		const struct rt_global *g = &rt_script.globals[i];

		if (g->map) {
			rt_map_destroy(*(struct rt_map **)g->storage);
			*(struct rt_map **)g->storage = 0;
		} else if (g->type == RT_STATS) {
			rt_stat_destroy(*(struct rt_stat **)g->storage);
			*(struct rt_stat **)g->storage = 0;
		}
	}
	rt_locks_free();
}

/* A number as scripts write it, with an optional minus: 0 .. 2^64-1 and down to -2^63. */
static rt_bool parse_long(const char *p, rt_s64 *out)
{
	rt_bool minus = *p == '-';
	rt_u64 v = 0, base = 10, limit = minus ? 1ULL << 63 : ~0ULL;

	p += minus;
	if (p[0] == '0' && (p[1] | 0x20) == 'x') {
		base = 16;
		p += 2;
	} else if (p[0] == '0' && p[1]) {
		base = 8;
	}
	if (!*p)
		return 0;
	for (; *p; p++) {
		rt_u32 d = rt_digit(*p);

		if (d >= base || v > (limit - d) / base)
			return 0;
		v = v * base + d;
	}
	*out = (rt_s64)(minus ? 0 - v : v);
	return 1;
}

static const struct rt_global *find(const char *name)
{
	rt_u32 i, n = rt_cstr_len(name);

	for (i = 0; i < rt_script.nglobals; i++) {
		const char *other = rt_script.globals[i].name;

		if (rt_cstr_len(other) == n && rt_bytes_equal(other, name, n))
			return &rt_script.globals[i];
	}
	return 0;
}

int rt_global_set(const char *name, const char *value)
{
	const struct rt_global *g = find(name);
	struct rt_str s = {value, rt_cstr_len(value)};

	if (!g)
		return -1;
	if (g->map || g->type == RT_STATS)
		return -3;
	if (g->type == RT_LONG)
		return parse_long(value, g->storage) ? 0 : -2;
	if (s.n > rt_script.limits->string_max)
		return -4;
	rt_strvar_set(0, g->storage, s);
	return 0;
}
