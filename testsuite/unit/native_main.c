// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a compiled script that has only begin, end and error probes, in their order, as a program: see
 * native_run.
 *
 *   SCRIPT [NAME=VALUE ...]    globals as for spilerun
 *
 * With NATIVE_LOCKS=1 the handlers take their locks, which such handlers need not do in the kernel, and nothing that needs the lock of a
 * global may happen without it.  In both modes it dies if a handler breaks a rule of rt.h: a walk or a region inside a region, a lock or a
 * foreach that is not ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sites/begin.h"
#include "testsuite/unit/port_native.h"

static rt_bool with_locks;
static rt_u32 errors;

static void die(const char *why, const char *what)
{
	printf("%s", native_out ? native_out : "");
	fflush(stdout);
	fprintf(stderr, "native_main: %s %s\n", why, what);
	abort();
}

/* ---- the rules of rt.h: generated code is linked with --wrap for each of these ---- */

static void unlocked(struct rt_ctx *c, const char *what)
{
	if (c->nlocked)
		die("in a locked region:", what);
}

/* The global whose storage this is, or that holds the array or statistics m. */
static int global_of(const void *storage, const struct rt_map *m)
{
	for (rt_u32 i = 0; i < rt_script.nglobals; i++) {
		const struct rt_global *g = &rt_script.globals[i];

		if (m ? g->map && *(struct rt_map **)g->storage == m : g->storage == storage)
			return (int)i;
	}
	return -1;
}

static void locked(struct rt_ctx *c, const void *storage, const struct rt_map *m, const char *what)
{
	int global = global_of(storage, m);
	const struct rt_map_shape *shape = m && global >= 0 ? rt_script.globals[global].map : NULL;

	if (global < 0 || c->no_locks)
		return;
	if (shape && shape->shared && !strstr(what, "rt_map_ref")) /* has locks of its own, but not for a place in it */
		return;
	for (rt_u32 i = 0; i < c->nlocked; i++)
		if (c->locked_all[i] == (rt_u32)global)
			return;
	die("without the lock of its global:", what);
}

#define WRAP(type, name, check, params, args) \
	type __real_##name params; \
	type __wrap_##name params; \
	type __wrap_##name params \
	{ \
		check; \
		return __real_##name args; \
	}

#define REGION unlocked(c, __func__)
#define MAP locked(c, NULL, m, __func__)
#define CTX struct rt_ctx *c
#define KEY struct rt_map *m, const union rt_val *k
WRAP(rt_bool, rt_lock, REGION, (CTX, const rt_u32 *g, rt_u32 n), (c, g, n))
WRAP(rt_bool, rt_lock1, REGION, (CTX, rt_u32 g), (c, g))
WRAP(rt_bool, rt_call_enter, REGION, (CTX), (c))
WRAP(rt_s64, rt_map_get_long, MAP, (CTX, KEY), (c, m, k))
WRAP(struct rt_str, rt_map_get_str, MAP, (CTX, KEY), (c, m, k))
WRAP(rt_s64 *, rt_map_ref, MAP, (CTX, KEY), (c, m, k))
WRAP(void, rt_map_set_long, MAP, (CTX, KEY, rt_s64 v), (c, m, k, v))
WRAP(void, rt_map_set_str, MAP, (CTX, KEY, struct rt_str v), (c, m, k, v))
WRAP(rt_bool, rt_map_has, MAP, (CTX, KEY), (c, m, k))
WRAP(rt_bool, rt_map_has_slice, REGION, (CTX, KEY, rt_u32 fixed), (c, m, k, fixed))
WRAP(void, rt_map_delete, MAP, (CTX, KEY), (c, m, k))
WRAP(void, rt_map_delete_slice, REGION, (CTX, KEY, rt_u32 fixed), (c, m, k, fixed))
WRAP(void, rt_map_clear, MAP, (CTX, struct rt_map *m), (c, m))
WRAP(rt_s64, rt_map_stat_get, MAP, (CTX, KEY, enum rt_stat_op op), (c, m, k, op))
WRAP(void, rt_iter_begin, REGION,
     (CTX, struct rt_iter *it, struct rt_map *m, const struct rt_order *o, const union rt_val *k,
      rt_u32 fixed),
     (c, it, m, o, k, fixed))
