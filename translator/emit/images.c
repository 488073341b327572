/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of programs and libraries: how stacks are walked up from their code, symbols, and load addresses for @var.  Only for scripts that ask for
 * these.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/visible.h"
#include "translator/debuginfo/unwind.h"
#include "translator/emit/emit.h"
#include "translator/probes/image.h"
#include "translator/resolve/embedded.h"

_Static_assert(RT_UNWIND_REGISTERS == UNWIND_REGISTERS, "rows have the same registers");

enum { FRAME_POINTER = 1 }; /* its number among the registers that stacks are walked up with */

/* In octal, without leading zeros: a backslash or the end of the text follows. */
static char *put_byte(char *to, unsigned char byte)
{
	*to++ = '\\';
	if (byte >= 0100)
		*to++ = (char)('0' + byte / 0100);
	if (byte >= 010)
		*to++ = (char)('0' + byte / 010 % 010);
	*to++ = (char)('0' + byte % 010);
	return to;
}

/* Compilers read a text much faster than numbers. */
void emit_bytes(struct emit *e, const char *name, const void *data, size_t n)
{
	enum { PER_LINE = 4096 };
	const unsigned char *p = data;
	char line[4 * PER_LINE], *to;

	sb_printf(e->out, "static const rt_u8 %s[%zu] __attribute__((aligned(8))) =\n", name, n ? n : 1);
	for (size_t i = 0; i < n || !i;) {
		sb_puts(e->out, "\t\"");
		to = line;
		for (size_t end = i + PER_LINE; i < end && i < n; i++)
			to = put_byte(to, p[i]);
		sb_putn(e->out, line, (size_t)(to - line));
		sb_puts(e->out, "\"\n");
		if (!n)
			break;
	}
	sb_puts(e->out, ";\n");
}

/* ---- how stacks are walked up ---- */

static void saved(struct emit *e, const struct unwind_rule *r)
{
	static const char *const names[] = {
		[UNWIND_SAME] = "SAME", [UNWIND_LOST] = "LOST", [UNWIND_AT_CFA] = "AT_CFA", [UNWIND_AT_REGISTER] = "AT_REGISTER"};

	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		sb_printf(e->out, "%sRT_SAVED(%s, %d)", i ? ", " : "{", names[r->saved[i].how], r->saved[i].off);
	sb_puts(e->out, "}},\n");
}

/* In any of these files. */
static unsigned followed_in(const image_list *all)
{
	unsigned bits = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct unwind_table *t = elf_unwind(all->v[i]);
		bits |= t ? unwind_followed(t) : 0;
	}
	return bits;
}

/*
 * Files that are found while the session runs often find frames by the frame pointer, so the script's own rules must restore it.  If the script has
 * no images, or only the vdso, its rules restore all registers, and rules of found files may use all of them.
 */
static unsigned tracked_in(const struct emit *e, const image_list *all)
{
	if (!all->n || (all->n == 1 && image_is_vdso(e->s, all->v[0])))
		return ((1u << UNWIND_REGISTERS) - 1) & ~1u;
	return followed_in(all) | 1u << FRAME_POINTER;
}

static void rules(struct emit *e, size_t number, const struct unwind_table *t, unsigned followed)
{
	static const char *const names[] = {
		[UNWIND_UNKNOWN] = "UNKNOWN", [UNWIND_OUTERMOST] = "OUTERMOST", [UNWIND_REGISTER] = "REGISTER",
		[UNWIND_MEMORY] = "MEMORY", [UNWIND_STUB] = "STUB", [UNWIND_KEPT] = "KEPT", [UNWIND_PARENT] = "PARENT"};

	emit_line(e, "static const struct rt_unwind_rule image%zu_rules[] = {", number);
	for (size_t i = 0; i < t->nrules; i++) {
		const struct unwind_rule *r = &t->rules[i];
		unsigned changed = unwind_changed(r, followed);
		const char *cfa = unwind_is_plain(r, changed) ? "PLAIN" : names[r->cfa];
		sb_printf(e->out, "\t{RT_CFA_%s, %u, %u, %u, 0x%x, %d, ", cfa, r->reg, r->n, r->is_signal, changed, r->off);
		saved(e, r);
	}
	emit_line(e, "};");
}

