/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pretty-printing, $x$ and $x$$: splits a value, down to its numbers, into texts and places to read.  For an object in memory its
 * address is the one input, and numbers are at offsets from there; for one in registers, each number is an input of its own.
 */
#include <string.h>

#include "base/intern.h"
#include "base/visible.h"
#include "translator/resolve/show.h"
#include "translator/resolve/target.h"

enum {
	ARRAY_SHOWN = 5,   /* elements of an array */
	MAX_PIECES = 400,
	MAX_INPUTS = 32,   /* a struct in two registers has 16 bytes */
	MAX_LEVELS = 12,   /* of structures within each other: damaged debug information nests without end */
};

struct pretty {
	struct session *s;
	VEC(struct show_piece) pieces;
	node_list inputs;          /* children of the node */
	const struct node *at;
	const node_list *path_inputs;
	struct sb text;            /* since the last piece */
	size_t length;             /* the least length of the string */
	bool full;                 /* more would be cut off */
};

/* Something to show: in memory at off from the address in an input, or, if it is no input yet, where fetch says. */
struct shown {
	const struct dtype *type;
	bool in_memory;
	unsigned input;
	uint64_t bit_off;
	unsigned bit_width;
	enum fetch_space space;
	struct fetch fetch;        /* not in_memory */
};

static void show(struct pretty *x, const struct shown *v, unsigned levels, unsigned depth);

static unsigned add_input(struct pretty *x, const struct fetch *value)
{
	vec_push(&x->s->arena, &x->inputs, target_fetch(x->s, x->at, value, x->path_inputs));
	return (unsigned)x->inputs.n - 1;
}

static void add(struct pretty *x, struct show_piece piece)
{
	piece.text = intern(x->text.s ? x->text.s : "");
	x->length += x->text.n + (piece.conv ? 1 : 0);
	vec_push(&x->s->arena, &x->pieces, piece);
	sb_reset(&x->text);
	x->full |= x->pieces.n >= MAX_PIECES || x->length >= (size_t)session_limit(x->s, "MAXSTRINGLEN");
}

static bool is_char(const struct dtype *t)
{
	const struct dtype *pointer = dtype_kind(t) == DTYPE_INT ? dtype_pointer(t) : NULL;

	return pointer && dtype_is_string(pointer);
}

static void show_number(struct pretty *x, const struct shown *v, char conv)
{
	struct show_piece piece = {.conv = conv, .in_memory = v->in_memory, .space = v->space, .input = v->input};
	struct fetch value;

	if (v->in_memory) {
		piece.off = v->bit_off / 8;
		piece.bit_off = v->bit_off % 8;
		piece.width = v->bit_width ? v->bit_width : 8 * (unsigned)dtype_size(v->type);
		piece.is_signed = dtype_is_signed(v->type);
		if (!piece.width || piece.width > 64) {
			sb_printf(&x->text, "<%u bits>", piece.width);
			return;
		}
	} else if (x->inputs.n == MAX_INPUTS || fetch_value(&x->s->arena, &v->fetch, &value, NULL)) {
		sb_putc(&x->text, '?');
		return;
	} else {
		piece.input = add_input(x, &value);
	}
	add(x, piece);
}

/* A member of v. */
static struct shown member_of(struct pretty *x, const struct shown *v, const struct dtype_member *m, bool *found)
{
	struct shown to = *v;
	struct dtype_step step = {.kind = DTYPE_STEP_MEMBER, .name = m->name};

	to.type = m->type;
	to.bit_off += m->bit_off;
	to.bit_width = m->bit_width;
	*found = v->in_memory || !dtype_path(&x->s->arena, &v->fetch, &step, 1, &to.fetch, NULL);
	return to;
}

static void show_members(struct pretty *x, const struct shown *v, unsigned levels, unsigned depth)
{
	const struct dtype_member *m;
	size_t n = dtype_members_flat(&x->s->arena, v->type, &m);
	bool first = true, found;

	if (!levels || depth > MAX_LEVELS) {
		sb_puts(&x->text, n ? "{...}" : "{}");
		return;
	}
	sb_putc(&x->text, '{');
	for (size_t i = 0; i < n && !x->full; i++) {
		if (!m[i].name[0])
			continue; /* padding */
		sb_puts(&x->text, first ? "." : ", .");
		visible_put(&x->text, m[i].name, strlen(m[i].name), "");
		sb_putc(&x->text, '=');
		first = false;
		struct shown to = member_of(x, v, &m[i], &found);
		if (found)
			show(x, &to, levels - 1, depth + 1);
		else
			sb_putc(&x->text, '?');
	}
	sb_putc(&x->text, '}');
}

