/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "advise": gathers from the user's script, as it was written, what the advice of advice.h needs.
 * Reads: s->script, not yet bound.  Writes: s->advice.
 */
#include "translator/opt/advice.h"

#include <string.h>

#include "base/intern.h"
#include "translator/debuginfo/types.h"
#include "translator/pipeline.h"
#include "translator/probes/place.h"
#include "translator/resolve/site_locals.h"
#include "translator/types/hints.h"
#include "translator/uses.h"

/* What becomes of a name within one probe or function. */
struct named {
	const char *name;
	struct loc read_at, written_at;
	bool is_read, is_written;
	bool is_own;   /* is in the script itself, not only in an alias */
	bool is_local; /* as it was bound */
};

struct scope {
	struct node *decl; /* N_PROBE or N_FUNCTION */
	struct map names;  /* name -> struct named */
	unsigned open;     /* names that are only read, or only written */
};

struct advice {
	struct diags pending;
	VEC(struct scope *) scopes;
	struct map by_decl;          /* decl -> struct scope */
	struct map names;            /* of the whole script: name -> struct named */
	struct map called;           /* names of functions that others call */
	VEC(const char *) c_texts;   /* embedded C, which may use any global */
};

/* ---- gathering ---- */

struct gather {
	struct session *s;
	struct advice *a;
	struct map *names;        /* of the scope, or NULL outside of probes and functions */
	const struct node *decl;
	bool is_bound;
};

static void note(struct gather *g, struct map *names, const struct node *n, bool read, bool write)
{
	struct named *m = map_get(names, n->name);

	if (!m) {
		m = arena_new(&g->s->arena, struct named);
		m->name = n->name;
		map_set(&g->s->arena, names, n->name, m);
	}
	if (read && !m->is_read && !g->is_bound)
		m->read_at = n->loc;
	if (write && !m->is_written && !g->is_bound)
		m->written_at = n->loc;
	m->is_read |= read;
	m->is_written |= write;
	m->is_own |= !g->is_bound;
	m->is_local |= n->sym && n->sym->kind == SYM_LOCAL && !n->sym->is_param;
}

/* A loop needs its variables, and so does a catch: they count as read. */
static bool is_needed(const struct mention *m)
{
	return m->by && (m->by->kind == N_FOREACH || m->by->kind == N_TRY);
}

static void mention(struct uses *u, const struct mention *m)
{
	struct gather *g = u->ctx;
	bool read = (m->use & USE_READ) || is_needed(m), write = m->use & (USE_WRITTEN | USE_CHANGED);

	if (g->names)
		note(g, g->names, m->name, read, write);
	if (!g->is_bound)
		note(g, &g->a->names, m->name, read, write);
}

/* ---- statements ---- */

/*
 * Is it the user's own text, of the script or of an argument?  Macros may make more than is needed.  Expansions of arguments that are put in as words
 * are named $1, $2 ...; those of macros by their names.
 */
static bool is_users(const struct session *s, struct loc loc)
{
	const struct expansion *x = loc.expansion ? &s->sources.expansions[loc.expansion - 1] : NULL;
	bool is_argument = x && x->macro[0] == '$' && !x->at.expansion;

	return loc.source && (!x || is_argument) && !session_in_tapset(s, loc);
}

static bool is_jump(const struct node *n)
{
	return n->kind == N_RETURN || n->kind == N_NEXT || n->kind == N_BREAK || n->kind == N_CONTINUE;
}

static void unreachable(struct gather *g, struct node *n)
{
	static const char *const words[NODE_KINDS] = {
		[N_RETURN] = "return", [N_NEXT] = "next", [N_BREAK] = "break", [N_CONTINUE] = "continue"};
	struct diags *ds = &g->a->pending;

	for (unsigned i = 0; i + 1 < BLOCK_STATEMENTS(n); i++) {
		struct node *jump = BLOCK_STATEMENT(n, i), *after = BLOCK_STATEMENT(n, i + 1);
		if (!is_jump(jump) || after->kind == N_EMPTY || !is_users(g->s, jump->loc) || !is_users(g->s, after->loc))
			continue;
		struct diag *d = diag_report(ds, ast_span(after), W_DEAD_STATEMENT, "this is never reached");
		diag_note(ds, d, jump->loc, "\"%s\" leaves before it", words[jump->kind]);
		diag_hint(ds, d, "make the \"%s\" conditional, or delete what follows it", words[jump->kind]);
		return;
	}
}

