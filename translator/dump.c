/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text forms of the program between passes, for people and for tests. */
#include "translator/dump.h"

void dump_script(struct session *s, struct sb *out)
{
	if (s->script)
		ast_unparse(s->script, out);
}

void dump_points(struct session *s, struct sb *out)
{
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		for (size_t j = 0; j < p->sites.n; j++) {
			const struct site *t = p->sites.v[j];
			sb_printf(out, "%s -> %s %u", t->point, t->mechanism->name, t->kind);
			for (int k = 0; k < 2; k++)
				sb_printf(out, " %s", t->s[k] ? t->s[k] : "-");
			for (int k = 0; k < 4; k++)
				sb_printf(out, " %lld", (long long)t->n[k]);
			sb_puts(out, t->optional ? " optional\n" : "\n");
		}
	}
}

static void dump_symbol(const struct symbol *v, struct sb *out)
{
	sb_printf(out, "%s:%s", v->name, type_text(v->type));
	if (!v->is_array)
		return;
	sb_puts(out, " [");
	for (unsigned i = 0; i < v->nkeys; i++)
		sb_printf(out, "%s%s", i ? ", " : "", type_text(v->key[i]));
	sb_puts(out, "]");
}

static void dump_locals(struct symbol *const *v, size_t n, struct sb *out)
{
	for (size_t i = 0; i < n; i++) {
		sb_puts(out, "  # local ");
		dump_symbol(v[i], out);
		sb_putc(out, '\n');
	}
}

void dump_program(struct session *s, struct sb *out)
{
	if (s->prog.global_list.n)
		sb_puts(out, "# globals\n");
	for (size_t i = 0; i < s->prog.global_list.n; i++) {
		dump_symbol(s->prog.global_list.v[i], out);
		sb_putc(out, '\n');
	}
	if (s->prog.function_list.n)
		sb_puts(out, "# functions\n");
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct function *f = s->prog.function_list.v[i];
		sb_printf(out, "%s:%s (", f->sym->name, type_text(f->sym->type));
		for (size_t j = 0; j < f->params.n; j++) {
			if (j)
				sb_puts(out, ", ");
			dump_symbol(f->params.v[j], out);
		}
		sb_puts(out, ")\n");
		dump_locals(f->locals.v, f->locals.n, out);
		if (options_detail(&s->opt, 2) || s->opt.dump) {
			ast_unparse(f->body, out);
			sb_putc(out, '\n');
		}
	}
	if (s->prog.probes.n)
		sb_puts(out, "# probes\n");
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		for (size_t j = 0; j < p->sites.n; j++)
			sb_printf(out, "%s\n", p->sites.v[j]->point);
		dump_locals(p->locals.v, p->locals.n, out);
		if (options_detail(&s->opt, 2) || s->opt.dump) {
			ast_unparse(p->body, out);
			sb_putc(out, '\n');
		}
	}
}

void dump_c(struct session *s, struct sb *out)
{
	sb_putn(out, s->c_text.s ? s->c_text.s : "", s->c_text.n);
	sb_putn(out, s->extra_text.s ? s->extra_text.s : "", s->extra_text.n);
}
