/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markers: reads their notes.  Nothing in a file is trusted. */
#include "translator/debuginfo/usdt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/dtype.h"
#include "translator/debuginfo/elf_image.h"

enum { NOTE_TYPE = 3, ADDRESSES = 3, MAX_ARGUMENTS = 64, PAGE = 4096 };

/* --- notes --- */

/* What is wrong with the semaphore, or NULL. */
static const char *find_semaphore(const struct elf_image *e, uint64_t address, uint64_t *off)
{
	uint64_t last;

	for (unsigned i = 0; i < e->nsegments; i++) {
		const Elf64_Phdr *s = &e->segments[i];
		uint64_t end = (s->p_vaddr + s->p_memsz) & ~(uint64_t)(PAGE - 1);

		if (s->p_type == PT_GNU_RELRO && address >= (s->p_vaddr & ~(uint64_t)(PAGE - 1)) && address < end)
			return "its semaphore is in memory that becomes read-only (RELRO)";
		if (s->p_type == PT_LOAD && !(s->p_flags & PF_W) && address >= s->p_vaddr && address - s->p_vaddr < s->p_memsz)
			return "its semaphore is in memory that is read-only";
	}
	if (!elf_offset(e, address, false, off) || !elf_offset(e, address + 1, false, &last))
		return "its semaphore is not in the file, as what is in .bss";
	return *off % 2 ? "its semaphore is at an odd place in the file" : NULL;
}

static bool is_mapped_before(const struct elf_image *e, uint64_t address, uint64_t off)
{
	for (unsigned i = 0; i < e->nsegments; i++) {
		const Elf64_Phdr *s = &e->segments[i];

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_W))
			continue;
		if (address >= s->p_vaddr && address - s->p_vaddr < s->p_memsz)
			return false; /* in order of their addresses */
		if (off / PAGE >= s->p_offset / PAGE && s->p_filesz && off / PAGE <= (s->p_offset + s->p_filesz - 1) / PAGE)
			return true;
	}
	return false;
}

/* The next text of the note; NULL: it does not end there. */
static const char *next_text(const unsigned char **p, const unsigned char *end)
{
	const char *text = (const char *)*p;
	const unsigned char *zero = *p < end ? memchr(*p, 0, (size_t)(end - *p)) : NULL;

	if (zero)
		*p = zero + 1;
	return zero ? text : NULL;
}

static void add_marker(struct elf_image *e, const unsigned char *p, size_t n, struct usdt_markers *out)
{
	const unsigned char *end = p + n;
	struct usdt_marker m = {0};
	uint64_t at[ADDRESSES], base, moved = 0;

	if (n < sizeof at)
		return;
	memcpy(at, p, sizeof at);
	p += sizeof at;
	m.provider = next_text(&p, end);
	m.name = m.provider ? next_text(&p, end) : NULL;
	m.arguments = m.name ? next_text(&p, end) : NULL;
	if (!m.arguments || !*m.provider || !*m.name)
		return;
	if (at[1] && unpack_section_address(&e->file, ".stapsdt.base", &base))
		moved = base - at[1];
	m.address = at[0] + moved;
	if (!elf_offset(e, m.address, true, &m.file_off))
		return;
	if (at[2])
		m.why = find_semaphore(e, at[2] + moved, &m.semaphore);
	m.is_twice = at[2] && !m.why && is_mapped_before(e, at[2] + moved, m.semaphore);
	vec_push(e->arena, &out->v, m);
}

static void read_notes(struct elf_image *e, const unsigned char *p, size_t n, struct usdt_markers *out)
{
	Elf64_Nhdr h;

	while (n >= sizeof h) {
		memcpy(&h, p, sizeof h);
		uint64_t name = ((uint64_t)h.n_namesz + 3) & ~3ull, desc = ((uint64_t)h.n_descsz + 3) & ~3ull;

		p += sizeof h;
		n -= sizeof h;
		if (name > n || h.n_descsz > n - name)
			return;
		if (h.n_type == NOTE_TYPE && h.n_namesz == sizeof "stapsdt" && !memcmp(p, "stapsdt", sizeof "stapsdt"))
			add_marker(e, p + name, h.n_descsz, out);
		if (desc > n - name)
			return;
		p += name + desc;
		n -= name + desc;
	}
}

static int by_address(const void *x, const void *y)
{
	const struct usdt_marker *a = x, *b = y;
	int r = strcmp(a->provider, b->provider);

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	r = r ? r : strcmp(a->name, b->name);
	return r ? r : strcmp(a->arguments, b->arguments);
}

