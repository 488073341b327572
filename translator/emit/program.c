/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "emit": the program as freestanding C (runtime/rt/rt.h): globals, functions, one handler per distinct body, tables.
 * Reads: prog.  Writes: s->c_text, and s->extra_text if embedded C needs the kernel's headers (embedded.c).
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "translator/emit/emit.h"
#include "translator/pipeline.h"
#include "translator/resolve/embedded.h"

/* ---- functions and handlers ---- */

static void local_declaration(struct emit *e, const struct symbol *v)
{
	if (v->type == T_STRING) {
		if (!v->is_param)
			emit_line(e, "struct rt_str %s = RT_EMPTY;", emit_local(e, v));
		if (v->assigned_in_loop)
			emit_line(e, "char *b_%s;", v->name);
	} else if (!v->is_param) {
		emit_line(e, "rt_s64 %s = 0;", emit_local(e, v));
	}
	emit_line(e, "(void)%s;", emit_local(e, v));
}

/* With overloads, or a "next", a dispatcher is called that tries them in turn; one sets *next to give way. */
static bool is_overload(const struct function *f)
{
	return f->first->gives_way;
}

const char *emit_overload_name(struct emit *e, const struct function *f)
{
	return is_overload(f) ? emit_text(e, "%s_o%u", emit_function_name(e, f), f->order) : emit_function_name(e, f);
}

static const char *signature(struct emit *e, const struct function *f, bool dispatcher)
{
	struct sb b = {0};

	sb_printf(&b, "RT_PRIVATE %s %s(struct rt_ctx *c", emit_ctype(f->sym->type),
		  dispatcher ? emit_function_name(e, f) : emit_overload_name(e, f));
	for (size_t i = 0; i < f->params.n; i++)
		sb_printf(&b, ", %s %s", emit_ctype(f->params.v[i]->type), emit_local(e, f->params.v[i]));
	sb_puts(&b, is_overload(f) && !dispatcher ? ", __attribute__((unused)) rt_bool *next)" : ")");
	const char *text = arena_strdup(&e->s->arena, b.s);
	sb_free(&b);
	return text;
}

/* Records the place of a function, for messages of the build. */
static void place(struct emit *e, const char *name, struct loc loc)
{
	struct loc *copy = arena_new(&e->s->arena, struct loc);

	*copy = loc;
	map_set(&e->s->arena, &e->s->c_places, intern(name), copy);
}

static void locals(struct emit *e, struct symbol *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		local_declaration(e, v[i]);
}

static void script_function(struct emit *e, struct function *f)
{
	bool is_void = f->sym->type == T_VOID;

	place(e, emit_overload_name(e, f), f->decl->loc);
	emit_line(e, "%s", signature(e, f, false));
	emit_open(e);
	if (!is_void)
		emit_line(e, "%s ret = %s;", emit_ctype(f->sym->type), f->sym->type == T_STRING ? "RT_EMPTY" : "0");
	locals(e, f->params.v, f->params.n);
	locals(e, f->locals.v, f->locals.n);
	emit_line(e, "if (RT_UNLIKELY(rt_call_enter(c)))");
	emit_line(e, is_void ? "\treturn;" : "\treturn ret;");
	emit_line(e, "char *mark = rt_mark(c);");
	emit_block(e, f->lowered);
	emit_line(e, f->sym->type == T_STRING ? "ret = rt_keep(c, mark, ret);" : "rt_release(c, mark);");
	emit_line(e, "rt_call_leave(c);");
	emit_line(e, is_void ? "return;" : "return ret;");
	emit_close(e);
}

