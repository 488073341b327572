/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of Go programs.  Their stacks grow by being copied, and the runtime reads the return addresses on them, so none of these may be
 * replaced: what can be probed of a return are the instructions that make it.  A function whose stack has to grow begins again after that.
 */
#include <string.h>

#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/elf_image.h"
#include "translator/debuginfo/pclntab.h"

enum { CHECK = 32 }; /* bytes that are looked at for the request of more stack */

const struct pclntab *elf_go_table(struct elf_image *e)
{
	struct pclntab t;

	elf_frames(e);
	if (e->is_go && !e->pclntab_tried && pclntab_open(e, &t))
		e->pclntab = arena_memdup(e->arena, &t, sizeof t);
	e->pclntab_tried = true;
	return e->pclntab;
}

uint64_t elf_function_begin(struct elf_image *e, const struct elf_function *f)
{
	uint64_t off, size = f->size < CHECK ? f->size : CHECK;
	unsigned n;

	elf_frames(e);
	if (!e->is_go || !e->target->go_check || !elf_offset(e, f->entry, true, &off) || size > e->file.n - off)
		return f->entry;
	n = e->target->go_check(e->file.p + off, size);
	return n < f->size ? f->entry + n : f->entry;
}

bool elf_returns_by_instruction(struct elf_image *e)
{
	return elf_runtime(e) && e->target->flow;
}

/* In Go's table functions of other languages have no depth of the stack, if they are there at all. */
static bool is_in_table(const struct pclntab *t, uint64_t entry)
{
	size_t low = 0, high = t->nfunctions;
	struct pclntab_function f;
	struct pclntab_piece p;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (!pclntab_function(t, mid, &f))
			return false;
		if (f.entry == entry) {
			pclntab_first(t, &f, PCLNTAB_STACK, &p);
			return p.more;
		}
		if (f.entry < entry)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool elf_is_go_function(struct elf_image *e, const struct elf_function *f)
{
	const struct pclntab *t = elf_go_table(e);

	if (!e->is_go || f->has_proto)
		return e->is_go && dwarf_function_is_go(e->dwarf, f->handle);
	return !t || is_in_table(t, f->entry); /* without a table all are taken for Go's */
}

/* Code that V8 has generated when it was built has tables between its instructions. */
static const char *generated(const struct elf_function *f)
{
	return str_glob("Builtins_*", f->name) ? "it is code that V8 generates, with tables in it" : NULL;
}

/* Instructions are read one after another from the beginning; if one is not known, or jumps out of the function, not all returns
   are known. */
size_t elf_return_instructions(struct elf_image *e, const struct elf_function *f, const uint64_t **found, const char **why)
{
	VEC(uint64_t) all = {0};
	uint64_t off, to;
	unsigned n;

	*why = generated(f);
	if (*why)
		return 0;
	for (uint64_t at = f->entry; at - f->entry < f->size; at += n) {
		n = elf_offset(e, at, true, &off) ? e->target->length(e->file.p + off, e->file.n - off) : 0;
		if (!n || n > f->size - (at - f->entry)) {
			*why = "an instruction in it is not known";
			return 0;
		}
		switch (e->target->flow(e->file.p + off, n, at, &to)) {
		case FLOW_ON:
			break;
		case FLOW_RETURNS:
			vec_push(e->arena, &all, at);
			break;
		case FLOW_JUMPS:
			if (to - f->entry < f->size)
				break;
			*why = "it jumps to another function, which returns in its place";
			return 0;
		}
	}
	if (!all.n)
		*why = f->size ? "it has no instruction that returns" : "its size is not known";
	*found = all.v;
	return all.n;
}

/* The name without "(", "*" and ")", and with "." for "::". */
static const char *without_marks(char *to, size_t size, const char *name)
{
	size_t n = 0;

	for (; *name && n + 1 < size; name++) {
		if (name[0] == ':' && name[1] == ':')
			name++;
		if (!strchr("(*)", *name))
			to[n++] = *name == ':' ? '.' : *name;
	}
	to[n] = 0;
	return to;
}

bool elf_go_is_called(const char *function, const char *name, bool any_case)
{
	char long_name[512], short_name[512];
	size_t n = strlen(without_marks(long_name, sizeof long_name, function));
	size_t m = strlen(without_marks(short_name, sizeof short_name, name));
	const char *tail = long_name + n - m;

	if (!m || m > n || (m < n && tail[-1] != '.' && tail[-1] != '/'))
		return false;
	return any_case ? !strcasecmp(tail, short_name) : !strcmp(tail, short_name);
}
