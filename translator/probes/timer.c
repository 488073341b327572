/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer.s, .ms, .us, .ns, .hz, .jiffies: periodic events. */
#include "runtime/sites/timer.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum unit { NS, US, MS, SEC, HZ, JIFFIES };

#define NSEC 1000000000LL
#define JIFFIES_PER_SECOND 1000            /* at most: CONFIG_HZ */
#define MIN_PERIOD (100 * 1000LL)          /* 100 us */
#define MAX_PERIOD (24 * 3600 * NSEC)      /* a day */

#define BOTH(name, unit, help)                                   \
	{"timer." name "(n)", unit, "every n " help},            \
	{"timer." name "(n).randomize(n)", unit, "with a random deviation"}

static const struct probe_form forms[] = {
	BOTH("s", SEC, "seconds"),	BOTH("sec", SEC, "seconds"),
	BOTH("ms", MS, "milliseconds"), BOTH("msec", MS, "milliseconds"),
	BOTH("us", US, "microseconds"), BOTH("usec", US, "microseconds"),
	BOTH("ns", NS, "nanoseconds"),	BOTH("nsec", NS, "nanoseconds"),
	BOTH("jiffies", JIFFIES, "jiffies"),
	{"timer.hz(n)", HZ, "n times a second"},
	{0},
};

static const int64_t unit_ns[] = {[NS] = 1, [US] = 1000, [MS] = 1000000, [SEC] = NSEC};

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *interval = &p->c[1];
	int64_t n = interval->arg->num, random = p->n > 2 ? p->c[2].arg->num : 0;
	enum unit unit = (enum unit)form->variant;
	struct site *t;

	if (unit == JIFFIES) {
		if (n < 1 || n > 1000000)
			return probe_bad_value(s, interval, "a timer's interval is 1 to 1,000,000 jiffies");
		if (random < 0 || random > n)
			return probe_bad_value(s, &p->c[2], "the deviation must not be greater than the interval");
	} else if (unit == HZ) {
		if (n < 1 || n > NSEC / MIN_PERIOD)
			return probe_bad_value(s, interval, "a timer's frequency is 1 to 10,000 Hz");
		n = NSEC / n;
	} else {
		if (n < 1 || n > MAX_PERIOD / unit_ns[unit] || n * unit_ns[unit] < MIN_PERIOD)
			return probe_bad_value(s, interval, "a timer's interval is 100 us to 1 day");
		n *= unit_ns[unit];
		if (random < 0 || random > MAX_PERIOD / unit_ns[unit] || random * unit_ns[unit] > n)
			return probe_bad_value(s, &p->c[2], "the deviation must not be greater than the interval");
		random *= unit_ns[unit];
	}
	t = probe_site(s, &probe_timer, p, out);
	t->kind = unit == JIFFIES ? SITE_TIMER_JIFFIES : SITE_TIMER_HR;
	t->n[0] = n;
	t->n[1] = random;
	return 0;
}

static int64_t rate(const struct site *t)
{
	return (t->kind == SITE_TIMER_JIFFIES ? JIFFIES_PER_SECOND : NSEC) / t->n[0];
}

const struct probe_mechanism mechanism_timer = {.name = "timer", .disarms = true, .rate = rate};

const struct probe_family probe_timer = {
	.mechanism = &mechanism_timer,
	.forms = forms,
	.resolve = resolve,
};
