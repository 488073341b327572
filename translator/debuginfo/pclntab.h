/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside debuginfo/ only.  The table of functions that Go's runtime needs for its own stacks, .gopclntab, which programs have though they are
 * stripped: names, lines, and how deep the stack is.  Its forms are those of Go 1.16, 1.18 and 1.20, which later ones have kept.
 */
#ifndef DEBUGINFO_PCLNTAB_H
#define DEBUGINFO_PCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_image;

struct pclntab {
	const unsigned char *p; /* from its header on, */
	size_t n;               /* to the end of its section */
	unsigned quantum;       /* code is counted in units of so many bytes */
	unsigned field;         /* bytes of an address in the list of functions */
	unsigned flags_at;      /* where a function's record has the byte of flags */
	uint64_t text;          /* what addresses are counted from */
	size_t nfunctions;
	size_t names, units, files, values, functions; /* where its parts begin */
};

struct pclntab_function {
	const char *name;
	uint64_t entry, end; /* link-time addresses */
	size_t record;
	bool outermost;      /* it has no caller */
};

/* False: the program has none, or none that is known, or the address of the code cannot be determined. */
bool pclntab_open(struct elf_image *e, struct pclntab *t);
/* The i-th, by ascending addresses; false: it is damaged, or the last one before this was. */
bool pclntab_function(const struct pclntab *t, size_t i, struct pclntab_function *f);

/* What is known of pieces of a function's code, one after the other. */
enum pclntab_what { PCLNTAB_STACK, PCLNTAB_FILE, PCLNTAB_LINE };
struct pclntab_piece {
	uint64_t begin, end; /* link-time addresses */
	int32_t value;       /* of STACK bytes, of LINE the line, of FILE what pclntab_file() wants */
	size_t next;         /* private */
	bool more;
};
/* Before the first piece: pclntab_next() goes there.  Until then the value is -1, which is what all count from. */
void pclntab_first(const struct pclntab *t, const struct pclntab_function *f, enum pclntab_what what, struct pclntab_piece *p);
/* Goes to the next piece.  False: there is none; if what follows is damaged, p->end is before the function's end. */
bool pclntab_next(const struct pclntab *t, const struct pclntab_function *f, struct pclntab_piece *p);
/* The path, interned; NULL: it is not known. */
const char *pclntab_file(const struct pclntab *t, const struct pclntab_function *f, int32_t value);

#endif
