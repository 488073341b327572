/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * $variables: from an expression such as $file->f_path.dentry->d_name[$i] to a fetch program for the probed place.
 * In return probes, $return and what is reached from it is read at the return; parameters are read at the function's entry and
 * saved, as is the operand of @entry().
 */
#include <string.h>

#include "base/intern.h"
#include "base/visible.h"
#include "parser/habit.h"
#include "translator/resolve/site_locals.h"
#include "translator/resolve/target.h"

bool target_step(const struct node *n)
{
	if (n->kind == N_MEMBER || n->kind == N_ADDRESS || n->kind == N_PRETTY)
		return true;
	if (n->kind != N_INDEX)
		return false;

	const struct node *base = INDEX_BASE(n);

	return base->kind == N_NAME ? base->sym && base->sym->kind == SYM_LOCAL : base->kind != N_STAT;
}

struct node **target_from(const struct node *step)
{
	if (step->kind == N_MEMBER)
		return &MEMBER_BASE(step);
	if (step->kind == N_ADDRESS)
		return &ADDRESS_OF(step);
	return step->kind == N_PRETTY ? &PRETTY_OF(step) : &INDEX_BASE(step);
}

unsigned target_subscripts(const struct node *step)
{
	return step->kind == N_INDEX ? INDEX_KEYS(step) : 0;
}

struct node *target_base(struct node *n)
{
	while (target_step(n))
		n = *target_from(n);
	return n;
}

bool target_is(const struct node *n)
{
	while (target_step(n))
		n = *target_from(n);
	return n->kind == N_TARGET || n->kind == N_CAST || n->kind == N_ATVAR;
}

bool target_used(const struct node *n)
{
	if (n->kind == N_TARGET || n->kind == N_ENTRY || n->kind == N_ATVAR || n->kind == N_DEFINED || n->kind == N_CAST)
		return true;
	AST_EACH(child, n)
		if (target_used(*child))
			return true;
	return false;
}

/* A problem as a diagnostic in ds (which may be thrown away). */
static struct diag *report(struct diags *ds, struct loc loc, enum diag_id id, const char *text, const struct problem *why)
{
	struct diag *d = diag_report(ds, loc, id, "%s", text);

	diag_hint_near(ds, d, why->near);
	if (why->hint)
		diag_hint(ds, d, "%s", why->hint);
	return d;
}

void target_problem(struct diags *ds, struct loc loc, enum diag_id id, const struct problem *why)
{
	report(ds, loc, id, why->text, why);
}

/* A function need not have all of its variables where it is inlined. */
static void cannot_read(struct session *s, struct diags *ds, const struct site *t, const struct node *n, const struct problem *why)
{
	struct diag *d = report(ds, n->loc, E_NO_TARGET_VARIABLES, arena_printf(&s->arena, "%s cannot be read: %s", n->name, why->text), why);

	if (t->is_inlined)
		diag_hint(ds, d, "the function is inlined here: .call at the end of the point leaves such places out");
}

/* hint: more to say, or NULL. */
static void no_variable(struct session *s, struct diags *ds, struct view at, const struct node *n, const char *hint)
{
	struct site *t = at.probe->sites.v[0];
	struct place_variables there = {0};
	struct problem ignored = {0};
	struct nearest near;
	struct sb all = {0};
	struct diag *d = diag_report(ds, n->loc, E_NO_VARIABLE, "%s has no variable %s here", t->function[0] ? t->function : t->point,
				     n->name);

	if (site_locals_has(t, n->name + 1)) {
		diag_hint(ds, d, "write %s, without the $", n->name + 1);
		return;
	}
	nearest_init(&near, n->name);
	place_variables(s, t, at.moment, &there, &ignored);
	for (size_t i = 0; i < there.v.n; i++) {
		const struct place_variable *v = &there.v.v[i];
		if (v->role != PLACE_RESULT)
			nearest_add(&near, arena_printf(&s->arena, "$%s", v->name));
		sb_printf(&all, "%s$%s", all.n ? ", " : "", v->name);
	}
	const char *text = nearest_text(&near, &s->arena);
	if (text)
		diag_hint(ds, d, "did you mean %s?", text);
	else if (all.n)
		diag_hint(ds, d, "there are: %s", arena_strdup(&s->arena, all.s));
	if (hint)
		diag_hint(ds, d, "%s", hint);
	sb_free(&all);
}

