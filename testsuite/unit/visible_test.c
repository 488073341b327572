// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of what is traced cannot control a terminal. */
#include "base/visible.h"
#include "testsuite/unit/unit.h"

static void check(const char *text, const char *keep, const char *want)
{
	struct sb b = {0};

	visible_put(&b, text, strlen(text), keep);
	CHECK_STR(b.s, want);
	sb_free(&b);
}

static void test_what_drives_a_terminal_is_spelled_out(void)
{
	check("a\033[2Jb\a\b\r\177", "", "a<1B>[2Jb<07><08><0D><7F>");
	check("\302\233x \342\200\256y", "", "<U+009B>x <U+202E>y");
	check("\233x \377 \342\200", "", "<9B>x <FF> <E2><80>");
}

static void test_what_is_asked_for_is_kept(void)
{
	check("a\n\tb\r", "\n\t", "a\n\tb<0D>");
	check("caf\303\251 \342\202\254", "", "caf\303\251 \342\202\254");
}

static void quoted(const char *text, const char *want)
{
	struct sb b = {0};

	visible_put_quoted(&b, text);
	CHECK_STR(b.s, want);
	sb_free(&b);
}

static void test_quoted_names_can_be_typed_back(void)
{
	quoted("plain", "\"plain\"");
	quoted("a\"b\\c\n\t", "\"a\\\"b\\\\c\\n\\t\"");
	quoted("\0331", "\"\\0331\"");
	quoted("\302\2331 \3777 caf\303\251", "\"\\302\\2331 \\3777 caf\303\251\"");
}

static void test_a_mask_has_the_same_length(void)
{
	char text[] = "a\033[2J\tb\n\rcaf\303\251 \302\233x \233y \351 \177";

	visible_mask(text, strlen(text));
	CHECK_STR(text, "a?[2J\tb\n?caf\303\251 ??x ?y \351 ?");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_what_drives_a_terminal_is_spelled_out);
	UNIT_RUN(test_what_is_asked_for_is_kept);
	UNIT_RUN(test_a_mask_has_the_same_length);
	UNIT_RUN(test_quoted_names_can_be_typed_back);
	return unit_done();
}