/* Tries the overloads of f in turn. */
static void dispatcher(struct emit *e, const struct function *f)
{
	bool is_void = f->sym->type == T_VOID;
	struct sb args = {0};

	for (size_t i = 0; i < f->params.n; i++)
		sb_printf(&args, ", %s", emit_local(e, f->params.v[i]));
	emit_line(e, "%s", signature(e, f, true));
	emit_open(e);
	emit_line(e, "rt_u32 loc = c->loc;");
	emit_line(e, "rt_bool next = 0;");
	if (!is_void)
		emit_line(e, "%s ret;", emit_ctype(f->sym->type));
	for (const struct function *g = f; g; g = function_next(g)) {
		emit_line(e, "%s%s(c%s, &next);", is_void ? "" : "ret = ", emit_overload_name(e, g), args.s ? args.s : "");
		emit_line(e, "if (!next || RT_FAILED(c))");
		emit_line(e, is_void ? "\treturn;" : "\treturn ret;");
		emit_line(e, "next = 0;");
	}
	emit_line(e, "c->loc = loc;");
	emit_line(e, "rt_error(c, \"all functions exhausted\");");
	if (!is_void)
		emit_line(e, "return ret;");
	emit_close(e);
	sb_free(&args);
}

static void function_prototypes(struct emit *e)
{
	for (size_t i = 0; i < e->s->prog.function_list.n; i++) {
		const struct function *f = e->s->prog.function_list.v[i];
		emit_line(e, "%s;", signature(e, f, false));
		if (f->first == f && is_overload(f))
			emit_line(e, "%s;", signature(e, f, true));
	}
}

/* Those with a C body, or those of the script. */
static void function_bodies(struct emit *e, bool embedded)
{
	for (size_t i = 0; i < e->s->prog.function_list.n; i++) {
		struct function *f = e->s->prog.function_list.v[i];
		if (!f->embedded == embedded)
			continue;
		sb_putc(e->out, '\n');
		if (f->first == f && is_overload(f))
			dispatcher(e, f);
		if (embedded) {
			emit_line(e, "%s", signature(e, f, false));
			emit_embedded_function(e, f);
		} else {
			script_function(e, f);
			emit_parts_cut(e);
		}
	}
}

/* Without its name: equal bodies share one function. */
static const char *body_text(struct emit *e, const struct probe *p, const struct node *body)
{
	struct sb text = {0}, *out = e->out;
	const char *key;

	e->out = &text;
	emit_open(e);
	if (body == p->lowered)
		locals(e, p->locals.v, p->locals.n);
	emit_block(e, body);
	emit_close(e);
	e->out = out;
	key = intern_n(text.s, text.n);
	sb_free(&text);
	return key;
}

/* The probe points whose handler follows, as many as one line has room for. */
static void points_comment(struct emit *e, const struct probe *p)
{
	enum { WIDTH = 100 };
	struct sb b = {0};
	size_t i = 0;

	for (; i < p->sites.n && (!i || b.n + strlen(p->sites.v[i]->point) < WIDTH); i++)
		sb_printf(&b, "%s%s", i ? ", " : "", p->sites.v[i]->point);
	if (i < p->sites.n)
		sb_printf(&b, ", and %zu more", p->sites.n - i);
	for (char *at = b.s; *at; at++) { /* no name may end the comment or send control characters to a terminal */
		bool odd = (unsigned char)*at < ' ' || *at == 0x7f;
		if (odd || (*at == '*' && (at[1] == '/' || (at > b.s && at[-1] == '/'))))
			*at = '?';
	}
	sb_printf(e->out, "\n/* %s */\n", b.s);
	sb_free(&b);
}

/* Writes a function for the body unless an equal one is there; gives its name. */
static const char *shared_handler(struct emit *e, const char *prefix, const struct probe *p, const struct node *body)
{
	const char *key = body_text(e, p, body), *name;

	if ((name = map_get(&e->table_names, key)))
		return name;
	name = emit_text(e, "%s%u", prefix, e->ntables++);
	map_set(&e->s->arena, &e->table_names, key, (void *)name);
	place(e, name, p->decl->loc);
	points_comment(e, p);
	sb_printf(e->out, "RT_PRIVATE %svoid %s(RT_UNUSED struct rt_ctx *c)\n%s",
		  p->sites.v[0]->is_never ? "__attribute__((unused)) " : "", name, key);
	sb_printf(&e->tables, "RT_PRIVATE rt_handler %s;\n", name);
	emit_parts_cut(e);
	return name;
}

