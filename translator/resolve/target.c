/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * $variables: from an expression such as $file->f_path.dentry->d_name[$i] to a fetch program for the probed place.
 * In return probes, $return and what hangs on it is read at the return; parameters are read at the function's entry and
 * saved (as is what @entry() asks for).
 */
#include <string.h>

#include "base/intern.h"
#include "base/visible.h"
#include "translator/debuginfo/proto.h"
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

static const struct proto *proto_of(struct session *s, struct site *t)
{
	if (!t->proto_tried) {
		t->proto_tried = true;
		if (t->family->proto)
			t->family->proto(s, t);
		else
			problem_set(&t->why_not, &s->arena, PROBLEM_NO_DEBUGINFO, "the probe point has no target variables");
	}
	return t->proto;
}

/* A problem as a diagnostic in ds (which may be thrown away). */
static void report(struct session *s, struct diags *ds, struct loc loc, enum diag_id id, const char *text,
		   const struct problem *why)
{
	struct diag *d = diag_report(ds, loc, id, "%s", text);

	if (why->near)
		diag_hint(ds, d, "did you mean %s?", why->near);
	if (why->hint)
		diag_hint(ds, d, "%s", why->hint);
	(void)s;
}

void target_problem(struct session *s, struct diags *ds, struct loc loc, enum diag_id id, const struct problem *why)
{
	report(s, ds, loc, id, why->text, why);
}

static void no_variable(struct session *s, struct diags *ds, struct site *t, const struct proto *p, struct node *n)
{
	struct nearest near;
	struct sb all = {0};
	struct diag *d = diag_report(ds, n->loc, E_NO_VARIABLE, "%s has no variable %s here", t->function[0] ? t->function : t->point,
				     n->name);

	nearest_init(&near, n->name);
	for (size_t i = 0; i < p->nparams; i++) {
		if (!*p->params[i].name)
			continue;
		nearest_add(&near, arena_printf(&s->arena, "$%s", p->params[i].name));
		sb_printf(&all, "%s$%s", all.n ? ", " : "", p->params[i].name);
	}
	if (t->is_return && p->returns)
		sb_printf(&all, "%s$return", all.n ? ", " : "");
	const char *text = nearest_text(&near, &s->arena);
	if (text)
		diag_hint(ds, d, "did you mean %s?", text);
	else if (all.n)
		diag_hint(ds, d, "there are: %s", arena_strdup(&s->arena, all.s));
	sb_free(&all);
}

/* Where $name starts: its fetch at the probed place. *at_entry: it must be read at the entry of a return probe. */
static bool start(struct session *s, struct diags *ds, struct probe *p, struct node *n, struct fetch *out, bool *at_entry)
{
	struct site *t = p->sites.v[0];
	const struct proto *proto = proto_of(s, t);
	const struct proto_value *v = NULL;
	struct problem why = {0};

	if (!proto) {
		report(s, ds, n->loc, E_NO_TARGET_VARIABLES,
		       arena_printf(&s->arena, "%s cannot be read: %s", n->name,
				    t->why_not.text ? t->why_not.text : "the probe point has no target variables"),
		       &t->why_not);
		return false;
	}
	if (!strcmp(n->name, "$return")) {
		if (!t->is_return) {
			struct diag *d = diag_report(ds, n->loc, E_NO_VARIABLE, "$return exists in .return probes only");
			diag_hint(ds, d, "probe %s.return", t->point);
			return false;
		}
		v = &proto->ret;
	} else {
		v = proto_param(&s->arena, proto, n->name + 1, &why);
		*at_entry |= t->is_return;
	}
	if (!v) {
		no_variable(s, ds, t, proto, n);
		return false;
	}
	if (!v->placed) {
		report(s, ds, n->loc, E_NO_TARGET_VARIABLES, arena_printf(&s->arena, "%s cannot be read: %s", n->name, v->why.text),
		       &v->why);
		return false;
	}
	*out = v->fetch;
	return true;
}

