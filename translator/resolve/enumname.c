/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @enumname(value, "type", "module"): the name of an enum constant; the type is that of the value where none is given. */
#include "translator/debuginfo/types.h"
#include "translator/resolve/resolve.h"

struct node *enumname_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	const struct dtype *t = n->nk > 1 ? cast_type(s, ds, p, n->k[1], n->k[1]->text, n->nk > 2 ? n->k[2] : NULL) : n->k[0]->dtype;
	struct node *out;
	struct sb text = {0};

	if (!t && n->nk > 1)
		return NULL;
	if (!t || dtype_kind(t) != DTYPE_ENUM) {
		ast_unparse_short(n->k[0], &text);
		struct diag *d = t ? diag_report(ds, n->loc, E_UNTYPED, "\"%s\" is no enum type", dtype_text(&s->arena, t)) :
				 diag_report(ds, n->loc, E_UNTYPED, "the enum type of \"%s\" is not known", text.s ? text.s : "this");
		diag_hint(ds, d, "name the type: @enumname(..., \"enum NAME\")");
		sb_free(&text);
		return NULL;
	}
	out = ast_new(&s->arena, N_ENUM_NAME, n->loc, 1);
	out->k[0] = n->k[0];
	out->dtype = t;
	out->type = T_STRING;
	return out;
}
