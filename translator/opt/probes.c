/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes whose handlers have nothing to do are not armed. */
#include "translator/opt/opt.h"

static bool is_empty(const struct probe *p)
{
	for (size_t i = 0; i < p->sites.n; i++)
		if (p->sites.v[i]->counter)
			return false;
	return !BLOCK_STATEMENTS(p->body) && !p->entries.n;
}

/* Reports a point when none of its handlers is left. */
static void report(struct session *s, const struct probe *p)
{
	struct sb text = {0};

	ast_unparse_short(p->point, &text);
	struct diag *d = s_error(s, p->point->loc, W_EMPTY_PROBE, "the probe \"%s\" has nothing to do and is left out",
				 text.s ? text.s : "");
	diag_hint(&s->diags, d, "write between its braces what should happen, or delete it; with -u it is armed all the same");
	sb_free(&text);
}

static void no_probe(struct session *s, const struct probe *first)
{
	struct diag *d = s_error(s, first->point->loc, E_NO_PROBES, "no probes found: no probe of the script has anything to do");

	diag_hint(&s->diags, d, "write between the braces what should happen; with -u, empty probes are armed all the same");
}

void opt_probes(struct session *s)
{
	struct probe *first = s->prog.probes.n ? s->prog.probes.v[0] : NULL;
	struct map alive = {0};
	size_t kept = 0, n = s->prog.probes.n;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (!is_empty(s->prog.probes.v[i])) {
			map_set(&s->arena, &alive, (const char *)s->prog.probes.v[i]->point, s);
			any = true;
		}
	if (!any && first) {
		no_probe(s, first);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct probe *p = s->prog.probes.v[i];
		if (!is_empty(p)) {
			s->prog.probes.v[kept++] = p;
			continue;
		}
		if (map_get(&alive, (const char *)p->point))
			continue;
		map_set(&s->arena, &alive, (const char *)p->point, s);
		if (!session_in_tapset(s, p->point->loc))
			report(s, p);
	}
	s->prog.probes.n = kept;
}
