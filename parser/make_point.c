// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes of probes, aliases and probe points. */
#include <string.h>

#include "base/intern.h"
#include "parser/grammar.h"
#include "parser/stages.h"

struct node *make_component(struct parser *p, struct token word, struct node *argument)
{
	struct node *n = ast_new(p->arena, N_COMPONENT, word.loc, 1);

	n->name = word.text;
	n->k[0] = argument;
	return n;
}

struct node *make_alternatives(struct parser *p, struct token brace, struct node *points)
{
	struct node *n = ast_new(p->arena, N_COMPONENT, brace.loc, 1 + points->nk);

	memcpy(n->k + 1, points->k, points->nk * sizeof *n->k);
	return n;
}

struct node *make_point(struct parser *p, struct node *components)
{
	struct node *n = ast_new(p->arena, N_POINT, components->loc, 1 + components->nk);

	memcpy(n->k + 1, components->k, components->nk * sizeof *n->k);
	n->loc = ast_span(n);
	return n;
}

struct node *make_point_suffix(struct parser *p, struct node *point, struct token suffix,
			       struct node *condition)
{
	unsigned flag = suffix.kind == '?' ? NF_OPTIONAL : suffix.kind == '!' ? NF_SUFFICIENT : 0;
	bool again = flag ? point->flags & (NF_OPTIONAL | NF_SUFFICIENT) : point->k[0] != NULL;

	if (again) {
		diag_report(p->env->diags, suffix.loc, E_POINT_SUFFIX, "the probe point has %s already",
			    flag ? "a \"?\" or \"!\"" : "a condition");
		return point;
	}
	point->flags |= flag;
	if (condition)
		point->k[0] = condition;
	return point;
}

struct node *make_probe(struct parser *p, struct token keyword, struct node *points, struct node *body)
{
	struct node *n = ast_new(p->arena, N_PROBE, keyword.loc, 1 + points->nk);

	n->k[0] = body;
	memcpy(n->k + 1, points->k, points->nk * sizeof *n->k);
	return n;
}

/* A name to be defined: plain words with dots.  That of "+=" is marked until make_alias() sees it. */
struct node *make_alias_name(struct parser *p, struct node *point, struct token op)
{
	struct loc wrong = {0};

	if (point->flags || point->k[0])
		wrong = point->loc;
	for (unsigned i = 1; i < point->nk; i++) {
		const struct node *c = point->k[i];

		if (c->nk > 1 || c->k[0] || str_has_glob(c->name))
			wrong = c->loc;
	}
	if (wrong.source)
		diag_report(p->env->diags, wrong, E_ALIAS_NAME,
			    "the name of an alias has no arguments, wildcards, braces or conditions");
	point->op = op.kind == TK_ADD_SET ? OP_ADD : OP_NONE;
	return point;
}

struct node *make_alias(struct parser *p, struct token keyword, struct node *names, struct node *points,
			struct node *body, struct node *epilogue)
{
	struct node *n = ast_new(p->arena, N_ALIAS, keyword.loc, 4);

	for (unsigned i = 0; i < names->nk; i++) {
		n->flags |= names->k[i]->op == OP_ADD ? NF_EPILOGUE : 0;
		names->k[i]->op = OP_NONE;
	}
	n->k[0] = make_list_node(p, N_LIST, names->loc, names);
	n->k[1] = make_list_node(p, N_LIST, points->loc, points);
	n->k[2] = n->flags & NF_EPILOGUE ? NULL : body;
	n->k[3] = n->flags & NF_EPILOGUE ? body : epilogue;
	if (n->flags & NF_EPILOGUE && epilogue)
		diag_report(p->env->diags, epilogue->loc, E_ALIAS_BODIES,
			    "an alias with \"+=\" has one body; one with \"=\" may have two");
	return n;
}
