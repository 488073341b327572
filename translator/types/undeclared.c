/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One message for a name, with the declaration that is missing. */
#include "translator/types/undeclared.h"

#include <string.h>

#include "base/intern.h"

/* Globals of the script that are used in the same way. */
static const char *similar(struct session *s, const struct symbol *v, const char *what)
{
	struct nearest near;

	nearest_init(&near, v->name);
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		const struct symbol *g = s->prog.globals.entries[i].value;
		if ((g->decl->flags & NF_TAPSET) || g->decl->loc.source == 0)
			continue;
		if (!strcmp(what, "array") ? g->is_array : g->type == T_STATS)
			nearest_add(&near, g->name);
	}
	if (!strcmp(what, "array") && !map_get(&s->prog.globals, intern("argv")))
		nearest_add(&near, "argv"); /* which is there as soon as it is named */
	return nearest_text(&near, &s->arena);
}

void undeclared_report(struct session *s, const struct symbol *v, const struct node *at, enum diag_id id, const char *what)
{
	struct diag *d;
	const char *text;

	if (v->is_param) {
		d = s_error(s, at->loc, id, "\"%s\" is a parameter, and no global %s", v->name, what);
		diag_note(&s->diags, d, v->decl->loc, "declared here");
		diag_hint(&s->diags, d, "a parameter is one number or string: name the global %s itself here", what);
		return;
	}
	d = s_error(s, at->loc, id, "\"%s\" is no global %s: nothing declares it", v->name, what);
	text = similar(s, v, what);
	if (text)
		diag_hint(&s->diags, d, "declare it: global %s; or did you mean %s?", v->name, text);
	else
		diag_hint(&s->diags, d, "declare it: global %s", v->name);
}
