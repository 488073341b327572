/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process("path").function and .statement: functions of programs and shared libraries, and lines in them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/sites/uprobe.h"
#include "translator/debuginfo/overload.h"
#include "translator/probes/function.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"
#include "translator/probes/statement.h"

enum { RETURN = 1, STATEMENT = 2, NEAREST = 4, INLINE = 8, LABEL = 16, EXPORTED = 32, CALLEE = 64, PLACES = 128 };
enum { LINES = STATEMENT | INLINE | LABEL | CALLEE };

/* of: what the points are in. */
#define FORMS(of, where)                                                                                 \
	{of ".function(s)", PLACES, "entry of the functions that the pattern matches" where ", and where they are inlined into others"}, \
	{of ".function(s).call", 0, "their entry alone"},                                                \
	{of ".function(s).return", RETURN, "return of the functions"},                                   \
	{of ".function(n)", 0, "entry of the function that begins at an address of the file as it is linked"}, \
	{of ".function(n).call", 0, "the same"},                                                         \
	{of ".function(n).return", RETURN, "its return"},                                                \
	{of ".function(s).exported", EXPORTED, "entry of those that other files can call"},              \
	{of ".function(s).callee(s)", CALLEE, "where they call the functions that the second pattern matches"}, \
	{of ".function(s).callees", CALLEE, "where they call any function"},                             \
	{of ".function(s).callees(n)", CALLEE, "and where those that they call do, so many calls deep"}, \
	{of ".function(s).inline", INLINE, "where they are inlined into others"},                        \
	{of ".function(s).label(s)", LABEL, "labels in the functions"},                                  \
	{of ".statement(s)", STATEMENT, "\"name@file:line\": where the code of a line begins"},          \
	{of ".statement(s).nearest", STATEMENT | NEAREST, "or that of the nearest line with code"}

static const struct probe_form forms[] = {
	IMAGE_FORMS(FORMS),
	{0},
};

struct search {
	struct image_search in;
	const char *pattern; /* of the name */
	const char *arguments; /* "name(arguments)", which tell overloads apart, or NULL */
	const uint64_t *address; /* where it begins; NULL: anywhere */
	const struct elf_function *around; /* the address is in it, but not where it begins */
	const char *file;    /* "name@file:line": where it is declared, or NULL */
	unsigned line;       /* 0: anywhere in the file */
	const struct elf_function *elsewhere; /* has the name, but is declared at another place */
	VEC(const struct elf_function *) others; /* have the name, but other arguments */
	bool is_return, exported;
	bool places;         /* also where functions are inlined */
	bool is_inlined;     /* of those that were found, one is, elsewhere */
	const struct component *where; /* that names functions or lines */
	struct lines_wanted *lines; /* not functions but these; or NULL */
	unsigned indirect; /* IFUNCs that the pattern matched, which cannot be probed */
	const char *indirect_name;
	unsigned refused; /* that cannot be probed: returns, entries or instructions */
	const char *refused_name, *refused_why;
};

/* What is probed. */
struct code {
	struct elf_image *image;
	const struct elf_function *function; /* NULL: */
	const struct statement *statement;
};

/* "@file:line" of a function; "" if not known, or for a wildcard, for which it would take too long. */
static const char *where(struct search *c, const struct elf_function *f)
{
	const char *file = !f->line || str_has_glob(c->pattern) ? NULL : elf_function_file(c->in.image, f);

	return file ? arena_printf(&c->in.s->arena, "@%s:%u", file, f->line) : "";
}

/* "(int, char*)" in lists, where the name alone does not say which function is meant; else "". */
static const char *overload(struct search *c, const struct elf_function *f)
{
	bool shown = c->in.s->opt.list && (c->arguments || (str_has_glob(c->pattern) && elf_is_overloaded(c->in.image, f)));
	const char *arguments = shown ? elf_function_arguments(c->in.image, f) : NULL;

	return arguments ? arena_printf(&c->in.s->arena, "(%s)", arguments) : "";
}

