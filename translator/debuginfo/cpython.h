/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPython 3.11: where its evaluator begins to run a Python function.  Its entry function is _PyEval_EvalFrameDefault, which a call of a Python
 * function by another does not enter; but each begins with the instruction RESUME.  The code of all instructions is found by a table of addresses.
 */
#ifndef DEBUGINFO_CPYTHON_H
#define DEBUGINFO_CPYTHON_H

#include "translator/debuginfo/elf.h"

/* RESUME is replaced by a quicker form in functions that run often. */
enum { CPYTHON_ENTRIES = 2 };

struct cpython {
	uint64_t runtime; /* link-time address of _PyRuntime */
	struct {
		uint64_t address, file_off;
	} entry[CPYTHON_ENTRIES];
};

/* Does the program or library have an evaluator of Python? */
bool cpython_is_in(struct elf_image *e);
/* -1 with why: it has none, one of another version, or one without such a table. */
int cpython_find(struct elf_image *e, struct cpython *out, struct problem *why);

#endif
