// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "tracepoint".  What a site means: sites/tracepoint.h.
 *
 * A tracepoint calls the functions that are registered with it, each with a pointer of its own before the tracepoint's values.  No header
 * of a tracepoint is needed: by the calling convention a value is a number of 8 bytes, whatever its type, so there is one function for
 * each number of values.  While nothing is registered, a tracepoint is an instruction that does nothing.
 *
 * The kernel announces modules with tracepoints before their code runs and after it has ended, so points of modules are found, and are
 * given up, then.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "kernel/arch/arch.h"
#include "kernel/arming.h"
#include "kernel/compat/tracepoint_context.h"
#include "kernel/compat/tracepoint_probe.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "kernel/modules.h"
#include "kernel/own.h"
#include "kernel/probes/failures.h"
#include "kernel/tracepoints.h"
#include "sites/tracepoint.h"

struct tracepoint_point {
	const struct rt_site *site;
	rt_u32 probe;
	bool about_tasks;
	bool armed;
	bool failed;           /* the last attempt to arm it */
	bool other;            /* its module is loaded from another build than the script was compiled for */
	struct tracepoint *tp; /* NULL: its module is not loaded */
};

static struct tracepoint_point *tracepoint_points;
static rt_u32 tracepoint_count;
/* Points are found, armed and given up: by the session, by conditions, and when a module comes or goes. */
static DEFINE_MUTEX(tracepoint_mutex);

/* ---- hits: any context, preemption is off ---- */

static __always_inline void tracepoint_hit(const struct tracepoint_point *p, const u64 *values, unsigned int n)
{
	struct rt_ctx *c;

	if (hit_is_unwatched()) {
		hit_skipped(WIRE_SKIP_MISSED, 1);
		return;
	}
	if (!p->about_tasks && own_hit(NULL)) {
		hit_own(1);
		return;
	}
	if (hit_probe_shortly(p->probe, NULL, values, n))
		return;
	c = hit_enter(p->probe, NULL, false);
	if (!c)
		return;
	c->args = values;
	c->nargs = n;
	arch_here(c->from);
	hit_run(c);
	hit_leave(c);
}

/* What a tracepoint with n values calls; the number of parameters is that of the list. */
#define TRACEPOINT_CALLED(n, parameters, ...)                         \
	static void tracepoint_called_##n parameters                  \
	{                                                             \
		const u64 values[] = { __VA_ARGS__ };                 \
		compat_tracepoint_begin();                            \
		tracepoint_hit(point, values, n);                     \
		compat_tracepoint_end();                              \
	}

TRACEPOINT_CALLED(0, (void *point), 0)
TRACEPOINT_CALLED(1, (void *point, u64 a), a)
TRACEPOINT_CALLED(2, (void *point, u64 a, u64 b), a, b)
TRACEPOINT_CALLED(3, (void *point, u64 a, u64 b, u64 c), a, b, c)
TRACEPOINT_CALLED(4, (void *point, u64 a, u64 b, u64 c, u64 d), a, b, c, d)
TRACEPOINT_CALLED(5, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e), a, b, c, d, e)
TRACEPOINT_CALLED(6, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f), a, b, c, d, e, f)
TRACEPOINT_CALLED(7, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g), a, b, c, d, e, f, g)
TRACEPOINT_CALLED(8, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h), a, b, c, d, e, f, g, h)
TRACEPOINT_CALLED(9, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i), a, b, c, d, e, f, g, h, i)
TRACEPOINT_CALLED(10, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i, u64 j),
		  a, b, c, d, e, f, g, h, i, j)
TRACEPOINT_CALLED(11, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i, u64 j, u64 k),
		  a, b, c, d, e, f, g, h, i, j, k)
TRACEPOINT_CALLED(12, (void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i, u64 j, u64 k, u64 l),
		  a, b, c, d, e, f, g, h, i, j, k, l)

static void *const tracepoint_called[] = {
	tracepoint_called_0, tracepoint_called_1, tracepoint_called_2, tracepoint_called_3, tracepoint_called_4,
	tracepoint_called_5, tracepoint_called_6, tracepoint_called_7, tracepoint_called_8, tracepoint_called_9,
	tracepoint_called_10, tracepoint_called_11, tracepoint_called_12,
};

/* ---- arming; process context, under the mutex ---- */

static const char *tracepoint_module(const struct rt_site *site)
{
	return site->s[1];
}

/* Arms or disarms a point, as its condition says. */
static int tracepoint_set(struct tracepoint_point *p, bool wanted)
{
	void *called;
	int rc;

	if (!p->tp || wanted == p->armed)
		return 0;
	called = tracepoint_called[p->site->n[0]];
	rc = wanted ? tracepoint_probe_register(p->tp, called, p) : tracepoint_probe_unregister(p->tp, called, p);
	if (rc && !p->failed)
		mail_error("probe %s: cannot %s the tracepoint (error %d)", rt_script.probes[p->probe].point, wanted ? "arm" : "disarm", rc);
	p->failed = rc != 0;
	if (!rc)
		p->armed = wanted;
	return rc;
}

static int tracepoint_set_all(void)
{
	int first = 0;
	rt_u32 i;

	for (i = 0; i < tracepoint_count; i++) {
		struct tracepoint_point *p = &tracepoint_points[i];
		int rc = tracepoint_set(p, arming_wants(&rt_script.probes[p->probe]));

		first = first ?: rc;
	}
	return first;
}

static void tracepoint_refresh(void)
{
	mutex_lock(&tracepoint_mutex);
	tracepoint_set_all();
	mutex_unlock(&tracepoint_mutex);
}

