/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up and prints what is known of a function's parameters. */
#include "translator/debuginfo/proto.h"

#include <string.h>

#include "translator/debuginfo/dtype.h"

const struct proto_value *proto_param(struct arena *a, const struct proto *p, const char *name,
				      struct problem *why)
{
	struct nearest near;
	size_t i;

	nearest_init(&near, name);
	for (i = 0; i < p->nparams; i++) {
		if (name[0] && strcmp(p->params[i].name, name) == 0)
			return &p->params[i];
		if (p->params[i].name[0])
			nearest_add(&near, p->params[i].name);
	}
	problem_set(why, a, PROBLEM_NO_MEMBER, "there is no parameter \"%s\"", name);
	if (why)
		why->near = nearest_text(&near, a);
	return NULL;
}

const char *proto_text(struct arena *a, const struct proto *p, const char *function)
{
	struct sb out = {0};
	const char *text;
	size_t i;

	sb_printf(&out, "%s(", function);
	for (i = 0; i < p->nparams; i++)
		sb_printf(&out, "%s%s", i ? ", " : "",
			  dtype_declaration(a, p->params[i].type, p->params[i].name));
	if (p->variadic)
		sb_puts(&out, p->nparams ? ", ..." : "...");
	else if (!p->nparams)
		sb_puts(&out, "void");
	sb_putc(&out, ')');
	text = p->returns ? dtype_declaration(a, p->ret.type, out.s) : arena_printf(a, "void %s", out.s);
	sb_free(&out);
	return text;
}