/* Where $name starts: its fetch at the probed place. *at_entry: it must be read at the entry of a return probe. */
static bool start(struct session *s, struct diags *ds, struct view at, const struct node *n, struct fetch *out, bool *at_entry)
{
	struct place_variable v;
	struct problem why = {0};

	switch (place_variable(s, at.probe->sites.v[0], n->name + 1, at.moment, &v, &why)) {
	case PLACE_UNKNOWN:
		cannot_read(s, ds, at.probe->sites.v[0], n, &why);
		return false;
	case PLACE_HAS_NOT:
		if (why.text)
			report(ds, n->loc, E_NO_VARIABLE, why.text, &why);
		else
			no_variable(s, ds, at, n, why.hint);
		return false;
	case PLACE_HAS:
		break;
	}
	if (!v.value->placed) {
		cannot_read(s, ds, at.probe->sites.v[0], n, &v.value->why);
		return false;
	}
	*at_entry |= v.moment != at.moment;
	*out = atvar_symbols(s, &v.value->fetch);
	return true;
}

/* Splits the expression into its base and the steps from there, outermost last. */
static void split(struct session *s, struct node *n, struct target_path *path)
{
	struct arena *a = &s->arena;

	if (!target_step(n)) {
		path->base = n;
		struct node *input = n->kind == N_TARGET ? NULL : n->kind == N_ATVAR ? ATVAR_CPU(n) : n->kind == N_CAST ? CAST_VALUE(n) : n;
		if (input)
			vec_push(a, &path->inputs, input);
		return;
	}
	split(s, *target_from(n), path);
	if (n->kind == N_MEMBER) {
		vec_push(a, &path->steps, ((struct dtype_step){.kind = DTYPE_STEP_MEMBER, .name = n->name}));
		vec_push(a, &path->where, n);
		path->address = false; /* (&x)->y is x.y */
	}
	for (unsigned i = 0; i < target_subscripts(n); i++) {
		struct node *subscript = INDEX_KEY(n, i);
		struct dtype_step step = {.kind = DTYPE_STEP_INDEX, .index = subscript->num};
		if (subscript->kind != N_NUMBER) {
			step = (struct dtype_step){.kind = DTYPE_STEP_INPUT, .index = (int64_t)path->inputs.n};
			vec_push(a, &path->inputs, subscript);
		}
		vec_push(a, &path->steps, step);
		vec_push(a, &path->where, n);
	}
	path->address |= n->kind == N_ADDRESS;
	if (n->kind == N_PRETTY)
		path->pretty = (int)n->num;
}

struct node *target_fetch(struct session *s, const struct node *n, const struct fetch *f, const node_list *inputs)
{
	struct node *out = ast_new(&s->arena, N_FETCH, n->loc, (unsigned)inputs->n);

	out->fetch = arena_memdup(&s->arena, f, sizeof *f);
	out->type = T_LONG;
	for (size_t i = 0; i < inputs->n; i++)
		FETCH_INPUT(out, (unsigned)i) = inputs->v[i];
	return out;
}

/* What the value points to, or is: objects and arrays are given by their address. */
static void set_dtype(struct node *n, const struct fetch *f, bool address)
{
	const struct dtype *t = f->type;

	n->in_user = f->space == FETCH_USER;
	if (!t) /* a symbol's */
		return;
	if (dtype_kind(t) == DTYPE_ARRAY && !address)
		t = dtype_pointer(dtype_target(t));
	else if (address || f->is_object)
		t = dtype_pointer(t);
	n->dtype = t;
}

/* $name, for saving it. */
static struct node *parameter(struct session *s, const struct node *at, const char *name)
{
	struct node *n = ast_new(&s->arena, N_TARGET, at->loc, 0);

	n->name = intern(arena_printf(&s->arena, "$%s", name));
	return n;
}

static unsigned levels_of(const struct node *pretty)
{
	return pretty->num > 1 ? PRETTY_ALL : 1;
}