/* ---- modules ---- */

static void tracepoint_find_in_module(struct tracepoint_point *p, struct module *m)
{
	p->tp = tracepoints_find_in(m, p->site->s[0]);
	if (p->tp)
		tracepoint_set(p, arming_wants(&rt_script.probes[p->probe]));
	else
		mail_warn("probe %s: module %s as it is loaded has no such tracepoint", rt_script.probes[p->probe].point, m->name);
}

static void tracepoint_give_up(struct tracepoint_point *p, struct module *m)
{
	tracepoint_set(p, false);
	p->armed = p->other = false;
	p->tp = NULL;
}

static void tracepoint_each_of_module(struct module *m, void (*each)(struct tracepoint_point *p, struct module *m))
{
	rt_u32 i;

	mutex_lock(&tracepoint_mutex);
	for (i = 0; i < tracepoint_count; i++) {
		const char *module = tracepoint_module(tracepoint_points[i].site);

		if (module && strcmp(module, m->name) == 0)
			each(&tracepoint_points[i], m);
	}
	mutex_unlock(&tracepoint_mutex);
}

static void tracepoint_leave_alone(struct tracepoint_point *p, struct module *m)
{
	p->other = true;
}

static void tracepoint_module_comes(struct module *m)
{
	tracepoint_each_of_module(m, modules_compare(m) == MODULES_OTHER ? tracepoint_leave_alone : tracepoint_find_in_module);
}

static void tracepoint_module_goes(struct module *m)
{
	tracepoint_each_of_module(m, tracepoint_give_up);
}

static struct tracepoints_listener tracepoint_listener = {
	.module_comes = tracepoint_module_comes,
	.module_goes = tracepoint_module_goes,
};

/* ---- the mechanism ---- */

/* The tracepoints of the kernel itself.  0, or the error of a site that is not optional. */
static int tracepoint_find_all(const struct rt_site *sites, rt_u32 *armed)
{
	static const char no_such[] = "the running kernel has no such tracepoint";
	struct failures *f = kzalloc(sizeof(*f), GFP_KERNEL);
	int rc = 0;
	rt_u32 i;

	if (!f)
		return -ENOMEM;
	for (i = 0; i < tracepoint_count; i++) {
		struct tracepoint_point *p = &tracepoint_points[i];

		*p = (struct tracepoint_point){ .site = &sites[i], .probe = sites[i].probe, .about_tasks = sites[i].n[1] };
		if (!tracepoint_module(p->site)) {
			p->tp = tracepoints_find(p->site->s[0]);
			if (!p->tp && (p->site->flags & RT_SITE_OPTIONAL)) {
				failures_add(f, no_such, p->site->s[0]);
				continue;
			}
		}
		if (!p->tp && !tracepoint_module(p->site)) {
			mail_error("probe %s: %s", rt_script.probes[p->probe].point, no_such);
			rc = -ENOENT;
			continue;
		}
		++*armed;
	}
	failures_report(f, tracepoint_count, "tracepoints");
	kfree(f);
	return rc;
}

/* Warns of modules that are awaited, each once where its sites follow each other. */
static void tracepoint_warn_of_absent(void)
{
	const char *last = "";
	rt_u32 i;

	mutex_lock(&tracepoint_mutex);
	for (i = 0; i < tracepoint_count; i++) {
		const char *module = tracepoint_module(tracepoint_points[i].site);

		if (!module || tracepoint_points[i].tp || tracepoint_points[i].other || strcmp(module, last) == 0)
			continue;
		mail_warn("module %s is not loaded; its tracepoints are probed as soon as it is", module);
		last = module;
	}
	mutex_unlock(&tracepoint_mutex);
}

static int tracepoint_arm(const struct rt_site *sites, rt_u32 *armed)
{
	int rc;

	mutex_lock(&tracepoint_mutex);
	rc = tracepoint_find_all(sites, armed) ?: tracepoint_set_all();
	mutex_unlock(&tracepoint_mutex);
	rc = rc ?: tracepoints_listen(&tracepoint_listener);
	if (!rc)
		tracepoint_warn_of_absent();
	return rc;
}

static void tracepoint_stop(void)
{
	rt_u32 i;

	tracepoints_leave(&tracepoint_listener);
	mutex_lock(&tracepoint_mutex);
	for (i = 0; i < tracepoint_count; i++)
		tracepoint_set(&tracepoint_points[i], false);
	tracepoint_synchronize_unregister(); /* no handler runs any more, nor uses a point */
	kvfree(tracepoint_points);
	tracepoint_points = NULL;
	tracepoint_count = 0;
	mutex_unlock(&tracepoint_mutex);
}

static int tracepoint_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 before = *armed;
	int rc;

	BUILD_BUG_ON(ARRAY_SIZE(tracepoint_called) != SITE_TRACEPOINT_VALUES + 1);
	if (!compat_tracepoint_takes_any()) {
		mail_error("probes of tracepoints are not supported in a kernel that checks the types of calls (CONFIG_CFI)");
		return -EOPNOTSUPP;
	}
	tracepoint_points = kvcalloc(n, sizeof(*tracepoint_points), GFP_KERNEL);
	if (!tracepoint_points)
		return -ENOMEM;
	tracepoint_count = n;
	rc = tracepoint_arm(sites, armed);
	if (rc) {
		tracepoint_stop();
		*armed = before;
	}
	return rc;
}

const struct rt_mechanism rt_mechanism_tracepoint = {
	.name = "tracepoint",
	.start = tracepoint_start,
	.stop = tracepoint_stop,
	.refresh = tracepoint_refresh,
};
