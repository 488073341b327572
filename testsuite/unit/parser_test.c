// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parser on what needs an environment: arguments, options, libraries; and its tree.  What it takes and what it refuses
 * is in testsuite/tables/parse.cases.
 */
#include "base/intern.h"
#include "parser/parse.h"
#include "testsuite/unit/unit.h"

struct session {
	struct arena arena;
	struct sources sources;
	struct diags diags;
	struct parse_env env;
};

static const char *config_value(void *data, const char *name)
{
	(void)data;
	return !strcmp(name, "CONFIG_SMP") ? "y" : !strcmp(name, "CONFIG_HZ") ? "250" : NULL;
}

static void session_init(struct session *s)
{
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
		.config = config_value,
	};
}

static void session_free(struct session *s)
{
	arena_free(&s->arena);
	intern_reset();
}

static struct node *parse_text(struct session *s, const char *text, size_t len)
{
	return parse_source(&s->env, source_add(&s->sources, "test", text, len));
}

static struct node *parse(struct session *s, const char *text)
{
	return parse_text(s, text, strlen(text));
}

/* "id id id": the messages, in order. */
static void put_ids(const struct session *s, struct sb *out)
{
	for (const struct diag *d = s->diags.first; d; d = d->next) {
		sb_puts(out, d == s->diags.first ? "" : " ");
		sb_puts(out, diag_name(d->id));
	}
}

static void check_ids(const char *text, const char *ids, const char *file, int line)
{
	struct session s;
	struct sb got = {0};

	session_init(&s);
	parse(&s, text);
	put_ids(&s, &got);
	unit_check_str(got.s ? got.s : "", ids, file, line, text);
	sb_free(&got);
	session_free(&s);
}
#define CHECK_IDS(text, ids) check_ids(text, ids, __FILE__, __LINE__)

/* ---- the tree ---- */

static void test_dump_shows_all_that_matters(void)
{
	struct session s;
	struct sb b = {0};

	session_init(&s);
	ast_dump(parse(&s, "private global a%[5]\n"
			   "function f:long(x:string) :2 { return -x }\n"
			   "probe a.b(\"c\") ? { foreach (v = [i, j-] in a) printf(\"%d\\n\", v++) }"),
		 &b);
	CHECK_STR(b.s, "file\n"
		       "  global a 5 +private +wrap +sized\n"
		       "    -\n"
		       "  function f 2 :long\n"
		       "    block\n"
		       "      return\n"
		       "        unary -\n"
		       "          name x\n"
		       "    param x :string\n"
		       "  probe\n"
		       "    block\n"
		       "      foreach - @count 2\n"
		       "        name a\n"
		       "        name v\n"
		       "        -\n"
		       "        expression\n"
		       "          print printf \"%d\\n\" +format\n"
		       "            incdec +\n"
		       "              name v\n"
		       "        name i\n"
		       "        name j\n"
		       "    point +optional\n"
		       "      -\n"
		       "      component a\n"
		       "        -\n"
		       "      component b\n"
		       "        string \"c\"\n");
	sb_free(&b);
	session_free(&s);
}

static void check_short(const struct node *n, const char *want)
{
	struct sb b = {0};

	ast_unparse_short(n, &b);
	CHECK_STR(b.s, want);
	sb_free(&b);
}

static void test_short_texts_are_for_messages(void)
{
	struct session s;
	struct node *f;

	session_init(&s);
	f = parse(&s, "probe a.b(\"x\").c*, d if (e) ! { x[1, \"k\"] = 5 while (1) { } } function g(x) { }");
	check_short(f->k[0], "probe a.b(\"x\").c*, d if (e) !");
	check_short(f->k[0]->k[1], "a.b(\"x\").c*");
	check_short(f->k[0]->k[0]->k[0], "x[1, \"k\"] = 5");
	check_short(f->k[0]->k[0]->k[1], "for");
	check_short(f->k[1], "function g");
	session_free(&s);
}