/* Where a linker has made one of functions that are alike, each has left its notes. */
static void keep_one_of_each(struct usdt_markers *all)
{
	size_t kept = 0;

	if (all->v.n > 1)
		qsort(all->v.v, all->v.n, sizeof *all->v.v, by_address);
	for (size_t i = 0; i < all->v.n; i++)
		if (!kept || by_address(&all->v.v[i], &all->v.v[kept - 1]))
			all->v.v[kept++] = all->v.v[i];
	all->v.n = kept;
}

/* The kernel raises one semaphore for a place. */
static void refuse_other_semaphores(struct usdt_markers *all)
{
	const struct usdt_marker *first = NULL; /* at the address, with a semaphore */

	for (size_t i = 0; i < all->v.n; i++) {
		struct usdt_marker *m = &all->v.v[i];

		if (!m->semaphore || m->why)
			continue;
		if (!first || first->address != m->address)
			first = m;
		else if (first->semaphore != m->semaphore)
			m->why = "another marker at the same place has another semaphore";
	}
}

const struct usdt_markers *usdt_markers(struct elf_image *e)
{
	struct usdt_markers *all;
	const unsigned char *data;
	size_t len;

	if (e->markers)
		return e->markers;
	all = arena_new(e->arena, struct usdt_markers);
	if (unpack_section(&e->file, ".note.stapsdt", &data, &len))
		read_notes(e, data, len, all);
	keep_one_of_each(all);
	refuse_other_semaphores(all);
	e->markers = all;
	return all;
}

/* --- types --- */

/* A type is its size, and these. */
enum { IS_SIGNED = 1 << 8, IS_FLOAT = 1 << 9, SIZE = IS_SIGNED - 1 };

static void describe(const struct dtypes *ts, uint64_t ref, struct dtype_node *out)
{
	static const struct {
		unsigned char size;
		const char *of_float, *of_signed, *of_unsigned;
	} names[] = {
		{1, NULL, "signed char", "unsigned char"},
		{2, NULL, "short", "unsigned short"},
		{4, "float", "int", "unsigned int"},
		{8, "double", "long", "unsigned long"},
		{16, "long double", "__int128", "unsigned __int128"},
	};

	(void)ts;
	out->kind = ref & IS_FLOAT ? NODE_FLOAT : NODE_INT;
	out->size = ref & SIZE;
	out->is_signed = ref & IS_SIGNED;
	out->keyword = "";
	out->name = "unknown";
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].size == out->size) {
			const char *name = ref & IS_FLOAT ? names[i].of_float : ref & IS_SIGNED ? names[i].of_signed : names[i].of_unsigned;
			out->name = name ? name : out->name;
		}
}

/* They are numbers, which have nothing within them, and have no names that one could ask for. */
static const struct dtypes *plain_types(struct arena *a)
{
	static const struct dtypes_ops ops = {.node = describe};
	struct dtypes *ts = arena_new(a, struct dtypes);

	*ts = (struct dtypes){.ops = &ops, .arena = a};
	return ts;
}

/* --- arguments --- */

struct argument {
	struct elf_image *e;
	const struct dtypes *types;
	const char *operand; /* as the note has it */
	uint64_t type;       /* 0: the note does not say */
	struct target_operand at;
	struct fetch f;
};

static void op(struct argument *x, struct fetch_op o)
{
	x->f = fetch_append(x->e->arena, &x->f, o);
}

static void plain(struct argument *x, enum fetch_opcode code, int64_t n)
{
	op(x, (struct fetch_op){.code = code, .n = n});
}

/* "-4@", "8f@": takes it from the text. */
static void take_type(struct argument *x)
{
	const char *p = x->operand + (*x->operand == '-');
	unsigned long size = 0;
	bool is_float;

	while (isdigit((unsigned char)*p) && size < SIZE)
		size = size * 10 + (unsigned long)(*p++ - '0');
	is_float = *p == 'f';
	p += is_float;
	if (!size || size > SIZE || *p != '@')
		return;
	x->type = size | (*x->operand == '-' ? IS_SIGNED : 0) | (is_float ? IS_FLOAT : 0);
	x->operand = p + 1;
}

