/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pipeline: one list.  -pN stops after the last pass of its number. */
#include "translator/pipeline.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/busy.h"
#include "base/deep.h"
#include "translator/debuginfo/servers.h"
#include "translator/dump.h"
#include "translator/listing.h"
#include "translator/lower/lower.h"
#include "translator/markers.h"
#include "translator/report.h"

struct pass {
	const char *name;
	int number; /* as -p counts */
	int (*run)(struct session *s);
	void (*dump)(struct session *s, struct sb *out);
	enum ast_stage stage;
	const char *busy; /* shown on a terminal when it takes long, or NULL */
};

static const char looks_up[] = "Looking up what the script names";

static const struct pass passes[] = {
	{"parse", 1, parse_pass, dump_script, STAGE_PARSE, NULL},
	{"points", 2, points_pass, dump_points, STAGE_POINTS, looks_up},
	{"advise", 2, advise_pass, NULL, STAGE_POINTS, looks_up},
	{"bind", 2, bind_pass, dump_program, STAGE_BIND, looks_up},
	{"infer", 2, infer_pass, dump_program, STAGE_BIND, looks_up},
	{"check", 2, check_pass, dump_program, STAGE_CHECK, looks_up},
	{"display", 2, display_pass, dump_program, STAGE_CHECK, looks_up},
	{"opt", 2, opt_pass, dump_program, STAGE_OPT, looks_up},
	{"regions", 2, regions_pass, dump_program, STAGE_OPT, looks_up},
	{"lower", 2, lower_pass, lower_dump, STAGE_LOWER, NULL},
	{"rates", 2, rates_pass, NULL, STAGE_LOWER, NULL},
	{"emit", 3, emit_pass, dump_c, STAGE_LOWER, NULL},
	{"build", 4, build_pass, NULL, STAGE_LOWER, "Building the module"},
};

#define NPASSES (sizeof passes / sizeof passes[0])

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* What -p prints after that pass: a pass that only checks has nothing to show. */
static void (*dump_after(size_t i))(struct session *s, struct sb *out)
{
	while (i && !passes[i].dump)
		i--;
	return passes[i].dump;
}

static void print(struct session *s, void (*dump)(struct session *s, struct sb *out))
{
	struct sb out = {0};

	dump(s, &out);
	fwrite(out.s ? out.s : "", 1, out.n, stdout);
	sb_free(&out);
}

#ifdef SPILE_VERIFY
static void verify_tree(struct session *s, const struct pass *p, const struct node *n)
{
	const char *bad = n ? ast_verify(n, p->stage, &s->arena) : NULL;

	if (bad)
		s_error(s, n->loc, E_INTERNAL, "after pass %s: %s", p->name, bad);
}
#endif

static int verify(struct session *s, const struct pass *p)
{
#ifdef SPILE_VERIFY
	bool lowered = p->stage == STAGE_LOWER;

	for (size_t i = 0; p->stage >= STAGE_BIND && i < s->prog.probes.n; i++) {
		const struct probe *probe = s->prog.probes.v[i];
		verify_tree(s, p, lowered ? probe->lowered : probe->body);
		verify_tree(s, p, probe->entry_body);
		verify_tree(s, p, probe->arming);
	}
	for (size_t i = 0; lowered && i < s->prog.function_list.n; i++)
		verify_tree(s, p, s->prog.function_list.v[i]->lowered);
#else
	(void)p;
#endif
	return s->diags.errors ? -1 : 0;
}

static bool known_dump(struct session *s)
{
	struct sb names = {0};
	struct nearest near;

	if (!s->opt.dump)
		return true;
	nearest_init(&near, s->opt.dump);
	for (size_t i = 0; i < NPASSES; i++) {
		if (!passes[i].dump)
			continue;
		if (!strcmp(passes[i].name, s->opt.dump)) {
			sb_free(&names);
			return true;
		}
		nearest_add(&near, passes[i].name);
		sb_printf(&names, "%s%s", names.n ? ", " : "", passes[i].name);
	}
	struct diag *d = s_error(s, (struct loc){0}, E_USAGE, "--dump: there is no pass \"%s\"", s->opt.dump);
	diag_hint(&s->diags, d, "passes: %s", names.s);
	sb_free(&names);
	return false;
}

struct step {
	struct session *s;
	const struct pass *pass;
};

/* Else the user would not know why it took so long. */
static void tell_silent_servers(struct session *s)
{
	const char *servers = servers_take_silent(&s->arena);
	struct diag *d;

	if (!servers)
		return;
	d = s_error(s, (struct loc){0}, W_SERVER_SILENT, "a debuginfod server is not asked any more in this run: %s", servers);
	diag_hint(&s->diags, d, "take it out of DEBUGINFOD_URLS; DEBUGINFOD_TIMEOUT is how many seconds a server has to answer");
}

static int step(void *data)
{
	const struct step *t = data;
	int rc = t->pass->run(t->s);

	tell_silent_servers(t->s);
	return rc || verify(t->s, t->pass);
}

/* Passes over the script recurse as deep as it nests, so they need more stack; building only waits for other programs. */
static int run(struct session *s, const struct pass *p)
{
	struct step t = {s, p};
	int rc;

	if (p->busy)
		busy_begin("%s%s", p->busy, p->busy == looks_up && servers_are_named() ? ", and asking DEBUGINFOD_URLS" : "");
	rc = p->number < 4 ? deep_call(step, &t) : step(&t);
	busy_end();
	return rc;
}

int pipeline_run(struct session *s)
{
	struct sb detail = {0};
	struct report_time begin = report_now();
	unsigned parts = 0;

	if (!known_dump(s))
		return 1;
	for (size_t i = 0; i < NPASSES; i++) {
		const struct pass *p = &passes[i];
		double t = now();

		if (!i || passes[i - 1].number != p->number)
			markers_begin(s, p->number);
		if (run(s, p)) {
			report_failed(s, p->number);
			sb_free(&detail);
			return 1;
		}
		sb_printf(&detail, "%s%s %.1f", parts++ ? ", " : "", p->name, (now() - t) * 1e3);
		if (s->opt.dump && !strcmp(s->opt.dump, p->name)) {
			print(s, p->dump);
			sb_free(&detail);
			return 0;
		}
		if (s->opt.list && !strcmp(p->name, "points")) {
			sb_free(&detail);
			return listing_print(s);
		}
		if (i + 1 < NPASSES && passes[i + 1].number == p->number)
			continue;
		markers_end(s, p->number);
		report_pass(s, p->number, &begin, parts > 1 ? detail.s : NULL);
		sb_reset(&detail);
		parts = 0;
		begin = report_now();
		if (s->opt.last_pass == p->number) {
			if (p->number == 4)
				printf("%s\n", s->module_path);
			else if (p->number < 4 && !s->opt.dump)
				print(s, dump_after(i));
			sb_free(&detail);
			return 0;
		}
	}
	sb_free(&detail);
	return run_module(s);
}
