/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the lines of source files, packed as struct rt_lines says.  Most rows take three bytes. */
#include <string.h>

#include "base/visible.h"
#include "translator/debuginfo/lines.h"
#include "translator/emit/emit.h"

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