WRAP(rt_bool, rt_iter_next, REGION,
     (CTX, struct rt_iter *it, union rt_val *k, union rt_val *v), (c, it, k, v))
WRAP(struct rt_str, rt_strvar_get, locked(c, s, NULL, __func__), (CTX, const struct rt_strvar *s), (c, s))
WRAP(void, rt_strvar_set, if (c) locked(c, s, NULL, __func__), (CTX, struct rt_strvar *s, struct rt_str v),
     (c, s, v))

/* ---- running ---- */

static void hit(struct rt_ctx *c, const struct rt_probe *p)
{
	char text[2048];

	rt_hit_begin(c, p);
	memset(c->arena, 0xa5, (rt_size)(c->arena_end - c->arena)); /* nothing may rely on earlier contents */
	if (with_locks)
		c->no_locks = 0;
	p->handler(c);
	if (c->nlocked || native_irq_depth)
		die("a lock is left behind by", p->point);
	if (c->iter_pos != c->iter)
		die("a foreach is left behind by", p->point);
	if (c->nesting)
		die("a call is left behind by", p->point);
	rt_hit_end(c);
	if (c->error == RT_SOFT || c->error == RT_FATAL || c->error == RT_STOPPED) {
		rt_error_text(c, text, sizeof text);
		fprintf(stderr, "ERROR: %s\n", text);
		errors++;
	} else if (c->error == RT_SKIP) {
		fprintf(stderr, "skipped: %s\n", p->point);
	}
}

static rt_bool failed(void)
{
	return errors > rt_script.limits->errors;
}

/* The sites of a kind, in the order of their numbers, as long as go() says so. */
static void run(struct rt_ctx *c, const struct rt_site_table *t, unsigned kind, rt_bool (*stop)(void))
{
	rt_bool *done = calloc(t->nsites + 1, sizeof *done);

	for (;;) {
		const struct rt_site *best = NULL;

		for (rt_u32 i = 0; i < t->nsites; i++) {
			const struct rt_site *s = &t->sites[i];

			if (s->kind == kind && !done[i] && (!best || s->n[0] < best->n[0]))
				best = s;
		}
		if (!best || (stop && stop()))
			break;
		done[best - t->sites] = 1;
		hit(c, &rt_script.probes[best->probe]);
	}
	free(done);
}

/* Other mechanisms are only in the kernel: scripts that use them do not link. */
const struct rt_mechanism {
	char none;
} rt_mechanism_begin;

static rt_bool stop_begin(void)
{
	return failed() || native_exits;
}

int main(int argc, char **argv)
{
	static const struct rt_site_table none;
	const struct rt_site_table *t = rt_script.ntables ? rt_script.tables : &none;
	struct rt_ctx *c = calloc(1, sizeof *c);
	const char *what;

	with_locks = getenv("NATIVE_LOCKS") != NULL;
	native_bad_to = 4096;
	if (rt_script.ntables > 1 || (t->nsites && t->mechanism != &rt_mechanism_begin)) {
		fprintf(stderr, "native_main: only begin, end and error probes can be run like this\n");
		return 77;
	}
	if (!c || rt_globals_init(&what) || rt_ctx_init(c))
		die("out of memory", "");
	for (int i = 1; i < argc; i++) {
		char *eq = strchr(argv[i], '=');

		if (!eq)
			die("not NAME=VALUE:", argv[i]);
		*eq = 0;
		if (rt_global_set(argv[i], eq + 1))
			die("cannot set", argv[i]);
	}
	run(c, t, SITE_BEGIN, stop_begin);
	if (!failed())
		run(c, t, SITE_END, failed);
	if (failed())
		run(c, t, SITE_ERROR, NULL);
	fwrite(native_out ? native_out : "", 1, native_out_n, stdout);
	free(native_out);
	rt_ctx_free(c);
	free(c);
	rt_globals_free();
	return errors > 0;
}
