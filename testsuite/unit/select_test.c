/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/resolve/select.h"

#include <string.h>

#include "testsuite/unit/unit.h"

/* Is the file needed by a script? */
static bool needs(const char *script, const char *file)
{
	struct arena a = {0};
	struct source src = {.name = "f.stp", .text = file, .len = strlen(file)};
	struct select *x = select_new(&a);
	bool needed;

	select_file(x, &src);
	select_asked(x, script, strlen(script));
	select_run(x, false);
	needed = select_is_needed(x, 0);
	arena_free(&a);
	return needed;
}

static void test_functions_are_asked_for_by_name(void)
{
	CHECK(needs("probe begin { f() }", "function f() { }"));
	CHECK(needs("probe begin { f() }", "function g() { } function f:long(a:string) { }"));
	CHECK(needs("probe begin { x = f }", "private function f() { }"));
	CHECK(!needs("probe begin { f() }", "function ff() { f() }"));
	CHECK(!needs("probe begin { f() }", "/* function f() { } */ # function f() { }\n// function f() { }\n"));
	CHECK(!needs("probe begin { /* f() */ \"f\" } # f", "function f() { }"));
	CHECK(needs("probe begin { if ($# > f()) x }", "function f() { }"));
	CHECK(!needs("probe begin { f() }", "function g() { x = \"function f() { \" } function h() { }"));
	CHECK(!needs("probe begin { f() }", "function g() %{ } function f() %} function h() { }"));
	CHECK(needs("probe begin { f() }", "%( kernel_v > \"3\" %? function g() { } %: function f() { } %)"));
}

static void test_globals_are_asked_for_by_name(void)
{
	CHECK(needs("probe begin { g++ }", "global a, b[10], g = 2\nfunction x() { }"));
	CHECK(!needs("probe begin { g++ }", "global a, b\nfunction x() { g = 1 }"));
}

static void test_aliases_are_asked_for_by_all_their_parts(void)
{
	CHECK(needs("probe a.b { }", "probe a.b = begin { }"));
	CHECK(needs("probe a.b.return { }", "probe a.b = begin { }"));
	CHECK(!needs("probe a.c { }", "probe a.b = begin { }"));
	CHECK(!needs("probe begin { }", "probe a.b = begin { }"));
	CHECK(needs("probe d { }", "probe a.b = c = d += begin { }"));
	CHECK(!needs("probe kernel.function(\"x\") { }", "probe a.b = kernel.function(\"x\"), kernel.function(\"y\") ? { }"));
	CHECK(!needs("probe function { }", "probe a = kernel.function(\"b\") { } global g"));
	CHECK(needs("probe begin { g = 1 }", "probe a = kernel.function(\"b\") { } global g"));
}

static void test_wildcards_ask_for_aliases(void)
{
	CHECK(needs("probe a.* { }", "probe a.b = begin { }"));
	CHECK(needs("probe a.b* { }", "probe a.bcd = begin { }"));
	CHECK(needs("probe *.b { }", "probe a.b = begin { }"));
	CHECK(needs("probe * { }", "probe a = begin { }"));
	CHECK(needs("probe a.{x,*} { }", "probe a.b = begin { }"));
	CHECK(needs("probe ** { }", "probe a.b.c = begin { }"));
	CHECK(!needs("probe a.c* { }", "probe a.b = begin { }"));
	CHECK(!needs("probe begin { x = y * 2 }", "probe a = begin { }"));
	CHECK(!needs("probe kernel.function(\"*\") { }", "probe a = begin { }"));
	CHECK(!needs("/* Comment. */ probe begin { }", "probe a = begin { }"));
}

static void test_what_cannot_be_told_is_needed(void)
{
	CHECK(needs("probe begin { }", "@define mk(n) %( function @n() { } %) @mk(f)"));
	CHECK(needs("probe begin { }", "probe @name(a) = begin { }"));
	CHECK(needs("probe begin { }", "function g() { { }"));
	CHECK(!needs("probe begin { }", "@define m(n) %( %( kernel_v > \"3\" %? @n %: 0 %) + f(@n) %)"));
	CHECK(needs("probe begin { @m(2) }", "@define m(n) %( @n %)"));
}

static void test_needed_files_ask_in_turn(void)
{
	static const char *const texts[] = {"function c() { }", "function b() { c() }", "function a() { b() }", "function d() { }"};
	struct arena a = {0};
	struct source src[4];
	struct select *x = select_new(&a);
	const char *const *others;

	for (unsigned i = 0; i < 4; i++) {
		src[i] = (struct source){.text = texts[i], .len = strlen(texts[i])};
		select_file(x, &src[i]);
	}
	select_asked(x, "a()", 3);
	select_run(x, false);
	for (unsigned i = 0; i < 3; i++)
		CHECK(select_is_needed(x, i));
	CHECK(!select_is_needed(x, 3));
	CHECK_EQ(select_others(x, &others), 1);
	CHECK_STR(others[0], "d");
	arena_free(&a);
}

static void test_aliases_of_other_files_are_known_by_name(void)
{
	struct arena a = {0};
	struct source src = {.text = "probe a.b = begin { } probe c.* = end { } probe d = e.f = end { }"};
	struct select *x = select_new(&a);
	const char *const *others;

	src.len = strlen(src.text);
	select_file(x, &src);
	select_run(x, false);
	CHECK_EQ(select_other_aliases(x, &others), 4);
	CHECK_STR(others[0], "a.b");
	CHECK_STR(others[1], "c.*");
	CHECK_STR(others[2], "d");
	CHECK_STR(others[3], "e.f");
	arena_free(&a);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_functions_are_asked_for_by_name);
	UNIT_RUN(test_globals_are_asked_for_by_name);
	UNIT_RUN(test_aliases_are_asked_for_by_all_their_parts);
	UNIT_RUN(test_wildcards_ask_for_aliases);
	UNIT_RUN(test_what_cannot_be_told_is_needed);
	UNIT_RUN(test_needed_files_ask_in_turn);
	UNIT_RUN(test_aliases_of_other_files_are_known_by_name);
	return unit_done();
}