/* For each block of code, the last row that begins at or before its first byte. */
static void blocks(struct emit *e, size_t number, const struct unwind_table *t, size_t n)
{
	uint32_t *first = arena_array(&e->s->arena, uint32_t, n);

	for (size_t i = 0, row = 0; i < n; i++) {
		while (row + 1 < t->nrows && t->at[row + 1] <= i * RT_IMAGE_BLOCK)
			row++;
		first[i] = (uint32_t)row;
	}
	emit_bytes(e, emit_text(e, "image%zu_blocks", number), first, n * sizeof *first);
}

static void unwind(struct emit *e, size_t number, const struct unwind_table *t, unsigned followed, struct sb *row)
{
	size_t n = t->at[t->nrows - 1] / RT_IMAGE_BLOCK + 1;

	rules(e, number, t, followed);
	emit_bytes(e, emit_text(e, "image%zu_at", number), t->at, t->nrows * sizeof *t->at);
	emit_bytes(e, emit_text(e, "image%zu_rule", number), t->rule, t->nrows * sizeof *t->rule);
	blocks(e, number, t, n);
	sb_printf(row,
		  ", .at = (const rt_u32 *)image%zu_at, .rule = (const rt_u16 *)image%zu_rule, .blocks = (const rt_u32 *)image%zu_blocks, "
		  ".rules = image%zu_rules, .nrows = %zu, .nblocks = %zu",
		  number, number, number, number, t->nrows, n);
}

/* ---- symbols ---- */

struct symbols {
	struct emit *e;
	VEC(struct rt_image_symbol) v;
	struct sb names;
};

/* The vdso's own names, __vdso_time, tell its functions from those of the C library, time, which its other names are. */
static const char *shown_name(const struct elf_function *f)
{
	for (size_t i = 0; i < f->naliases; i++)
		if (!strncmp(f->aliases[i], "__vdso_", strlen("__vdso_")))
			return f->aliases[i];
	return f->name;
}

static bool add_symbol(void *ctx, const struct elf_function *f)
{
	struct symbols *all = ctx;
	const char *name = shown_name(f);

	if (f->file_off < UINT32_MAX && f->size < UINT32_MAX - f->file_off && all->names.n < UINT32_MAX / 2) {
		struct rt_image_symbol s = {.at = (rt_u32)f->file_off, .size = (rt_u32)f->size, .name = (rt_u32)all->names.n};
		vec_push(&all->e->s->arena, &all->v, s);
		visible_put(&all->names, name, strlen(name), ""); /* a file may have any bytes there */
		sb_putn(&all->names, "", 1);
	}
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct rt_image_symbol *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void symbols(struct emit *e, size_t number, struct elf_image *image, struct sb *row)
{
	struct symbols all = {.e = e};
	struct problem ignored = {0};

	if (elf_functions(image, "*", add_symbol, &all, &ignored) > 0 && all.v.n) {
		qsort(all.v.v, all.v.n, sizeof *all.v.v, by_place);
		for (size_t i = 0; i + 1 < all.v.n; i++) /* code in assembler often has no size */
			all.v.v[i].size = all.v.v[i].size ? all.v.v[i].size : all.v.v[i + 1].at - all.v.v[i].at;
		emit_bytes(e, emit_text(e, "image%zu_symbols", number), all.v.v, all.v.n * sizeof *all.v.v);
		emit_bytes(e, emit_text(e, "image%zu_names", number), all.names.s, all.names.n);
		sb_printf(row, ", .nsymbols = %zu, .symbols = (const struct rt_image_symbol *)image%zu_symbols", all.v.n, number);
		sb_printf(row, ", .names = (const char *)image%zu_names", number);
	}
	sb_free(&all.names);
}

/* ---- addresses in the file ---- */

static void code(struct emit *e, size_t number, struct elf_image *image, struct sb *row)
{
	const struct elf_code *all;
	size_t n = elf_code(image, &all);

	if (!n)
		return;
	emit_line(e, "static const struct rt_image_code image%zu_code[] = {", number);
	for (size_t i = 0; i < n; i++)
		sb_printf(e->out, "\t{0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 "},\n", all[i].off, all[i].size, all[i].address);
	emit_line(e, "};");
	sb_printf(row, ", .ncode = %zu, .code = image%zu_code", n, number);
}

/* ---- lines ---- */

static void lines(struct emit *e, size_t number, struct elf_image *image, bool is_named, struct sb *row)
{
	const struct line_table *t = elf_lines(image);
	struct problem why = {0};

	if (!t && is_named) {
		struct diag *d = s_error(e->s, (struct loc){0}, W_NO_LINES, "lines of %s are not known: it has no debug information",
					 elf_facts(image)->path);
		if (!elf_types(image, &why) && why.hint)
			diag_hint(&e->s->diags, d, "%s", why.hint);
	}
	if (t)
		sb_printf(row, ", .lines = &%s", emit_lines(e, emit_text(e, "image%zu_lines", number), t));
}

/* ---- the table ---- */

unsigned emit_needs(const struct session *s)
{
	unsigned tags = 0;

	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct embedded *c = s->prog.function_list.v[i]->embedded;
		tags |= c && c->is_own ? c->tags : 0;
	}
	return tags;
}

