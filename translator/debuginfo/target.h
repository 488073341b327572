/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The architecture that a script is translated for: all that the translator knows of it.  Each has a file in arch/, and
 * nothing outside names a register, an ELF machine or a calling convention.
 */
#ifndef DEBUGINFO_TARGET_H
#define DEBUGINFO_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct dtype;
struct placing;

/* The most that any target has of general registers with DWARF numbers, and of argument registers. */
enum { TARGET_REGISTERS = 33, TARGET_ARGUMENTS = 8 };

/* Placeholders for words of a target in texts of tables; target_words() replaces them. */
#define TARGET_SYSCALL "\1" /* what the functions of system calls have before their names */
enum { TARGET_WORDS = 1 };

enum target_flow { FLOW_ON, FLOW_RETURNS, FLOW_JUMPS };

/* Kernel functions that cannot be probed: those whose names begin with prefix. */
struct target_refusal {
	const char *prefix, *why;
};

/* An operand in assembler, as the notes of markers (usdt.c) have them. */
struct target_operand {
	enum { OPERAND_CONSTANT, OPERAND_REGISTER, OPERAND_VECTOR, OPERAND_MEMORY } kind;
	int reg;             /* REGISTER; MEMORY: the base, -1: none */
	unsigned width, bit; /* REGISTER: bytes of it that are meant, and where they begin in it */
	int index;           /* MEMORY: -1: none */
	unsigned scale;
	const char *symbol;  /* CONSTANT, MEMORY: its address is to be added; NULL: none.  It has symbol_length bytes. */
	size_t symbol_length;
	int64_t offset;      /* to be added too */
};

struct target {
	const char *name;       /* for -a, and what %( arch == "..." %) compares with */
	const char *machine;    /* as uname -m prints it */
	const char *kernel;     /* as its sources have it below arch/ */
	const char *distro;     /* in names of Debian's packages */
	const char *libraries;  /* the folder of its libraries below /lib */
	/* Lists of system calls and their numbers, in the kernel's build directory: native ones, and those of 32-bit programs; or NULL. */
	const char *calls, *compat_calls;
	bool has_runtime;       /* modules can be built for it */

	uint64_t kernel_memory; /* addresses of the kernel's memory begin here, those of programs are below */
	uint16_t elf_machine;
	uint16_t elf_machine_32; /* of the 32-bit programs that its kernels run too */
	/* What an image has at this offset if it is the kernel itself, as it is in memory; it may be packed as a whole.  NULL: no mark. */
	const char *image_mark;
	unsigned image_mark_at;
	/* Finds the packed kernel in a bootable image; NULL: the image is the kernel itself. */
	/*
	 * How long the instruction is that calls, or with jump jumps to, a fixed address and ends where the n bytes do; 0: there is none, or it is
	 * unknown.  The bytes may end like it by chance.
	 */
	unsigned (*call_at_end)(const unsigned char *code, size_t n, bool jump);
	/* How long the instruction is with which the n bytes begin; 0: it is unknown, or longer than that. */
	unsigned (*length)(const unsigned char *code, size_t n);
	/*
	 * Does an entry of a procedure linkage table (plt.h) begin with the n bytes, which are at the address?  slot: of the word that it jumps
	 * through.
	 */
	bool (*plt_slot)(const unsigned char *code, size_t n, uint64_t address, uint64_t *slot);
	/* Does the instruction of n bytes at the address return from a function, or jump to *to, always or on a condition?  NULL: not known. */
	enum target_flow (*flow)(const unsigned char *code, size_t n, uint64_t address, uint64_t *to);
	/*
	 * How long the instructions are with which the n bytes begin, if they are those by which a function of Go asks for room on its stack,
	 * before all else; 0: they are not.  After more room was made the function begins again; where they end it is once for each call, and
	 * all is as at its beginning.
	 */
	unsigned (*go_check)(const unsigned char *code, size_t n);
	bool (*payload)(const unsigned char *image, size_t n, const unsigned char **payload, size_t *len);

	/* Registers have DWARF's numbers. */
	const char *const *registers; /* their names by number, those that a probe can read */
	unsigned nregisters;
	unsigned stack_pointer;
	unsigned static_chain;   /* what a function within a function gets besides its arguments */
	unsigned return_address; /* its number in call frame information */
	bool return_on_stack;    /* a call puts the return address there, and not into a register */
	unsigned word;           /* bytes of a register, and of a place on the stack */
	/* What tables for walking up stacks follow besides the stack pointer: registers that calls preserve, and others that frames are found by. */
	const unsigned char *followed;
	unsigned nfollowed;
	/* vfork() of the C library keeps its return address in this register, since its child may overwrite the stack.  0: in none. */
	unsigned kept;
	/*
	 * Is the code a system call that makes a process or a thread, up to where both have gone their ways, as their results differ?  The child's
	 * is 0.  The C library has no call frame information there, as it would be wrong for the child.  NULL: never.
	 */
	bool (*parts)(const unsigned char *code, size_t n);
	unsigned result; /* the register with the result */

	/*
	 * Where the program's own block of variables that each thread has begins, counted from the thread pointer, by the block's address, size and
	 * alignment in the file: a rule between linkers and C libraries.
	 */
	int64_t (*thread_block)(uint64_t address, uint64_t size, uint64_t align);
	/* The dynamic linker of its C library, if it keeps variables of libraries for threads as is known; NULL: not known. */
	const char *linker;

	/* At the first instruction of a function. */
	unsigned cfa; /* the canonical frame address minus the stack pointer */
	/* A frame pointer that the prologue sets up: its register, and how far it will be below the canonical frame address.  0:
	 * compilers differ. */
	unsigned frame_pointer, frame_below;

	/* The calling convention; placing is abi.c's. */
	const unsigned char *arguments; /* integer arguments are passed in these, in this order */
	unsigned narguments, nvectors;
	unsigned char results[2];  /* the registers of a result and of its second half */
	bool result_is_first;      /* the address for a result in memory is an argument before the first; it is returned too */
	bool in_order;             /* if one does not fit into the registers that are left, no later one gets any */
	bool even;                 /* a value aligned to two words begins in an even register */
	void (*classify)(struct arena *a, struct placing *p, const struct dtype *t);

	/* How Go passes numbers and pointers, and results, in this order; none: not known.  ngo_vectors: for floating point numbers. */
	const unsigned char *go_arguments;
	unsigned ngo_arguments, ngo_vectors;
	const char *goroutine; /* the register that has the current one */

	/* Reads the whole text; false: it is none that is known, or is relative to what a probe does not know. */
	bool (*operand)(const char *text, struct target_operand *out);

	const struct target_refusal *refused; /* ended by one without prefix */
	const char *const *helpers;           /* kernel functions that compilers call by themselves there: patterns, NULL at the end */
	const char *words[TARGET_WORDS];
};

extern const struct target target_x86_64, target_arm64;

/* The target of the name, or of the machine's name; NULL with the nearest names, if there are any, and all names. */
const struct target *target_find(struct arena *a, const char *name, const char **near, const char **all);
/* The target of this machine; NULL if it is not supported. */
const struct target *target_native(void);
/* The argument that is passed in a register, or -1. */
int target_argument(const struct target *t, uint64_t reg);
/* All registers and their numbers, in words. */
const char *target_registers(const struct target *t, struct arena *a);
/*
 * A sum of numbers and at most one symbol, as a displacement in assembler: "8", "-4+16", "table+8".  What follows it, or NULL if it is
 * not understood.  An empty one is 0.
 */
const char *target_sum(const char *text, struct target_operand *out);
const char *target_words(const struct target *t, struct arena *a, const char *text);

#endif
