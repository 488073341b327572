// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Macros: takes @define NAME %( tokens %) out of the stream and replaces @NAME and @NAME(arguments).  Works
 * on tokens, never on text.  A macro that is being expanded is a frame; arguments are frames too, read in the
 * scope of their caller. Each token of an expansion says in loc.expansion where it was expanded.
 */
#include <string.h>

#include "base/intern.h"
#include "parser/grammar.h"
#include "parser/stages.h"

/* Expansions within expansions: in practice only recursion gets there. */
#define MAX_LEVEL 200

struct macro {
	const char *name; /* with its @ */
	struct loc loc;
	bool library;
	bool has_parameters;          /* "(" was given */
	VEC(const char *) parameters; /* with @ */
	struct tokens body;
};

/* Tokens being read, and the scope in which their names are looked up. */
struct macro_frame {
	struct macro_frame *below; /* goes on there at the end */
	const struct token *v;
	size_t n, i;
	const struct macro *macro;     /* whose parameters are in scope; NULL in the file itself */
	struct macro_frame *arguments; /* one frame per parameter, a model to copy */
	uint32_t expansion;
	unsigned level; /* of expansions within expansions; frames that have ended count */
};

void macro_init(struct macros *m, struct parse_env *env, struct tokens *tokens)
{
	struct macro_frame *f = arena_new(env->arena, struct macro_frame);

	*m = (struct macros){.env = env, .top = f};
	f->v = tokens->v;
	f->n = tokens->n - 1; /* the end stays */
}

/* Leaves frames that have ended. */
static void leave_ended(struct macros *m)
{
	while (m->top->i == m->top->n && m->top->below)
		m->top = m->top->below;
}

static struct token peek(struct macros *m)
{
	leave_ended(m);
	return m->top->v[m->top->i]; /* of the file, the end token is at n */
}

struct token macro_next_raw(struct macros *m)
{
	struct token t = peek(m);
	struct macro_frame *f = m->top;

	if (f->i < f->n)
		f->i++;
	if (f->expansion && !t.loc.expansion)
		t.loc.expansion = f->expansion;
	return t;
}

/* ---- definitions ---- */

static struct diag *complain(struct macros *m, struct loc loc, enum diag_id id, const char *what,
			     const char *name)
{
	return diag_report(m->env->diags, loc, id, what, name);
}

static bool add_parameter(struct macros *m, struct macro *macro, const struct token *t)
{
	const char *name = intern(arena_printf(m->env->arena, "@%s", t->text));

	for (size_t i = 0; i < macro->parameters.n; i++)
		if (macro->parameters.v[i] == name) {
			diag_report(m->env->diags, t->loc, E_MACRO_DEFINITION, "two parameters of %s have the name %s",
				    macro->name, t->text);
			return false;
		}
	vec_push(m->env->arena, &macro->parameters, name);
	return true;
}

/* "(p1, p2)"; false after an error. */
static bool read_parameters(struct macros *m, struct macro *macro)
{
	struct token t;

	macro->has_parameters = true;
	macro_next_raw(m);
	do {
		t = macro_next_raw(m);
		if (t.kind == ')' && !macro->parameters.n)
			return true;
		if (t.kind != TK_IDENT) {
			struct diag *d = diag_report(m->env->diags, t.loc, E_MACRO_DEFINITION,
						     "expected the name of a parameter of %s", macro->name);
			if (t.kind == TK_AT)
				diag_hint(m->env->diags, d, "parameters have their @ where they are used, not here");
			return false;
		}
		if (!add_parameter(m, macro, &t))
			return false;
		t = macro_next_raw(m);
	} while (t.kind == ',');
	if (t.kind == ')')
		return true;
	diag_report(m->env->diags, t.loc, E_MACRO_DEFINITION,
		    "expected \",\" or \")\" among the parameters of %s", macro->name);
	return false;
}

static void skip_definition(struct macros *m);