/* ---- tables ---- */

static void stat_shape(const struct symbol *v, struct sb *b)
{
	static const char *const hist[] = {
		[RT_HIST_NONE] = "RT_HIST_NONE", [RT_HIST_LOG] = "RT_HIST_LOG", [RT_HIST_LINEAR] = "RT_HIST_LINEAR"};
	struct rt_stat_shape shape = emit_stat_shape(v);

	sb_printf(b, "{.hist = %s", hist[shape.hist]);
	if (shape.hist == RT_HIST_LINEAR)
		sb_printf(b, ", .low = %lldLL, .high = %lldLL, .step = %lldLL", shape.low, shape.high, shape.step);
	if (shape.shift)
		sb_printf(b, ", .shift = %u", shape.shift);
	sb_printf(b, "%s%s}", shape.variance ? ", .variance = 1" : "", shape.quantile ? ", .quantile = 1" : "");
}

static const char *rt_type(enum type t)
{
	return t == T_STRING ? "RT_STRING" : t == T_STATS ? "RT_STATS" : "RT_LONG";
}

static void global_storage(struct emit *e, const struct symbol *v)
{
	const struct node *init = GLOBAL_VALUE(v->decl);
	int64_t size = session_limit(e->s, "MAXSTRINGLEN");
	const char *name = emit_global(e, v);

	if (v->is_array) {
		emit_line(e, "RT_GLOBAL struct rt_map *%s;", name);
	} else if (v->type == T_STATS) {
		emit_line(e, "RT_GLOBAL struct rt_stat *%s;", name);
	} else if (v->type == T_STRING) {
		size_t n = init ? strlen(init->text) : 0;
		if ((int64_t)n > size - 1)
			n = (size_t)size - 1;
		emit_line(e, "RT_GLOBAL struct { rt_u32 n; char s[%lld]; } %s RT_INIT({%zu, %s});", (long long)size, name, n,
			  emit_chars(e, init ? arena_strndup(&e->s->arena, init->text, n) : ""));
	} else {
		emit_line(e, "RT_GLOBAL rt_s64 %s RT_INIT(%s);", name, emit_number(e, init ? init->num : 0));
	}
}

static void map_shape(struct emit *e, const struct symbol *v)
{
	int64_t max = session_array_max(e->s, v);
	struct sb b = {0};

	if (v->type == T_STATS)
		emit_warn_memory(e->s, v);
	sb_printf(&b, "static const struct rt_map_shape shape_%s = {.nkeys = %u, .key = {", emit_variable(e, v), v->nkeys);
	for (unsigned i = 0; i < v->nkeys; i++)
		sb_printf(&b, "%s%s", i ? ", " : "", rt_type(v->key[i]));
	sb_printf(&b, "}, .value = %s, .max = %lld", rt_type(v->type), (long long)max);
	sb_printf(&b, "%s%s%s", v->decl->flags & NF_WRAP ? ", .wrap = 1" : "", v->decl->flags & NF_SIZED ? ", .sized = 1" : "",
		  v->unlocked ? ", .shared = 1" : "");
	if (v->type == T_STATS) {
		sb_puts(&b, ", .stat = ");
		stat_shape(v, &b);
	}
	emit_line(e, "%s};", b.s);
	sb_free(&b);
}

static void globals(struct emit *e)
{
	const struct program *prog = &e->s->prog;

	for (size_t i = 0; i < prog->global_list.n; i++)
		global_storage(e, prog->global_list.v[i]);
	for (size_t i = 0; i < prog->global_list.n; i++) {
		const struct symbol *v = prog->global_list.v[i];
		struct sb b = {0};
		if (v->is_array) {
			map_shape(e, v);
		} else if (v->type == T_STATS) {
			stat_shape(v, &b);
			emit_line(e, "static const struct rt_stat_shape shape_%s = %s;", emit_variable(e, v), b.s);
			sb_free(&b);
		}
	}
	emit_line(e, "static const struct rt_global globals[] = {");
	for (size_t i = 0; i < prog->global_list.n; i++) {
		const struct symbol *v = prog->global_list.v[i];
		const char *name = emit_variable(e, v), *shape = "";
		if (v->is_array || v->type == T_STATS)
			shape = emit_text(e, ", .%s = &shape_%s", v->is_array ? "map" : "stat", name);
		emit_line(e, "\t{.name = %s, .type = %s, .storage = &%s%s},", emit_chars(e, name), rt_type(v->type), emit_global(e, v), shape);
	}
	emit_line(e, "\t{0}");
	emit_line(e, "};");
}