const char *emit_followed(struct emit *e)
{
	const struct target *t = e->s->target;
	struct sb b = {0};
	const char *text;

	sb_puts(&b, "{0");
	for (unsigned i = 0; i < t->nfollowed; i++)
		sb_printf(&b, ", %u", t->followed[i]);
	sb_printf(&b, ", %u, %u", t->kept, t->result);
	text = emit_text(e, "%s}", b.s);
	sb_free(&b);
	return text;
}

/* By what the runtime knows that it is the same file. */
static void identity(struct emit *e, const struct elf_facts *f, struct sb *row)
{
	struct stat st;

	if (f->build_id)
		sb_printf(row, ", .build_id = %s", emit_chars(e, f->build_id));
	else if (stat(f->path, &st) == 0)
		sb_printf(row, ", .size = %lld, .changed = %lld", (long long)st.st_size, (long long)st.st_mtime);
}

size_t emit_images(struct emit *e)
{
	unsigned tags = emit_needs(e->s) & EMIT_PROGRAMS;
	size_t own = e->s->prog.images.n, named = 0;
	struct sb rows = {0};
	image_list all = {0};
	unsigned followed;

	for (size_t i = 0; i < own; i++)
		vec_push(&e->s->arena, &all, e->s->prog.images.v[i]);
	if (tags || e->s->opt.modules.n)
		named = image_all(e->s, &all);
	if (!tags)
		all.n = own;
	e->tracked = followed = tags & EMBEDDED_UNWIND ? tracked_in(e, &all) : 0;
	for (size_t i = 0; i < all.n && i < RT_IMAGES_MOST; i++) {
		const struct elf_facts *f = elf_facts(all.v[i]);
		const struct unwind_table *t = tags & EMBEDDED_UNWIND ? elf_unwind(all.v[i]) : NULL;
		sb_printf(&rows, "\t{.path = %s", image_is_vdso(e->s, all.v[i]) ? "RT_VDSO" : emit_chars(e, f->path));
		identity(e, f, &rows);
		if (t)
			unwind(e, i, t, followed, &rows);
		if (tags & EMBEDDED_SYMBOLS)
			symbols(e, i, all.v[i], &rows);
		if (tags & EMBEDDED_VMA || i < own)
			code(e, i, all.v[i], &rows);
		if (tags & EMBEDDED_LINES)
			lines(e, i, all.v[i], i < named, &rows);
		sb_puts(&rows, "},\n");
	}
	if (all.n)
		sb_printf(e->out, "static const struct rt_image images[] = {\n%s};\n", rows.s);
	sb_free(&rows);
	return all.n < RT_IMAGES_MOST ? all.n : RT_IMAGES_MOST;
}