static bool is_of_target(const struct node *n)
{
	return n->kind == N_TARGET || n->kind == N_MEMBER || n->kind == N_ADDRESS || n->kind == N_CAST;
}

/*
 * Has it no calls, accesses to the target or regular expressions?  These may be there for their effects: an address is tried by reading what
 * is there.  is_computed: it is in an arithmetic or comparison, where the read is no test.
 */
static bool is_idle(const struct node *n, bool is_computed)
{
	if (n->kind != N_NUMBER && n->kind != N_STRING && n->kind != N_NAME && n->kind != N_INDEX && n->kind != N_UNARY &&
	    n->kind != N_BINARY && n->kind != N_TERNARY && n->kind != N_IN && n->kind != N_STAR && !(is_computed && is_of_target(n)))
		return false;
	if (n->op == OP_DIV || n->op == OP_MOD)
		return false;
	AST_EACH(child, n)
		if (!is_idle(*child, is_computed))
			return false;
	return true;
}

static void idle(struct gather *g, const struct node *n)
{
	struct diags *ds = &g->a->pending;

	if (!is_users(g->s, n->loc) || !is_idle(n, n->kind == N_BINARY))
		return;
	struct diag *d = diag_report(ds, ast_span(n), W_NO_EFFECT, "this statement has no effect: its value is not used");
	if (n->kind == N_BINARY && n->op == OP_EQ)
		diag_hint(ds, d, "to assign, write = instead of ==");
	else if (n->kind == N_NAME)
		diag_hint(ds, d, "to call a function, write %s()", n->name);
	else
		diag_hint(ds, d, "assign or print the value, or delete the statement");
}

/* Does a function call itself here? */
static bool is_itself(const struct gather *g, const struct node *call)
{
	return g->decl && g->decl->kind == N_FUNCTION && g->decl->name == call->name;
}

static bool look_at(struct uses *u, struct node *n)
{
	struct gather *g = u->ctx;

	if (n->kind == N_EMBEDDED)
		vec_push(&g->s->arena, &g->a->c_texts, n->text);
	else if (n->kind == N_CALL && !g->is_bound && !is_itself(g, n))
		map_set(&g->s->arena, &g->a->called, n->name, g);
	else if (n->kind == N_BLOCK && !g->is_bound)
		unreachable(g, n);
	else if (n->kind == N_EXPR && !g->is_bound)
		idle(g, EXPR_VALUE(n));
	return true;
}

static void gather(struct gather *g, struct node *n)
{
	struct uses u = {.mention = mention, .node = look_at, .ctx = g};

	uses_walk(&u, n, false);
}

/* ---- the pass ---- */

static bool is_open(const struct named *m)
{
	return m->is_own && m->is_read != m->is_written;
}

static void close_scope(struct session *s, struct scope *c)
{
	c->open = 0;
	for (size_t i = 0; i < c->names.n; i++) {
		const struct named *m = c->names.entries[i].value;
		c->open += is_open(m) && !map_get(&s->prog.globals, m->name);
	}
}

int advise_pass(struct session *s)
{
	struct advice *a = arena_new(&s->arena, struct advice);

	s->advice = a;
	a->pending.arena = &s->arena;
	a->pending.sources = &s->sources;
	for (unsigned i = 0; i < FILE_DECLARATIONS(s->script); i++) {
		struct node *decl = FILE_DECLARATION(s->script, i);
		struct gather g = {.s = s, .a = a, .decl = decl};
		if (decl->kind != N_PROBE && decl->kind != N_FUNCTION) {
			gather(&g, decl);
			continue;
		}
		struct scope *c = arena_new(&s->arena, struct scope);
		c->decl = decl;
		vec_push(&s->arena, &a->scopes, c);
		map_set(&s->arena, &a->by_decl, (const char *)decl, c);
		for (unsigned k = 0; decl->kind == N_PROBE && k < PROBE_POINTS(decl); k++)
			gather(&g, PROBE_POINT(decl, k)); /* conditions */
		g.names = &c->names;
		gather(&g, decl->kind == N_PROBE ? PROBE_BODY(decl) : FUNCTION_BODY(decl));
		close_scope(s, c);
	}
	return 0;
}

