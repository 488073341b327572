/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for writing C: lines, names, literals, tables that are written once. */
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "translator/emit/emit.h"

void emit_line(struct emit *e, const char *fmt, ...)
{
	va_list ap;

	for (unsigned i = 0; i < e->indent; i++)
		sb_putc(e->out, '\t');
	va_start(ap, fmt);
	sb_vprintf(e->out, fmt, ap);
	va_end(ap);
	sb_putc(e->out, '\n');
}

void emit_open(struct emit *e)
{
	emit_line(e, "{");
	e->indent++;
}

void emit_close(struct emit *e)
{
	e->indent--;
	emit_line(e, "}");
}

const char *emit_text(struct emit *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = arena_vprintf(&e->s->arena, fmt, ap);
	va_end(ap);
	return text;
}

const char *emit_ctype(enum type t)
{
	return t == T_STRING ? "struct rt_str" : t == T_VOID ? "void" : "rt_s64";
}

const char *emit_number(struct emit *e, int64_t n)
{
	if (n == INT64_MIN)
		return "(-9223372036854775807LL - 1)";
	return emit_text(e, n < 0 ? "(%" PRId64 "LL)" : "%" PRId64 "LL", n);
}

const char *emit_chars(struct emit *e, const char *s)
{
	struct sb b = {0};

	sb_put_c_string(&b, s, strlen(s));
	const char *text = arena_strndup(&e->s->arena, b.s, b.n);
	sb_free(&b);
	return text;
}

const char *emit_string(struct emit *e, const char *s)
{
	struct sb b = {0};
	size_t n = strnlen(s, intern_len(s)); /* strings hold no NUL */

	sb_puts(&b, "RT_STR(");
	sb_put_c_string(&b, s, n);
	sb_putc(&b, ')');
	const char *text = arena_strndup(&e->s->arena, b.s, b.n);
	sb_free(&b);
	return text;
}

const char *emit_table(struct emit *e, const char *prefix, const char *type, const char *suffix, const char *body)
{
	const char *key = intern(emit_text(e, "%s %s %s", type, suffix, body));
	const char *name = map_get(&e->table_names, key);

	if (name)
		return name;
	name = emit_text(e, "%s%u", prefix, e->ntables++);
	map_set(&e->s->arena, &e->table_names, key, (void *)name);
	sb_printf(&e->tables, "static const %s %s%s = %s;\n", type, name, suffix, body);
	return name;
}

size_t emit_loc_index(struct emit *e, struct loc loc)
{
	const char *key = intern_n((const char *)(uint64_t[]){(uint64_t)loc.source << 32 | loc.off}, sizeof(uint64_t));
	uintptr_t i = (uintptr_t)map_get(&e->loc_index, key);

	if (!i) {
		vec_push(&e->s->arena, &e->locs, loc);
		i = e->locs.n;
		map_set(&e->s->arena, &e->loc_index, key, (void *)i);
	}
	return i - 1;
}

const char *emit_variable(struct emit *e, const struct symbol *v)
{
	return v->file ? emit_text(e, "%s_p%u", v->name, v->file) : v->name;
}

const char *emit_global(struct emit *e, const struct symbol *v)
{
	return emit_text(e, "g_%s", emit_variable(e, v));
}

const char *emit_local(struct emit *e, const struct symbol *v)
{
	return emit_text(e, "l_%s", v->name);
}

const char *emit_function_name(struct emit *e, const struct function *f)
{
	if (f->copy)
		return emit_text(e, "f_%s_%zu_c%u", f->sym->name, f->params.n, f->first->copy);
	if (f->sym->file)
		return emit_text(e, "f_%s_%zu_p%u", f->sym->name, f->params.n, f->sym->file);
	return emit_text(e, "f_%s_%zu", f->sym->name, f->params.n);
}
