// SPDX-License-Identifier: GPL-2.0-or-later
/* See unwind.h.  What a table's rules need of others, whoever writes them down: the translator for a script, and bench/unwind_native. */
#include "translator/debuginfo/unwind.h"

unsigned unwind_followed(const struct unwind_table *t)
{
	unsigned bits = 0;

	for (size_t i = 0; i < t->nrules; i++)
		if (t->rules[i].cfa != UNWIND_UNKNOWN && t->rules[i].cfa != UNWIND_OUTERMOST)
			bits |= 1u << t->rules[i].reg;
	return bits;
}

unsigned unwind_changed(const struct unwind_rule *r, unsigned followed)
{
	unsigned bits = 0;

	for (unsigned i = 1; i < UNWIND_REGISTERS; i++)
		bits |= (unsigned)(r->saved[i].how != UNWIND_SAME) << i;
	return bits & followed;
}

bool unwind_is_plain(const struct unwind_rule *r, unsigned changed)
{
	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		if ((i == 0 || changed >> i & 1) && r->saved[i].how != UNWIND_AT_CFA)
			return false;
	return r->cfa == UNWIND_REGISTER && !r->is_signal;
}