/* Splits the expression into its base and the steps from there, outermost last. */
static void split(struct session *s, struct node *n, struct target_path *path)
{
	struct arena *a = &s->arena;

	if (!target_step(n)) {
		path->base = n;
		if (n->kind != N_TARGET && n->kind != N_ATVAR)
			vec_push(a, &path->inputs, n->kind == N_CAST ? CAST_VALUE(n) : n);
		return;
	}
	split(s, *target_from(n), path);
	if (n->kind == N_MEMBER) {
		vec_push(a, &path->steps, ((struct dtype_step){.kind = DTYPE_STEP_MEMBER, .name = n->name}));
		vec_push(a, &path->where, n);
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

	if (dtype_kind(t) == DTYPE_ARRAY && !address)
		t = dtype_pointer(dtype_target(t));
	else if (address || f->is_object)
		t = dtype_pointer(t);
	n->dtype = t;
	n->in_user = f->space == FETCH_USER;
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

/* A name from debug information may be anything: it is no part of the format, and drives no terminal. */
static void put_name(struct sb *format, const char *name)
{
	struct sb seen = {0};

	visible_put(&seen, name, strlen(name), "");
	for (size_t i = 0; i < seen.n; i++)
		sb_puts(format, seen.s[i] == '%' ? "%%" : (char[]){seen.s[i], 0});
	sb_free(&seen);
}

/* One of them: "name=" and a number in hex, or with levels its pretty form; "?" for what cannot be placed. */
static void all_add(struct session *s, struct node *out, struct sb *format, const struct proto_value *v, const char *name,
		    unsigned levels, struct probe *at_entry_of)
{
	enum dtype_kind kind = dtype_kind(v->type);
	struct node *source = parameter(s, out, name), *value = NULL;
	struct fetch number;

	sb_puts(format, format->n ? " " : "");
	put_name(format, name);
	sb_putc(format, '=');
	if (v->placed && !levels && (kind == DTYPE_STRUCT || kind == DTYPE_UNION)) {
		sb_puts(format, "{...}");
		return;
	}
	if (v->placed && levels)
		value = pretty_node(s, out, &v->fetch, &(node_list){0}, levels);
	else if (v->placed && !fetch_value(&s->arena, &v->fetch, &number, NULL))
		value = target_fetch(s, out, &number, &(node_list){0});
	if (!value) {
		sb_putc(format, '?');
		return;
	}
	if (at_entry_of && levels) {
		struct node *pretty = ast_new(&s->arena, N_PRETTY, out->loc, 1);
		pretty->num = levels > 1 ? 2 : 1;
		PRETTY_OF(pretty) = source;
		source = pretty;
	}
	ast_add(&s->arena, out, at_entry_of ? entry_save(s, at_entry_of, source, value) : value);
	sb_puts(format, levels ? "%s" : "%#x");
}

/* $$parms, $$vars, $$return ...: a formatted print of all that can be placed. */
/*
 * A wildcard also finds functions that nothing describes, such as those that the linker adds; where it found others that are
 * described, these have no variables.
 */
static bool is_undescribed_among_others(struct session *s, const struct site *t)
{
	for (size_t i = 0; t->optional && i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];
		for (size_t k = 0; k < p->sites.n; k++) {
			struct site *other = p->sites.v[k];
			if (other->family == t->family && other->loc.off == t->loc.off && proto_of(s, other))
				return true;
		}
	}
	return false;
}

static struct node *all_of(struct session *s, struct diags *ds, struct probe *p, struct node *n, unsigned levels)
{
	static const struct proto nothing;
	struct site *t = p->sites.v[0];
	const struct proto *proto = proto_of(s, t);
	struct node *out = ast_new(&s->arena, N_PRINT, n->loc, 0);
	struct sb format = {0};
	bool parms = !strcmp(n->name, "$$parms") || !strcmp(n->name, "$$vars");
	bool ret = !strcmp(n->name, "$$return");

	if (!parms && !ret && strcmp(n->name, "$$locals")) {
		struct diag *d = diag_report(ds, n->loc, E_NO_VARIABLE, "there is no %s", n->name);
		diag_hint(ds, d, "there are: $$parms, $$vars, $$locals, $$return");
		return NULL;
	}
	if (!proto && is_undescribed_among_others(s, t))
		proto = &nothing;
	if (!proto) {
		report(s, ds, n->loc, E_NO_TARGET_VARIABLES,
		       arena_printf(&s->arena, "%s cannot be read: %s", n->name, t->why_not.text), &t->why_not);
		return NULL;
	}
	for (size_t i = 0; parms && i < proto->nparams; i++) {
		const struct proto_value *v = &proto->params[i];
		if (*v->name)
			all_add(s, out, &format, v, v->name, levels, t->is_return ? p : NULL);
	}
	if ((ret || (parms && t->is_return && !strcmp(n->name, "$$vars"))) && t->is_return && proto->returns) {
		all_add(s, out, &format, &proto->ret, "return", levels, NULL);
	}
	out->name = intern("sprintf");
	out->flags = NF_FMT_STRING | NF_FMT_FORMAT;
	out->text = intern(format.s ? format.s : "");
	out->type = T_STRING;
	sb_free(&format);
	return out;
}

/*
 * A parameter with computed subscripts, in a return probe: what the first of them hangs on is saved at the entry; the rest is read
 * at the return, when the handler computes the subscripts.
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
		report(s, ds, n->loc, E_NO_MEMBER, why.text, &why);
		return NULL;
	}
	from = dtype_kind(at.type) == DTYPE_ARRAY ? fetch_object_at_input(&s->arena, input, at.type, at.space) :
						    fetch_input(&s->arena, input, at.type, at.space);
	if (dtype_path(&s->arena, &from, path->steps.v + k, path->steps.n - k, &to, &why) ||
	    (path->address ? fetch_address(&s->arena, &to, &value, &why) : fetch_value(&s->arena, &to, &value, &why))) {
		report(s, ds, n->loc, E_NO_MEMBER, why.text, &why);
		return NULL;
	}
	vec_push(&s->arena, &path->inputs, entry_save(s, p, *target_from(path->where.v[k]), target_fetch(s, n, &saved, &(node_list){0})));
	struct node *out = target_fetch(s, n, &value, &path->inputs);
	set_dtype(out, &value, path->address);
	return out;
}

/* Nobody knows what the expression under the first step is. */
static void untyped(struct session *s, struct diags *ds, const struct target_path *path)
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
		diag_hint(ds, d, "the keys of an array stand in one pair of brackets, with commas: a[1, 2]");
	else
		diag_hint(ds, d, "say what it is: @cast(%s, \"struct NAME\")", text.s ? text.s : "...");
	sb_free(&text);
}

