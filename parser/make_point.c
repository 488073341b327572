// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes of probes, aliases and probe points. */
#include <string.h>

#include "parser/grammar.h"
#include "parser/stages.h"

struct node *make_component(struct parser *p, struct token word, struct node *argument)
{
	struct node *n = ast_new(p->arena, N_COMPONENT, word.loc, 1);

	n->name = word.text;
	COMPONENT_LITERAL(n) = argument;
	return n;
}

struct node *make_alternatives(struct parser *p, struct token brace, struct node *points)
{
	struct node *n = ast_new(p->arena, N_COMPONENT, brace.loc, 1);

	ast_add_items(p->arena, n, points);
	return n;
}

struct node *make_point(struct parser *p, struct node *components)
{
	struct node *n = ast_new(p->arena, N_POINT, components->loc, 1);

	ast_add_items(p->arena, n, components);
	n->loc = ast_span(n);
	return n;
}

struct node *make_point_suffix(struct parser *p, struct node *point, struct token suffix,
			       struct node *condition)
{
	unsigned flag = suffix.kind == '?' ? NF_OPTIONAL : suffix.kind == '!' ? NF_SUFFICIENT : 0;
	bool again = flag ? point->flags & (NF_OPTIONAL | NF_SUFFICIENT) : POINT_CONDITION(point) != NULL;

	if (again) {
		diag_report(p->env->diags, suffix.loc, E_POINT_SUFFIX, "the probe point has %s already",
			    flag ? "a \"?\" or \"!\"" : "a condition");
		return point;
	}
	point->flags |= flag;
	if (condition)
		POINT_CONDITION(point) = condition;
	return point;
}

struct node *make_probe(struct parser *p, struct token keyword, struct node *points, struct node *body)
{
	struct node *n = ast_new(p->arena, N_PROBE, keyword.loc, 1);

	PROBE_BODY(n) = body;
	ast_add_items(p->arena, n, points);
	return n;
}

/* A name to be defined: plain words with dots; a "*" after the first stands for any word.  That of "+=" is marked until make_alias() sees it. */
struct node *make_alias_name(struct parser *p, struct node *point, struct token op)
{
	struct loc wrong = {0};

	if (point->flags || POINT_CONDITION(point))
		wrong = point->loc;
	for (unsigned i = 0; i < POINT_COMPONENTS(point); i++) {
		const struct node *c = POINT_COMPONENT(point, i);

		if (COMPONENT_ALTERNATIVES(c) || COMPONENT_LITERAL(c) || (str_has_glob(c->name) && (!i || strcmp(c->name, "*"))))
			wrong = c->loc;
	}
	if (wrong.source)
		diag_report(p->env->diags, wrong, E_ALIAS_NAME,
			    "the name of an alias has no arguments, braces or conditions, and no wildcard but a * for a whole word");
	point->op = op.kind == TK_ADD_SET ? OP_ADD : OP_NONE;
	return point;
}

struct node *make_alias(struct parser *p, struct token keyword, struct node *names, struct node *points,
			struct node *body, struct node *epilogue)
{
	struct node *n = ast_new(p->arena, N_ALIAS, keyword.loc, 4);

	for (unsigned i = 0; i < LIST_ITEMS(names); i++) {
		n->flags |= LIST_ITEM(names, i)->op == OP_ADD ? NF_EPILOGUE : 0;
		LIST_ITEM(names, i)->op = OP_NONE;
	}
	ALIAS_NAME_LIST(n) = make_list_node(p, N_LIST, names->loc, names);
	ALIAS_POINT_LIST(n) = make_list_node(p, N_LIST, points->loc, points);
	ALIAS_PROLOGUE(n) = n->flags & NF_EPILOGUE ? NULL : body;
	ALIAS_EPILOGUE(n) = n->flags & NF_EPILOGUE ? body : epilogue;
	if (n->flags & NF_EPILOGUE && epilogue)
		diag_report(p->env->diags, epilogue->loc, E_ALIAS_BODIES,
			    "an alias with \"+=\" has one body; one with \"=\" may have two");
	return n;
}
