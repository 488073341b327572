// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "begin": begin, end and error probes.  The first to be started and the last to be stopped, so begin
 * probes run before anything is armed and end probes when all is disarmed.  What a site means: sites/begin.h.
 */
#include "kernel/mechanism.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/state.h"
#include "sites/begin.h"

static const struct rt_site *begin_sites;
static rt_u32 begin_nsites;

/* The site of the kind that comes next after `last' (NULL: the first) in order. */
static const struct rt_site *next_begin_site(unsigned int kind, const struct rt_site *last)
{
	const struct rt_site *best = NULL, *s;

	for (s = begin_sites; s < begin_sites + begin_nsites; s++) {
		if (s->kind != kind)
			continue;
		if (last && (s->n[0] < last->n[0] || (s->n[0] == last->n[0] && s <= last)))
			continue;
		if (!best || s->n[0] < best->n[0])
			best = s;
	}
	return best;
}

static int begin_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	const struct rt_site *s = NULL;

	begin_sites = sites;
	begin_nsites = n;
	mail_send(WIRE_BEGIN, NULL, 0);
	while (state_going() && (s = next_begin_site(SITE_BEGIN, s)))
		hit_run_alone(s->probe);
	mail_send(WIRE_BEGUN, NULL, 0);
	*armed += n;
	return 0;
}

/* An error in an end probe ends the end probes; error probes run all. */
static void begin_stop(void)
{
	const struct rt_site *s = NULL;

	if (state_abandoned())
		return;
	while (!state_failed() && (s = next_begin_site(SITE_END, s)))
		hit_run_alone(s->probe);
	s = NULL;
	while (state_failed() && (s = next_begin_site(SITE_ERROR, s)))
		hit_run_alone(s->probe);
}

const struct rt_mechanism rt_mechanism_begin = {
	.name = "begin",
	.runs_handlers = true,
	.start = begin_start,
	.stop = begin_stop,
};
