/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of SystemTap's library that Spile does not have: what to use instead.  The table is foreign.def. */
#include <string.h>

#include "translator/resolve/resolve.h"

struct foreign {
	const char *names, *what, *instead;
};

static const struct foreign table[] = {
#define FOREIGN(names, what, instead) {names, what, instead},
#include "translator/resolve/foreign.def"
#undef FOREIGN
};

static bool has_name(struct session *s, const char *names, const char *name)
{
	for (const char *p = names; *p;) {
		size_t n = strcspn(p, " ");
		if (str_glob(arena_strndup(&s->arena, p, n), name))
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

bool foreign_is_misspelt(struct session *s, const struct node *call)
{
	struct nearest near;

	nearest_init(&near, call->name);
	for (size_t i = 0; i < s->prog.functions.n; i++) {
		const struct symbol *f = s->prog.functions.entries[i].value;
		if (!(f->decl->flags & NF_TAPSET))
			nearest_add(&near, f->name);
	}
	return nearest_text(&near, &s->arena);
}

bool foreign_function(struct session *s, const struct node *call)
{
	if (foreign_is_misspelt(s, call))
		return false;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		const struct foreign *f = &table[i];
		struct diag *d;

		if (!has_name(s, f->names, call->name))
			continue;
		if (f->what)
			d = s_error(s, call->loc, E_NOT_SUPPORTED, "%s() %s, which Spile cannot do yet", call->name, f->what);
		else
			d = s_error(s, call->loc, E_UNKNOWN_FUNCTION, "there is no function \"%s\"", call->name);
		if (f->instead)
			diag_hint(&s->diags, d, "instead: %s", target_words(s->target, &s->arena, f->instead));
		return true;
	}
	return false;
}
