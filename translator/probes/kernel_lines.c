/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.statement("name@file:line"), .inline, .label, .exported and function("name@file"), the same of modules.  Debug information (DWARF)
 * of the kernel says where that is.  Sites are instructions within functions, by the function's symbol.
 */
#include "translator/probes/kernel_lines.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/sites/kprobe.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/function.h"
#include "translator/probes/statement.h"
#include "translator/session.h"

enum { LINES = KERNEL_LINES_STATEMENT | KERNEL_LINES_INLINE | KERNEL_LINES_LABEL | KERNEL_LINES_CALLEE };

struct search {
	struct session *s;
	const struct point *p;
	struct sites *out;
	const struct component *where; /* that names functions or lines */
	const char *module;            /* or NULL: the kernel itself */
	unsigned variant;
	struct lines_wanted lines;
	bool is_wild;
	unsigned refused;
	const char *refused_name, *refused_why;
};

static const char *head(struct search *c)
{
	return c->module ? arena_printf(&c->s->arena, "module(%s)", probe_quoted(c->s, c->module)) : "kernel";
}

static const char *point_text(struct search *c, const struct statement *at)
{
	struct arena *a = &c->s->arena;
	const char *place = at->file && at->line ? arena_printf(a, "%s@%s:%u", at->function, at->file, at->line) : at->function;

	if (at->inlined && !(c->variant & LINES))
		return arena_printf(a, "%s.function(%s).inline", head(c), probe_quoted(c->s, place));
	if (c->variant & LINES)
		return arena_printf(a, "%s.%s", head(c), statement_text(c->s, &c->lines, at));
	return arena_printf(a, "%s.function(%s)%s%s", head(c), probe_quoted(c->s, place), c->variant & KERNEL_LINES_EXPORTED ? ".exported" : "",
			    c->variant & KERNEL_LINES_RETURN ? ".return" : "");
}

/* As in kernel.c, code that may run where a breakpoint cannot be handled is for guru mode, and by its own name only. */
static bool must_be_traced(const struct search *c)
{
	return c->is_wild || !c->s->opt.guru;
}

static const char *why_not(struct search *c, const struct statement *at, struct kernel_statement_place *place)
{
	struct problem why = {0};
	const char *text;

	if (kernel_statement_place(c->s->kernel, c->module, at, place, &why))
		return why.text;
	text = kernel_function_unprobeable(c->s->kernel, c->module, place->function);
	if (!text && must_be_traced(c) && !kernel_function_traced(c->s->kernel, c->module, place->function))
		return "the kernel marks its function as not to be traced, so it may run where a breakpoint cannot be handled";
	return text;
}

static bool is_wanted(const struct search *c, const struct statement *at)
{
	const struct lines_wanted *w = &c->lines;

	if (c->variant & LINES)
		return true;
	if (at->inlined && !(c->variant & KERNEL_LINES_PLACES))
		return false;
	return (!(c->variant & KERNEL_LINES_EXPORTED) || at->exported) && (w->which != LINES_GIVEN || at->line == w->v.v[0].first);
}

static void add(struct search *c, const struct statement *at, bool optional)
{
	struct kernel_statement_place place;
	const char *why = why_not(c, at, &place);
	struct site *t;

	if (why) {
		if (!c->refused++) {
			c->refused_name = at->line ? arena_printf(&c->s->arena, "%s:%u", at->function, at->line) : at->function;
			c->refused_why = why;
		}
		return;
	}
	t = probe_site(c->s, &probe_kernel, c->p, c->out);
	t->function = at->function;
	t->point = point_text(c, at);
	t->is_return = c->variant & KERNEL_LINES_RETURN;
	t->kind = t->is_return ? SITE_KPROBE_RETURN : SITE_KPROBE_ENTRY;
	t->optional |= optional;
	t->s[0] = place.function;
	t->s[1] = c->module ? session_module(c->s, c->module) : NULL;
	t->is_inlined = at->inlined && (c->variant & KERNEL_LINES_PLACES);
	t->n[0] = (int64_t)place.offset;
	t->n[2] = place.distance;
	t->n[3] = must_be_traced(c) ? SITE_KPROBE_TRACED : t->is_return ? SITE_KPROBE_FUNCTION : 0;
	t->data = arena_memdup(&c->s->arena, &(struct kernel_code){NULL, c->module, at, !(c->variant & LINES) && !at->inlined},
			       sizeof(struct kernel_code));
}

