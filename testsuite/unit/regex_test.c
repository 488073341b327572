// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * translator/regex/ and runtime/rt/regex.c together: random expressions on random texts against libc's regexec() and against the words of
 * POSIX (regex_run.h), and tables of expected results.
 */
#include <regex.h>

#include "base/str.h"
#include "testsuite/unit/regex_run.h"
#include "testsuite/unit/unit.h"

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.name = "test",
	.limits = &native_limits,
	.probes = probes,
	.nprobes = 1,
};

static struct rt_ctx *c;

/* ---- random expressions ---- */

/*
 * Where libc is compared, cases are left out in which it is wrong: anchors in repeated groups, and groups where there are alternatives or
 * repeated groups.
 */
static unsigned groups_left;
static bool anchors_in_groups, repeated_groups, alternatives_too;

enum { DEPTH = 3 };

static void random_part(struct sb *b, unsigned depth);

static void random_set(struct sb *b)
{
	static const char *const sets[] = {
		".",     "[ab]",     "[^a]",    "[a-c]",       "[^b-c]",       "[[:alpha:]]", "[^[:space:]]",
		"[]a]",  "[^]b]",    "[a-]",    "[\x80-\xff]", "[\xe9\n]",     "\\.",         "\\*",
		"[.]",   "[[.a.]b]", "[[=c=]]", "\xc3",        "[[:punct:]a]", "[-a]",        "[a\\]",
		"[%--]",
	};

	sb_puts(b, sets[native_below(native_below(2) ? 5 : sizeof sets / sizeof sets[0])]);
}

static void random_atom(struct sb *b, unsigned depth)
{
	switch (native_below(depth ? 12 : 8)) {
	case 0:
	case 1:
		random_set(b);
		return;
	case 2:
		if (!anchors_in_groups && depth < DEPTH)
			break;
		sb_puts(b, native_below(2) ? "^" : "$");
		return;
	case 8:
	case 9:
	case 10:
	case 11:
		if (groups_left) {
			groups_left--;
			sb_putc(b, '(');
			random_part(b, depth - 1);
			sb_putc(b, ')');
			return;
		}
	}
	sb_putc(b, "abc"[native_below(3)]);
}

static void random_repeat(struct sb *b)
{
	unsigned m = native_below(4);

	switch (native_below(12)) {
	case 0:
	case 1:
		sb_putc(b, '*');
		return;
	case 2:
		sb_putc(b, '+');
		return;
	case 3:
		sb_putc(b, '?');
		return;
	case 4:
		sb_printf(b, "{%u}", m);
		return;
	case 5:
		sb_printf(b, "{%u,%u}", m, m + native_below(3));
		return;
	case 6:
		sb_printf(b, "{%u,}", m);
	}
}

static void random_part(struct sb *b, unsigned depth)
{
	unsigned alternatives = native_below(3) || !alternatives_too ? 1 : 1 + native_below(3);

	for (unsigned i = 0; i < alternatives; i++) {
		if (i)
			sb_putc(b, '|');
		for (unsigned k = native_below(12) ? 1 + native_below(4) : 0; k; k--) {
			random_atom(b, depth);
			if (b->s[b->n - 1] != '^' && b->s[b->n - 1] != '$' &&
			    (repeated_groups || b->s[b->n - 1] != ')'))
				random_repeat(b);
		}
	}
}

static size_t random_text(char *text)
{
	size_t n = native_below(3) ? native_below(8) : native_below(20);

	for (size_t i = 0; i < n; i++)
		text[i] =
			native_below(12) ? "abc"[native_below(3)] : "\n .-]\xe9\x80\xc3\\*"[native_below(10)];
	text[n] = 0;
	return n;
}

/* A new expression in both forms; the tree is for the oracle.  False: over a limit. */
struct sample {
	struct arena arena;
	struct sb text;
	struct regex_tree tree;
	const struct regex *plain, *tagged, *few;
	unsigned asked; /* groups of few */
};