static void test_verify_finds_what_is_broken(void)
{
	struct session s;
	struct node *f, *assign;

	session_init(&s);
	f = parse(&s, "probe begin { x = y + 1; $z = 1 }");
	CHECK_STR(ast_verify(f, STAGE_PARSE, &s.arena), NULL);
	CHECK_HAS(ast_verify(f, STAGE_CHECK, &s.arena), "must not exist any more");
	CHECK_HAS(ast_verify(ast_new(&s.arena, N_TEMP, f->loc, 0), STAGE_OPT, &s.arena), "must not exist yet");
	CHECK_STR(ast_verify(ast_new(&s.arena, N_TEMP, f->loc, 0), STAGE_LOWER, &s.arena), NULL);
	assign = f->k[0]->k[0]->k[0]->k[0];
	assign->k[1]->op = OP_NEG;
	CHECK_HAS(ast_verify(f, STAGE_PARSE, &s.arena), "wrong operator");
	assign->k[1]->op = OP_ADD;
	assign->k[1]->k[0] = NULL;
	CHECK_HAS(ast_verify(f, STAGE_PARSE, &s.arena), "child 0 does not belong there");
	assign->nk = 1;
	CHECK_HAS(ast_verify(f, STAGE_PARSE, &s.arena), "wrong number of children");
	session_free(&s);
}

static void test_locations_are_those_of_the_telling_token(void)
{
	struct session s;
	struct node *f, *e;

	session_init(&s);
	f = parse(&s, "probe begin { abc = d->e + foo(1) }");
	e = f->k[0]->k[0]->k[0]->k[0];
	CHECK_EQ(e->loc.off, 18);
	CHECK_EQ(e->k[1]->loc.off, 25);
	CHECK_EQ(e->k[1]->k[1]->loc.len, 3);
	CHECK_EQ(ast_span(e).off, 14);
	CHECK_EQ(ast_span(e->k[1]).off, 20);
	session_free(&s);
}

static void test_children_can_be_added_to_a_node_that_had_some(void)
{
	struct arena a = {0};
	struct loc nowhere = {0};
	struct node *n = ast_new(&a, N_BLOCK, nowhere, 3), *copy;

	for (int i = 0; i < 3; i++)
		n->k[i] = ast_number(&a, nowhere, i);
	for (int i = 3; i < 100; i++)
		ast_add(&a, n, ast_number(&a, nowhere, i));
	copy = ast_copy(&a, n);
	ast_add(&a, copy, ast_number(&a, nowhere, 100));
	CHECK_EQ(n->nk, 100);
	CHECK_EQ(copy->nk, 101);
	for (int i = 0; i < 100; i++)
		CHECK_EQ(n->k[i]->num, i);
	arena_free(&a);
}

static void test_statements_of_a_block_can_be_replaced_by_more_fewer_and_none(void)
{
	struct arena a = {0};
	struct loc nowhere = {0};
	struct node *n = ast_new(&a, N_BLOCK, nowhere, 3), *with[] = {ast_number(&a, nowhere, 7), ast_number(&a, nowhere, 8)};

	for (unsigned i = 0; i < 3; i++)
		BLOCK_STATEMENT(n, i) = ast_number(&a, nowhere, i);
	ast_splice(&a, n, 1, 2, with, 2);
	CHECK_EQ(BLOCK_STATEMENTS(n), 4);
	CHECK_EQ(BLOCK_STATEMENT(n, 0)->num, 0);
	CHECK_EQ(BLOCK_STATEMENT(n, 1)->num, 7);
	CHECK_EQ(BLOCK_STATEMENT(n, 2)->num, 8);
	CHECK_EQ(BLOCK_STATEMENT(n, 3)->num, 2);
	ast_splice(&a, n, 0, 3, with, 1);
	CHECK_EQ(BLOCK_STATEMENTS(n), 2);
	CHECK_EQ(BLOCK_STATEMENT(n, 0)->num, 7);
	CHECK_EQ(BLOCK_STATEMENT(n, 1)->num, 2);
	ast_splice(&a, n, 0, 2, NULL, 0);
	CHECK_EQ(BLOCK_STATEMENTS(n), 0);
	arena_free(&a);
}

/* ---- environment ---- */

static void check_arguments(const char *text, const char *const *args, unsigned n, const char *want,
			    const char *ids)
{
	struct session s;
	struct sb b = {0}, got = {0};

	session_init(&s);
	s.env.args = args;
	s.env.nargs = n;
	ast_unparse(parse(&s, text), &b);
	put_ids(&s, &got);
	CHECK_STR(got.s ? got.s : "", ids);
	if (want)
		CHECK_STR(b.s, want);
	sb_free(&b);
	sb_free(&got);
	session_free(&s);
}

