/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The message about a call with a wrong number of arguments. */
#include "translator/resolve/signature.h"

#include "base/str.h"

enum { SHOWN = 4 };

const char *signature_text(struct session *s, const struct node *decl)
{
	struct sb line = {0};
	const char *text;

	sb_puts(&line, decl->name);
	if (decl->type != T_UNKNOWN && decl->type != T_VOID)
		sb_printf(&line, ":%s", type_text(decl->type));
	sb_puts(&line, " (");
	for (unsigned i = 0; i < FUNCTION_PARAMS(decl); i++) {
		const struct node *param = FUNCTION_PARAM(decl, i);
		sb_printf(&line, "%s%s", i ? ", " : "", param->name);
		if (param->type != T_UNKNOWN)
			sb_printf(&line, ":%s", type_text(param->type));
	}
	sb_puts(&line, ")");
	text = arena_strdup(&s->arena, line.s);
	sb_free(&line);
	return text;
}

static unsigned difference(const struct symbol *f, unsigned nargs)
{
	unsigned takes = FUNCTION_PARAMS(f->decl);

	return takes > nargs ? takes - nargs : nargs - takes;
}

/* The common functions of the name, sorted by how near their number of parameters is; each number once. */
static unsigned find(struct session *s, const struct node *call, const struct symbol **v)
{
	unsigned n = 0, nargs = CALL_ARGS(call);

	for (size_t i = 0; i < s->prog.functions.n; i++) {
		const struct symbol *f = s->prog.functions.entries[i].value;
		unsigned k;
		if (f->name != call->name || (f->file && f->file != call->loc.source))
			continue;
		for (k = n < SHOWN ? n++ : n; k && difference(v[k - 1], nargs) > difference(f, nargs); k--)
			if (k < SHOWN)
				v[k] = v[k - 1];
		if (k < SHOWN)
			v[k] = f;
	}
	return n;
}

/* "1", "1 or 3", "1, 2 or 3" */
static const char *counts(struct session *s, const struct symbol *const *v, unsigned n)
{
	struct sb b = {0};
	const char *text;
	bool taken[64] = {false};
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned takes = FUNCTION_PARAMS(v[i]->decl);
		if (takes < 64) {
			left += !taken[takes];
			taken[takes] = true;
		}
	}
	for (unsigned i = 0; i < 64; i++)
		if (taken[i]) {
			sb_printf(&b, "%s%u", !b.n ? "" : left == 1 ? " or " : ", ", i);
			left--;
		}
	text = arena_strdup(&s->arena, b.s ? b.s : "others");
	sb_free(&b);
	return text;
}

bool signature_report(struct session *s, const struct node *call)
{
	const struct symbol *v[SHOWN];
	unsigned n = find(s, call, v);
	struct diag *d;

	if (!n)
		return false;
	d = s_error(s, call->loc, E_ARGUMENT_COUNT, "function \"%s\" takes %s argument%s, not %u", call->name, counts(s, v, n),
		    str_plural(n > 1 ? n : FUNCTION_PARAMS(v[0]->decl)), CALL_ARGS(call));
	for (unsigned i = 0; i < n; i++) {
		if (v[i]->decl->flags & NF_TAPSET)
			diag_hint(&s->diags, d, "it is %s", signature_text(s, v[i]->decl));
		else
			diag_note(&s->diags, d, v[i]->decl->loc, "it is %s", signature_text(s, v[i]->decl));
	}
	return true;
}
