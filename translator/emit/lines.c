/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the lines of source files, packed as struct rt_lines says.  Most rows take three bytes. */
#include <string.h>

#include "base/visible.h"
#include "translator/debuginfo/kernel.h"
#include "translator/emit/emit.h"
#include "translator/probes/image.h"
#include "translator/resolve/embedded.h"

struct packed {
	struct emit *e;
	struct sb bytes;
	VEC(struct rt_lines_block) blocks;
};

static void number(struct packed *p, uint32_t value)
{
	for (; value > 127; value >>= 7)
		sb_putn(&p->bytes, &(char){(char)(value | 128)}, 1);
	sb_putn(&p->bytes, &(char){(char)value}, 1);
}

/* last: the row before this one in its block. */
static void row(struct packed *p, const struct line_row *r, const struct line_row *last)
{
	int64_t change = (int64_t)r->line - last->line;
	uint32_t zigzag = (uint32_t)(change < 0 ? ~change << 1 | 1 : change << 1);

	number(p, r->off - last->off);
	number(p, zigzag << 1 | (r->file != last->file));
	if (r->file != last->file)
		number(p, r->file);
}

static void files(struct packed *p, const char *name, const struct line_table *t)
{
	uint32_t *at = arena_array(&p->e->s->arena, uint32_t, t->files.n);
	struct sb names = {0};

	for (size_t i = 0; i < t->files.n; i++) {
		at[i] = (uint32_t)names.n;
		visible_put(&names, t->files.v[i], strlen(t->files.v[i]), "");
		sb_putn(&names, "", 1);
	}
	emit_bytes(p->e, emit_text(p->e, "%s_files", name), at, t->files.n * sizeof *at);
	emit_bytes(p->e, emit_text(p->e, "%s_names", name), names.s, names.n);
	sb_free(&names);
}

const char *emit_lines(struct emit *e, const char *name, const struct line_table *t)
{
	struct packed p = {.e = e};

	for (size_t i = 0; i < t->rows.n; i++) {
		const struct line_row *r = &t->rows.v[i];
		struct line_row start = {.off = r->off};
		if (i % RT_LINES_BLOCK == 0)
			vec_push(&e->s->arena, &p.blocks, ((struct rt_lines_block){r->off, (rt_u32)p.bytes.n}));
		row(&p, r, i % RT_LINES_BLOCK ? r - 1 : &start);
	}
	files(&p, name, t);
	emit_bytes(e, emit_text(e, "%s_blocks", name), p.blocks.v, p.blocks.n * sizeof *p.blocks.v);
	emit_bytes(e, emit_text(e, "%s_packed", name), p.bytes.s, p.bytes.n);
	sb_printf(e->out,
		  "static const struct rt_lines %s = {.blocks = (const struct rt_lines_block *)%s_blocks, .packed = %s_packed, "
		  ".files = (const rt_u32 *)%s_files, .names = (const char *)%s_names, .nblocks = %zu, .nfiles = %zu, .npacked = %zu};\n",
		  name, name, name, name, name, p.blocks.n, t->files.n, p.bytes.n);
	sb_free(&p.bytes);
	return name;
}

/* ---- of the kernel ---- */

static bool find(struct emit *e, const char *module, struct problem *why)
{
	const struct kernel_lines *v;
	size_t n;

	if (kernel_lines(e->s->kernel, module, &v, &n, why))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct emit_kernel_lines one = {session_ksymbol(e->s, v[i].symbol, module, true), v[i].table};
		if (v[i].table->rows.n)
			vec_push(&e->s->arena, &e->kernel_lines, one);
	}
	return true;
}

void emit_find_kernel_lines(struct emit *e)
{
	struct session *s = e->s;
	struct problem why = {0}, ignored = {0};

	if (!(emit_needs(s) & EMBEDDED_KERNEL_LINES))
		return;
	for (size_t i = 0; i < s->opt.modules.n; i++) {
		const char *name = s->opt.modules.v[i];
		if (image_is_of_kernel(s, name) && strcmp(name, "kernel") != 0 && strcmp(name, "vmlinux") != 0)
			session_module(s, name);
	}
	bool known = find(e, NULL, &why);
	for (size_t i = 0; i < s->prog.modules.n; i++)
		known |= find(e, s->prog.modules.v[i].name, &ignored);
	if (known)
		return;
	struct diag *d = s_error(s, (struct loc){0}, W_NO_LINES, "lines of the kernel are not known: %s", why.text);
	if (why.hint)
		diag_hint(&s->diags, d, "%s", why.hint);
}

size_t emit_kernel_lines(struct emit *e)
{
	struct sb rows = {0};

	for (size_t i = 0; i < e->kernel_lines.n; i++) {
		const char *name = emit_lines(e, emit_text(e, "kernel_lines%zu", i), e->kernel_lines.v[i].table);
		sb_printf(&rows, "\t{%lld, &%s},\n", (long long)e->kernel_lines.v[i].symbol, name);
	}
	if (e->kernel_lines.n)
		sb_printf(e->out, "static const struct rt_kernel_lines kernel_lines[] = {\n%s};\n", rows.s);
	sb_free(&rows);
	return e->kernel_lines.n;
}