static void ksymbols(struct emit *e)
{
	if (!e->s->prog.ksymbols.n)
		return;
	emit_line(e, "RT_GLOBAL struct rt_ksymbol ksymbols[%zu] RT_INIT({", e->s->prog.ksymbols.n);
	for (size_t i = 0; i < e->s->prog.ksymbols.n; i++) {
		const struct ksymbol *k = &e->s->prog.ksymbols.v[i];
		emit_line(e, "\t{.name = %s%s%s},", emit_chars(e, k->name), k->optional ? ", .optional = 1" : "",
			  k->module ? emit_text(e, ", .module = %s", emit_chars(e, k->module)) : "");
	}
	emit_line(e, "});");
}

static void modules(struct emit *e)
{
	const struct program *prog = &e->s->prog;

	if (!prog->modules.n)
		return;
	emit_line(e, "static struct rt_module modules[] = {");
	for (size_t i = 0; i < prog->modules.n; i++) {
		const struct kmodule *m = &prog->modules.v[i];
		emit_line(e, "\t{.name = %s%s},", emit_chars(e, m->name),
			  m->build_id ? emit_text(e, ", .build_id = %s", emit_chars(e, m->build_id)) : "");
	}
	emit_line(e, "};");
}

/* "identifier 'x'": for error messages of a running script. */
static const char *token_text(struct emit *e, struct loc loc)
{
	struct source *src = source_by_id(&e->s->sources, loc.source);
	const char *at = src ? src->text + loc.off : "";
	unsigned len = loc.len;
	const char *kind = "operator";

	if (isalpha((unsigned char)*at) || *at == '_' || *at == '$' || *at == '@') {
		unsigned n = 1;
		while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '$')
			n++;
		len = n;
		kind = *at == '@' ? "operator" : "identifier";
	} else if (isdigit((unsigned char)*at)) {
		kind = "number";
	} else if (*at == '"') {
		kind = "string";
	}
	return emit_text(e, "%s '%.*s'", kind, (int)(len > 60 ? 60 : len), at);
}

static void locations(struct emit *e)
{
	emit_line(e, "/* File, line, column, token. */");
	emit_line(e, "static const struct rt_loc locs[] = {");
	for (size_t i = 0; i < e->locs.n; i++) {
		struct source *src = source_by_id(&e->s->sources, e->locs.v[i].source);
		unsigned line = 0, column = 0;
		if (src)
			source_position(src, e->locs.v[i].off, &line, &column);
		emit_line(e, "\t{%s, %u, %u, %s},", emit_chars(e, src ? src->name : ""), line, column,
			  emit_chars(e, token_text(e, e->locs.v[i])));
	}
	emit_line(e, "\t{0}");
	emit_line(e, "};");
}

static void put_flag(struct sb *rows, bool is, const char *name, const char **before)
{
	if (!is)
		return;
	sb_printf(rows, "%s%s", *before, name);
	*before = " | ";
}

