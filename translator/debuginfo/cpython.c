/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the evaluator's table of instructions in a CPython 3.11, with no other debug information than the symbols that it exports. */
#include "translator/debuginfo/cpython.h"

#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/elf_image.h"

/* Include/opcode.h of 3.11.  The table has a place for each byte. */
enum { RESUME_QUICK = 150, RESUME = 151, OPCODES = 256 };
enum { VERSION = 0x30b };

static const char evaluator[] = "_PyEval_EvalFrameDefault", runtime[] = "_PyRuntime", version[] = "Py_Version";

/* A word of the file, and the address in it when it is loaded. */
struct word {
	uint64_t at, value;
};

typedef VEC(struct word) words;

static bool find_symbol(struct elf_image *e, const char *name, uint64_t *address)
{
	return elf_symbol(e, name, strlen(name), address);
}

bool cpython_is_in(struct elf_image *e)
{
	uint64_t address;

	return find_symbol(e, evaluator, &address);
}

/* The addresses of code in a section.  Whether they are relocated does not matter where the linker has left them there too. */
static void add_section(struct elf_image *e, const char *name, words *out)
{
	const unsigned char *data;
	uint64_t address, off;
	struct word w;
	size_t n;

	if (!unpack_section(&e->file, name, &data, &n) || !unpack_section_address(&e->file, name, &address))
		return;
	for (size_t i = 0; i + sizeof w.value <= n; i += sizeof w.value) {
		w.at = address + i;
		memcpy(&w.value, data + i, sizeof w.value);
		if (elf_offset(e, w.value, true, &off))
			vec_push(e->arena, out, w);
	}
}

/* What is position independent has them as relocations without a symbol. */
static void add_relocated(struct elf_image *e, words *out)
{
	const unsigned char *data;
	uint64_t off;
	Elf64_Rela r;
	size_t n;

	if (!unpack_section(&e->file, ".rela.dyn", &data, &n))
		return;
	for (size_t i = 0; i + sizeof r <= n; i += sizeof r) {
		memcpy(&r, data + i, sizeof r);
		if (!ELF64_R_SYM(r.r_info) && elf_offset(e, (uint64_t)r.r_addend, true, &off))
			vec_push(e->arena, out, ((struct word){r.r_offset, (uint64_t)r.r_addend}));
	}
}

static int by_place(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Is it the table?  Parts of the evaluator that seldom run may be elsewhere; most of it is within the function. */
static bool is_table(const struct word *t, size_t n, const struct elf_function *f)
{
	unsigned within = 0;

	if (n != OPCODES)
		return false;
	for (size_t i = 0; i < n; i++)
		within += t[i].value - f->entry < f->size;
	return within > OPCODES / 2 && t[RESUME].value - f->entry < f->size && t[RESUME_QUICK].value - f->entry < f->size;
}

/* NULL: there is none, or there are several. */
static const struct word *find_table(const words *all, const struct elf_function *f)
{
	const struct word *found = NULL, *w = all->v;
	size_t n;

	for (size_t i = 0; i < all->n; i += n) {
		for (n = 1; i + n < all->n && w[i + n].at == w[i + n - 1].at + sizeof w->value;)
			n++;
		if (!is_table(&w[i], n, f))
			continue;
		if (found)
			return NULL;
		found = &w[i];
	}
	return found;
}

static int check_version(struct elf_image *e, struct problem *why)
{
	const char *path = e->facts.path;
	const unsigned char *p;
	uint64_t address;
	uint32_t n;

	p = find_symbol(e, version, &address) ? unpack_at(&e->file, address, sizeof n) : NULL;
	if (!p)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT, "%s is CPython before 3.11: functions of Python are found in 3.11 only", path);
	memcpy(&n, p, sizeof n);
	if (n >> 16 != VERSION)
		return problem_set(why, e->arena, PROBLEM_BAD_FORMAT, "%s is CPython %u.%u: functions of Python are found in 3.11 only", path,
				   n >> 24, n >> 16 & 255);
	return 0;
}

int cpython_find(struct elf_image *e, struct cpython *out, struct problem *why)
{
	static const unsigned char opcodes[CPYTHON_ENTRIES] = {RESUME, RESUME_QUICK};
	const struct elf_function *f = cpython_is_in(e) ? elf_function(e, evaluator, NULL) : NULL;
	const struct word *table;
	words all = {0};

	if (!f || !find_symbol(e, runtime, &out->runtime))
		return problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "%s is no CPython: it has no function %s", e->facts.path, evaluator);
	if (check_version(e, why))
		return -1;
	add_section(e, ".rodata", &all);
	add_section(e, ".data.rel.ro", &all);
	add_section(e, ".data", &all);
	table = find_table(&all, f);
	if (!table) {
		all.n = 0;
		add_relocated(e, &all);
		if (all.n)
			qsort(all.v, all.n, sizeof *all.v, by_place);
		table = find_table(&all, f);
	}
	for (unsigned i = 0; table && i < CPYTHON_ENTRIES; i++) {
		out->entry[i].address = table[opcodes[i]].value;
		if (!elf_offset(e, out->entry[i].address, true, &out->entry[i].file_off))
			table = NULL;
	}
	if (table)
		return 0;
	return problem_set(why, e->arena, PROBLEM_NO_FUNCTION,
			   "%s is built in a way that is not known: the addresses of its instructions were not found, "
			   "so calls cannot be probed", e->facts.path);
}
