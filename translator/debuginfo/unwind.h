/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to get from the state at an instruction to that of the caller: call frame information as a table of rows. */
#ifndef DEBUGINFO_UNWIND_H
#define DEBUGINFO_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the caller's frame begins: the canonical frame address (CFA). */
enum unwind_cfa {
	UNWIND_UNKNOWN,   /* there is no information, or it is of a kind that rows do not express */
	UNWIND_OUTERMOST, /* there is no caller */
	UNWIND_REGISTER,  /* register + offset */
	UNWIND_MEMORY,    /* the word at that address, + n */
	UNWIND_STUB,      /* register + offset, and one word more from the n-th of 16 bytes of code on */
	/* Of the code that runs, and not of one of its callers, as only then these registers are known: */
	UNWIND_KEPT,   /* register + offset; the return address is in register n, and was where saved[0] says */
	UNWIND_PARENT, /* register + offset, if register n is not 0; else there is no caller, since a process or thread begins here */
};

/* What a register was in the caller. */
enum unwind_saved {
	UNWIND_SAME,
	UNWIND_LOST,
	UNWIND_AT_CFA,      /* the word at the CFA + offset */
	UNWIND_AT_REGISTER, /* the word at the register that the CFA is found by + offset */
};

/*
 * Registers are numbered here: 0 the stack pointer, then those that the target follows, and the two of UNWIND_KEPT and UNWIND_PARENT; of
 * saved, 0 is the return address.
 */
enum { UNWIND_REGISTERS = 9 };

struct unwind_rule {
	uint8_t cfa, reg; /* enum unwind_cfa */
	uint8_t n;        /* of those that have one */
	uint8_t is_signal; /* the caller was interrupted: its address is that of the next instruction, and not one after a call */
	int32_t off;
	struct {
		int32_t how; /* enum unwind_saved */
		int32_t off;
	} saved[UNWIND_REGISTERS];
};

/* Each row holds up to the next one. */
struct unwind_table {
	const uint32_t *at; /* offsets in the file, ascending */
	const uint16_t *rule;
	size_t nrows;
	const struct unwind_rule *rules; /* the first is UNWIND_UNKNOWN */
	size_t nrules;
};

/* The registers by which frames are found, as bits. */
unsigned unwind_followed(const struct unwind_table *t);
/* Which of those that are followed, in any of the files of a script, the rule changes: what the others were is never asked. */
unsigned unwind_changed(const struct unwind_rule *r, unsigned followed);
/* Of the sort that nearly all are of: no signal, register + offset, and the return address and all that it changes is at the CFA. */
bool unwind_is_plain(const struct unwind_rule *r, unsigned changed);

#endif
