/* SPDX-License-Identifier: GPL-2.0-or-later */
/* translator/terminal.c: which scripts control a terminal themselves, so that nothing of their output is masked. */
#include <fcntl.h>
#include <stdlib.h>

#include "base/paths.h"
#include "testsuite/unit/unit.h"
#include "translator/options.h"
#include "translator/pipeline.h"

static struct session *compiled(char *script)
{
	static struct session s;
	char *argv[] = {"spile", "-g", "-o", "nowhere", "-e", script, NULL};
	static int (*const passes[])(struct session *) = {parse_pass, points_pass, advise_pass, bind_pass,
						     infer_pass, check_pass, display_pass, opt_pass};

	s = (struct session){0};
	optind = 0;
	s.diags.arena = s.sources.arena = &s.arena;
	s.diags.sources = &s.sources;
	CHECK(!options_parse(&s, 6, argv));
	CHECK(!session_init(&s));
	for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
		CHECK(!passes[i](&s));
	CHECK_EQ(s.diags.errors, 0);
	return &s;
}

static bool draws(char *script)
{
	struct session *s = compiled(script);
	bool yes = terminal_is_drawn_on(s);

	session_end(s);
	return yes;
}

static void test_text_is_no_drawing(void)
{
	CHECK(!draws("probe begin { println(\"a\\tb\", 1) printf(\"%s %d %x\\n\", execname(), 1, 2) }"));
	CHECK(!draws("probe begin { print(\"\303\244\") }"));
}

static void test_control_characters_draw(void)
{
	CHECK(draws("probe begin { print(\"\\033[1m\") }"));
	CHECK(draws("probe begin { printf(\"\\r%d\", 1) }"));
	CHECK(draws("probe begin { println(\"\\a\") }"));
	CHECK(draws("function bold() { return \"\\033[1m\" } probe begin { println(bold()) }"));
	CHECK(draws("probe begin { if (pid() == 3) println(sprint(pid()) . \"\\177\") }"));
}

static void test_what_prints_bytes_draws(void)
{
	CHECK(draws("probe begin { printf(\"%c\", 65) }"));
	CHECK(draws("probe begin { printf(\"%2b\", 65) }"));
	CHECK(draws("probe begin { printf(\"%4m\", 4096) }"));
	CHECK(!draws("probe begin { printf(\"%%c %s\", \"%c\") }"));
}

static void test_c_of_the_script_draws_but_that_of_the_tapset_does_not(void)
{
	CHECK(draws("function f() %{ STAP_PRINTF(\"x\"); %} probe begin { f() }"));
	CHECK(!draws("probe begin { println(pid(), gettimeofday_s(), ctime(0)) }"));
}

static void test_a_file_is_no_terminal(void)
{
	struct session *s = compiled("probe begin { println(1) }");

	CHECK(!terminal_is_text(s)); /* -o */
	session_end(s);
}

static void test_a_terminal_gets_text_only_of_a_script_that_does_not_draw(void)
{
	int saved = dup(STDOUT_FILENO), terminal = posix_openpt(O_RDWR | O_NOCTTY);
	struct session *s = compiled("probe begin { println(1) }");
	bool text, drawn, piped;

	s->opt.output = NULL;
	CHECK(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
	fflush(stdout);
	dup2(terminal, STDOUT_FILENO);
	text = terminal_is_text(s);
	session_end(s);
	s = compiled("probe begin { println(\"\\033\") }");
	s->opt.output = NULL;
	drawn = !terminal_is_text(s);
	session_end(s);
	s = compiled("probe begin { println(1) }");
	s->opt.output = NULL;
	dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
	piped = !terminal_is_text(s);
	session_end(s);
	dup2(saved, STDOUT_FILENO);
	CHECK(text);
	CHECK(drawn);
	CHECK(piped);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	paths_init(argv[0]);
	UNIT_RUN(test_text_is_no_drawing);
	UNIT_RUN(test_control_characters_draw);
	UNIT_RUN(test_what_prints_bytes_draws);
	UNIT_RUN(test_c_of_the_script_draws_but_that_of_the_tapset_does_not);
	UNIT_RUN(test_a_file_is_no_terminal);
	UNIT_RUN(test_a_terminal_gets_text_only_of_a_script_that_does_not_draw);
	return unit_done();
}
