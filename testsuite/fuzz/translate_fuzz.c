// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer target: any text goes through all passes up to generated C without harm, and the tree
 * keeps its rules in between. No kernel is opened, so scripts that need one are refused.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "testsuite/fuzz/grammar_mutator.h"
#include "translator/lower/lower.h"
#include "translator/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The passes that are not run here. */
int build_pass(struct session *s)
{
	(void)s;
	return -1;
}

int run_module(struct session *s)
{
	(void)s;
	return 1;
}

static void must_verify(struct session *s, struct node *n, enum ast_stage stage)
{
	const char *bad = n ? ast_verify(n, stage, &s->arena) : NULL;

	if (!bad)
		return;
	fprintf(stderr, "after stage %d: %s\n", stage, bad);
	__builtin_trap();
}

static void must_hold(struct session *s, enum ast_stage stage)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		must_verify(s, s->prog.probes.v[i]->body, stage);
}

static void must_be_lowered(struct session *s)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		must_verify(s, s->prog.probes.v[i]->lowered, STAGE_LOWER);
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		must_verify(s, s->prog.function_list.v[i]->lowered, STAGE_LOWER);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	static struct session s;
	char text[8192];

	if (!size || size >= sizeof text)
		return 0;
	if (!null)
		null = fopen("/dev/null", "w");
	memcpy(text, data, size);
	text[size] = 0;
	s = (struct session){0};
	s.diags.arena = s.sources.arena = &s.arena;
	s.diags.sources = &s.sources;
	s.opt.last_pass = 3;
	s.opt.script_text = text;
	if (!session_init(&s) && !parse_pass(&s) && !points_pass(&s) && !advise_pass(&s) && !bind_pass(&s) && !infer_pass(&s) &&
	    !check_pass(&s)) {
		must_hold(&s, STAGE_CHECK);
		if (!display_pass(&s) && !opt_pass(&s)) {
			if (!lower_pass(&s))
				must_be_lowered(&s);
			if (s.diags.errors || emit_pass(&s)) {
				diag_flush(&s.diags, stderr, false);
				__builtin_trap(); /* every checked program can be lowered and emitted */
			}
		}
	}
	diag_flush(&s.diags, null, false);
	session_end(&s);
	intern_reset();
	return 0;
}
