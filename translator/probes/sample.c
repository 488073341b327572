/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer.profile and perf: what runs on each CPU, sampled by time or by the kernel's performance events; and counters of those. */
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/sites/sample.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"

#define USUAL_EVENTS 1000000  /* for each hit, as SystemTap has it: of a clock, a millisecond */
#define MIN_CLOCK_NS 10000    /* the kernel lets no clock come more often */
#define TICKS_PER_SECOND 1000 /* at most: CONFIG_HZ */
#define MAX_HZ 100000         /* what the kernel allows unless it is told otherwise */

#define EVENT(tail, kind, help)                                                                                  \
	{"perf.type(n).config(n)" tail, (kind), help},                                                           \
	{"perf.type(n).config(n)" tail ".process(s)", (kind), "the same, while a program runs"},                 \
	{"perf.type(n).config(n)" tail ".process", (kind), "the same, while the target of -c or -x runs"}

#define COUNTER(process, help) {"perf.type(n).config(n)" process ".counter(s)", SITE_SAMPLE_COUNTER, help}

static const struct probe_form forms[] = {
	{"timer.profile", SITE_SAMPLE_TICK, "on all CPUs, as often as the kernel's tick"},
	{"timer.profile.tick", SITE_SAMPLE_TICK, "the same"},
	EVENT("", SITE_SAMPLE_EVENT, "a performance event by its numbers, each millionth one"),
	EVENT(".sample(n)", SITE_SAMPLE_EVENT, "each n-th one"),
	EVENT(".hz(n)", SITE_SAMPLE_HZ, "n hits a second on each CPU"),
	COUNTER("", "has no hits: handlers read by @perf(\"name\") how many there were on the CPU"),
	COUNTER(".process(s)", "in the thread, if it is one of the program"),
	COUNTER(".process", "in the thread, if it is one of the target of -c or -x"),
	{0},
};

/* Type, config, and how often, from the point's components. */
static int read_event(struct session *s, const struct point *p, int64_t n[])
{
	const struct component *type = &p->c[1], *config = &p->c[2], *often = p->n > 3 && p->c[3].arg ? &p->c[3] : NULL;

	if (type->arg->num < 0 || type->arg->num > UINT32_MAX)
		return probe_bad_value(s, type, "the type of a performance event is a number of 32 bits");
	n[0] = type->arg->num;
	n[1] = config->arg->num;
	n[2] = often && often->arg->kind == N_NUMBER ? often->arg->num : USUAL_EVENTS;
	return 0;
}

static int check_often(struct session *s, const struct point *p, const struct probe_form *form, int64_t often)
{
	if (form->variant == SITE_SAMPLE_EVENT && often < 1)
		return probe_bad_value(s, &p->c[3], "a hit comes after at least 1 event");
	if (form->variant == SITE_SAMPLE_HZ && (often < 1 || often > MAX_HZ))
		return probe_bad_value(s, &p->c[3], "an event is sampled 1 to 100,000 times a second");
	return 0;
}

static struct site *add(struct session *s, const struct point *p, const struct probe_form *form, const int64_t n[], struct sites *out)
{
	struct site *t = probe_site(s, &probe_sample, p, out);

	t->kind = (unsigned)form->variant;
	memcpy(t->n, n, sizeof t->n);
	if (form->variant == SITE_SAMPLE_COUNTER)
		t->counter = t->s[1] = probe_component(p, "counter")->arg->text;
	return t;
}

static int add_programs(struct session *s, const struct point *p, const struct probe_form *form, const int64_t n[], struct sites *out)
{
	const struct component *process = probe_component(p, "process");
	int64_t pid;
	bool target;
	const char *const *paths = image_paths(s, process, true, &pid, &target);

	for (; paths && *paths; paths++) {
		struct problem why = {0};
		const char *path = image_program(s, *paths, &why);

		if (path) {
			add(s, p, form, n, out)->s[0] = path;
		} else if (!p->optional) {
			session_problem(s, process->arg->loc, &why, "%s", "");
			return -1;
		}
	}
	return paths || p->optional ? 0 : -1;
}

static int no_target(struct session *s, const struct component *process)
{
	struct diag *d = s_error(s, process->loc, E_NO_TARGET_PROGRAM, "this means the target of -c or -x, and there is none");

	diag_hint(&s->diags, d, "name a program: process(\"/bin/ls\")");
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *process = probe_component(p, "process");
	int64_t n[RT_SITE_NUMBERS] = {0};

	if (form->variant != SITE_SAMPLE_TICK && (read_event(s, p, n) || check_often(s, p, form, n[2])))
		return -1;
	if (process && form->variant == SITE_SAMPLE_COUNTER)
		n[3] = SITE_SAMPLE_THREADS;
	if (process && process->arg)
		return add_programs(s, p, form, n, out);
	if (process) {
		if (!s->opt.cmd && !s->opt.target_pid)
			return p->optional ? 0 : no_target(s, process);
		n[3] |= SITE_SAMPLE_TARGET;
	}
	add(s, p, form, n, out);
	return 0;
}

/* How often an event comes that is no clock is not known, but the kernel keeps to what .hz() says. */
static int64_t rate(const struct site *t)
{
	bool is_clock = t->n[0] == PERF_TYPE_SOFTWARE && (t->n[1] == PERF_COUNT_SW_CPU_CLOCK || t->n[1] == PERF_COUNT_SW_TASK_CLOCK);

	switch ((enum site_sample_kind)t->kind) {
	case SITE_SAMPLE_TICK:
		return TICKS_PER_SECOND;
	case SITE_SAMPLE_HZ:
		return t->n[2];
	case SITE_SAMPLE_EVENT:
		return is_clock ? 1000000000 / (t->n[2] > MIN_CLOCK_NS ? t->n[2] : MIN_CLOCK_NS) : 0;
	case SITE_SAMPLE_COUNTER:
		break;
	}
	return 0;
}

const struct probe_mechanism mechanism_sample = {.name = "sample", .disarms = true, .rate = rate};

const struct probe_family probe_sample = {
	.mechanism = &mechanism_sample,
	.forms = forms,
	.resolve = resolve,
};
