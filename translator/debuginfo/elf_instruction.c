/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether an instruction of a program begins at an address.  A breakpoint in the middle of one would change what the program does, so this must be
 * certain: instructions are read one after another from the nearest place before it that is known to begin one, which is the beginning of the
 * function, or a row of the call frame information there.
 */
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/elf_image.h"

struct around {
	uint64_t address;
	const struct elf_function *f; /* with the address, the last that begins before it; or NULL */
};

static bool find_around(void *ctx, const struct elf_function *f)
{
	struct around *x = ctx;

	if ((f->entry == x->address || x->address - f->entry < f->size) && (!x->f || f->entry > x->f->entry))
		x->f = f;
	return true;
}

/* Where the row of call frame information that has the address begins; 0: there is none. */
static uint64_t frame_before(struct elf_image *e, uint64_t address)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr from = 0, to;

	if (!elf_frames(e) || dwarf_cfi_addrframe(e->frames, address, &frame) != 0)
		return 0;
	if (dwarf_frame_info(frame, &from, &to, NULL) < 0 || from > address)
		from = 0;
	free(frame);
	return from;
}

static int no_code(struct elf_image *e, uint64_t address, struct problem *why)
{
	const struct elf_code *code;
	size_t n = elf_code(e, &code);
	struct sb ranges = {0};

	problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "no code of %s is linked to 0x%llx", e->facts.path, (unsigned long long)address);
	for (size_t i = 0; i < n; i++)
		sb_printf(&ranges, "%s0x%llx to 0x%llx", i ? ", " : "", (unsigned long long)code[i].address,
			  (unsigned long long)(code[i].address + code[i].size - 1));
	if (why && n && e->facts.pie && address > code[n - 1].address + code[n - 1].size)
		why->hint = arena_printf(e->arena, "its code is linked to %s; for an address in a running process: "
					 "process(PID).statement(ADDRESS).absolute", ranges.s);
	else if (why && n)
		why->hint = arena_printf(e->arena, "its code is linked to %s", ranges.s);
	sb_free(&ranges);
	return -1;
}

/* Where the instruction begins that the address is in, read on from an earlier one, and where the next one does; 0: one of them is unknown. */
static uint64_t instruction_with(const struct elf_image *e, uint64_t from, uint64_t address, uint64_t *next)
{
	uint64_t off, at = from;
	unsigned n;

	for (; at <= address; at += n) {
		n = elf_offset(e, at, true, &off) ? e->target->length(e->file.p + off, e->file.n - off) : 0;
		if (!n)
			return 0;
		*next = at + n;
		if (*next > address)
			return at;
	}
	return 0;
}

int elf_instruction(struct elf_image *e, uint64_t address, struct statement *out, bool *has_scope, struct problem *why)
{
	struct around around = {.address = address};
	unsigned long long at = address;
	uint64_t off, from, begins, next;

	*out = (struct statement){.function = "", .address = address};
	if (!elf_offset(e, address, true, &off))
		return no_code(e, address, why);
	elf_functions(e, "*", find_around, &around, NULL);
	from = frame_before(e, address);
	if (around.f && around.f->entry > from)
		from = around.f->entry;
	if (!from) {
		problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "what is at 0x%llx of %s is not known", at, e->facts.path);
		if (why)
			why->hint = "only a function with a symbol, debug information or call frame information says where instructions begin";
		return -1;
	}
	begins = instruction_with(e, from, address, &next);
	if (!begins)
		return problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "an instruction of %s at 0x%llx, or before it, is not known",
				   e->facts.path, at);
	if (begins != address) {
		problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "0x%llx of %s is in the middle of an instruction", at, e->facts.path);
		if (why)
			why->hint = arena_printf(e->arena, "it begins at 0x%llx, the next one at 0x%llx", (unsigned long long)begins,
						 (unsigned long long)next);
		return -1;
	}
	if (around.f) {
		out->function = around.f->name;
		out->entry = around.f->entry;
	}
	*has_scope = elf_has_dwarf(e) && dwarf_statement_at(e->dwarf, address, out);
	return 0;
}