/* Where the path starts. */
static bool start_of(struct session *s, struct diags *ds, struct probe *p, struct target_path *path, struct fetch *out, bool *at_entry)
{
	const struct dtype_step *first = path->steps.n ? &path->steps.v[0] : NULL;

	if (path->base->kind == N_TARGET)
		return start(s, ds, p, path->base, out, at_entry);
	if (path->base->kind == N_ATVAR)
		return atvar_start(s, ds, p, path->base, path->address && !first, out);
	if (path->base->kind == N_CAST)
		return cast_start(s, ds, p, path->base, 0, first, path->address, out);
	if (!path->base->dtype) {
		untyped(s, ds, path);
		return false;
	}
	*out = fetch_input(&s->arena, 0, path->base->dtype, path->base->in_user ? FETCH_USER : FETCH_KERNEL);
	return true;
}

bool target_follow(struct session *s, struct diags *ds, struct probe *p, struct node *n, struct target_path *path)
{
	struct problem why = {0};

	*path = (struct target_path){0};
	split(s, n, path);
	if (!start_of(s, ds, p, path, &path->from, &path->at_entry))
		return false;
	if (dtype_path(&s->arena, &path->from, path->steps.v, path->steps.n, &path->to, &why)) {
		struct node *where = why.step < path->where.n ? path->where.v[why.step] : n;
		report(s, ds, where->loc, E_NO_MEMBER, why.text, &why);
		return false;
	}
	return true;
}

/* $x$ and $x$$ */
static struct node *pretty_of(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	struct target_path path;
	struct node *out;

	if (!target_follow(s, ds, p, n, &path))
		return NULL;
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
	return entry_save(s, p, n, out);
}

struct node *target_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	struct node *base = target_base(n);
	struct target_path path;
	struct problem why = {0};
	struct fetch value;
	int64_t number;

	if (base->kind == N_TARGET && base->name[1] == '$')
		return all_of(s, ds, p, base, n->kind == N_PRETTY ? levels_of(n) : 0);
	if (n->kind == N_PRETTY)
		return pretty_of(s, ds, p, n);
	if (!target_follow(s, ds, p, n, &path))
		return NULL;
	if (path.address ? fetch_address(&s->arena, &path.to, &value, &why) : fetch_value(&s->arena, &path.to, &value, &why)) {
		report(s, ds, n->loc, E_NO_MEMBER, why.text, &why);
		return NULL;
	}
	struct node *out = cast_fold(&value, (const struct node *const *)path.inputs.v, (unsigned)path.inputs.n, &number) ?
			   ast_number(&s->arena, n->loc, number) : target_fetch(s, n, &value, &path.inputs);
	set_dtype(out, &value, path.address);
	if (!path.at_entry)
		return out;
	return path.inputs.n ? follow_saved(s, ds, p, n, &path, &path.from) : entry_save(s, p, n, out);
}
