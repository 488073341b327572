/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assigns room to what return probes save at function entry, when the types are known. */
#include "translator/types/entries.h"

#include "runtime/rt/script.h"

static void too_big(struct session *s, const struct probe *p, unsigned max, unsigned string)
{
	size_t i = 0;

	while (i + 1 < p->entries.n && p->entries.v[i + 1]->sym->index * 8 <= max)
		i++;
	struct diag *d = s_error(s, p->entries.v[i]->value->loc, E_ENTRY_SPACE,
				 "what is saved at the function's entry takes %u bytes; a call has room for %u", p->entry_slots * 8, max);
	diag_hint(&s->diags, d, "each string takes %u: save fewer, or make strings shorter with -DMAXSTRINGLEN=N", string * 8);
}

void entries_check(struct session *s, struct probe *p)
{
	unsigned string = RT_ENTRY_STR_SLOTS((unsigned)session_limit(s, "MAXSTRINGLEN") - 1);

	for (size_t i = 0; i < p->entries.n; i++) {
		struct symbol *v = p->entries.v[i]->sym;

		v->index = p->entry_slots;
		p->entry_slots += v->type == T_STRING ? string : RT_ENTRY_LONG_SLOTS;
	}
	for (size_t i = 0; p->entries.n && i < p->sites.n; i++) {
		unsigned max = p->sites.v[i]->mechanism->entry_max;

		if (max && p->entry_slots * 8 > max) {
			too_big(s, p, max, string);
			return;
		}
	}
}
