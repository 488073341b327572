/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "display": globals of the user's script that are written and never read are shown at the end of the session.
 * A global that is only counted up, added to or deleted is not read; embedded C reads and writes what its pragmas say.
 * Reads: the checked tree.  Writes: prog.probes, one more for each such global, typed and bound; statements that the
 * script could have had: foreach ([k1, k2] in a -) printf("a[%d,\"%#s\"]=%d\n", k1, k2, a[k1, k2])
 */

#include "base/intern.h"
#include "translator/pipeline.h"
#include "translator/uses.h"

/* ---- who reads and writes ---- */

/* How each global is used: bits of enum use. */
struct usage {
	struct map *globals; /* name -> struct symbol */
	unsigned *of;        /* by its place in that */
};

static void note(struct uses *u, const struct mention *m)
{
	struct usage *usage = u->ctx;

	for (size_t i = 0; m->v && m->v->kind == SYM_GLOBAL && i < usage->globals->n; i++)
		if (usage->globals->entries[i].value == m->v)
			usage->of[i] |= m->use;
}

static void note_program(struct session *s, struct usage *usage)
{
	struct uses u = {.mention = note, .ctx = usage};

	for (size_t i = 0; i < s->prog.function_list.n; i++)
		uses_walk_function(&u, s->prog.function_list.v[i]);
	for (size_t i = 0; i < s->prog.probes.n; i++)
		uses_walk_probe(&u, s->prog.probes.v[i]);
}

static bool is_to_be_shown(const struct symbol *v, unsigned use)
{
	return (use & USE_SETS) && !(use & USE_READ) && !(v->decl->flags & NF_TAPSET) && v->type != T_ERROR;
}

/* ---- what shows it ---- */

struct maker {
	struct arena *arena;
	struct loc loc;
	struct symbol *v;
	struct symbol *keys[MAX_KEYS];
};

static struct node *make(struct maker *m, enum node_kind kind, enum type type, unsigned n)
{
	struct node *made = ast_new(m->arena, kind, m->loc, n);

	made->type = type;
	return made;
}

static struct node *name(struct maker *m, struct symbol *v)
{
	struct node *n = make(m, N_NAME, v->type, 0);

	n->name = v->name;
	n->sym = v;
	return n;
}

/* The variable, or its element with the keys of the loop. */
static struct node *value(struct maker *m)
{
	struct node *n = name(m, m->v);

	if (!m->v->is_array)
		return n;
	struct node *element = make(m, N_INDEX, m->v->type, 1);
	INDEX_BASE(element) = n;
	for (unsigned i = 0; i < m->v->nkeys; i++)
		ast_add(m->arena, element, name(m, m->keys[i]));
	return element;
}

static struct node *statistic(struct maker *m, enum op op)
{
	struct node *n = make(m, N_STAT, T_LONG, 1);

	n->op = op;
	STAT_OF(n) = value(m);
	return n;
}

/* printf("..."): format and values are collected by the caller. */
static struct node *print(struct maker *m, const char *format, struct node **values, unsigned n)
{
	struct node *call = make(m, N_PRINT, T_VOID, n), *statement = make(m, N_EXPR, T_UNKNOWN, 1);

	call->name = intern("printf");
	call->text = intern(format);
	call->flags = NF_FMT_FORMAT;
	for (unsigned i = 0; i < n; i++)
		PRINT_VALUE(call, i) = values[i];
	EXPR_VALUE(statement) = call;
	return statement;
}

static struct node *show(struct maker *m)
{
	static const enum op ops[] = {OP_COUNT, OP_MIN, OP_MAX, OP_SUM, OP_AVG};
	struct node *values[MAX_KEYS + sizeof ops / sizeof *ops];
	struct sb format = {0};
	unsigned n = 0;

	sb_puts(&format, m->v->name);
	for (unsigned i = 0; m->v->is_array && i < m->v->nkeys; i++) {
		sb_printf(&format, "%c%s", i ? ',' : '[', m->v->key[i] == T_STRING ? "\"%#s\"" : "%d");
		values[n++] = name(m, m->keys[i]);
	}
	if (m->v->is_array)
		sb_putc(&format, ']');
	if (m->v->type == T_STATS) {
		sb_puts(&format, " @count=%d @min=%d @max=%d @sum=%d @avg=%d\n");
		for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
			values[n++] = statistic(m, ops[i]);
	} else {
		sb_puts(&format, m->v->type == T_STRING ? "=\"%#s\"\n" : "=%d\n");
		values[n++] = value(m);
	}
	struct node *made = print(m, format.s, values, n);
	sb_free(&format);
	return made;
}

/* Empty statistics have only a count. */
static struct node *show_scalar(struct maker *m)
{
	if (m->v->type != T_STATS)
		return show(m);
	struct node *n = make(m, N_IF, T_UNKNOWN, 3);
	IF_CONDITION(n) = statistic(m, OP_COUNT);
	IF_THEN(n) = show(m);
	IF_ELSE(n) = print(m, arena_printf(m->arena, "%s @count=0\n", m->v->name), NULL, 0);
	return n;
}

static struct node *show_array(struct maker *m, struct probe *p)
{
	struct node *n = make(m, N_FOREACH, T_UNKNOWN, 4);

	for (unsigned i = 0; i < m->v->nkeys; i++) {
		struct symbol *key = arena_new(m->arena, struct symbol);

		key->kind = SYM_LOCAL;
		key->name = intern(arena_printf(m->arena, "key%u", i + 1));
		key->type = m->v->key[i];
		key->index = i;
		key->decl = name(m, key);
		ast_add(m->arena, n, key->decl);
		m->keys[i] = key;
		vec_push(m->arena, &p->locals, key);
	}
	n->op = OP_DOWN;
	n->sort_stat = OP_COUNT;
	n->flags = NF_BOUNDED;
	FOREACH_ARRAY(n) = name(m, m->v);
	FOREACH_BODY(n) = show(m);
	return n;
}

static void display(struct session *s, struct symbol *v)
{
	struct maker m = {.arena = &s->arena, .loc = v->decl->loc, .v = v};
	struct probe *p = arena_new(&s->arena, struct probe);
	struct site *site = probe_at_end(s, v->decl->loc);
	struct node *component = make(&m, N_COMPONENT, T_UNKNOWN, 1);

	component->name = intern(site->point);
	p->point = make(&m, N_POINT, T_UNKNOWN, 2);
	POINT_COMPONENT(p->point, 0) = component;
	p->shows = true;
	p->body = make(&m, N_BLOCK, T_UNKNOWN, 1);
	BLOCK_STATEMENT(p->body, 0) = v->is_array ? show_array(&m, p) : show_scalar(&m);
	p->decl = make(&m, N_PROBE, T_UNKNOWN, 2);
	PROBE_BODY(p->decl) = p->body;
	PROBE_POINT(p->decl, 0) = p->point;
	vec_push(&s->arena, &p->sites, site);
	vec_push(&s->arena, &s->prog.probes, p);
}

int display_pass(struct session *s)
{
	struct map *globals = &s->prog.globals;
	struct usage usage = {.globals = globals, .of = arena_array(&s->arena, unsigned, globals->n + 1)};

	if (s->opt.no_display)
		return 0;
	note_program(s, &usage);
	for (size_t i = 0; i < globals->n; i++)
		if (is_to_be_shown(globals->entries[i].value, usage.of[i]))
			display(s, globals->entries[i].value);
	return 0;
}