static bool sample(struct sample *s)
{
	struct regex_problem problem;

	*s = (struct sample){0};
	groups_left = 5;
	sb_puts(&s->text, "");
	random_part(&s->text, DEPTH);
	s->plain = regex_compile(&s->arena, s->text.s, s->text.n, REGEX_NO_GROUPS, &problem);
	if (s->plain)
		s->tagged = regex_compile(&s->arena, s->text.s, s->text.n, REGEX_ALL_GROUPS, &problem);
	if (!s->tagged) {
		CHECK(problem.too_big);
		return false;
	}
	s->asked = (unsigned)s->text.n % 4;
	s->few = regex_compile(&s->arena, s->text.s, s->text.n, (int)s->asked, &problem);
	if (!s->few) {
		CHECK(!"fewer groups are not too big");
		return false;
	}
	CHECK_EQ(regex_parse(&s->arena, s->text.s, s->text.n, &s->tree, &problem), 0);
	return true;
}

static void sample_free(struct sample *s)
{
	sb_free(&s->text);
	arena_free(&s->arena);
}

static void complain(const struct sample *s, const char *text, const char *who, const struct run_group *want,
		     const struct run_group *got)
{
	printf("# /%s/ on \"%s\": %s\n", s->text.s, text, who);
	for (unsigned g = 0; g < s->tree.ngroups; g++)
		printf("#   %u: %d-%d, should be %d-%d\n", g, got[g].begin, got[g].end, want[g].begin,
		       want[g].end);
	CHECK(!"agrees");
}

static void compare(const struct sample *s, const char *text, const char *who, const struct run_group *want,
		    const struct run_group *got)
{
	for (unsigned g = 0; g < s->tree.ngroups; g++)
		if (want[g].begin != got[g].begin || want[g].end != got[g].end) {
			complain(s, text, who, want, got);
			return;
		}
}

/* The needed groups are at the same places as when all groups are needed. */
static void compare_few(const struct sample *s, const char *text, size_t n, const struct run_group *want)
{
	struct run_group got[RUN_GROUPS];

	memset(got, 0, sizeof got);
	CHECK(run_match(c, s->few, text, n, got));
	for (unsigned g = 0; g < s->tree.ngroups && g <= s->asked; g++)
		if (want[g].begin != got[g].begin || want[g].end != got[g].end) {
			complain(s, text, "when few are asked for", want, got);
			return;
		}
}

enum { TEXTS = 8, TEXT = 64 };

/* Is one of the expressions in so many over a limit? */
static void few(unsigned refused, unsigned of)
{
	CHECK(refused * 20 < of);
	printf("# %u of %u expressions are over a limit\n", refused, of);
}

static void test_random_groups_are_those_of_the_standard(void)
{
	static struct oracle o;
	unsigned refused = 0, count = 700;

	anchors_in_groups = repeated_groups = alternatives_too = true;
	for (unsigned i = 0; i < count; i++) {
		struct run_group got[RUN_GROUPS];
		struct sample s;
		char text[TEXT];
		bool ok = sample(&s);

		refused += !ok;
		for (unsigned k = 0; ok && k < TEXTS; k++) {
			size_t n = random_text(text);
			int want = oracle_match(&o, &s.tree, text, n);
			if (want < 0)
				continue;
			CHECK_EQ(run_test(s.plain, text, n), want);
			bool is = run_match(c, s.tagged, text, n, got);
			if (is != want)
				complain(&s, text, want ? "a match" : "no match", o.groups, got);
			else if (is)
				compare(&s, text, "the standard's groups", o.groups, got);
			if (is && want)
				compare_few(&s, text, n, o.groups);
		}
		sample_free(&s);
	}
	few(refused, count);
}