/* A name from debug information may have any bytes: makes it safe in a format and on a terminal. */
static void put_name(struct sb *format, const char *name)
{
	struct sb seen = {0};

	visible_put(&seen, name, strlen(name), "");
	for (size_t i = 0; i < seen.n; i++)
		sb_puts(format, seen.s[i] == '%' ? "%%" : (char[]){seen.s[i], 0});
	sb_free(&seen);
}

/* One of them: "name=" and a number in hex, or with levels its pretty form; "?" where the place is not known. */
static void all_add(struct session *s, struct view at, struct node *out, struct sb *format, const struct place_variable *variable,
		    unsigned levels)
{
	const struct proto_value *v = variable->value;
	enum dtype_kind kind = dtype_kind(v->type);
	struct node *source = parameter(s, out, variable->name), *value = NULL;
	struct fetch from = v->placed ? atvar_symbols(s, &v->fetch) : v->fetch, number;
	bool saved = variable->moment != at.moment;

	sb_puts(format, format->n ? " " : "");
	put_name(format, variable->name);
	sb_putc(format, '=');
	if (v->placed && !levels && (kind == DTYPE_STRUCT || kind == DTYPE_UNION)) {
		sb_puts(format, "{...}");
		return;
	}
	if (v->placed && levels)
		value = pretty_node(s, out, &from, &(node_list){0}, levels);
	else if (v->placed && !fetch_value(&s->arena, &from, &number, NULL))
		value = target_fetch(s, out, &number, &(node_list){0});
	if (!value) {
		sb_putc(format, '?');
		return;
	}
	if (saved && levels) {
		struct node *pretty = ast_new(&s->arena, N_PRETTY, out->loc, 1);
		pretty->num = levels > 1 ? 2 : 1;
		PRETTY_OF(pretty) = source;
		source = pretty;
	}
	ast_add(&s->arena, out, saved ? entry_save(s, at.probe, source, value) : value);
	sb_puts(format, levels ? "%s" : "%#x");
}

/*
 * A wildcard also finds functions that have no debug information, such as those that the linker adds.  If others that it found have
 * some, these count as functions without variables.
 */
static bool is_undescribed_among_others(struct session *s, const struct site *t)
{
	struct place_variables ignored = {0};
	struct problem why = {0};

	for (size_t i = 0; t->optional && i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		for (size_t k = 0; k < p->sites.n; k++) {
			struct site *other = p->sites.v[k];
			if (other->family == t->family && other->loc.off == t->loc.off &&
			    place_variables(s, other, place_moment(other), &ignored, &why))
				return true;
		}
	}
	return false;
}

/* What a name with two $ stands for: 1 << enum place_role, or 0. */
static unsigned roles_of(const char *name)
{
	static const struct {
		const char *name;
		unsigned roles;
	} all[] = {
		{"$$parms", 1 << PLACE_PARAMETER},
		{"$$locals", 1 << PLACE_LOCAL},
		{"$$return", 1 << PLACE_RESULT},
		{"$$vars", 1 << PLACE_PARAMETER | 1 << PLACE_LOCAL | 1 << PLACE_RESULT},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(name, all[i].name))
			return all[i].roles;
	return 0;
}

/* $$name ...: a text; out: NULL if it is not known, then reported.  False: the name is no such text here. */
static bool text_of(struct session *s, struct diags *ds, struct site *t, struct node *n, struct node **out)
{
	for (const struct place_text *x = place_texts(s, t); x && x->name; x++) {
		if (strcmp(x->name, n->name + strlen("$$")) != 0)
			continue;
		if (!x->text)
			diag_report(ds, n->loc, E_NO_VARIABLE, "%s is not known of %s", n->name, t->point);
		*out = x->text ? ast_string(&s->arena, n->loc, x->text, strlen(x->text)) : NULL;
		return true;
	}
	return false;
}

static void no_such_all(struct session *s, struct diags *ds, struct site *t, const struct node *n)
{
	struct diag *d = diag_report(ds, n->loc, E_NO_VARIABLE, "there is no %s", n->name);
	struct sb more = {0};

	for (const struct place_text *x = place_texts(s, t); x && x->name; x++)
		sb_printf(&more, ", $$%s", x->name);
	diag_hint(ds, d, "there are: $$parms, $$vars, $$locals, $$return%s", more.s ? more.s : "");
	sb_free(&more);
}