static int report_no_match(struct search *c, const struct statements *found)
{
	struct session *s = c->s;
	struct loc loc = c->where->arg->loc;
	const char *file = c->lines.file ? arena_printf(&s->arena, " in \"%s\"", c->lines.file) : "";
	struct problem why = {0};

	if (c->refused) {
		s_error(s, loc, E_NOT_PROBEABLE, "no probe can be at %s: %s", c->refused_name, c->refused_why);
		return -1;
	}
	if ((c->variant & LINES) || !found->known_function || (c->lines.file && !found->v.n)) {
		statement_none(s, &c->lines, found, c->module ? c->module : "the kernel", &why);
	} else if (c->variant & KERNEL_LINES_EXPORTED) {
		problem_set(&why, &s->arena, PROBLEM_NO_FUNCTION, "no function \"%s\"%s can be called by other files", c->lines.function, file);
	} else {
		problem_set(&why, &s->arena, PROBLEM_NO_FUNCTION, "no function \"%s\" is declared there", c->lines.function);
		why.hint = arena_printf(&s->arena, "%s is in \"%s\"", found->known_function, found->known_file);
	}
	session_problem(s, loc, &why, "%s", "");
	return -1;
}

/* What functions of a folder of the kernel's source begin with, apart from the folder's own name. */
static const struct {
	const char *folder, *prefixes;
} of_folders[] = {
	{"block", "blk_ bio_"},
	{"fs", "vfs_"},
	{"kernel/locking", "mutex_ rwsem_"},
	{"kernel/time", "hrtimer_ timer_"},
	{"mm", "mm_ vm_ shmem_"},
	{"net", "sock_ __sys_"},
	{"net/core", "dev_ netif_ skb_"},
	{"net/ipv4", "tcp_ udp_ ip_"},
	{"net/ipv6", "ipv6_ ip6_ udpv6_"},
};

static bool count(void *ctx, const char *name)
{
	++*(unsigned *)ctx;
	(void)name;
	return true;
}

/* Functions whose names begin so, if there are some. */
static void add_prefix(struct search *c, struct sb *out, const char *prefix, size_t len)
{
	const char *pattern = arena_printf(&c->s->arena, "%.*s*", (int)len, prefix);
	enum { SOME = 3 };
	struct problem ignored = {0};
	unsigned n = 0;

	if (out->n && strstr(out->s, probe_quoted(c->s, pattern)))
		return;
	if (kernel_functions(c->s->kernel, c->module, pattern, count, &n, &ignored) >= 0 && n >= SOME)
		sb_printf(out, "%s%s.function(\"%s\") (%u)", out->n ? ", " : "", head(c), pattern, n);
}

/* A part of a path as the begin of names: "ext4/" and "read_write.c" -> "ext4_" and "read_write_". */
static void add_part(struct search *c, struct sb *out, const char *part, size_t len)
{
	const char *name = arena_strndup(&c->s->arena, part, len >= 2 && !memcmp(part + len - 2, ".c", 2) ? len - 2 : len);
	struct problem ignored = {0};

	if (!*name || str_has_glob(name) || strchr(name, '.') || !strcmp(name, "core") || !strcmp(name, "main"))
		return;
	add_prefix(c, out, arena_printf(&c->s->arena, "%s_", name), strlen(name) + 1);
	if (!c->module && kernel_has_module(c->s->kernel, name, &ignored))
		sb_printf(out, "%smodule(\"%s\").function(\"*\")", out->n ? ", " : "", name);
}

