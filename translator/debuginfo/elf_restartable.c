/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restartable sequences (rseq): instructions that a thread begins again if it is interrupted in the middle of them.  The kernel recognises that
 * by the address of the next instruction.  A probed instruction is executed as a copy somewhere else, so an interruption there, for example by
 * the probe itself, is not recognised, and the sequence goes on with stale values.
 *
 * Programs describe their sequences in a section, each by a struct rseq_cs of the kernel.
 */
#include <string.h>

#include "translator/debuginfo/elf_image.h"

static const char section[] = "__rseq_cs";

/* struct rseq_cs of the kernel. */
struct description {
	uint32_t version, flags;
	uint64_t start, length, abort;
};

static const struct elf_sequences *sequences(struct elf_image *e)
{
	struct elf_sequences *s = e->sequences;

	if (s)
		return s;
	s = e->sequences = arena_new(e->arena, struct elf_sequences);
	if (!unpack_section(&e->file, section, &s->p, &s->n) || !unpack_section_address(&e->file, section, &s->at))
		s->n = 0;
	return s;
}

bool elf_is_restartable(struct elf_image *e, uint64_t address)
{
	const struct elf_sequences *s = sequences(e);
	struct description d;

	for (size_t i = 0; i < s->n / sizeof d; i++) {
		memcpy(&d, s->p + i * sizeof d, sizeof d);
		unpack_relocated(&e->file, s->at + i * sizeof d + offsetof(struct description, start), &d.start);
		if (address - d.start < d.length)
			return true;
	}
	return false;
}