/* $$parms, $$vars, $$return ...: a formatted print of all whose places are known. */
static struct node *all_of(struct session *s, struct diags *ds, struct view at, struct node *n, unsigned levels)
{
	struct site *t = at.probe->sites.v[0];
	struct place_variables there = {0};
	struct problem why = {0};
	struct node *out = ast_new(&s->arena, N_PRINT, n->loc, 0);
	struct sb format = {0};
	unsigned roles = roles_of(n->name);

	if (text_of(s, ds, t, n, &out))
		return out;
	if (!roles) {
		no_such_all(s, ds, t, n);
		return NULL;
	}
	if (!place_variables(s, t, at.moment, &there, &why) && !is_undescribed_among_others(s, t)) {
		cannot_read(s, ds, at.probe->sites.v[0], n, &why);
		return NULL;
	}
	for (size_t i = 0; i < there.v.n; i++)
		if (roles & 1u << there.v.v[i].role)
			all_add(s, at, out, &format, &there.v.v[i], levels);
	out->name = intern("sprintf");
	out->flags = NF_FMT_STRING | NF_FMT_FORMAT;
	out->text = intern(format.s ? format.s : "");
	out->type = T_STRING;
	sb_free(&format);
	return out;
}

/*
 * A parameter with computed subscripts, in a return probe: the value before the first computed subscript is saved at the entry; the
 * rest is read at the return, when the handler computes the subscripts.
 */
static struct node *follow_saved(struct session *s, struct diags *ds, struct probe *p, struct node *n, struct target_path *path,
				 const struct fetch *start)
{
	struct problem why = {0};
	struct fetch at, saved, from, to, value;
	unsigned input = (unsigned)path->inputs.n;
	size_t k = 0;

	while (path->steps.v[k].kind != DTYPE_STEP_INPUT)
		k++;
	while (k && path->where.v[k - 1] == path->where.v[k])
		k--;
	if (dtype_path(&s->arena, start, path->steps.v, k, &at, &why) || fetch_value(&s->arena, &at, &saved, &why)) {
		report(ds, n->loc, E_NO_MEMBER, why.text, &why);
		return NULL;
	}
	from = dtype_kind(at.type) == DTYPE_ARRAY ? fetch_object_at_input(&s->arena, input, at.type, at.space) :
						    fetch_input(&s->arena, input, at.type, at.space);
	if (dtype_path(&s->arena, &from, path->steps.v + k, path->steps.n - k, &to, &why) ||
	    (path->address ? fetch_address(&s->arena, &to, &value, &why) : fetch_value(&s->arena, &to, &value, &why))) {
		report(ds, n->loc, E_NO_MEMBER, why.text, &why);
		return NULL;
	}
	vec_push(&s->arena, &path->inputs, entry_save(s, p, *target_from(path->where.v[k]), target_fetch(s, n, &saved, &(node_list){0})));
	struct node *out = target_fetch(s, n, &value, &path->inputs);
	set_dtype(out, &value, path->address);
	return out;
}

/* "a.b->c" joins a and b->c. */
static bool follows_dot(struct session *s, const struct node *n)
{
	const struct source *src = source_by_id(&s->sources, n->loc.source);

	return src && n->loc.off && !n->loc.expansion && src->text[n->loc.off - 1] == '.';
}

/* The local v, which nothing assigns, is followed as a pointer: it may be a parameter without its $, or a word of another tracer. */
static bool hint_unassigned(struct session *s, struct diags *ds, struct diag *d, struct view at, const struct node *base)
{
	const struct symbol *v = base->kind == N_NAME ? base->sym : NULL;
	struct place_variable there;
	struct problem ignored = {0};

	if (!v || v->kind != SYM_LOCAL || v->written || v->is_param)
		return false;
	if (follows_dot(s, base))
		diag_hint(ds, d, "a member is taken by \"->\", also of a struct: ...->%s->...", v->name);
	else if (at.probe && place_variable(s, at.probe->sites.v[0], v->name, at.moment, &there, &ignored) == PLACE_HAS)
		diag_hint(ds, d, "the variable of the probed code is written $%s", v->name);
	else
		return habit_hint(ds, d, HABIT_NAME, v->name);
	return true;
}