static void test_arguments_are_spliced_as_text_and_as_strings(void)
{
	const char *const args[] = {"a + b", "with \"quotes\"", "$1", "12"};

	check_arguments("probe begin { x = 2 * $1 }", args, 4, "probe begin {\n\tx = 2 * a + b;\n}\n", "");
	check_arguments("probe begin { x = @1 \"-\" @2 }", args, 4,
			"probe begin {\n\tx = \"a + b-with \\\"quotes\\\"\";\n}\n", "");
	check_arguments("probe begin { x = $# . @# }", args, 4, "probe begin {\n\tx = 4 . \"4\";\n}\n", "");
	check_arguments("probe timer.ms($4) { }", args, 4, "probe timer.ms(12) {\n}\n", "");
	check_arguments("probe begin { x = $3 }", args, 4, NULL, "nested-argument");
	check_arguments("probe begin { x = $5 }", args, 4, NULL, "argument-range");
	check_arguments("probe begin { x = @1 }", args, 0, NULL, "argument-range");
	check_arguments("probe begin { x = $0 }", args, 4, NULL, "argument-range");
	check_arguments("probe begin { x = %( $# > 4 && @5 == \"x\" %? $5 %: 7 %) }", args, 4,
			"probe begin {\n\tx = 7;\n}\n", "");
	check_arguments("probe syscall.$1* { }", (const char *const[]){"op"}, 1, "probe syscall.op* {\n}\n",
			"");
	check_arguments("probe begin { x = $1 }", (const char *const[]){"\"unclosed"}, 1, NULL,
			"unclosed-string");
}

static void test_errors_in_an_argument_name_the_argument(void)
{
	static const char *const args[] = {"1 +* 2"};
	struct session s;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	session_init(&s);
	s.env.args = args;
	s.env.nargs = 1;
	parse(&s, "probe begin { x = $1 }");
	diag_flush(&s.diags, f, false);
	fclose(f);
	CHECK_HAS(text, "<argument 1>:1:4: error: expected an expression");
	CHECK_HAS(text, "test:1:19: note: the argument $1 is put in here");
	free(text);
	session_free(&s);
}

static void test_lone_probe_points_are_parsed(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"syscall.*", "syscall.*"},
		{"kernel.function(\"x\").return ?", "kernel.function(\"x\").return ?"},
		{"process(\"/bin/ls\").{begin,end}", "process(\"/bin/ls\").{begin, end}"},
		{"", NULL},
		{"a b", NULL},
		{"a, b", NULL},
		{"a.b {", NULL},
		{"a.", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct session s;
		struct sb b = {0};
		struct node *n;

		session_init(&s);
		n = parse_point(&s.env,
				source_add(&s.sources, "point", cases[i].text, strlen(cases[i].text)));
		if (n)
			ast_unparse(n, &b);
		CHECK_STR(b.s, cases[i].want);
		CHECK_EQ(s.diags.errors, cases[i].want ? 0 : 1);
		sb_free(&b);
		session_free(&s);
	}
}

static void read_library(struct session *s, const char *text)
{
	parse_macros(&s->env, source_add(&s->sources, "lib.stpm", text, strlen(text)));
}

static void test_library_macros_see_only_library_macros(void)
{
	struct session s;
	struct sb b = {0};

	session_init(&s);
	read_library(&s, "@define helper %( 1 %)\n%( arch == \"x86_64\" %? @define lib(x) %( @helper + @x + "
			 "@user %) %: @define lib %( 9 %) %)");
	CHECK_EQ(s.diags.errors, 0);
	ast_unparse(
		parse(&s, "@define user %( 2 %) @define helper %( 3 %) probe begin { x = @lib(@helper) }"),
		&b);
	CHECK_EQ(s.diags.errors, 1); /* @user has no meaning in the library */
	CHECK_STR(diag_name(s.diags.first->id), "unknown-operator");
	CHECK_HAS(b.s, "x = 1 + 3 + @user");
	sb_free(&b);
	session_free(&s);
}

static void test_libraries_hold_only_macros(void)
{
	struct session s;
	struct sb b = {0};

	session_init(&s);
	read_library(&s, "@define a %( 1 %) @define a %( 2 %)");
	read_library(&s, "@define b %( 1 %) probe begin { }");
	read_library(&s, "@define c %( 1");
	put_ids(&s, &b);
	CHECK_STR(b.s, "macro-twice macro-file macro-definition");
	sb_free(&b);
	session_free(&s);
}