void advice_bound(struct session *s)
{
	struct advice *a = s->advice;

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		struct scope *c = map_get(&a->by_decl, (const char *)p->decl);
		struct gather g = {.s = s, .a = a, .decl = p->decl, .names = c ? &c->names : NULL, .is_bound = true};
		if (!c || !c->open)
			continue;
		gather(&g, p->body);
		close_scope(s, c);
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		struct function *f = s->prog.function_list.v[i];
		struct scope *c = map_get(&a->by_decl, (const char *)f->decl);
		struct gather g = {.s = s, .a = a, .decl = f->decl, .names = c ? &c->names : NULL, .is_bound = true};
		if (c && c->open)
			gather(&g, f->body);
	}
}

/* ---- what is reported ---- */

static struct named *written_elsewhere(struct advice *a, const struct scope *here, const char *name)
{
	for (size_t i = 0; i < a->scopes.n; i++) {
		struct named *m = a->scopes.v[i] == here ? NULL : map_get(&a->scopes.v[i]->names, name);
		if (m && m->is_own && m->is_written)
			return m;
	}
	return NULL;
}

static void suggest(struct session *s, struct diag *d, const struct scope *c, const char *name, const char *otherwise)
{
	struct nearest near;

	nearest_init(&near, name);
	for (size_t i = 0; c && i < c->names.n; i++) {
		const struct named *m = c->names.entries[i].value;
		if (m->name != name && m->is_written)
			nearest_add(&near, m->name);
	}
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		const struct symbol *v = s->prog.globals.entries[i].value;
		if (v->name != name && !(v->decl->flags & NF_TAPSET))
			nearest_add(&near, v->name);
	}
	if (!diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena)))
		diag_hint(&s->diags, d, "%s", otherwise);
}

/* The first probe of the handler, or, if of_call, the first of a system call; or NULL. */
static const struct probe *probe_of(struct session *s, const struct scope *c, bool of_call)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		if (s->prog.probes.v[i]->decl == c->decl && (!of_call || s->prog.probes.v[i]->sites.v[0]->is_call))
			return s->prog.probes.v[i];
	return NULL;
}

/* Scripts of SystemTap's read variables there that nothing in the script assigns. */
static void call_variable(struct session *s, const struct probe *p, const struct named *m)
{
	const struct site *t = p->sites.v[0];
	struct diag *d = s_error(s, m->read_at, E_NO_VARIABLE, "%s has no variable \"%s\", and it is never assigned", probe_site_name(t), m->name);

	if (!hints_word(s, d, p, m->name))
		site_locals_list(s, t, d);
}

/* "prev_comm" may be $prev->comm, as the fields of a tracepoint's record are called elsewhere. */
static bool is_member(struct session *s, const struct place_variable *v, const char *name)
{
	size_t n = strlen(v->name);
	struct dtype_step step = {.kind = DTYPE_STEP_MEMBER, .name = intern(name + n + 1)};
	struct problem ignored = {0};
	struct fetch to;

	return v->value->placed && !strncmp(v->name, name, n) && name[n] == '_' &&
	       !dtype_path(&s->arena, &v->value->fetch, &step, 1, &to, &ignored);
}

/* A member of a variable of the probe point. */
static bool hint_member(struct session *s, struct diag *d, const struct probe *p, const char *name)
{
	struct place_variables there = {0};
	struct problem ignored = {0};
	struct site *t = p && p->sites.n ? p->sites.v[0] : NULL;

	if (!t || !place_variables(s, t, place_moment(t), &there, &ignored))
		return false;
	for (size_t i = 0; i < there.v.n; i++) {
		const struct place_variable *v = &there.v.v[i];

		if (strlen(name) < strlen(v->name) + 2 || !is_member(s, v, name))
			continue;
		diag_hint(&s->diags, d, "variables of the probed code begin with $: did you mean $%s->%s?", v->name, name + strlen(v->name) + 1);
		return true;
	}
	return false;
}

