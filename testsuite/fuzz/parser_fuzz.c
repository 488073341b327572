// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer target: any bytes are parsed without harm, and the unparsed text of each tree parses to an equal tree.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "parser/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct session {
	struct arena arena;
	struct sources sources;
	struct diags diags;
	struct parse_env env;
};

static void session_init(struct session *s, bool guru, bool with_arguments)
{
	static const char *const args[] = {"a", "\"b\" + 1", "1", "probe x { f(", "%( 1 ==", "@c"};

	*s = (struct session){.arena = {0}};
	s->sources.arena = &s->arena;
	s->diags.arena = &s->arena;
	s->diags.sources = &s->sources;
	s->env = (struct parse_env){
		.arena = &s->arena,
		.diags = &s->diags,
		.sources = &s->sources,
		.kernel_release = "6.1.0-56-amd64",
		.arch = "x86_64",
		.runtime = "kernel",
		.privilege = "stapdev",
		.compatible = "5.6",
		.guru = guru,
		.args = args,
		.nargs = with_arguments ? sizeof args / sizeof *args : 0,
	};
}

static void must(bool ok, const char *what, const char *text)
{
	if (ok)
		return;
	fprintf(stderr, "%s\n%s\n", what, text ? text : "");
	abort();
}

/* Messages must also be printable. */
static void print_messages(struct session *s)
{
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	diag_flush(&s->diags, null, true);
}

/* Also after errors, a tree is well formed and can be shown. */
static void check_shape(struct session *s, struct node *tree)
{
	const char *offence = ast_verify(tree, STAGE_PARSE, &s->arena);
	struct sb text = {0};

	must(!offence, "a tree is not well formed", offence);
	ast_unparse(tree, &text);
	ast_dump(tree, &text);
	sb_free(&text);
}

static void check_round_trip(struct node *tree)
{
	struct session again;
	struct sb text = {0};
	struct node *copy;

	ast_unparse(tree, &text);
	session_init(&again, true, false);
	copy = parse_source(&again.env, source_add(&again.sources, "again", text.s ? text.s : "", text.n));
	must(!again.diags.errors || !tree->nk, "what was unparsed does not parse", text.s);
	must(!tree->nk || ast_equal(tree, copy), "what was unparsed parses to something else", text.s);
	sb_free(&text);
	arena_free(&again.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session s;
	struct source *src;
	struct node *tree;
	unsigned flags = size ? data[0] : 0;

	if (!size || size > 20000)
		return 0;
	session_init(&s, flags & 1, flags & 2);
	src = source_add(&s.sources, "fuzz", (const char *)data + 1, size - 1);
	src->is_tapset = flags & 4;
	if (flags & 8)
		s.env.compatible = "1.0";
	if (flags & 16)
		parse_macros(&s.env, src);
	if (flags & 32) {
		tree = parse_point(&s.env, src);
		if (tree)
			check_shape(&s, tree);
	} else {
		tree = parse_source(&s.env, src);
		check_shape(&s, tree);
		if (!s.diags.errors && !(flags & 8))
			check_round_trip(tree);
	}
	print_messages(&s);
	arena_free(&s.arena);
	intern_reset();
	return 0;
}
