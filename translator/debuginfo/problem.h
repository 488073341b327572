/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How debuginfo/ reports that it cannot answer.  It prints nothing and knows no script: callers turn a problem into a diagnostic at the
 * right place.  All texts are in the arena of the caller.
 *
 * A parameter `struct problem *why' may be NULL: the caller does not want to know.  So a function asks before it looks into it, which
 * testsuite/lint checks; one that is always given some has `struct problem why[static 1]'.
 */
#ifndef DEBUGINFO_PROBLEM_H
#define DEBUGINFO_PROBLEM_H

#include "base/arena.h"

enum problem_code {
	PROBLEM_NONE,
	PROBLEM_NO_FILE,    /* a file or a program does not exist or cannot be read */
	PROBLEM_NO_KERNEL,  /* no kernel of that release is installed */
	PROBLEM_NO_HEADERS, /* its build directory is missing */
	PROBLEM_NO_BTF,     /* neither build directory, image nor running kernel has BTF */
	PROBLEM_NO_MODULE,  /* no such kernel module file */
	PROBLEM_BAD_FORMAT, /* the file is damaged, of another machine or of an unknown format */
	PROBLEM_NO_FUNCTION,
	PROBLEM_NO_SYMBOLS,   /* no function of the program has a name */
	PROBLEM_NO_DEBUGINFO, /* the question needs DWARF and there is none */
	PROBLEM_TOO_DEEP,     /* callees(N) are more places than LINES_MOST_CALLEES */
	PROBLEM_NO_TYPE,
	PROBLEM_NO_MEMBER,
	PROBLEM_NOT_STRUCT,  /* a member of something that has none */
	PROBLEM_NOT_POINTER, /* a dereference or an index of a plain number */
	PROBLEM_INCOMPLETE,  /* the type is declared but not defined there */
	PROBLEM_NO_ADDRESS,  /* & of a bit-field or of a value in a register */
	PROBLEM_NOT_PLACED,  /* the place of the value is not known at this point */
	PROBLEM_NOT_SCALAR,  /* a struct, union or function where a number is needed */
	PROBLEM_NO_VALUE     /* $return of a void function */
};

struct problem {
	enum problem_code code;
	unsigned step;    /* dtype_path(): the step that failed, from 0 */
	const char *text; /* one line without position: "struct file has no member \"f_pth\"" */
	const char *hint; /* what to do, or NULL */
	const char *bits; /* the C type as which the bits of a floating point value in memory can be read, or NULL */
	const char *now;  /* what the kernel calls the missing member now, or NULL */
	const char *near; /* nearest valid names, "a, b or c", or NULL */
};

/* Fills in code and text; always returns -1. */
int problem_set(struct problem *why, struct arena *a, enum problem_code code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The problem is the same as that one. */
void problem_copy(struct problem *why, const struct problem *from);

#endif