static void never_assigned(struct session *s, const struct scope *c, const struct named *m)
{
	const struct probe *call = probe_of(s, c, true);

	if (call) {
		call_variable(s, call, m);
		return;
	}
	struct named *other = written_elsewhere(s->advice, c, m->name);
	struct diag *d = s_error(s, m->read_at, W_NEVER_ASSIGNED, "\"%s\" is read here but never assigned", m->name);

	if (other) {
		diag_note(&s->diags, d, other->written_at, "this is a variable of its own: locals are not shared");
		diag_hint(&s->diags, d, "to share it, declare it outside of all probes: global %s", m->name);
		return;
	}
	const struct probe *probe = probe_of(s, c, false);

	if (hints_word(s, d, probe, m->name) || hint_member(s, d, probe, m->name))
		return;
	suggest(s, d, c, m->name, "it always has the value 0 or \"\"; assign it before, or pass it as an argument");
}

static void never_read(struct session *s, const struct named *m)
{
	struct diag *d = s_error(s, m->written_at, W_NEVER_READ, "\"%s\" is assigned but never read", m->name);

	diag_hint(&s->diags, d, "use its value, or delete the assignment; a variable that others should see must be declared global");
}

static void locals(struct session *s, const struct scope *c)
{
	for (size_t i = 0; i < c->names.n; i++) {
		const struct named *m = c->names.entries[i].value;
		if (!is_open(m) || !m->is_local)
			continue;
		if (m->is_read && is_users(s, m->read_at))
			never_assigned(s, c, m);
		else if (m->is_written && is_users(s, m->written_at))
			never_read(s, m);
	}
}

static bool in_c_text(const struct advice *a, const char *name)
{
	for (size_t i = 0; i < a->c_texts.n; i++)
		if (strstr(a->c_texts.v[i], name))
			return true;
	return false;
}

static void global(struct session *s, const struct symbol *v, const struct node *decl)
{
	const struct named *m = map_get(&s->advice->names, decl->name);
	bool is_initialised = GLOBAL_VALUE(decl);
	struct diag *d;

	if (in_c_text(s->advice, decl->name) || !is_users(s, decl->loc))
		return;
	if (!m && !v->read && !v->written) {
		d = s_error(s, decl->loc, W_UNUSED_GLOBAL, "the global \"%s\" is never used", decl->name);
		diag_hint(&s->diags, d, "delete it, or check how its name is spelt where it should be used");
	} else if (m && m->is_read && !m->is_written && !v->written && !is_initialised && is_users(s, m->read_at)) {
		d = s_error(s, m->read_at, W_NEVER_ASSIGNED, "the global \"%s\" is read here but never assigned", decl->name);
		suggest(s, d, NULL, decl->name, v->is_array || v->type == T_STATS ? "nothing in the script fills it" :
			"if -G may set it, give it an initial value: global NAME = VALUE");
	}
}

static void function(struct session *s, const struct node *decl)
{
	struct function *f = decl->sym ? decl->sym->function : NULL;
	struct diag *d;

	if (!f || f->used || map_get(&s->advice->called, decl->name) || !is_users(s, decl->loc))
		return;
	d = s_error(s, decl->loc, W_UNUSED_FUNCTION, "the function \"%s\" is never called", decl->name);
	diag_hint(&s->diags, d, "delete it, or check how its name is spelt where it should be called");
}

void advice_report(struct session *s)
{
	diag_move(&s->diags, &s->advice->pending);
	for (unsigned i = 0; i < FILE_DECLARATIONS(s->script); i++) {
		struct node *decl = FILE_DECLARATION(s->script, i);
		const struct scope *c = map_get(&s->advice->by_decl, (const char *)decl);
		if (c)
			locals(s, c);
		if (decl->kind == N_FUNCTION)
			function(s, decl);
		else if (decl->kind == N_GLOBAL && decl->sym && !decl->sym->is_given)
			global(s, decl->sym, decl);
	}
}