/* Reports that the C type of the expression under the first step is not known. */
static void untyped(struct session *s, struct diags *ds, struct view at, const struct target_path *path)
{
	const struct node *base = path->base, *step = path->where.n ? path->where.v[0] : base;
	const struct symbol *v = base->kind == N_NAME || base->kind == N_CALL ? base->sym : NULL;
	struct sb text = {0};

	if (base->type == T_ERROR)
		return;
	ast_unparse_short(base, &text);
	struct diag *d = diag_report(ds, step->loc, E_UNTYPED, v && v->other_dtype ? "\"%s\" has different C types" :
				     "the C type of \"%s\" is not known", text.s ? text.s : "this");
	if (v && v->other_dtype) {
		diag_note(ds, d, v->dtype_origin->loc, "here it is \"%s\"", dtype_text(&s->arena, v->dtype));
		diag_note(ds, d, v->other_origin->loc, "here it is \"%s\"%s", dtype_text(&s->arena, v->other_dtype),
			  dtype_same(&s->arena, v->dtype, v->other_dtype) ? " of another address space" : "");
	}
	if (step->kind == N_INDEX && base->kind == N_INDEX)
		diag_hint(ds, d, "the keys of an array belong in one pair of brackets, with commas: a[1, 2]");
	else if (path->address && !path->where.n)
		diag_hint(ds, d, "only what the probed code has in memory has an address: &$file->f_path; a variable of the script has none");
	else if (!hint_unassigned(s, ds, d, at, base))
		diag_hint(ds, d, "say what it is: @cast(%s, \"struct NAME\")", text.s ? text.s : "...");
	sb_free(&text);
}

/* @var("x") without a module or file is $x, if that is a parameter or local, or a constant of an enumeration where there is no variable x. */
static const struct node *own_variable(struct session *s, struct view at, const struct node *n, bool address)
{
	struct diags quiet = {.arena = &s->arena, .sources = &s->sources};
	struct place_variable v;
	struct site *t = at.probe ? at.probe->sites.v[0] : NULL;
	struct fetch ignored;

	if (!t || ATVAR_MODULE(n) || ATVAR_CPU(n) || strpbrk(n->text, "@:"))
		return NULL;
	if (!place_own_variable(s, t, n->text, at.moment, &v) &&
	    (!place_constant(s, t, n->text, at.moment, &v) || atvar_start(s, &quiet, at.probe, n, address, &ignored)))
		return NULL;
	return parameter(s, n, n->text);
}

/* Where the path starts. */
static bool start_of(struct session *s, struct diags *ds, struct view at, struct target_path *path, struct fetch *out, bool *at_entry)
{
	const struct dtype_step *first = path->steps.n ? &path->steps.v[0] : NULL;
	const struct node *own;

	if (path->base->kind == N_TARGET)
		return start(s, ds, at, path->base, out, at_entry);
	if (path->base->kind == N_ATVAR && (own = own_variable(s, at, path->base, path->address && !first)))
		return start(s, ds, at, own, out, at_entry);
	if (path->base->kind == N_ATVAR)
		return atvar_start(s, ds, at.probe, path->base, path->address && !first, out);
	if (path->base->kind == N_CAST)
		return cast_start(s, ds, at.probe, path->base, 0, first, path->address, out);
	if (!path->base->dtype) {
		untyped(s, ds, at, path);
		return false;
	}
	*out = fetch_input(&s->arena, 0, path->base->dtype, path->base->in_user ? FETCH_USER : FETCH_KERNEL);
	return true;
}

/* The kernel has renamed the member. */
static int follow_renamed(struct session *s, struct diags *ds, struct target_path *path, struct problem why[static 1])
{
	struct dtype_step *step = &path->steps.v[why->step];
	const struct node *where = path->where.v[why->step];
	const char *old = step->name, *now = why->now;

	if (!session_in_tapset(s, where->loc)) {
		struct diag *d = diag_report(ds, where->loc, W_RENAMED, "the kernel has no member \"%s\": its new name \"%s\" is used", old, now);
		diag_hint(ds, d, "for kernels of both names: @choose_defined(...->%s, ...->%s)", now, old);
	}
	step->name = intern(now);
	*why = (struct problem){0};
	return dtype_path(&s->arena, &path->from, path->steps.v, path->steps.n, &path->to, why);
}