static bool is_there(struct search *c, const struct elf_function *f)
{
	const char *file = f->line ? elf_function_file(c->in.image, f) : NULL;

	if (file && lines_is_file(c->file, file) && (!c->line || c->line == f->line))
		return true;
	if (!c->elsewhere || (file && !c->elsewhere->line))
		c->elsewhere = f;
	return false;
}

static bool has_arguments(struct search *c, const struct elf_function *f)
{
	const char *arguments = elf_function_arguments(c->in.image, f);

	if (arguments && overload_matches(c->arguments, arguments))
		return true;
	vec_push(&c->in.s->arena, &c->others, f);
	return false;
}

static bool begins_there(struct search *c, const struct elf_function *f)
{
	if (*c->address - f->entry < f->size)
		c->around = f;
	return f->entry == *c->address;
}

/* A site in the image that is looked at; data is copied. */
static struct site *add_site(struct search *c, const char *function, const struct code *data)
{
	struct site *t = image_site(&c->in, &probe_process);

	t->function = function;
	t->optional |= str_has_glob(c->pattern) && !c->address;
	t->data = arena_memdup(&c->in.s->arena, data, sizeof *data);
	return t;
}

/* Of a return at its own instruction (returns), the kernel's return probe is not used. */
static void add_function(struct search *c, const struct elf_function *f, uint64_t at, bool returns)
{
	struct site *t = add_site(c, f->name, &(struct code){.image = c->in.image, .function = f});
	struct arena *a = &c->in.s->arena;

	t->point = arena_printf(a, "process(%s).function(%s)%s%s", probe_quoted(c->in.s, elf_facts(c->in.image)->path),
				probe_quoted(c->in.s, arena_printf(a, "%s%s%s", f->name, overload(c, f), where(c, f))),
				c->exported ? ".exported" : "", c->is_return ? ".return" : "");
	t->is_return = c->is_return && !returns;
	t->is_end = returns;
	t->is_go = elf_is_go_function(c->in.image, f);
	t->kind = t->is_return ? SITE_UPROBE_RETURN : SITE_UPROBE_ENTRY;
	t->n[0] = (int64_t)(f->file_off + (at - f->entry));
	t->n[1] = (int64_t)at;
}

static void refuse(struct search *c, const char *name, const char *why)
{
	if (c->refused++)
		return;
	c->refused_name = name;
	c->refused_why = why;
}

/* Where the function is probed: n instructions, or with 0 its beginning.  NULL, or why it cannot be. */
static const char *find_places(const struct search *c, const struct elf_function *f, const uint64_t **at, size_t *n)
{
	struct elf_image *image = c->in.image;
	const char *why = NULL;

	if (!c->is_return)
		return elf_is_restartable(image, f->entry) ? probe_restartable : NULL;
	if (!elf_returns_by_instruction(image))
		return elf_no_return(image, f);
	*n = elf_return_instructions(image, f, at, &why);
	for (size_t i = 0; i < *n; i++)
		if (elf_is_restartable(image, (*at)[i]))
			return probe_restartable;
	return why;
}

static bool add(void *ctx, const struct elf_function *f)
{
	struct search *c = ctx;
	const uint64_t *at = NULL;
	const char *why;
	size_t n = 0;

	c->is_inlined |= f->inlined;
	if (c->arguments && !has_arguments(c, f))
		return true;
	if ((c->file && !is_there(c, f)) || (c->exported && !f->exported) || (c->address && !begins_there(c, f)))
		return true;
	if (f->ifunc) {
		if (!c->indirect++)
			c->indirect_name = f->name;
		return true;
	}
	why = find_places(c, f, &at, &n);
	if (why) {
		refuse(c, f->name, why);
		return true;
	}
	for (size_t i = 0; i < n; i++)
		add_function(c, f, at[i], true);
	if (!n)
		add_function(c, f, c->is_return ? f->entry : elf_function_begin(c->in.image, f), false);
	return true;
}

static struct site *add_statement(struct search *c, const struct lines_wanted *lines, const struct statement *at)
{
	struct site *t = add_site(c, at->function, &(struct code){.image = c->in.image, .statement = at});

