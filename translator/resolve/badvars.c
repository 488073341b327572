/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --skip-badvars: target variables that cannot be resolved become 0, with a warning instead of an error. */
#include "translator/resolve/resolve.h"

/* Is the message about what the probed place lacks, not about how the script is written? */
static bool is_about_the_place(const struct diag *d)
{
	return d->id == E_NO_VARIABLE || d->id == E_NO_MEMBER || d->id == E_NO_TARGET_VARIABLES || d->id == E_NO_TYPE;
}

struct node *badvars_skip(struct session *s, struct diags *own, struct node *n)
{
	const struct node *base = target_base(n);
	bool is_string = n->kind == N_PRETTY || (base->kind == N_TARGET && base->name[1] == '$');

	if (!s->opt.skip_badvars)
		return NULL;
	for (const struct diag *d = own->first; d; d = d->next)
		if (d->level == DIAG_ERROR && !is_about_the_place(d))
			return NULL;
	for (const struct diag *d = own->first; d; d = d->next)
		if (d->level == DIAG_ERROR) {
			struct diag *w = diag_report(&s->diags, d->loc, W_SKIPPED_VARIABLE, "%s; %s is used instead", d->text,
						     is_string ? "an empty string" : "0");
			w->notes = d->notes;
		}
	own->first = own->last = NULL;
	own->errors = own->warnings = own->repeated = own->hidden = 0;
	return is_string ? ast_string(&s->arena, n->loc, "", 0) : ast_number(&s->arena, n->loc, 0);
}