static void test_tapset_files_may_hold_c_and_nothing(void)
{
	struct session s;
	struct source *src;
	struct node *n;

	session_init(&s);
	s.env.compatible = "1.0";
	src = source_add(&s.sources, "tapset.stp", "function f() %{ %} private global a", 35);
	src->is_tapset = true;
	n = parse_source(&s.env, src);
	CHECK_EQ(s.diags.errors, 0);
	CHECK_EQ(n->nk, 2);
	CHECK(n->k[0]->flags & NF_TAPSET);
	CHECK(n->k[1]->flags & NF_PRIVATE);
	src = source_add(&s.sources, "empty.stp", "", 0);
	src->is_tapset = true;
	CHECK_EQ(parse_source(&s.env, src)->nk, 0);
	CHECK_EQ(s.diags.errors, 0);
	session_free(&s);
}

/* ---- limits ---- */

static void repeat(struct sb *b, const char *s, unsigned n)
{
	while (n--)
		sb_puts(b, s);
}

static void check_repeated(const char *before, const char *open, const char *middle, const char *close,
			   const char *after, unsigned n, const char *ids)
{
	struct session s;
	struct sb b = {0}, got = {0};

	session_init(&s);
	sb_puts(&b, before);
	repeat(&b, open, n);
	sb_puts(&b, middle);
	repeat(&b, close, n);
	sb_puts(&b, after);
	parse_text(&s, b.s, b.n);
	put_ids(&s, &got);
	unit_check_str(got.s ? got.s : "", ids, __FILE__, __LINE__, open);
	sb_free(&b);
	sb_free(&got);
	session_free(&s);
}

static void test_depth_is_limited_and_size_is_not(void)
{
	check_repeated("probe begin { x = ", "- ", "1", "", " }", 900, "");
	check_repeated("probe begin { x = ", "- ", "1", "", " }", 1100, "too-deep");
	check_repeated("probe begin { x = 1", " + 1", "", "", " }", 100000, "too-deep");
	check_repeated("probe begin { ", "{", "x = 1", "}", " }", 1100, "too-deep");
	check_repeated("probe begin { ", "if (a) { b = 1 } else ", "{ }", "", " }", 900, "");
	check_repeated("probe begin { x = ", "(", "1", ")", " }", 5000, "");
	check_repeated("probe begin { x = ", "(", "1", ")", " }", 300000, "too-deep");
	check_repeated("probe begin { x = ", "a[", "1", "]", " }", 300000, "too-deep");
	check_repeated("probe ", "{a.", "b", "}", " { }", 150000, "too-deep");
	check_repeated("probe begin { ", "x = 1; ", "", "", " }", 20000, "");
	check_repeated("", "global a\n", "", "", "", 20000, "");
	check_repeated("probe begin { x = ", "(", "1", "", "", 300000, "too-deep");
	check_repeated("probe begin { x = 1 = ", "a ? b : ", "1", "", " }", 200000, "too-deep");
}

static void test_macros_cannot_run_away(void)
{
	CHECK_IDS("@define a %( @b %) @define b %( @a %) probe begin { x = @a }", "macro-depth");
	CHECK_IDS(
		"@define a %( 1 %) @define b %( @a @a @a @a @a @a @a @a @a @a %) @define c %( @b @b @b @b @b "
		"@b @b @b @b @b %)"
		"@define d %( @c @c @c @c @c @c @c @c @c @c %) @define e %( @d @d @d @d @d @d @d @d @d @d %)"
		"@define f %( @e @e @e @e @e @e @e @e @e @e %) @define g %( @f @f @f @f @f @f @f @f @f @f %)"
		"@define h %( @g @g @g @g @g @g @g @g @g @g %) probe begin { @h }",
		"too-big");
}

static void test_any_byte_is_safe(void)
{
	struct session s;
	char all[256];

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	session_init(&s);
	parse_text(&s, all, sizeof all);
	CHECK(s.diags.errors > 0);
	parse_text(&s, "probe begin { x = \"a\0b\" }", 26);
	CHECK_EQ(intern_len(parse_text(&s, "global x = \"a\0b\"", 16)->k[0]->k[0]->text), 3);
	session_free(&s);
}