	t->point = arena_printf(&c->in.s->arena, "process(%s).%s", probe_quoted(c->in.s, elf_facts(c->in.image)->path),
				statement_text(c->in.s, lines, at));
	t->kind = SITE_UPROBE_ENTRY;
	t->n[0] = (int64_t)elf_statement_offset(c->in.image, at);
	t->n[1] = (int64_t)at->address;
	return t;
}

/* 0; -1: why is set or all is reported. */
static int add_statements(struct search *c, struct problem why[static 1])
{
	struct statements *all = arena_new(&c->in.s->arena, struct statements);

	if (elf_statements(c->in.image, c->lines, all, why))
		return -1;
	for (size_t i = 0; i < all->v.n; i++)
		if (elf_is_restartable(c->in.image, all->v.v[i].address))
			refuse(c, arena_printf(&c->in.s->arena, "0x%llx", (unsigned long long)all->v.v[i].address), probe_restartable);
		else
			add_statement(c, c->lines, &all->v.v[i]);
	if (!all->v.n)
		statement_none(c->in.s, c->lines, all, elf_facts(c->in.image)->path, why);
	return 0;
}

/* Where the functions are inlined into others; of overloads that is not known. */
static void add_places(struct search *c)
{
	struct lines_wanted *w = arena_new(&c->in.s->arena, struct lines_wanted);
	struct statements *all = arena_new(&c->in.s->arena, struct statements);
	bool is_wild = str_has_glob(c->pattern);

	*w = (struct lines_wanted){.function = c->pattern, .file = c->file, .which = LINES_ENTRY, .inlined_only = true};
	if (c->arguments || (!is_wild && !c->is_inlined && !elf_only_inlined(c->in.image, c->pattern)) || elf_statements(c->in.image, w, all, NULL))
		return;
	for (size_t i = 0; i < all->v.n; i++)
		if (!c->line || all->v.v[i].line == c->line)
			add_statement(c, w, &all->v.v[i])->is_inlined = true;
}

/* "there is f(int), f(char)" */
static int no_overload(struct search *c, struct loc loc)
{
	enum { MOST = 8 };
	struct session *s = c->in.s;
	struct diag *d = s_error(s, loc, E_NO_MATCH, "no function \"%s\" of %s has the arguments (%s)", c->pattern,
				 elf_facts(c->in.image)->path, c->arguments);
	struct sb out = {0};

	for (size_t i = 0; i < c->others.n && i < MOST; i++) {
		const char *arguments = elf_function_arguments(c->in.image, c->others.v[i]);

		if (arguments)
			sb_printf(&out, "%s%s(%s)", out.n ? ", " : "", c->others.v[i]->name, arguments);
	}
	if (out.n)
		diag_hint(&s->diags, d, "there is %s%s", out.s, c->others.n > MOST ? ", ..." : "");
	else
		diag_hint(&s->diags, d, "what arguments functions have is known from debug information only");
	sb_free(&out);
	return -1;
}

/* Parentheses that are not closed: "area(int" was taken as a name. */
static int open_parentheses(const char *pattern)
{
	int open = 0;

	for (; *pattern; pattern++)
		open += (*pattern == '(') - (*pattern == ')');
	return open;
}

/* Debug information that is missing may have it: a function that is inlined everywhere, or has no symbol. */
static int unknown(struct search *c, struct loc loc, struct problem why[static 1])
{
	if (!why->hint)
		why->hint = elf_facts(c->in.image)->lack;
	session_problem(c->in.s, loc, why, "%s", "");
	return -1;
}

