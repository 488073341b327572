/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process("path").statement(ADDRESS): an instruction of a program or library, as it is linked, or with .absolute as it is in a running process. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "runtime/sites/uprobe.h"
#include "translator/probes/bare.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"
#include "translator/probes/statement.h"

enum { ABSOLUTE = 1, PROCESS = 2 };

#define FORMS(of, where) {of ".statement(n)", 0, "the instruction at an address of the file as it is linked" where}

static const struct probe_form forms[] = {
	IMAGE_FORMS(FORMS),
	{"process(n).statement(n).absolute", ABSOLUTE | PROCESS, "the instruction at an address in the memory of the process"},
	{"process(s).statement(n).absolute", ABSOLUTE, "the same, of a program that is not position independent"},
	{"process.statement(n).absolute", ABSOLUTE, "the same"},
	{0},
};

struct search {
	struct image_search in;
	const struct component *where;
	uint64_t address;
	bool absolute;
};

/* What is probed. */
struct code {
	struct elf_image *image;
	struct statement statement;
	bool has_scope; /* debug information says what can be named there */
};

static int none(struct search *c, const struct problem *why)
{
	if (c->in.p->optional)
		return 0;
	session_problem(c->in.s, c->where->arg->loc, why, "%s", "");
	return -1;
}

static int add(struct search *c, uint64_t address)
{
	struct session *s = c->in.s;
	struct code *code = arena_new(&s->arena, struct code);
	struct problem why = {0};
	struct site *t;

	code->image = c->in.image;
	if (elf_instruction(code->image, address, &code->statement, &code->has_scope, &why))
		return none(c, &why);
	if (elf_is_restartable(code->image, address)) {
		problem_set(&why, &s->arena, PROBLEM_NO_FUNCTION, "the instruction at 0x%llx cannot be probed: %s", (unsigned long long)address,
			    probe_restartable);
		return none(c, &why);
	}
	t = image_site(&c->in, &probe_instruction);
	t->function = code->statement.function;
	t->point = arena_printf(&s->arena, "process(%s).statement(0x%llx)", probe_quoted(s, t->s[0]), (unsigned long long)address);
	t->kind = SITE_UPROBE_ENTRY;
	t->n[0] = (int64_t)elf_statement_offset(code->image, &code->statement);
	t->n[1] = (int64_t)address;
	t->data = code;
	return 0;
}

static int look(struct image_search *in)
{
	struct search *c = (struct search *)in;
	const struct elf_facts *facts = elf_facts(in->image);
	struct diag *d;

	if (!c->absolute || !facts->pie)
		return add(c, c->address);
	if (in->p->optional)
		return 0;
	d = s_error(in->s, c->where->arg->loc, E_POINT_VALUE, "each process has %s at other addresses: it is position independent", facts->path);
	diag_hint(&in->s->diags, d, "an address of one process: process(PID).statement(0x%llx).absolute", (unsigned long long)c->address);
	diag_hint(&in->s->diags, d, "an address of the file as it is linked: without .absolute");
	return -1;
}

/* ---- addresses in a process ---- */

/* A file that the process has mapped, and which byte of it is at the address. */
struct mapping {
	char path[PATH_MAX], link[64];
	unsigned long long offset;
};

/* 0; -1: nothing is mapped there, or no file, with why. */
static int find_mapping(struct search *c, long long pid, struct mapping *m, struct problem *why)
{
	struct arena *a = &c->in.s->arena;
	FILE *f = fopen(arena_printf(a, "/proc/%lld/maps", pid), "re");
	unsigned long long from = 1, to = 0;
	char line[PATH_MAX + 128];
	int at;

	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		at = 0;
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &from, &to, &m->offset, &at) < 3 || c->address < from || c->address >= to)
			continue;
		snprintf(m->path, sizeof m->path, "%s", at ? line + at : "");
		break;
	}
	if (!f)
		return problem_set(why, a, PROBLEM_NO_FILE, "process %lld: %s", pid, errno == ENOENT ? "there is no such process" : strerror(errno));
	fclose(f);
	if (c->address < from || c->address >= to)
		return problem_set(why, a, PROBLEM_NO_FUNCTION, "nothing is at 0x%llx in process %lld", (unsigned long long)c->address, pid);
	m->offset += c->address - from;
	snprintf(m->link, sizeof m->link, "/proc/%lld/map_files/%llx-%llx", pid, from, to);
	if (m->path[0] == '/')
		return 0;
	return problem_set(why, a, PROBLEM_NO_FUNCTION, "0x%llx in process %lld is not code of a file, and only that can be probed",
			   (unsigned long long)c->address, pid);
}

/* The address that the byte of the file is linked to; false: it is no code. */
static bool linked_address(struct elf_image *e, uint64_t offset, uint64_t *address)
{
	const struct elf_code *code;
	size_t n = elf_code(e, &code);

	for (size_t i = 0; i < n; i++)
		if (offset >= code[i].off && offset - code[i].off < code[i].size) {
			*address = code[i].address + (offset - code[i].off);
			return true;
		}
	return false;
}

static int in_process(struct search *c)
{
	struct session *s = c->in.s;
	long long pid = c->in.p->c[0].arg->num;
	struct problem why = {0};
	struct mapping m;
	uint64_t address;

	if (find_mapping(c, pid, &m, &why))
		return none(c, &why);
	/* its path leads elsewhere from here, if it was replaced or is in a container */
	c->in.image = image_open(s, elf_same_file(m.link, m.path) ? arena_strdup(&s->arena, m.path) : arena_strdup(&s->arena, m.link), &why);
	if (!c->in.image)
		return none(c, &why);
	if (!linked_address(c->in.image, m.offset, &address)) {
		problem_set(&why, &s->arena, PROBLEM_NO_FUNCTION, "0x%llx in process %lld is no code of %s", (unsigned long long)c->address, pid,
			    elf_facts(c->in.image)->path);
		return none(c, &why);
	}
	c->in.pid = pid;
	return add(c, address);
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *where = probe_component(p, "statement");
	struct search c = {.in = {.s = s, .p = p, .out = out, .sought = "instruction", .look = look}, .where = where,
			   .address = (uint64_t)where->arg->num, .absolute = form->variant & ABSOLUTE};

	if (p->c[0].arg && p->c[0].arg->kind == N_STRING && str_has_glob(p->c[0].arg->text)) {
		s_error(s, p->c[0].arg->loc, E_POINT_VALUE, "an address is of a single file, so the name of the program is no pattern");
		return -1;
	}
	return form->variant & PROCESS ? in_process(&c) : image_search(&c.in);
}

/* ---- what can be named there ---- */

static void variables(struct session *s, const struct site *t, struct statement_variables *out)
{
	const struct code *code = t->data;

	(void)s;
	elf_statement_variables(code->image, &code->statement, out);
}

/* Of code without debug information. */
static void without_variables(struct session *s, const struct site *t, struct problem *why)
{
	const struct code *code = t->data;

	if (elf_types(code->image, why))
		problem_set(why, &s->arena, PROBLEM_NO_DEBUGINFO, "there is no debug information of the code at 0x%llx of \"%s\"",
			    (unsigned long long)code->statement.address, t->s[0]);
}

static struct place *place(struct session *s, const struct site *t)
{
	const struct code *code = t->data;
	struct place_home home = {.image = code->image, .in_code = true, .scope = code->has_scope ? code->statement.scope : 0};

	return code->has_scope ? statement_place(s, t, variables, home) : bare_place(s, t, home, without_variables);
}

const struct probe_family probe_instruction = {
	.mechanism = &mechanism_uprobe,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
