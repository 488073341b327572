/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @enumname(value, "type", "module"): the name of an enum constant; the type is that of the value where none is given. */
#include "translator/debuginfo/types.h"
#include "translator/resolve/resolve.h"

struct node *enumname_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	struct node *value = ATOP_ARG(n, 0), *out;
	const struct node *name = ATOP_ARGS(n) > 1 ? ATOP_ARG(n, 1) : NULL;
	const struct node *module = ATOP_ARGS(n) > 2 ? ATOP_ARG(n, 2) : NULL;
	const struct dtype *t = name ? cast_type(s, ds, p, name, name->text, module) : value->dtype;
	struct sb text = {0};

	if (!t && name)
		return NULL;
	if (!t || dtype_kind(t) != DTYPE_ENUM) {
		ast_unparse_short(value, &text);
		struct diag *d = t ? diag_report(ds, n->loc, E_UNTYPED, "\"%s\" is not an enum type", dtype_text(&s->arena, t)) :
				 diag_report(ds, n->loc, E_UNTYPED, "the enum type of \"%s\" is not known", text.s ? text.s : "this");
		diag_hint(ds, d, "name the type: @enumname(..., \"enum NAME\")");
		sb_free(&text);
		return NULL;
	}
	out = ast_new(&s->arena, N_ENUM_NAME, n->loc, 1);
	ENUM_NAME_VALUE(out) = value;
	out->dtype = t;
	out->type = T_STRING;
	return out;
}