/* libc reports as many groups as nmatch. */
static void against_libc(unsigned count, size_t nmatch)
{
	unsigned refused = 0;

	for (unsigned i = 0; i < count; i++) {
		struct run_group got[RUN_GROUPS], want[RUN_GROUPS];
		regmatch_t m[RUN_GROUPS];
		struct sample s;
		char text[TEXT];
		regex_t re;

		if (!sample(&s)) {
			refused++;
			sample_free(&s);
			continue;
		}
		if (regcomp(&re, s.text.s, REG_EXTENDED)) {
			printf("# /%s/\n", s.text.s);
			CHECK(!"libc takes it");
			sample_free(&s);
			continue;
		}
		for (unsigned k = 0; k < TEXTS; k++) {
			size_t n = random_text(text);
			for (char *line; (line = strchr(text, '\n'));)
				*line = ' '; /* libc matches it after a $ */
			bool is = !regexec(&re, text, nmatch, m, 0);
			memset(got, 0, sizeof got);
			memcpy(want, got, sizeof want);
			for (size_t g = 0; is && g < nmatch; g++)
				want[g] = (struct run_group){m[g].rm_so, m[g].rm_eo};
			if (run_match(c, s.tagged, text, n, got) != is || run_test(s.plain, text, n) != is)
				complain(&s, text, is ? "libc matches" : "libc does not match", want, got);
			if (nmatch == 1)
				memcpy(got + 1, want + 1, sizeof got - sizeof got[0]);
			if (is)
				compare(&s, text, "libc's match", want, got);
			if (is && nmatch > 1)
				compare_few(&s, text, n, want);
		}
		regfree(&re);
		sample_free(&s);
	}
	few(refused, count);
}

static void test_random_matches_are_those_of_libc(void)
{
	anchors_in_groups = false;
	repeated_groups = alternatives_too = true;
	against_libc(700, 1);
}

static void test_random_groups_are_those_of_libc(void)
{
	anchors_in_groups = repeated_groups = alternatives_too = false;
	against_libc(700, RUN_GROUPS);
}

/* ---- tables ---- */

static const struct {
	const char *re, *text, *groups; /* "0-3 1-2 -": NULL: no match */
} group_cases[] = {
	{"abc", "xabcx", "1-4"},
	{"", "abc", "0-0"},
	{"x", "abc", NULL},
	{"a*", "baa", "0-0"},
	{"a+", "baa", "1-3"},
	{"(a|ab)(c|bcd)(d*)", "abcd", "0-4 0-2 2-3 3-4"},
	{"(a+|b+|c+)*", "aabbc", "0-5 4-5"},
	{"(a*)*", "b", "0-0 0-0"},
	{"(a*)+", "aab", "0-2 0-2"},
	{"(a|b)*", "", "0-0 -"},
	{"((a)|b)*", "ab", "0-2 1-2 -"},
	{"((..)|(.)){2}", "aaa", "0-3 2-3 - 2-3"},
	{"(a?)((ab)?)", "ab", "0-2 0-0 0-2 0-2"},
	{"(a?)((ab)?)b?", "ab", "0-2 0-1 1-1 -"},
	{"(.?)(.?)(.?)", "ab", "0-2 0-1 1-2 2-2"},
	{"(a|aa)*", "aaaa", "0-4 2-4"},
	{"^(.*)/([^/]*)$", "/usr/lib/libc.so", "0-16 0-8 9-16"},
	{"([a-z]+)@([a-z.]+)", "<me@example.org>", "1-15 1-3 4-15"},
	{"([0-9]+)\\.([0-9]+)(\\.([0-9]+))?", "v6.12", "1-5 1-2 3-5 - -"},
	{"x(a|^b)$|(b)", "b", "0-1 - 0-1"},
	{"(^|,)([^,]*)($|,)", "a,b", "0-2 0-0 0-1 1-2"},
	{"$", "ab", "2-2"},
	{"^", "ab", "0-0"},
	{"^$", "", "0-0"},
	{"a^b", "a^b", NULL},
	{"a\\^b", "a^b", "0-3"},
	{"(a){0}b", "ab", "1-2 -"},
	{"a{2}", "aaa", "0-2"},
	{"a{,2}b", "aaab", "1-4"},
	{"(a{1,2}){2,}", "aaa", "0-3 2-3"},
	{"a**", "aa", "0-2"},
	{"(a|b|)c", "bc", "0-2 0-1"},
	{"()", "a", "0-0 0-0"},
	{"[]-]+", "a]-b", "1-3"},
	{"[a\\]+", "x\\a", "1-3"},
	{"\\x41\\101\\t", "AA\t", "0-3"},
	{"[^a]", "\xff", "0-1"},
	{"[\x80-\xff]{2}", "a\xc3\xa9", "1-3"},
	{".", "\n", "0-1"},
	{"[[:upper:][:digit:]]+", "aB3c", "1-3"},
	{"[[.-.]]", "a-", "1-2"},
	{"[+--]+", ".+,-.", "1-4"},
	{"a|ab|abc", "abc", "0-3"},
	{"b|ab", "xab", "1-3"},
};