static void probe_row(const struct session *s, const struct probe *p, const struct site *t, const char *names, size_t loc, struct sb *rows)
{
	const char *before = ", .flags = ";

	sb_printf(rows, "\t{%s", names);
	if (p->entry_slots)
		sb_printf(rows, ", .entry_slots = %u", p->entry_slots);
	put_flag(rows, t->is_alone, "RT_PROBE_NO_LOCKS", &before);
	put_flag(rows, t->is_return, "RT_PROBE_RETURN", &before);
	put_flag(rows, t->is_end, "RT_PROBE_RETURNS", &before);
	put_flag(rows, t->is_go, "RT_PROBE_GO", &before);
	put_flag(rows, t->is_user, "RT_PROBE_USER", &before);
	put_flag(rows, t->is_call, "RT_PROBE_SYSCALL", &before);
	put_flag(rows, t->has_text, "RT_PROBE_TEXT", &before);
	put_flag(rows, p->arms, "RT_PROBE_ARMS", &before);
	put_flag(rows, p->shows, "RT_PROBE_SHOWS", &before);
	put_flag(rows, p->small && !t->is_alone && !s->opt.timing, /* those are not timed */ "RT_PROBE_SMALL", &before);
	put_flag(rows, p->brief && t->mechanism->briefs && !s->opt.timing, "RT_PROBE_BRIEF", &before);
	sb_printf(rows, ", .loc = %zu, .point = ", loc);
	sb_put_c_string(rows, t->point, strlen(t->point));
	if (t->name) {
		sb_puts(rows, ", .name = ");
		sb_put_c_string(rows, t->name, strlen(t->name));
	}
	sb_puts(rows, ", .function = ");
	sb_put_c_string(rows, t->function, strlen(t->function));
	if (t->mechanism->disarms && p->condition)
		sb_printf(rows, ", .condition = %u", p->condition);
	sb_puts(rows, "},\n");
}

/* C has no literal of the smallest number. */
static void put_number(struct sb *rows, const char *before, int64_t n)
{
	if (n == INT64_MIN)
		sb_printf(rows, "%s-9223372036854775807LL - 1", before);
	else
		sb_printf(rows, "%s%" PRId64 "LL", before, n);
}

static void site_row(const struct site *t, unsigned probe, struct sb *rows)
{
	int texts = RT_SITE_TEXTS, numbers = RT_SITE_NUMBERS;

	while (texts && !t->s[texts - 1])
		texts--;
	while (numbers && !t->n[numbers - 1])
		numbers--;
	sb_printf(rows, "\t{.probe = %u, .kind = %u", probe, t->kind);
	if (t->optional)
		sb_puts(rows, ", .flags = RT_SITE_OPTIONAL");
	for (int k = 0; k < texts; k++) {
		sb_puts(rows, k ? ", " : ", .s = {");
		if (t->s[k])
			sb_put_c_string(rows, t->s[k], strlen(t->s[k]));
		else
			sb_putc(rows, '0');
	}
	sb_puts(rows, texts ? "}" : "");
	for (int k = 0; k < numbers; k++)
		put_number(rows, k ? ", " : ", .n = {", t->n[k]);
	sb_puts(rows, numbers ? "}" : "");
	for (unsigned k = 0; k < t->nown; k++)
		put_number(rows, k ? ", " : ", .own = (const rt_s64[]){", t->own[k]);
	sb_puts(rows, t->nown ? "}},\n" : "},\n");
}

static unsigned mechanism_number(const struct probe_mechanism *mechanism)
{
	unsigned m = 0;

	while (probe_mechanisms[m] != mechanism)
		m++;
	return m;
}

/* ---- when probes are armed ---- */

static const char *condition_text(struct emit *e, const struct node *arming)
{
	struct sb text = {0}, *out = e->out;
	const char *key;

	e->out = &text;
	emit_open(e);
	emit_line(e, "rt_bool holds = 1;");
	emit_block(e, arming);
	emit_line(e, "return holds;");
	emit_close(e);
	e->out = out;
	key = intern_n(text.s, text.n);
	sb_free(&text);
	return key;
}

/* To tables: functions for the conditions of probes that can be disarmed, and "conditions", of e->nconditions. */
static void conditions(struct emit *e, struct sb *tables)
{
	struct map numbers = {0}; /* text of a function -> its number */
	struct sb rows = {0};

	for (size_t i = 0; i < e->s->prog.probes.n; i++) {
		struct probe *p = e->s->prog.probes.v[i];
		const char *text = p->arming ? condition_text(e, p->arming) : NULL;
		if (!text)
			continue;
		p->condition = (unsigned)(uintptr_t)map_get(&numbers, text);
		if (p->condition)
			continue;
		p->condition = ++e->nconditions;
		map_set(&e->s->arena, &numbers, text, (void *)(uintptr_t)p->condition);
		sb_printf(tables, "\nstatic rt_bool condition%u(RT_UNUSED struct rt_ctx *c)\n%s", p->condition, text);
		sb_printf(&rows, "condition%u, ", p->condition);
	}
	if (rows.n)
		sb_printf(tables, "\nstatic rt_condition *const conditions[] = {%s};\n", rows.s);
	sb_free(&rows);
}