static int report_no_match(struct search *c, struct loc loc, struct problem why[static 1])
{
	struct session *s = c->in.s;
	struct diag *d;

	if (c->refused && !c->is_return) {
		s_error(s, loc, E_NOT_PROBEABLE, "the %s %s cannot be probed: %s", c->lines ? "instruction at" : "entry of", c->refused_name,
			c->refused_why);
		return -1;
	}
	if (c->refused) {
		d = s_error(s, loc, E_NOT_PROBEABLE, "the return of %s cannot be probed: %s", c->refused_name, c->refused_why);
		diag_hint(&s->diags, d, "probe its entry: function(\"%s\")", c->refused_name);
		return -1;
	}
	if (c->indirect) {
		d = s_error(s, loc, E_NO_MATCH, "%s is an indirect function (IFUNC): only its resolver is there to be probed",
			    c->indirect_name);
		diag_hint(&s->diags, d, "probe its implementations: function(\"*%s_*\")", c->indirect_name);
		return -1;
	}
	if (c->others.n && !c->elsewhere)
		return no_overload(c, loc);
	if (c->address) {
		d = s_error(s, loc, E_NO_MATCH, "no function of %s begins at 0x%llx", elf_facts(c->in.image)->path,
			    (unsigned long long)*c->address);
		if (c->around)
			diag_hint(&s->diags, d, "the address is in %s, which begins at 0x%llx", c->around->name,
				  (unsigned long long)c->around->entry);
		return -1;
	}
	if (c->elsewhere) {
		const char *file = c->elsewhere->line ? elf_function_file(c->in.image, c->elsewhere) : NULL;

		d = s_error(s, loc, E_NO_MATCH, "no function \"%s\" of %s is declared there", c->pattern, elf_facts(c->in.image)->path);
		if (file)
			diag_hint(&s->diags, d, "there is %s@%s:%u", c->elsewhere->name, file, c->elsewhere->line);
		else
			diag_hint(&s->diags, d, "where functions are declared is known from debug information only");
		return -1;
	}
	if (c->lines)
		return unknown(c, loc, why);
	if (open_parentheses(c->pattern)) {
		d = s_error(s, loc, E_NO_MATCH, "no function of %s matches \"%s\", whose parentheses do not pair",
			    elf_facts(c->in.image)->path, c->pattern);
		if (open_parentheses(c->pattern) == 1)
			diag_hint(&s->diags, d, "for an overload with these arguments: function(\"%s)\")", c->pattern);
		return -1;
	}
	if (!str_has_glob(c->pattern) && elf_only_inlined(c->in.image, c->pattern)) {
		d = s_error(s, loc, E_NO_MATCH, "%s exists only inlined into other functions", c->pattern);
		diag_hint(&s->diags, d, "probe the places where it is: function(\"%s\").inline", c->pattern);
		return -1;
	}
	if (!str_has_glob(c->pattern) || strstr(c->pattern, "(*")) /* of Go */
		elf_function(c->in.image, c->pattern, why); /* for the nearest names */
	if (!why->text)
		problem_set(why, &s->arena, PROBLEM_NO_FUNCTION, "no function of %s matches \"%s\"", elf_facts(c->in.image)->path,
			    c->pattern);
	return unknown(c, loc, why);
}

static int look(struct image_search *in)
{
	struct search *c = (struct search *)in;
	struct session *s = in->s;
	struct problem why = {0};
	size_t before = in->out->v.n;

	c->indirect = c->refused = 0;
	c->is_inlined = false;
	c->others.n = 0;
	c->elsewhere = c->around = NULL;
	int rc = c->lines ? add_statements(c, &why) : elf_functions(in->image, c->pattern, add, c, &why) < 0 ? -1 : 0;
	if (rc && !in->p->optional && why.code != PROBLEM_NO_FUNCTION) {
		session_problem(s, why.code == PROBLEM_TOO_DEEP ? c->where[1].arg->loc : in->loc, &why, "%s",
				why.code == PROBLEM_NO_SYMBOLS ? "" : elf_facts(in->image)->given);
		return -1;
	}
	if (c->places)
		add_places(c);
	if (c->refused && in->out->v.n > before && options_detail(&s->opt, 2))
		diag_report(&s->diags, c->where->arg->loc, W_NOT_PROBED,
			    "the %s of %u %s%s of %s are left out, the first is %s: %s",
			    c->is_return ? "returns" : "places", c->refused, c->lines ? "instruction" : "function", str_plural(c->refused),
			    elf_facts(in->image)->path, c->refused_name, c->refused_why);
	if (in->out->v.n == before && !in->p->optional)
		return report_no_match(c, c->where->arg->loc, &why);
	return 0;
}