/* Without debug information, functions of a file and its folder are found by how their names begin; if they are not, those of the folder above. */
static void hint_prefixes(struct search *c, struct diag *d)
{
	const char *file = c->lines.file;
	struct sb out = {0};
	unsigned level = 0;

	for (const char *end = file + strlen(file), *begin; end > file && (level++ < 2 || !out.n); end = begin > file ? begin - 1 : file) {
		for (begin = end; begin > file && begin[-1] != '/'; begin--)
			;
		add_part(c, &out, begin, (size_t)(end - begin));
		for (size_t i = 0; i < sizeof of_folders / sizeof *of_folders; i++) {
			const char *folder = arena_strndup(&c->s->arena, file, (size_t)(end - file)), *p = of_folders[i].prefixes;

			for (; !strcmp(folder, of_folders[i].folder) && *p; p += strcspn(p, " "), p += *p == ' ')
				add_prefix(c, &out, p, strcspn(p, " "));
		}
	}
	if (out.n)
		diag_hint(&c->s->diags, d, "by their names functions need none; many may be among %s", out.s);
	sb_free(&out);
}

static void hint_names(struct search *c, struct diag *d)
{
	struct problem ignored = {0};
	unsigned n = 0;

	if (!c->s->kernel)
		return;
	if (!c->lines.file || !str_has_glob(c->lines.function) || (strcmp(c->lines.function, "*") && c->lines.function[0] != '?')) {
		if ((!str_has_glob(c->lines.function) && kernel_has_function(c->s->kernel, c->module, c->lines.function)) ||
		    (kernel_functions(c->s->kernel, c->module, c->lines.function, count, &n, &ignored) >= 0 && n))
			diag_hint(&c->s->diags, d, "%s.function(%s) needs none", head(c), probe_quoted(c->s, c->lines.function));
	} else if (c->lines.which == LINES_ENTRY) {
		hint_prefixes(c, d);
	}
}

static int no_debuginfo(struct search *c, const struct problem *why)
{
	static const char has[] = "which has files, lines, labels and inlined functions";
	struct session *s = c->s;
	struct loc loc = c->where->arg->loc;
	struct diag *d;

	if (c->p->optional && (why->code != PROBLEM_NO_DEBUGINFO || (c->p->node->flags & NF_SUFFICIENT) || session_in_tapset(s, c->p->node->loc)))
		return 0;
	if (why->code != PROBLEM_NO_DEBUGINFO) {
		const struct component *at = why->code == PROBLEM_NO_MODULE ? &c->p->c[0] : &c->where[why->code == PROBLEM_TOO_DEEP];

		session_problem(s, at->arg->loc, why, "%s", "");
		return -1;
	}
	d = c->p->optional ? diag_report(&s->diags, loc, W_NOT_PROBED, "this point is left out: %s, %s", why->text, has) :
			     s_error(s, loc, E_NO_MATCH, "%s, %s", why->text, has);
	diag_hint(&s->diags, d, "%s", why->hint);
	hint_names(c, d);
	return c->p->optional ? 0 : -1;
}

static void tell_refused(const struct search *c, size_t wanted)
{
	struct diag *d;

	if (!c->refused)
		return;
	d = diag_report(&c->s->diags, c->where->arg->loc, W_NOT_PROBED, "%u of %zu places cannot be probed", c->refused, wanted);
	diag_hint(&c->s->diags, d, "the first is %s: %s", c->refused_name, c->refused_why);
}

static int add_all(struct search *c)
{
	struct session *s = c->s;
	struct statements *all = arena_new(&s->arena, struct statements);
	struct lines_wanted w = c->lines;
	struct problem why = {0};
	size_t before = c->out->v.n, wanted = 0;

	if (!(c->variant & LINES))
		w.which = LINES_ENTRY;
	if (kernel_statements(s->kernel, c->module, &w, all, &why))
		return no_debuginfo(c, &why);
	for (size_t i = 0; i < all->v.n; i++)
		wanted += is_wanted(c, &all->v.v[i]);
	for (size_t i = 0; i < all->v.n && !(c->p->one && c->out->v.n > before); i++)
		if (is_wanted(c, &all->v.v[i]))
			add(c, &all->v.v[i], wanted > 1);
	if (c->out->v.n == before)
		return c->p->optional ? 0 : report_no_match(c, all);
	tell_refused(c, wanted);
	return 0;
}

