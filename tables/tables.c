// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of a program or library.  See tables.h.  What they mean is in runtime/rt/script.h; translator/emit/images.c writes the same as C. */
#include "tables/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/visible.h"
#include "runtime/rt/script.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/unwind.h"

_Static_assert(RT_UNWIND_REGISTERS == UNWIND_REGISTERS, "rows have the same registers");
_Static_assert((int)RT_SAVED_SAME == UNWIND_SAME && (int)RT_SAVED_LOST == UNWIND_LOST && (int)RT_SAVED_AT_CFA == UNWIND_AT_CFA &&
		       (int)RT_SAVED_AT_REGISTER == UNWIND_AT_REGISTER, "and kinds of saved registers");

static void put(struct sb *out, const void *data, size_t n, size_t size)
{
	if (n)
		sb_putn(out, data, n * size);
}

/* ---- how stacks are walked up ---- */

struct rt_unwind_rule tables_rule(const struct unwind_rule *r, unsigned tracked)
{
	static const rt_u8 kinds[] = {[UNWIND_UNKNOWN] = RT_CFA_UNKNOWN, [UNWIND_OUTERMOST] = RT_CFA_OUTERMOST, [UNWIND_REGISTER] = RT_CFA_REGISTER,
				      [UNWIND_MEMORY] = RT_CFA_MEMORY, [UNWIND_STUB] = RT_CFA_STUB, [UNWIND_KEPT] = RT_CFA_KEPT,
				      [UNWIND_PARENT] = RT_CFA_PARENT};
	unsigned changed = unwind_changed(r, tracked);
	struct rt_unwind_rule to = {.cfa = unwind_is_plain(r, changed) ? RT_CFA_PLAIN : kinds[r->cfa], .reg = r->reg, .n = r->n,
				    .is_signal = r->is_signal, .changed = changed, .off = r->off};

	if (r->reg && !(tracked >> r->reg & 1))
		return (struct rt_unwind_rule){.cfa = RT_CFA_UNKNOWN};
	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		to.saved[i] = r->saved[i].off * 4 + r->saved[i].how;
	return to;
}

static struct rt_unwind_rule *rules_of(struct arena *a, const struct unwind_table *t, unsigned tracked)
{
	struct rt_unwind_rule *rules = arena_array(a, struct rt_unwind_rule, t->nrules);

	for (size_t i = 0; i < t->nrules; i++)
		rules[i] = tables_rule(&t->rules[i], tracked);
	return rules;
}

/* For each block of code, the last row that begins at or before its first byte. */
static rt_u32 *blocks_of(struct arena *a, const struct unwind_table *t, size_t n)
{
	rt_u32 *first = arena_array(a, rt_u32, n);

	for (size_t i = 0, row = 0; i < n; i++) {
		while (row + 1 < t->nrows && t->at[row + 1] <= i * RT_IMAGE_BLOCK)
			row++;
		first[i] = (rt_u32)row;
	}
	return first;
}

/* ---- symbols ---- */

struct symbols {
	struct arena *a;
	VEC(struct rt_image_symbol) v;
	struct sb names;
	bool too_many;
};

/* Names are cut before a character.  A file may have any bytes there. */
static void put_name(struct sb *names, const char *name)
{
	size_t from = names->n;

	visible_put(names, name, strnlen(name, ELF_NAME_MOST), "");
	if (names->n - from > ELF_NAME_MOST) {
		names->n = from + ELF_NAME_MOST;
		while ((names->s[names->n] & 0xc0) == 0x80)
			names->n--;
	}
	sb_putn(names, "", 1);
}

static bool add_symbol(void *ctx, const struct elf_function *f)
{
	struct symbols *all = ctx;

	if (f->file_off < UINT32_MAX && f->size < UINT32_MAX - f->file_off) {
		struct rt_image_symbol s = {.at = (rt_u32)f->file_off, .size = (rt_u32)f->size, .name = (rt_u32)all->names.n};
		vec_push(all->a, &all->v, s);
		put_name(&all->names, f->name);
	}
	all->too_many = all->names.n + all->v.n * sizeof *all->v.v > TABLES_MOST;
	return !all->too_many;
}

static int by_offset(const void *a, const void *b)
{
	const struct rt_image_symbol *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void find_symbols(struct elf_image *image, struct symbols *all)
{
	struct problem ignored = {0};

	elf_functions(image, "*", add_symbol, all, &ignored);
	if (all->too_many) { /* of some a wrong one would be the nearest */
		all->v.n = 0;
		sb_reset(&all->names);
	}
	if (all->v.n)
		qsort(all->v.v, all->v.n, sizeof *all->v.v, by_offset);
	for (size_t i = 0; i + 1 < all->v.n; i++) /* code in assembler often has no size */
		all->v.v[i].size = all->v.v[i].size ? all->v.v[i].size : all->v.v[i + 1].at - all->v.v[i].at;
}

/* ---- all ---- */

static void put_all(struct arena *a, struct elf_image *image, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	const struct unwind_table *t = wanted & RT_PROGRAMS_UNWIND ? elf_unwind(image) : NULL;
	const struct elf_code *code;
	size_t ncode = elf_code(image, &code), nblocks = t ? t->at[t->nrows - 1] / RT_IMAGE_BLOCK + 1 : 0;
	struct symbols symbols = {.a = a};
	const char *build_id = elf_facts(image)->build_id;
	struct sb shown = {0};
	struct rt_image_tables head;

	if (wanted & RT_PROGRAMS_SYMBOLS)
		find_symbols(image, &symbols);
	visible_put(&shown, name, strlen(name), "");
	build_id = build_id ? build_id : "";
	head = (struct rt_image_tables){.nrules = t ? (rt_u32)t->nrules : 0, .ncode = (rt_u32)ncode, .nsymbols = (rt_u32)symbols.v.n,
				  .nrows = t ? (rt_u32)t->nrows : 0, .nblocks = (rt_u32)nblocks, .nnames = (rt_u32)symbols.names.n,
				  .npath = (rt_u32)shown.n + 1, .nbuild_id = (rt_u32)strlen(build_id) + 1};
	put(out, &head, 1, sizeof head);
	if (t)
		put(out, rules_of(a, t, tracked), t->nrules, sizeof(struct rt_unwind_rule));
	for (size_t i = 0; i < ncode; i++)
		put(out, &(struct rt_image_code){code[i].off, code[i].size, code[i].address}, 1, sizeof(struct rt_image_code));
	put(out, symbols.v.v, symbols.v.n, sizeof *symbols.v.v);
	if (t) {
		put(out, t->at, t->nrows, sizeof *t->at);
		put(out, blocks_of(a, t, nblocks), nblocks, sizeof(rt_u32));
		put(out, t->rule, t->nrows, sizeof *t->rule);
	}
	put(out, symbols.names.s, symbols.names.n, 1);
	put(out, shown.s, shown.n + 1, 1);
	put(out, build_id, strlen(build_id) + 1, 1);
	sb_free(&symbols.names);
	sb_free(&shown);
}

int tables_make(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	struct problem ignored = {0};
	struct elf_image *image = elf_open_alone(a, target_native(), path, &ignored);

	if (!image)
		return -1;
	put_all(a, image, name, wanted, tracked, out);
	elf_close(image);
	return out->n > TABLES_MOST ? -1 : 0;
}