static void test_groups(void)
{
	for (size_t i = 0; i < sizeof group_cases / sizeof group_cases[0]; i++) {
		struct arena a = {0};
		struct regex_problem problem = {0};
		struct run_group g[RUN_GROUPS];
		struct sb got = {0};
		size_t n = strlen(group_cases[i].text);
		const struct regex *plain = regex_compile(&a, group_cases[i].re, strlen(group_cases[i].re),
							  REGEX_NO_GROUPS, &problem),
				   *tagged = regex_compile(&a, group_cases[i].re, strlen(group_cases[i].re),
							   REGEX_ALL_GROUPS, &problem);

		CHECK_STR(problem.text, NULL);
		if (!plain || !tagged)
			continue;
		CHECK_EQ(run_test(plain, group_cases[i].text, n), group_cases[i].groups != NULL);
		bool is = run_match(c, tagged, group_cases[i].text, n, g);
		for (unsigned k = 0; is && k < tagged->ngroups; k++)
			if (g[k].begin < 0)
				sb_puts(&got, k ? " -" : "-");
			else
				sb_printf(&got, "%s%d-%d", k ? " " : "", g[k].begin, g[k].end);
		CHECK_STR(got.s, group_cases[i].groups);
		sb_free(&got);
		arena_free(&a);
	}
}

