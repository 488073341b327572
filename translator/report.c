/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines about the passes: see report.h. */
#include "translator/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "parser/ast.h"

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

struct report_time report_now(void)
{
	struct rusage self = {0}, children = {0};
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return (struct report_time){
		.real = (double)t.tv_sec + (double)t.tv_nsec / 1e9,
		.user = seconds(&self.ru_utime) + seconds(&children.ru_utime),
		.system = seconds(&self.ru_stime) + seconds(&children.ru_stime),
	};
}

const char *report_since(struct session *s, const struct report_time *then)
{
	struct report_time now = report_now();

	return arena_printf(&s->arena, "%.0fusr/%.0fsys/%.0freal ms", (now.user - then->user) * 1e3,
			    (now.system - then->system) * 1e3, (now.real - then->real) * 1e3);
}

/* The memory of this process: "1virt/2res/3shr/4data kb". */
static const char *memory(struct session *s)
{
	uint64_t virt = 0, res = 0, shr = 0, data = 0, kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f) {
		if (fscanf(f, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64, &virt, &res, &shr, &data) != 4)
			virt = res = shr = data = 0;
		fclose(f);
	}
	return arena_printf(&s->arena, "%" PRIu64 "virt/%" PRIu64 "res/%" PRIu64 "shr/%" PRIu64 "data kb", virt * kb, res * kb, shr * kb,
			    data * kb);
}

static const char *count(struct session *s, size_t n, const char *what)
{
	return arena_printf(&s->arena, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

/* Blocks of C outside of functions. */
static size_t embeds_of(const struct node *file)
{
	size_t n = 0;

	for (unsigned i = 0; file && i < FILE_DECLARATIONS(file); i++)
		n += FILE_DECLARATION(file, i)->kind == N_EMBEDDED;
	return n;
}

static size_t embeds(const struct session *s)
{
	size_t n = embeds_of(s->script);

	for (size_t i = 0; i < s->tapset.n; i++)
		n += embeds_of(s->tapset.v[i]);
	return n;
}

static const char *analysed(struct session *s)
{
	const struct program *p = &s->prog;

	return arena_printf(&s->arena, "analyzed script: %s, %s, %s, %s", count(s, p->probes.n, "probe"),
			    count(s, p->function_list.n, "function"), count(s, embeds(s), "embed"), count(s, p->global_list.n, "global"));
}

static const char *achieved(struct session *s, int number)
{
	switch (number) {
	case 1: return arena_printf(&s->arena, "parsed user script and %u library scripts", s->nparsed);
	case 2: return analysed(s);
	case 3: return "translated to C into \"memory\"";
	}
	return arena_printf(&s->arena, s->module_was_cached ? "using cached %s" : "compiled C into \"%s\"", s->module_path);
}

void report_pass(struct session *s, int number, const struct report_time *begin, const char *detail)
{
	if (!options_detail(&s->opt, number))
		return;
	fprintf(stderr, "Pass %d: %s", number, achieved(s, number));
	if (number < 4)
		fprintf(stderr, " using %s,", memory(s));
	if (number < 4 || !s->module_was_cached)
		fprintf(stderr, " in %s.", report_since(s, begin));
	fputc('\n', stderr);
	if (detail)
		fprintf(stderr, "  %s ms\n", detail);
}

void report_failed(const struct session *s, int number)
{
	static const char *const what[] = {"", "parse", "analysis", "translation", "compilation", "run"};

	if (options_detail(&s->opt, number))
		fprintf(stderr, "Pass %d: %s failed.\n", number, what[number]);
}