/* "name(arguments)@file:line" -> its parts.  The name may have "::" of its own. */
static int split_place(struct search *c, const struct component *function)
{
	struct session *s = c->in.s;
	const char *at = strchr(c->pattern, '@'), *colon;
	size_t digits;

	if (at)
		c->pattern = arena_strndup(&s->arena, c->pattern, (size_t)(at - c->pattern));
	c->arguments = overload_arguments(&s->arena, &c->pattern);
	if (!at)
		return 0;
	colon = strrchr(at, ':');
	c->file = colon ? arena_strndup(&s->arena, at + 1, (size_t)(colon - at - 1)) : at + 1;
	digits = colon ? strspn(colon + 1, "0123456789") : 0;
	c->line = digits && digits < 9 ? (unsigned)atoi(colon + 1) : 0;
	if (!colon || (c->line && !colon[digits + 1]))
		return 0;
	if (!c->in.p->optional) {
		struct diag *d = s_error(s, function->arg->loc, E_NOT_SUPPORTED,
					 "after the file only the line where the function is declared can follow");
		diag_hint(&s->diags, d, "all of its functions: function(\"%s@%s\")", c->pattern, c->file);
	}
	return -1;
}

/* What lines are meant, if not functions. */
static int find_lines(struct search *c, int variant)
{
	struct session *s = c->in.s;
	struct problem why = {0};

	c->lines = arena_new(&s->arena, struct lines_wanted);
	if (lines_parse(&s->arena, c->where->arg->text, c->lines, &why)) {
		if (!c->in.p->optional)
			session_problem(s, c->where->arg->loc, &why, "%s", "");
		return -1;
	}
	c->pattern = c->lines->function;
	c->lines->nearest = variant & NEAREST;
	c->lines->inlined_only = variant & INLINE;
	if (variant & CALLEE)
		return statement_callees(s, &c->where[1], c->lines);
	if (variant & LABEL) {
		c->lines->which = LINES_LABEL;
		c->lines->label = c->where[1].arg->text;
	}
	return 0;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *where = probe_component(p, form->variant & STATEMENT ? "statement" : "function");
	struct search c = {.in = {.s = s, .p = p, .out = out, .sought = "function", .look = look}, .pattern = where->arg->text, .where = where,
			   .is_return = form->variant & RETURN, .exported = form->variant & EXPORTED,
			   .places = form->variant & PLACES && !session_in_tapset(s, p->node->loc)};
	uint64_t address = (uint64_t)where->arg->num;

	if (where->arg->kind == N_NUMBER) {
		c.pattern = "*";
		c.address = &address;
		return image_search(&c.in);
	}
	if (form->variant & LINES ? find_lines(&c, form->variant) : split_place(&c, where))
		return p->optional ? 0 : -1;
	return image_search(&c.in);
}

static int prototype(struct session *s, const struct site *t, struct proto *out, struct problem *why)
{
	const struct code *code = t->data;

	(void)s;
	return elf_function_proto(code->image, code->function, out, why);
}

static void variables(struct session *s, const struct site *t, struct statement_variables *out)
{
	const struct code *code = t->data;

	(void)s;
	elf_statement_variables(code->image, code->statement, out);
}

static struct place *place(struct session *s, const struct site *t)
{
	const struct code *code = t->data;
	struct place_home home = {.image = code->image, .in_code = true};

	if (code->statement)
		home.scope = code->statement->is_call ? 0 : code->statement->scope;
	else
		home.scope = code->function->has_proto ? code->function->handle : 0;

	if (t->is_end)
		return function_end_place(s, t, prototype, home);
	return code->statement ? statement_place(s, t, variables, home) : function_place(s, t, prototype, home);
}

const struct probe_family probe_process = {
	.mechanism = &mechanism_uprobe,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