/* Rows of the site tables for helpers().  The sites that they serve already have their rows of the probe table. */
static void helper_rows(struct emit *e, struct sb *sites, unsigned *nsites)
{
	for (unsigned m = 0; m < probe_nmechanisms; m++) {
		struct site_helpers helpers = {0};
		if (nsites[m] && probe_mechanisms[m]->helpers)
			probe_mechanisms[m]->helpers(e->s, &helpers);
		for (size_t i = 0; i < helpers.v.n; i++)
			site_row(&helpers.v.v[i].site, helpers.v.v[i].whose->row, &sites[m]);
		nsites[m] += (unsigned)helpers.v.n;
	}
}

/* Handlers, and with them the rows of the probe table and of each mechanism's site table, which go to tables. */
static void probes(struct emit *e, struct sb *tables)
{
	struct sb rows = {0}, *sites = arena_array(&e->s->arena, struct sb, probe_nmechanisms);
	unsigned nprobes = 0, *nsites = arena_array(&e->s->arena, unsigned, probe_nmechanisms), ntables = 0;

	bool typed = emit_needs(e->s) & EMBEDDED_MECHANISM;

	conditions(e, tables);
	for (size_t i = 0; i < e->s->prog.probes.n; i++) {
		struct probe *p = e->s->prog.probes.v[i];
		const char *handler = shared_handler(e, "h", p, p->lowered), *entry = "";
		if (p->entry_body)
			entry = emit_text(e, ", .entry = %s", shared_handler(e, "he", p, p->entry_body));
		for (size_t k = 0; k < p->sites.n; k++) {
			struct site *t = p->sites.v[k];
			unsigned m = mechanism_number(t->mechanism);
			if (t->is_never)
				continue;
			t->row = nprobes++;
			e->s->c_calls |= t->calls_body && !p->entry_body && (p->small || p->brief) && !e->s->opt.timing;
			const char *type = typed ? emit_text(e, ", .mechanism = \"%s\"", t->mechanism->name) : "";
			probe_row(e->s, p, t, emit_text(e, ".handler = %s%s%s", handler, entry, type), emit_loc_index(e, t->loc), &rows);
			site_row(t, t->row, &sites[m]);
			nsites[m]++;
		}
	}
	helper_rows(e, sites, nsites);
	e->out = tables;
	sb_printf(e->out, "\nstatic const struct rt_probe probes[] = {\n%s\t{0}\n};\n", rows.s ? rows.s : "");
	for (unsigned m = 0; m < probe_nmechanisms; m++)
		if (nsites[m])
			sb_printf(e->out, "extern const struct rt_mechanism rt_mechanism_%s;\nstatic const struct rt_site sites_%s[] = {\n%s};\n",
				  probe_mechanisms[m]->name, probe_mechanisms[m]->name, sites[m].s);
	sb_puts(e->out, "static const struct rt_site_table site_tables[] = {\n");
	for (unsigned m = 0; m < probe_nmechanisms; m++) {
		const char *name = probe_mechanisms[m]->name;
		if (nsites[m])
			sb_printf(e->out, "\t{.mechanism = &rt_mechanism_%s, .sites = sites_%s, .nsites = %u},\n", name, name, nsites[m]);
		ntables += nsites[m] > 0;
		sb_free(&sites[m]);
	}
	sb_puts(e->out, "\t{0}\n};\n");
	emit_line(e, "enum { NPROBES = %u, NTABLES = %u };", nprobes, ntables);
	sb_free(&rows);
}