static void test_messages_say_what_to_do(void)
{
	static const struct {
		const char *script, *part;
	} cases[] = {
		{"probe begin { x := 5 }", "hint: assignment is written \"=\""},
		{"probe begin { x = 'a' }", "hint: strings are written with double quotes"},
		{"prob begin { }", "hint: did you mean \"probe\"?"},
		{"probe begin { x = @cuont(y) }", "did you mean \"@count\""},
		{"@define mymacro %( 1 %) probe begin { x = @mymarco }", "did you mean \"@mymacro\""},
		{"%( kernel_w == \"x\" %? %)", "did you mean \"kernel_v\""},
		{"probe begin { printf(\"%d %f\", 1, 2) }", "1:26: error: \"%f\" is not a conversion"},
		{"probe begin { printf(\"5%\\n\") }", "1:24: error: \"%\\n\" is not a conversion"},
		{"probe begin { printf(\"a\\tb %d\", 1, 2) }", "1:36: error: the format uses only 1"},
		{"probe begin { foo(1 2) }", "expected \")\" or \",\", saw \"2\""},
		{"probe begin { if (a) b = 1;; else c = 2 }", "hint: the \";\" before \"else\""},
		{"probe begin { next = 1 }", "expected a statement or \"}\", saw \"=\""},
		{"global next", "hint: \"next\" is a keyword and cannot be a name"},
		{"function f(int x) { }", "hint: types are left out, or follow the name: x:long"},
		{"function f { }", "hint: a function has parentheses even without parameters: f()"},
		{"probe begin { x = a::b }", "there is no operator \"::\""},
		{"probe begin { if (a <> b) ; }", "hint: \"not equal\" is written \"!=\""},
		{"probe begin { f(1 }", "note: the \"(\" is opened here"},
		{"probe begin { x = %{ 1 %} }", "hint: give the option -g"},
		{"x = 5", "statements belong within { } of these"},
		{"@define m(a) %( 1 + * @a %) probe begin { x = @m(2) }", "1:21: error: expected an"},
		{"@define m(a) %( 1 + * @a %) probe begin { x = @m(2) }", "1:47: note: in the expansion of"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct session s;
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		session_init(&s);
		parse(&s, cases[i].script);
		diag_flush(&s.diags, f, false);
		fclose(f);
		CHECK_HAS(text, cases[i].part);
		free(text);
		session_free(&s);
	}
}

static void test_many_errors_are_told_and_no_more_than_twenty(void)
{
	struct session s;
	struct sb b = {0};
	unsigned n = 0;

	session_init(&s);
	for (int i = 0; i < 30; i++)
		sb_puts(&b, "probe begin { x = * 5; y = 1 }\n");
	parse_text(&s, b.s, b.n);
	for (const struct diag *d = s.diags.first; d; d = d->next)
		n++;
	CHECK_EQ(n, 20);
	CHECK_EQ(s.diags.errors, 30);
	sb_free(&b);
	session_free(&s);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_dump_shows_all_that_matters);
	UNIT_RUN(test_short_texts_are_for_messages);
	UNIT_RUN(test_verify_finds_what_is_broken);
	UNIT_RUN(test_locations_are_those_of_the_telling_token);
	UNIT_RUN(test_children_can_be_added_to_a_node_that_had_some);
	UNIT_RUN(test_statements_of_a_block_can_be_replaced_by_more_fewer_and_none);
	UNIT_RUN(test_arguments_are_spliced_as_text_and_as_strings);
	UNIT_RUN(test_errors_in_an_argument_name_the_argument);
	UNIT_RUN(test_lone_probe_points_are_parsed);
	UNIT_RUN(test_library_macros_see_only_library_macros);
	UNIT_RUN(test_libraries_hold_only_macros);
	UNIT_RUN(test_tapset_files_may_hold_c_and_nothing);
	UNIT_RUN(test_depth_is_limited_and_size_is_not);
	UNIT_RUN(test_macros_cannot_run_away);
	UNIT_RUN(test_any_byte_is_safe);
	UNIT_RUN(test_messages_say_what_to_do);
	UNIT_RUN(test_many_errors_are_told_and_no_more_than_twenty);
	return unit_done();
}
