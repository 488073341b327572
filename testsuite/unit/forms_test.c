// SPDX-License-Identifier: GPL-2.0-or-later
/* Which form a probe point has, which ones its wildcards match, and how much of a point without a form is known. */
#include "translator/probes/forms.h"

#include "base/intern.h"
#include "parser/parse.h"
#include "testsuite/unit/unit.h"
#include "translator/session.h"

/* The point, as a script has it. */
static struct point point(struct session *s, const char *text)
{
	struct parse_env env = {.arena = &s->arena, .diags = &s->diags, .sources = &s->sources, .compatible = "5.6"};
	const char *script = arena_printf(&s->arena, "probe %s { }", text);
	struct node *file;
	struct point p = {0};

	s->diags = (struct diags){.arena = &s->arena, .sources = &s->sources};
	s->sources.arena = &s->arena;
	file = parse_source(&env, source_add(&s->sources, "test", script, strlen(script)));
	CHECK_EQ(s->diags.errors, 0);
	p.node = PROBE_POINT(FILE_DECLARATION(file, 0), 0);
	for (; p.n < POINT_COMPONENTS(p.node); p.n++) {
		struct node *c = POINT_COMPONENT(p.node, p.n);
		p.c[p.n] = (struct component){c->name, COMPONENT_LITERAL(c), c->loc};
	}
	return p;
}

static const struct {
	const char *point, *form; /* or NULL */
	unsigned known;
} matched[] = {
	{"begin", "begin", 1},
	{"begin(1)", "begin(n)", 1},
	{"begin(\"1\")", NULL, 0},
	{"begin.x", NULL, 1},
	{"timer.ms(5)", "timer.ms(n)", 2},
	{"timer.ms(5).randomize(1)", "timer.ms(n).randomize(n)", 3},
	{"timer.ms", NULL, 1},
	{"timer.hz(5).randomize(1)", NULL, 2},
	{"timer", NULL, 1},
	{"timer(1)", NULL, 0},
	{"kernel.function(\"f\")", "kernel.function(s)", 2},
	{"kernel.function(1)", "kernel.function(n)", 2},
	{"kernel.trace(1)", NULL, 1},
	{"kernel.function(\"f\").return.maxactive(2)", "kernel.function(s).return.maxactive(n)", 4},
	{"kernel.function(\"f\").return.return", NULL, 3},
	{"kernel.maxactive(2)", NULL, 1},
	{"process.begin", "process.begin", 2},
	{"process(1).begin", "process(n).begin", 2},
	{"process(\"p\").begin", "process(s).begin", 2},
	{"process(\"p\").library(\"l\").function(\"f\").call", "process(s).library(s).function(s).call", 4},
	{"kernal.function(\"f\")", NULL, 0},
};

static void test_a_point_has_the_form_of_its_names_and_arguments(void)
{
	struct session s = {0};
	struct forms f;

	for (size_t i = 0; i < sizeof matched / sizeof *matched; i++) {
		struct point p = point(&s, matched[i].point);
		bool found = forms_match(&p, &f);
		CHECK_STR(found ? f.form->text : "none", matched[i].form ? matched[i].form : "none");
		CHECK_EQ(forms_known(&p), matched[i].known);
	}
	arena_free(&s.arena);
	intern_reset();
}

/* The points that one with wildcards matches. */
static const char *meant(struct session *s, const char *text, bool listing)
{
	struct point p = point(s, text), q;
	struct sb out = {0};
	bool open;

	s->opt.list = listing ? LIST_POINTS : 0;
	for (struct forms f = {0}; forms_next(&f);)
		if (forms_point(s, &p, f.form, 1, &q, &open))
			sb_printf(&out, "%s%s%s", out.n ? " " : "", probe_point_text(s, &q), open ? "!" : "");
	const char *all = arena_strdup(&s->arena, out.s ? out.s : "");
	sb_free(&out);
	return all;
}

static const struct {
	const char *point, *meant, *listed; /* NULL: the same; an example with ! */
} wild[] = {
	{"timer.m*(5)", "timer.ms(5) timer.msec(5)", NULL},
	{"timer.hz", "", NULL},
	{"timer.h*", "", "timer.hz(1)!"},
	{"kernel.f*(\"v\").*",
	 "kernel.function(\"v\").call kernel.function(\"v\").return kernel.function(\"v\").exported kernel.function(\"v\").callees "
	 "kernel.function(\"v\").inline",
	 "kernel.function(\"v\").call kernel.function(\"v\").return kernel.function(\"v\").exported kernel.function(\"v\").callee(\"*\")! "
	 "kernel.function(\"v\").callees kernel.function(\"v\").callees(1)! kernel.function(\"v\").inline kernel.function(\"v\").label(\"*\")!"},
	{"kernel.f*.call", "", "kernel.function(\"*\").call! kernel.function(1).call!"},
	{"*(3)", "begin(3) end(3) error(3)", NULL},
	{"process(1).thread.*", "process(1).thread.begin process(1).thread.end", NULL},
	{"n*", "never", NULL},
};

static void test_wildcards_stand_for_the_names_of_forms(void)
{
	struct session s = {0};

	for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
		CHECK_STR(meant(&s, wild[i].point, false), wild[i].meant);
		CHECK_STR(meant(&s, wild[i].point, true), wild[i].listed ? wild[i].listed : wild[i].meant);
	}
	CHECK_HAS(meant(&s, "*", true), "begin begin(1)! end");
	CHECK_HAS(meant(&s, "*", true), "kernel.function(\"*\")!");
	arena_free(&s.arena);
	intern_reset();
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_a_point_has_the_form_of_its_names_and_arguments);
	UNIT_RUN(test_wildcards_stand_for_the_names_of_forms);
	return unit_done();
}