void kernel_lines_places(struct session *s, const struct point *p, const char *module, const char *function, struct sites *out)
{
	struct search c = {.s = s, .p = p, .out = out, .where = &p->c[1], .module = module, .variant = KERNEL_LINES_PLACES,
			   .lines = {.function = function, .which = LINES_ENTRY, .inlined_only = true}, .is_wild = str_has_glob(function)};
	struct statements *all = arena_new(&s->arena, struct statements);

	if (!kernel_has_dwarf_here(s->kernel, module) || kernel_statements(s->kernel, module, &c.lines, all, NULL))
		return;
	for (size_t i = 0; i < all->v.n; i++)
		add(&c, &all->v.v[i], true);
	tell_refused(&c, all->v.n);
}

/* "name@file", "name@file:line" of a declaration. */
static int check_function(struct search *c)
{
	struct diag *d;

	if ((c->variant & LINES) || c->lines.which == LINES_ENTRY ||
	    (c->lines.which == LINES_GIVEN && c->lines.v.n == 1 && c->lines.v.v[0].first == c->lines.v.v[0].last))
		return 0;
	if (c->p->optional)
		return -1;
	d = s_error(c->s, c->where->arg->loc, E_NOT_SUPPORTED, "after the file only the line where the function is declared can follow");
	diag_hint(&c->s->diags, d, "lines of the function: %s.statement(%s)", head(c), probe_quoted(c->s, c->where->arg->text));
	return -1;
}

static int find_lines(struct search *c)
{
	struct problem why = {0};

	if (lines_parse(&c->s->arena, c->where->arg->text, &c->lines, &why)) {
		if (!c->p->optional)
			session_problem(c->s, c->where->arg->loc, &why, "%s", "");
		return -1;
	}
	c->is_wild = str_has_glob(c->lines.function);
	c->lines.nearest = c->variant & KERNEL_LINES_NEAREST;
	c->lines.inlined_only = c->variant & KERNEL_LINES_INLINE;
	if ((c->variant & KERNEL_LINES_CALLEE) && statement_callees(c->s, &c->where[1], &c->lines))
		return -1;
	if (c->variant & KERNEL_LINES_LABEL) {
		c->lines.which = LINES_LABEL;
		c->lines.label = c->where[1].arg->text;
	}
	return check_function(c);
}

int kernel_lines_resolve(struct session *s, const struct point *p, unsigned variant, struct sites *out)
{
	struct search c = {.s = s, .p = p, .out = out, .where = &p->c[1], .variant = variant};

	if (!s->kernel) {
		session_problem(s, c.where->arg->loc, &s->no_kernel, "%s", "");
		return -1;
	}
	if (variant & KERNEL_LINES_MODULE)
		c.module = kernel_module_of(s->kernel, p->c[0].arg->text);
	if (c.module && str_has_glob(c.module)) {
		s_error(s, p->c[0].arg->loc, E_POINT_VALUE, "lines are of a single module, so its name is no pattern");
		return -1;
	}
	return find_lines(&c) ? (p->optional ? 0 : -1) : add_all(&c);
}

static int prototype(struct session *s, const struct site *t, struct proto *out, struct problem *why)
{
	const struct kernel_code *code = t->data;

	return kernel_statement_proto(s->kernel, code->module, code->at, out, why);
}

static void variables(struct session *s, const struct site *t, struct statement_variables *out)
{
	const struct kernel_code *code = t->data;

	kernel_statement_variables(s->kernel, code->module, code->at, out);
}

struct place *kernel_lines_place(struct session *s, const struct site *t, const struct kernel_code *code)
{
	struct place_home home = {.module = code->module, .in_code = !code->at->is_call, .scope = code->at->scope};

	return code->is_function ? function_place(s, t, prototype, home) : statement_place(s, t, variables, home);
}
