// SPDX-License-Identifier: GPL-2.0-or-later
/* uses_walk() on small scripts: which names it reports, in order, and how they are used. */
#include "translator/uses.h"

#include "base/intern.h"
#include "parser/parse.h"
#include "testsuite/unit/unit.h"

static void put(struct uses *u, const struct mention *m)
{
	struct sb *out = u->ctx;

	sb_printf(out, "%s%s ", out->n ? " " : "", m->name->name);
	for (unsigned i = 0; i < 4; i++)
		if (m->use & (1u << i))
			sb_putc(out, "rwcd"[i]);
	if (m->by)
		sb_printf(out, "(%s)", node_text(m->by->kind));
}

static bool no_prints(struct uses *u, struct node *n)
{
	(void)u;
	return n->kind != N_PRINT;
}

/* What is reported about the statements: each name with r (read), w (written), c (changed), d (dropped), and the kind of what does it. */
static const char *told(struct arena *a, const char *statements, bool (*node)(struct uses *u, struct node *n))
{
	struct diags diags = {.arena = a};
	struct sources sources = {.arena = a};
	struct parse_env env = {.arena = a, .diags = &diags, .sources = &sources, .compatible = "5.6"};
	struct sb out = {0};
	struct uses u = {.mention = put, .node = node, .ctx = &out};
	const char *text = arena_printf(a, "probe begin { %s }", statements);

	diags.sources = &sources;
	uses_walk(&u, parse_source(&env, source_add(&sources, "test", text, strlen(text))), false);
	if (diags.errors)
		return "it does not parse";
	text = arena_strdup(a, out.s ? out.s : "");
	sb_free(&out);
	return text;
}

static const struct {
	const char *statements, *told;
} cases[] = {
	{"x = y", "x w(assign) y r"},
	{"x += y", "x c(assign) y r"},
	{"x++", "x c(incdec)"},
	{"y = x++", "y w(assign) x rc(incdec)"},
	{"y = x = 1", "y w(assign) x w(assign)"},
	{"for (i = 0; i < n; i++) ;", "i w(assign) i r n r i c(incdec)"},
	{"while (i-- > 0) ;", "i rc(incdec)"},
	{"a[i, j++] = v", "a w(assign) i r j rc(incdec) v r"},
	{"a[i] <<< v", "a c(assign) i r v r"},
	{"y = @sum(a[i])", "y w(assign) a r i r"},
	{"delete a", "a d(delete)"},
	{"delete a[i, *]", "a d(delete) i r"},
	{"if ([i] in a) print(i)", "a r(in) i r i r"},
	{"foreach (v = i in a limit n) print(v)", "a r(foreach) v w(foreach) n r v r i w(foreach)"},
	{"foreach (i in a[*, k]) next", "a r(foreach) k r i w(foreach)"},
	{"try { x = 1 } catch (e) { print(e) }", "x w(assign) e w(try) e r"},
	{"x ? y : z", "x r y r z r"},
	{"f(x, y++)", "x r y rc(incdec)"},
	{"foreach (b in @hist_log(x)) print(b)", "x r b r b w(foreach)"},
};

static void test_what_becomes_of_each_name(void)
{
	struct arena a = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(told(&a, cases[i].statements, NULL), cases[i].told);
	arena_free(&a);
	intern_reset();
}

static void test_nodes_can_be_left_out(void)
{
	struct arena a = {0};

	CHECK_STR(told(&a, "print(x); y = 1; println(sprint(z))", no_prints), "y w(assign)");
	arena_free(&a);
	intern_reset();
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_what_becomes_of_each_name);
	UNIT_RUN(test_nodes_can_be_left_out);
	return unit_done();
}
