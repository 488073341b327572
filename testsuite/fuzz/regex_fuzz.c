// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as a regular expression (up to the first NUL) and a text (the rest, without NULs).  The automata must agree with
 * each other, and on short texts with a matcher that follows the words of POSIX.
 */
#include "testsuite/unit/regex_run.h"

enum { ORACLE_TEXT = 24 };

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.name = "fuzz",
	.limits = &native_limits,
	.probes = probes,
	.nprobes = 1,
};

static void check_groups(const struct regex *re, const struct run_group *got, const struct run_group *want)
{
	for (unsigned g = 0; g < re->ngroups && g < RUN_GROUPS; g++)
		if (got[g].begin != want[g].begin || got[g].end != want[g].end)
			abort();
}

static void match(struct rt_ctx *c, const struct regex *plain, const struct regex *tagged,
		  const struct regex_tree *tree, const char *text, size_t n)
{
	static struct oracle o;
	struct run_group got[RUN_GROUPS];
	bool is = run_match(c, tagged, text, n, got);
	int want;

	if (is != run_test(plain, text, n))
		abort();
	if (is && (got[0].begin < 0 || got[0].end < got[0].begin || got[0].end > (int)n))
		abort();
	if (n > ORACLE_TEXT)
		return;
	want = oracle_match(&o, tree, text, n);
	if (want < 0)
		return;
	if (want != is)
		abort();
	if (is)
		check_groups(tagged, got, o.groups);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rt_ctx *c;
	const uint8_t *nul = memchr(data, 0, size);
	size_t len = nul ? (size_t)(nul - data) : size, n = 0;
	struct regex_problem problem;
	struct arena a = {0};
	struct regex_tree tree;
	char text[512];

	if (!c) {
		native_limits.regex_groups = REGEX_MAX_GROUPS;
		c = native_ctx();
	}
	for (size_t i = len; i < size && n < sizeof text - 1; i++)
		if (data[i])
			text[n++] = (char)data[i];
	/* as in a session: the text of an expression ends with a NUL */
	const char *source = arena_strndup(&a, (const char *)data, len);
	const struct regex *plain = regex_compile(&a, source, len, REGEX_NO_GROUPS, &problem);
	if (!plain && (problem.off > len || problem.off + problem.len > len || !problem.text))
		abort();
	const struct regex *tagged = plain ? regex_compile(&a, source, len, REGEX_ALL_GROUPS, &problem) : NULL;
	if (plain && !tagged && !problem.too_big)
		abort();
	if (tagged && regex_parse(&a, source, len, &tree, &problem) == 0)
		match(c, plain, tagged, &tree, text, n);
	arena_free(&a);
	return 0;
}