static void test_mistakes_are_told_with_their_place(void)
{
	static const struct {
		const char *re;
		size_t off, len;
		const char *text;
	} cases[] = {
		{"a(b", 1, 1, "not closed"},
		{"ab)", 2, 1, "no ( to this )"},
		{"x[ab", 1, 1, "not closed"},
		{"[]", 0, 1, "not closed"},
		{"[^]", 0, 1, "not closed"},
		{"[z-a]", 1, 3, "empty"},
		{"[a-c-e]", 4, 1, "not between two bytes"},
		{"[[:alhpa:]]", 1, 9, "no class of bytes \"alhpa\""},
		{"[[:alpha]", 1, 2, "[: has no :]"},
		{"[[.ab.]]", 1, 6, "one byte"},
		{"[a-[:digit:]]", 1, 2, "from one byte to another"},
		{"*a", 0, 1, "nothing before the *"},
		{"a|+b", 2, 1, "nothing before the +"},
		{"(?:a)", 0, 2, "has no meaning"},
		{"^*", 1, 1, "nothing before the *"},
		{"a{2", 1, 2, "not a number"},
		{"a{2,1}", 1, 5, "above"},
		{"a{99999}", 1, 7, "too great"},
		{"a{x}", 1, 2, "not a number"},
		{"{1}", 0, 1, "nothing before the {"},
		{"a\\", 1, 1, "at the end"},
		{"(a)\\1", 3, 2, "references"},
		{"\\d+", 0, 2, "no meaning"},
		{"\\<a", 0, 2, "no meaning"},
		{"\\xg", 0, 2, "hexadecimal"},
		{"a\\0", 1, 2, "byte 0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct arena a = {0};
		struct regex_problem problem = {0};

		CHECK(!regex_compile(&a, cases[i].re, strlen(cases[i].re), i % 2 ? REGEX_ALL_GROUPS : REGEX_NO_GROUPS, &problem));
		CHECK(!problem.too_big);
		CHECK_EQ(problem.off, cases[i].off);
		CHECK_EQ(problem.len, cases[i].len);
		CHECK_HAS(problem.text, cases[i].text);
		arena_free(&a);
	}
}

/* Expressions that need exponentially many states are refused soon; those that only look so are not. */
static void test_nasty_expressions_do_not_hang(void)
{
	static const struct {
		const char *re;
		bool plain, tagged; /* within the limits */
	} cases[] = {
		{"a.{0,200}b", true, true},
		{"(a|b)*a(a|b){40}", false, false},
		{"((((a{100}){100}){100}){100}){100}", false, false},
		{"((((){100}){100}){100}){100}", false, false},
		{"(a?){200}a{200}", true, false},
		{"(a|aa|aaa|aaaa)*(b|bb|bbb)*c", true, true},
		{"((a*)*)*b", true, true},
		{"(x+x+)+y", true, true},
		{"^([^,]*,){11}P", true, true},
		{"^(([a-z])+.)+[A-Z]([a-z])+$", true, true},
		{"[0-9]{1,3}(\\.[0-9]{1,3}){3}", true, true},
		{".{500}", true, true},
		{"(a|b)*a(a|b){8}", true, true},
		{"^[a-z]{1,500}", true, true},
		{"[a-z]{1,4000}", true, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int tagged = 0; tagged < 2; tagged++) {
			struct arena a = {0};
			struct regex_problem problem = {0};
			const struct regex *re;

			unit_limit_cpu(20);
			re = regex_compile(&a, cases[i].re, strlen(cases[i].re), tagged ? REGEX_ALL_GROUPS : REGEX_NO_GROUPS, &problem);
			unit_limit_cpu(0);
			if (!!re != (tagged ? cases[i].tagged : cases[i].plain))
				printf("# %s, %s: %s\n", cases[i].re, tagged ? "tagged" : "plain",
				       re ? "compiles" : problem.text);
			CHECK_EQ(!!re, tagged ? cases[i].tagged : cases[i].plain);
			CHECK_EQ(problem.too_big, !re);
			arena_free(&a);
		}
}

static void test_matched_needs_a_match(void)
{
	struct arena a = {0};
	struct regex_problem problem;
	struct run_regex r;

	run_prepare(&r, regex_compile(&a, "(b)|c", 5, REGEX_ALL_GROUPS, &problem));
	native_ctx_again(c);
	rt_matched(c, 0);
	CHECK_HAS(c->message, "no regular expression");
	native_ctx_again(c);
	CHECK(rt_regex_match(c, &r.re, RT_STR("abc")));
	CHECK_EQ(rt_ngroups(c), 2);
	CHECK_MEM(rt_matched(c, 1).p, rt_matched(c, 1).n, "b", 1);
	CHECK_MEM(rt_matched_str(c).p, rt_matched_str(c).n, "b", 1);
	rt_matched(c, 2);
	CHECK_HAS(c->message, "subexpression 2");
	native_ctx_again(c);
	CHECK(rt_regex_match(c, &r.re, RT_STR("c")));
	CHECK_EQ(rt_matched(c, 1).n, 0);
	CHECK(!rt_regex_match(c, &r.re, RT_STR("x")));
	rt_ngroups(c);
	CHECK_HAS(c->message, "no regular expression");
	native_ctx_again(c);
	arena_free(&a);
}

/* The longest string, and the memory for it. */
static void test_long_strings(void)
{
	static char text[512];
	struct arena a = {0};
	struct regex_problem problem;
	struct run_group g[RUN_GROUPS];
	const struct regex *re = regex_compile(&a, "(a*)(b?)$", 9, REGEX_ALL_GROUPS, &problem);

	memset(text, 'a', sizeof text);
	CHECK(run_match(c, re, text, 511, g));
	CHECK_EQ(g[1].end, 511);
	CHECK(run_match(c, re, text, 512, g));
	CHECK_EQ(g[1].end, 511); /* no slice is longer than that */
	arena_free(&a);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	native_limits.regex_groups = RUN_GROUPS;
	c = native_ctx();
	UNIT_RUN(test_groups);
	UNIT_RUN(test_mistakes_are_told_with_their_place);
	UNIT_RUN(test_nasty_expressions_do_not_hang);
	UNIT_RUN(test_matched_needs_a_match);
	UNIT_RUN(test_long_strings);
	UNIT_RUN(test_random_groups_are_those_of_the_standard);
	UNIT_RUN(test_random_matches_are_those_of_libc);
	UNIT_RUN(test_random_groups_are_those_of_libc);
	native_ctx_end(c);
	return unit_done();
}