static void show_array(struct pretty *x, const struct shown *v, unsigned levels, unsigned depth)
{
	const struct dtype *element = dtype_target(v->type);
	uint64_t count = dtype_count(v->type), size = dtype_size(element), i;
	struct shown to = *v;

	if (!v->in_memory) {
		sb_putc(&x->text, '?');
		return;
	}
	if (is_char(element) && count) {
		add(x, (struct show_piece){.conv = RT_SHOW_CHARS, .in_memory = true, .space = v->space, .input = v->input, .n = count,
					   .off = v->bit_off / 8});
		return;
	}
	if (!levels || depth > MAX_LEVELS || !size || !count) {
		sb_puts(&x->text, count || !size ? "[...]" : "[]");
		return;
	}
	sb_putc(&x->text, '[');
	to.type = element;
	to.bit_width = 0;
	for (i = 0; i < count && i < ARRAY_SHOWN && !x->full; i++) {
		sb_puts(&x->text, i ? ", " : "");
		to.bit_off = v->bit_off + i * size * 8;
		show(x, &to, levels - 1, depth + 1);
	}
	sb_puts(&x->text, i < count ? ", ...]" : "]");
}

static void show(struct pretty *x, const struct shown *v, unsigned levels, unsigned depth)
{
	switch (dtype_kind(v->type)) {
	case DTYPE_INT:
		show_number(x, v, is_char(v->type) && !v->bit_width ? 'c' : dtype_is_signed(v->type) ? 'd' : 'u');
		return;
	case DTYPE_BOOL:
	case DTYPE_ENUM:
		show_number(x, v, dtype_is_signed(v->type) ? 'd' : 'u');
		return;
	case DTYPE_POINTER:
		show_number(x, v, dtype_is_string(v->type) ? 's' : 'x');
		return;
	case DTYPE_ARRAY:
		show_array(x, v, levels, depth);
		return;
	case DTYPE_STRUCT:
	case DTYPE_UNION:
		show_members(x, v, levels, depth);
		return;
	case DTYPE_FLOAT:
		sb_puts(&x->text, "<float>");
		return;
	case DTYPE_VOID:
	case DTYPE_FUNCTION:
	case DTYPE_INCOMPLETE:
		sb_puts(&x->text, "{...}");
		return;
	}
}

/* A pointer to a struct is followed; null is shown as such. */
static bool show_pointed(struct pretty *x, const struct fetch *pointer, unsigned levels)
{
	struct dtype_step step = {.kind = DTYPE_STEP_DEREF};
	const struct dtype *target = dtype_kind(pointer->type) == DTYPE_POINTER ? dtype_target(pointer->type) : NULL;
	enum dtype_kind kind = target ? dtype_kind(target) : DTYPE_VOID;
	struct fetch object, address;
	size_t guard;

	if (kind != DTYPE_STRUCT && kind != DTYPE_UNION)
		return false;
	if (dtype_path(&x->s->arena, pointer, &step, 1, &object, NULL) || fetch_address(&x->s->arena, &object, &address, NULL))
		return false;
	struct shown v = {.type = target, .in_memory = true, .space = object.space, .input = add_input(x, &address)};
	guard = x->pieces.n;
	add(x, (struct show_piece){.conv = RT_SHOW_SKIP, .input = v.input});
	show_members(x, &v, levels, 0);
	add(x, (struct show_piece){0});
	x->pieces.v[guard].n = x->pieces.n - 1 - guard;
	return true;
}

struct node *pretty_node(struct session *s, const struct node *at, const struct fetch *f, const node_list *inputs, unsigned levels)
{
	struct pretty x = {.s = s, .at = at, .path_inputs = inputs};
	struct shown v = {.type = f->type, .space = f->space, .fetch = *f};
	struct node *out;
	struct show *table;
	struct fetch address;

	if (!show_pointed(&x, f, levels)) {
		if (f->where == FETCH_IN_MEMORY) {
			struct fetch whole = *f; /* of a bit-field, the bytes */
			whole.bit_width = whole.bit_off = 0;
			if (fetch_address(&s->arena, &whole, &address, NULL))
				return NULL;
			v.in_memory = true;
			v.bit_off = f->bit_off;
			v.bit_width = f->bit_width;
			v.input = add_input(&x, &address);
		}
		show(&x, &v, levels, 0);
	}
	if (x.full)
		sb_puts(&x.text, "...");
	if (x.text.n)
		add(&x, (struct show_piece){0});
	sb_free(&x.text);
	out = ast_new(&s->arena, N_SHOW, at->loc, (unsigned)x.inputs.n);
	for (size_t i = 0; i < x.inputs.n; i++)
		SHOW_INPUT(out, (unsigned)i) = x.inputs.v[i];
	table = arena_new(&s->arena, struct show);
	table->v = x.pieces.v;
	table->n = (unsigned)x.pieces.n;
	out->show = table;
	out->type = T_STRING;
	return out;
}