/* From after the opening "%(" to its partner. */
static bool read_body(struct macros *m, struct macro *macro, struct loc open)
{
	unsigned depth = 1;

	for (;;) {
		struct token t = macro_next_raw(m);

		depth += t.kind == TK_PP_OPEN;
		depth -= t.kind == TK_PP_CLOSE;
		if (!depth)
			break;
		if (!t.kind) {
			complain(m, open, E_MACRO_DEFINITION, "there is no \"%%)\" for the \"%%(\" of %s",
				 macro->name);
			return false;
		}
		if (t.kind == TK_AT && !strcmp(t.text, "@define")) {
			complain(m, t.loc, E_MACRO_DEFINITION, "a macro cannot be defined within %s",
				 macro->name);
			skip_definition(m);
			continue;
		}
		vec_push(m->env->arena, &macro->body, t);
	}

	struct token end = {.kind = 0, .loc = open};

	vec_push(m->env->arena, &macro->body, end);
	macro->body.n--; /* the end token is at n */
	return true;
}

/* False, and reported, when there is a macro of the name. */
static bool is_new(const struct parse_env *env, const struct map *map, const struct macro *macro)
{
	const struct macro *before = map_get(map, macro->name);

	if (!before)
		return true;
	struct diag *d = diag_report(env->diags, macro->loc, E_MACRO_TWICE, "the macro %s is defined twice", macro->name);
	diag_note(env->diags, d, before->loc, "first here");
	return false;
}

void parse_add_macros(struct parse_env *env, const struct map *macros)
{
	for (size_t i = 0; i < macros->n; i++) {
		struct macro *macro = macros->entries[i].value;

		if (is_new(env, &env->library_macros, macro))
			map_set(env->arena, &env->library_macros, macro->name, macro);
	}
}

static void store(struct macros *m, struct macro *macro)
{
	struct map *map = m->library ? &m->env->library_macros : &m->local;

	if (!is_new(m->env, map, macro))
		return;
	if (feed_is_at_word(macro->name))
		complain(m, macro->loc, W_MACRO_HIDES, "the macro hides the operator %s", macro->name);
	map_set(m->env->arena, map, macro->name, macro);
}

/* The rest of a definition with a bad name or bad parameters, as far as it looks like one. */
static void skip_definition(struct macros *m)
{
	struct macro ignored = {.name = ""};
	struct token t = peek(m);

	while (t.kind == TK_IDENT || t.kind == TK_AT || t.kind == TK_NUMBER || t.kind == '(' || t.kind == ',' || t.kind == ')') {
		macro_next_raw(m);
		t = peek(m);
	}
	if (t.kind == TK_PP_OPEN) {
		macro_next_raw(m);
		read_body(m, &ignored, t.loc);
	}
}

/* After the name; false after an error. */
static bool read_rest(struct macros *m, struct macro *macro)
{
	if (peek(m).kind == '(' && !read_parameters(m, macro)) {
		skip_definition(m);
		return false;
	}

	struct token open = peek(m);

	if (open.kind != TK_PP_OPEN) {
		complain(m, open.loc, E_MACRO_DEFINITION, "expected \"%%(\" before the text of %s",
			 macro->name);
		return false;
	}
	macro_next_raw(m);
	return read_body(m, macro, open.loc);
}

/* After "@define". */
static void define(struct macros *m, struct loc keyword)
{
	struct token name = peek(m);

	if (name.kind != TK_IDENT) {
		diag_report(m->env->diags, keyword, E_MACRO_DEFINITION,
			    "\"@define\" must be followed by the name of the macro");
		if (name.kind == TK_PP_OPEN)
			skip_definition(m);
		return;
	}
	macro_next_raw(m);

	struct macro *macro = arena_new(m->env->arena, struct macro);

	macro->name = intern(arena_printf(m->env->arena, "@%s", name.text));
	macro->loc = name.loc;
	macro->library = m->library;
	if (!read_rest(m, macro))
		map_set(m->env->arena, &m->broken, macro->name, macro);
	else
		store(m, macro);
}

/* ---- calls ---- */