/* The value within 32 bits, moved into the range lo .. hi. */
static unsigned clamp(int64_t v, unsigned lo, unsigned hi)
{
	return v < lo ? lo : v > hi ? hi : (unsigned)v;
}

static unsigned product(int64_t a, int64_t b)
{
	int64_t v;

	return __builtin_mul_overflow(a, b, &v) ? UINT32_MAX : clamp(v, 0, UINT32_MAX);
}

/* Limits of string space; and of the buffer for the reader, on each CPU. */
enum { LEAST_ARENA = 16 * 1024, MOST_ARENA = 1024 * 1024, BUFFER_KB = 16 * 1024 };

static const struct rt_limits usual = {RT_USUAL_LIMITS};

static void limit_row(struct emit *e, const char *name, unsigned usually, unsigned value)
{
	if (value != usually)
		emit_line(e, "\t.%s = %s,", name, value == RT_NO_LIMIT ? "RT_NO_LIMIT" : emit_text(e, "%uu", value));
}

static void limits(struct emit *e)
{
	struct session *s = e->s;
	unsigned snapshots = clamp(s->prog.needs.snapshots, 0, RT_ITER_MOST), budget = clamp(session_limit(s, "MAXACTION"), 1, UINT32_MAX);
	int64_t string = session_limit(s, "MAXSTRINGLEN");
	int64_t buckets = session_limit(s, "STP_MAX_BUCKETS"); /* a histogram that is printed is summed in string space */
	int64_t arena = string * (s->prog.needs.strings + 8) + (int64_t)sizeof(rt_u64) * buckets;
	int64_t elision = session_limit(s, "HIST_ELISION");
	int64_t percent = session_limit(s, "STP_OVERLOAD_THRESHOLD") * 100 / session_limit(s, "STP_OVERLOAD_INTERVAL");

	if (session_limit(s, "STP_NO_OVERLOAD"))
		percent = 0;
	else if (!percent)
		percent = 1; /* 0 would turn the check off */
#define ROW(field, value) limit_row(e, #field, usual.field, clamp(value, 0, UINT32_MAX))
	emit_line(e, "#pragma GCC diagnostic ignored \"-Woverride-init\"");
	emit_line(e, "static const struct rt_limits limits = {");
	emit_line(e, "\tRT_USUAL_LIMITS,");
	ROW(string_max, string - 1);
	if (budget != usual.action + usual.more)
		emit_line(e, "\tRT_BUDGET(%uu),", budget);
	ROW(nesting, s->prog.needs.nesting);
	ROW(errors, session_limit(s, "MAXERRORS"));
	ROW(skipped, session_limit(s, "MAXSKIPPED"));
	ROW(lock_us, product(session_limit(s, "MAXTRYLOCK"), session_limit(s, "TRYLOCKDELAY")));
	ROW(arena, clamp(arena, LEAST_ARENA, MOST_ARENA));
	if (snapshots)
		emit_line(e, "\t.iter = RT_ITER_ROOM(%uu),", snapshots);
	ROW(out, session_limit(s, "STP_BUFFER_SIZE"));
	ROW(overload_interval_us, clamp(session_limit(s, "STP_OVERLOAD_INTERVAL") / 1000, 1, UINT32_MAX));
	ROW(overload_percent, percent);
	ROW(stack, session_limit(s, "MINSTACKSPACE"));
	ROW(buffer_kb, BUFFER_KB);
	ROW(kretactive, session_limit(s, "KRETACTIVE"));
	ROW(backtrace, session_limit(s, "MAXBACKTRACE"));
	ROW(timing, s->opt.timing);
	ROW(memory_kb, session_limit(s, "STP_MAXMEMORY"));
	ROW(max_buckets, session_limit(s, "STP_MAX_BUCKETS"));
	ROW(hist_width, session_limit(s, "HIST_WIDTH"));
	ROW(hist_elision, elision < 0 ? RT_NO_LIMIT : elision);
	ROW(quantile_kb, session_limit(s, "MAXQUANTILEKB"));
	ROW(regex_groups, s->prog.needs.groups);
	emit_line(e, "};");
#undef ROW
}