bool target_follow(struct session *s, struct diags *ds, struct view at, struct node *n, struct target_path *path)
{
	struct problem why = {0};

	*path = (struct target_path){0};
	split(s, n, path);
	if (!start_of(s, ds, at, path, &path->from, &path->at_entry))
		return false;
	int rc = dtype_path(&s->arena, &path->from, path->steps.v, path->steps.n, &path->to, &why);
	if (rc && why.now && !ds->is_question)
		rc = follow_renamed(s, ds, path, &why);
	if (rc) {
		struct node *where = why.step < path->where.n ? path->where.v[why.step] : n;
		report(ds, where->loc, E_NO_MEMBER, why.text, &why);
		return false;
	}
	return true;
}

/* $x$ and $x$$ */
static struct node *pretty_of(struct session *s, struct diags *ds, struct view at, struct node *n)
{
	struct target_path path;
	struct node *out;

	if (!target_follow(s, ds, at, n, &path))
		return NULL;
	if (!path.to.type) { /* a symbol's */
		diag_report(ds, n->loc, E_UNTYPED, "there is no debug information, so the C type of this variable is not known");
		return NULL;
	}
	out = pretty_node(s, n, &path.to, &path.inputs, levels_of(n));
	if (!out) {
		diag_report(ds, n->loc, E_NO_MEMBER, "this value has no place to be printed from");
		return NULL;
	}
	if (!path.at_entry)
		return out;
	if (path.inputs.n) {
		struct diag *d = diag_report(ds, n->loc, E_NOT_SUPPORTED, "pretty-printing what a computed subscript leads to, at the return, is "
					     "not supported");
		diag_hint(ds, d, "do it at the entry: @entry(...) around all of it");
		return NULL;
	}
	return entry_save(s, at.probe, n, out);
}

static bool has_fetch(const struct node *n)
{
	if (n->kind == N_FETCH)
		return true;
	AST_EACH(child, n)
		if (*child && has_fetch(*child))
			return true;
	return false;
}

/* Of a floating point value, which the functions fp_...() take as the bits of a double.  What was bound before has no text any more. */
static const char *how_to_read_bits(struct session *s, const struct node *n, const char *type)
{
	bool is_float = !strcmp(type, "unsigned int"), has_text = !has_fetch(n);
	struct sb of = {0};

	if (has_text)
		ast_unparse(n, &of);
	const char *hint = arena_printf(&s->arena, "its bits can, for fp_to_string() and the like: %s@cast(&%s, \"%s\")[0]%s%s",
					is_float ? "fp32_to_fp64(" : "", has_text ? of.s : "...", type, is_float ? ")" : "",
					has_text ? "" : ", with what is to be read for the dots");
	sb_free(&of);
	return hint;
}

struct node *target_bind(struct session *s, struct diags *ds, struct view at, struct node *n)
{
	struct node *base = target_base(n);
	struct target_path path;
	struct problem why = {0};
	struct fetch value;
	int64_t number;

	if (base->kind == N_TARGET && base->name[1] == '$')
		return all_of(s, ds, at, base, n->kind == N_PRETTY ? levels_of(n) : 0);
	if (n->kind == N_PRETTY)
		return pretty_of(s, ds, at, n);
	if (!target_follow(s, ds, at, n, &path))
		return NULL;
	if (path.address ? fetch_address(&s->arena, &path.to, &value, &why) : fetch_value(&s->arena, &path.to, &value, &why)) {
		if (why.bits)
			why.hint = how_to_read_bits(s, n, why.bits);
		report(ds, n->loc, E_NO_MEMBER, why.text, &why);
		return NULL;
	}
	struct node *out = cast_fold(&value, (const struct node *const *)path.inputs.v, (unsigned)path.inputs.n, &number) ?
			   ast_number(&s->arena, n->loc, number) : target_fetch(s, n, &value, &path.inputs);
	set_dtype(out, &value, path.address);
	if (!path.at_entry)
		return out;
	return path.inputs.n ? follow_saved(s, ds, at.probe, n, &path, &path.from) : entry_save(s, at.probe, n, out);
}