/* scope: the macro in whose text the name is; NULL: the file itself. */
static const struct macro *find(const struct macros *m, const struct macro *scope, const char *name)
{
	const struct macro *found = scope && scope->library ? NULL : map_get(&m->local, name);
	struct parse_env *env = m->env;

	if (!found)
		found = map_get(&env->library_macros, name);
	if (found || !env->more_macros || feed_is_at_word(name))
		return found;
	env->more_macros(env->more_macros_data, env);
	env->more_macros = NULL;
	return map_get(&env->library_macros, name);
}

/* Its number from 1, or 0: the macro has no such parameter. */
static size_t parameter_number(const struct macro *macro, const char *name)
{
	for (size_t i = 0; macro && i < macro->parameters.n; i++)
		if (macro->parameters.v[i] == name)
			return i + 1;
	return 0;
}

static struct macro_frame *find_argument(const struct macros *m, const char *name)
{
	size_t i = parameter_number(m->top->macro, name);

	return i ? &m->top->arguments[i - 1] : NULL;
}

/* Does the text of a macro use another, itself or through others?  seen: those that were looked at. */
static bool leads_to(struct macros *m, const struct macro *from, const struct macro *to, struct map *seen, unsigned level)
{
	for (size_t i = 0; level < MAX_LEVEL && i < from->body.n; i++) {
		const char *name = from->body.v[i].text;
		const struct macro *next;

		if (from->body.v[i].kind != TK_AT || parameter_number(from, name))
			continue;
		next = find(m, from, name);
		if (next == to)
			return true;
		if (!next || map_get(seen, name))
			continue;
		map_set(m->env->arena, seen, name, (void *)next);
		if (leads_to(m, next, to, seen, level + 1))
			return true;
	}
	return false;
}

static bool uses_itself(struct macros *m, const struct macro *macro)
{
	struct map seen = {0};

	return macro && leads_to(m, macro, macro, &seen, 0);
}

/* Too deep at t: mostly since a macro uses itself, which need not be the one at t. */
static void complain_of_depth(struct macros *m, const struct token *t)
{
	const struct macro *macro = find_argument(m, t->text) ? NULL : find(m, m->top->macro, t->text);
	const struct macro_frame *f = m->top;
	struct loc loc = t->loc;

	if (!uses_itself(m, macro)) {
		while (f && !uses_itself(m, f->macro))
			f = f->below;
		macro = f ? f->macro : NULL;
		if (f)
			loc = m->env->sources->expansions[f->expansion - 1].at;
	}
	loc.expansion = source_outermost(m->env->sources, loc.expansion); /* the others would only repeat it */
	if (macro)
		complain(m, loc, E_MACRO_DEPTH, "the macro %s expands to itself", macro->name);
	else
		diag_report(m->env->diags, loc, E_MACRO_DEPTH, "more than %d macros and arguments expand within each other, down to %s",
			    MAX_LEVEL, t->text);
}

static bool enter(struct macros *m, struct macro_frame *f, unsigned level, const struct token *t)
{
	if (level >= MAX_LEVEL) {
		complain_of_depth(m, t);
		m->run_away = true;
		return false;
	}
	leave_ended(m);
	f->level = level;
	f->below = m->top;
	m->top = f;
	return true;
}

/* A frame that reads one argument: to the "," or ")" that ends it.  Brackets protect commas. */
static struct macro_frame read_argument(struct macros *m, struct token *end)
{
	struct tokens list = {0};
	struct macro_frame *scope = m->top;
	struct macro_frame f = {
		.macro = scope->macro, .arguments = scope->arguments, .expansion = scope->expansion};
	unsigned depth = 0;

	for (;;) {
		struct token t = macro_next_raw(m);

		if (!t.kind || (!depth && (t.kind == ',' || t.kind == ')'))) {
			*end = t;
			break;
		}
		depth += t.kind == '(' || t.kind == '[' || t.kind == '{';
		depth -= depth && (t.kind == ')' || t.kind == ']' || t.kind == '}');
		vec_push(m->env->arena, &list, t);
	}
	f.n = list.n;

	struct token stop = {.kind = 0};

	vec_push(m->env->arena, &list, stop);
	f.v = list.v;
	return f;
}

