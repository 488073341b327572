/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "rates": refuses scripts whose timers and clocks have so many hits that a CPU does little else.  The period of each probe has a lower
 * limit, but the number of probes has none, and the kernel serves timers before all other code: such a machine may become unreachable.
 * Reads: prog.probes, probe.arming.  Writes nothing.
 *
 * The limit is what no machine can bear.  Below it, the runtime measures, and ends sessions that overload their machine (kernel/overhead.c).
 */
#include "translator/pipeline.h"

#define HITS_OF_A_PERCENT 4000 /* hits a second that take 1 % of a CPU: each takes 2.5 us, with its interrupt */
#define USUAL_PERCENT 50       /* the default threshold; smaller ones are left to the runtime */

struct rates {
	int64_t sum, most; /* hits a second on one CPU: of all probes, of the probe with the most */
	const struct node *point; /* of the probe with the most */
	unsigned points;          /* how many probes have such hits */
};

static int64_t rate_of(const struct probe *p)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->sites.n; i++) {
		const struct site *t = p->sites.v[i];
		if (t->mechanism->rate && !t->is_never)
			sum += t->mechanism->rate(t);
	}
	return sum;
}

/* Probes with a condition count as 0: conditions may arm them in turns. */
static struct rates add_up(const struct session *s)
{
	struct rates all = {0};

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		int64_t rate = p->arming ? 0 : rate_of(p);

		all.sum += rate;
		all.points += rate > 0;
		if (rate > all.most) {
			all.most = rate;
			all.point = p->point;
		}
	}
	return all;
}

int rates_pass(struct session *s)
{
	double share = 100.0 * session_limit(s, "STP_OVERLOAD_THRESHOLD") / session_limit(s, "STP_OVERLOAD_INTERVAL");
	int64_t percent = share < 100 ? (int64_t)share : 100;
	int64_t allowed = HITS_OF_A_PERCENT * (percent > USUAL_PERCENT ? percent : USUAL_PERCENT);
	struct rates all = add_up(s);
	struct diag *d;

	if (session_limit(s, "STP_NO_OVERLOAD") || all.sum <= allowed)
		return 0;
	d = s_error(s, all.point->loc, E_TOO_OFTEN, "timers and clocks have %lld hits a second on one CPU, and at most %lld are allowed",
		    (long long)all.sum, (long long)allowed);
	diag_hint(&s->diags, d, "%u probe%s of the script ha%s them, this one %lld: make periods longer, or let one handler do the work of several; "
		  "-D STP_NO_OVERLOAD allows any number, and then nothing ends a session that takes all of a CPU",
		  all.points, all.points == 1 ? "" : "s", all.points == 1 ? "s" : "ve", (long long)all.most);
	return -1;
}