/* Adds where the symbol is to what is on the stack, if there is anything. */
static bool add_symbol(struct argument *x, bool is_first)
{
	uint64_t address;

	if (!elf_symbol(x->e, x->at.symbol, x->at.symbol_length, &address))
		return false;
	plain(x, FETCH_CONST, (int64_t)address);
	if (!is_first)
		plain(x, FETCH_PLUS, 0);
	if (x->e->facts.pie) {
		plain(x, FETCH_BIAS, 0);
		plain(x, FETCH_PLUS, 0);
	}
	return true;
}

/* What is added up on the stack: base, index, symbol, offset.  False: the symbol is not known. */
static bool add_up(struct argument *x)
{
	const struct target_operand *at = &x->at;
	bool is_first = true;

	if (at->reg >= 0) {
		plain(x, FETCH_REG, at->reg);
		is_first = false;
	}
	if (at->index >= 0) {
		plain(x, FETCH_REG, at->index);
		if (at->scale > 1) {
			plain(x, FETCH_CONST, at->scale);
			plain(x, FETCH_MUL, 0);
		}
		if (!is_first)
			plain(x, FETCH_PLUS, 0);
		is_first = false;
	}
	if (at->symbol) {
		if (!add_symbol(x, is_first))
			return false;
		is_first = false;
	}
	if (is_first)
		plain(x, FETCH_CONST, at->offset);
	else
		plain(x, FETCH_ADD, at->offset);
	return true;
}

/* The value is extended from its size, as the instruction at the marker would use it. */
static void extend(struct argument *x)
{
	uint64_t size = x->type & SIZE;

	if (x->at.bit)
		op(x, (struct fetch_op){.code = FETCH_BITS, .n = x->at.bit, .width = 8 * x->at.width, .is_signed = x->type & IS_SIGNED});
	if (size == 1 || size == 2 || size == 4)
		op(x, (struct fetch_op){.code = FETCH_EXT, .size = size, .is_signed = x->type & IS_SIGNED});
}

static int place(struct argument *x, struct problem *why)
{
	const struct target *t = x->e->target;
	struct arena *a = x->e->arena;

	if (!t->operand(x->operand, &x->at) || (x->at.kind == OPERAND_REGISTER && x->at.width < (x->type & SIZE)))
		return problem_set(why, a, PROBLEM_NOT_PLACED, "the marker has it in \"%s\", which a probe cannot read", x->operand);
	if (x->at.kind == OPERAND_VECTOR)
		return problem_set(why, a, PROBLEM_NOT_PLACED, "it is %sin the vector register %s, which a probe cannot read",
				   x->type & IS_FLOAT ? "a floating point number " : "", x->operand);
	x->f.where = x->at.kind == OPERAND_MEMORY ? FETCH_IN_MEMORY : FETCH_AS_VALUE;
	x->f.space = FETCH_USER;
	if (!x->type)
		x->type = (x->at.kind == OPERAND_REGISTER ? x->at.width : t->word) | IS_SIGNED;
	x->f.type = dtype_new(x->types, x->type);
	if (!add_up(x))
		return problem_set(why, a, PROBLEM_NOT_PLACED, "the marker has it in \"%s\", and where that symbol is is not known", x->operand);
	if (x->at.kind != OPERAND_MEMORY)
		extend(x);
	return fetch_ok(&x->f) ? 0 : problem_set(why, a, PROBLEM_NOT_PLACED, "the marker has it in \"%s\"", x->operand);
}

/* The length of the argument that begins there: blanks within brackets belong to it. */
static size_t length_of(const char *text)
{
	size_t n;
	int depth = 0;

	for (n = 0; text[n] && (depth || text[n] != ' '); n++)
		depth += (text[n] == '[' || text[n] == '(') - (text[n] == ']' || text[n] == ')');
	return n;
}

void usdt_arguments(struct elf_image *e, const struct usdt_marker *m, struct proto *out)
{
	VEC(struct proto_value) all = {0};
	const struct dtypes *types = plain_types(e->arena);
	const char *text = m->arguments;

	while (*(text += strspn(text, " ")) && all.n < MAX_ARGUMENTS) {
		struct argument x = {.e = e, .types = types};
		struct proto_value v = {0};
		size_t n = length_of(text);

		x.operand = arena_strndup(e->arena, text, n);
		take_type(&x);
		v.name = arena_printf(e->arena, "arg%zu", all.n + 1);
		v.placed = place(&x, &v.why) == 0;
		v.type = dtype_new(types, x.type ? x.type : e->target->word | IS_SIGNED);
		v.fetch = x.f;
		vec_push(e->arena, &all, v);
		text += n;
	}
	*out = (struct proto){.params = all.v, .nparams = all.n};
}