/* "(a, b)" after the name; NULL after an error. */
static struct macro_frame *read_arguments(struct macros *m, const struct macro *macro, struct loc call)
{
	VEC(struct macro_frame) args = {0};
	size_t want = macro->parameters.n;
	struct token end = {0};
	struct diag *d;

	if (peek(m).kind != '(') {
		d = diag_report(m->env->diags, call, E_MACRO_ARGS, "the macro %s needs %zu argument%s",
				macro->name, want, want == 1 ? "" : "s");
		diag_note(m->env->diags, d, macro->loc, "defined here");
		return NULL;
	}
	macro_next_raw(m);
	do {
		struct macro_frame arg = read_argument(m, &end);

		vec_push(m->env->arena, &args, arg);
	} while (end.kind == ',');
	if (!end.kind) {
		complain(m, call, E_MACRO_ARGS, "there is no \")\" after the arguments of %s", macro->name);
		return NULL;
	}
	if (args.n != want && !(want == 0 && args.n == 1 && !args.v[0].n)) {
		d = diag_report(m->env->diags, call, E_MACRO_ARGS,
				"the macro %s takes %zu argument%s, not %zu", macro->name, want,
				want == 1 ? "" : "s", args.n);
		diag_note(m->env->diags, d, macro->loc, "defined here");
		return NULL;
	}
	return args.v;
}

static bool call(struct macros *m, const struct macro *macro, struct token t)
{
	struct macro_frame *f = arena_new(m->env->arena, struct macro_frame);
	unsigned level = m->top->level + 1;

	if (macro->has_parameters && !(f->arguments = read_arguments(m, macro, t.loc)))
		return false;
	f->v = macro->body.v;
	f->n = macro->body.n;
	f->macro = macro;
	f->expansion = source_expand(m->env->sources, intern(macro->name + 1), t.loc);
	return enter(m, f, level, &t);
}

/* When expansion does not end, the text is ended instead. */
static bool run_away(struct macros *m, struct loc loc)
{
	if (!m->run_away && ++m->produced > PARSE_MAX_TOKENS) {
		diag_report(m->env->diags, loc, E_TOO_BIG,
			    "the script has more than %u words after macro expansion", PARSE_MAX_TOKENS);
		m->run_away = true;
	}
	return m->run_away;
}

struct token macro_next(struct macros *m)
{
	for (;;) {
		struct token t = macro_next_raw(m);

		if (run_away(m, t.loc)) {
			t.kind = 0;
			t.error = 0;
			return t;
		}
		if (t.kind != TK_AT)
			return t;
		if (!strcmp(t.text, "@define")) {
			define(m, t.loc);
			continue;
		}

		struct macro_frame *argument = find_argument(m, t.text);
		const struct macro *macro = argument ? NULL : find(m, m->top->macro, t.text);
		bool entered;

		if (!argument && !macro) {
			if (map_get(&m->broken, t.text))
				t.kind = TK_IDENT;
			return t;
		}
		if (argument)
			entered = enter(m, arena_memdup(m->env->arena, argument, sizeof *argument),
					m->top->level + 1, &t);
		else
			entered = call(m, macro, t);
		if (!entered) { /* reported; a name in its place does the least harm */
			t.kind = TK_IDENT;
			return t;
		}
	}
}

bool macro_comes_later(const struct macros *m, const char *name)
{
	const struct macro_frame *file = m->top;

	while (file->below)
		file = file->below;
	for (size_t i = file->i; i + 1 < file->n; i++)
		if (file->v[i].kind == TK_AT && !strcmp(file->v[i].text, "@define") && file->v[i + 1].kind == TK_IDENT &&
		    !strcmp(file->v[i + 1].text, name + 1))
			return true;
	return false;
}

void macro_nearest(struct macros *m, struct nearest *near)
{
	for (size_t i = 0; i < m->local.n; i++)
		nearest_add(near, m->local.entries[i].key);
	for (size_t i = 0; i < m->env->library_macros.n; i++)
		nearest_add(near, m->env->library_macros.entries[i].key);
}