static bool uses_embedded(const struct emit *e)
{
	for (size_t i = 0; i < e->s->prog.function_list.n; i++)
		if (e->s->prog.function_list.v[i]->embedded)
			return true;
	return false;
}

/* What the tables of files that are found when the script runs are to have. */
static unsigned programs_wanted(const struct emit *e)
{
	unsigned needs = emit_needs(e->s);

	return RT_PROGRAMS | (needs & EMBEDDED_UNWIND ? RT_PROGRAMS_UNWIND : 0) | (needs & EMBEDDED_SYMBOLS ? RT_PROGRAMS_SYMBOLS : 0);
}

/* Everything that is in part 0 only. */
static void script_tables(struct emit *e)
{
	const struct program *prog = &e->s->prog;
	const char *optional_members = "";
	size_t nimages, nlines;

	locations(e);
	limits(e);
	modules(e);
	if (prog->modules.n)
		optional_members = emit_text(e, "\t.modules = modules,\n\t.nmodules = %zu,\n", prog->modules.n);
	nimages = emit_images(e);
	nlines = emit_kernel_lines(e);
	if (emit_needs(e->s) & EMIT_PROGRAMS)
		optional_members = emit_text(e, "%s\t.programs = 0x%x,\n\t.tracked = 0x%x,\n", optional_members, programs_wanted(e), e->tracked);
	if (nlines)
		optional_members = emit_text(e, "%s\t.kernel_lines = kernel_lines,\n\t.nkernel_lines = %zu,\n", optional_members, nlines);
	sb_printf(e->out,
		  "\nconst struct rt_script rt_script = {\n"
		  "\t.abi = RT_ABI,\n\t.name = SPILE_NAME,\n\t.limits = &limits,\n"
		  "\t.locs = locs,\n\t.nlocs = %zu,\n\t.probes = probes,\n\t.nprobes = NPROBES,\n"
		  "\t.tables = site_tables,\n\t.ntables = NTABLES,\n\t.globals = globals,\n\t.nglobals = %zu,\n"
		  "\t.ksymbols = %s,\n\t.nksymbols = %zu,\n\t.conditions = %s,\n\t.nconditions = %u,\n\t.guru = %d,\n%s%s};\n",
		  e->locs.n, prog->global_list.n, prog->ksymbols.n ? "ksymbols" : "0", prog->ksymbols.n,
		  e->nconditions ? "conditions" : "0", e->nconditions, e->s->opt.guru, optional_members,
		  nimages ? emit_text(e, "\t.images = images,\n\t.nimages = %zu,\n\t.followed = %s,\n", nimages, emit_followed(e))
		  : emit_needs(e->s) & EMBEDDED_UNWIND ? emit_text(e, "\t.followed = %s,\n", emit_followed(e)) : "");
}

int emit_pass(struct session *s)
{
	struct sb head = {0}, first = {0}, code = {0}, tables = {0};
	struct emit e = {.s = s, .out = &head};

	globals(&e);
	emit_find_kernel_lines(&e);
	emit_find_embedded_symbols(&e);
	ksymbols(&e);
	function_prototypes(&e);
	e.out = &first;
	emit_embedded(&e, &s->extra_text);
	function_bodies(&e, true);
	e.out = &code;
	function_bodies(&e, false);
	probes(&e, &tables);
	script_tables(&e);
	sb_puts(&s->c_text, "/* Generated by spile. */\n#include \"rt/rt.h\"\n");
	sb_puts(&s->c_text, uses_embedded(&e) ? "#include \"rt/body.h\"\n\n" : "\n");
	sb_putn(&s->c_text, head.s, head.n);
	sb_putn(&s->c_text, e.tables.s ? e.tables.s : "", e.tables.n);
	emit_parts_join(&e, &first, &code, &tables);
	sb_free(&e.tables);
	sb_free(&head);
	sb_free(&first);
	sb_free(&code);
	sb_free(&tables);
	return s->diags.errors ? -1 : 0;
}
