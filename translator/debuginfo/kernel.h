/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of an installed kernel without booting it and without its debuginfo package: types, functions
 * and prototypes from BTF, wherever that kernel has it.
 */
#ifndef DEBUGINFO_KERNEL_H
#define DEBUGINFO_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "translator/debuginfo/lines.h"
#include "translator/debuginfo/problem.h"
#include "translator/debuginfo/proto.h"
#include "translator/debuginfo/target.h"
#include "translator/debuginfo/types.h"

struct kernel_info;

struct kernel_where {
	const char *release;   /* a release, the path of a build directory, or NULL = the running kernel */
	const char *cache_dir; /* BTF taken out of a compressed image is kept here; NULL = not kept */
	bool make_cache;       /* the folder is made when there is something to keep; else nothing is kept if it is missing */
	const char *root;      /* tree that holds lib/modules and boot of more kernels, before "/"; NULL =
				  $SPILE_KERNELS if set */
	const struct target *target; /* of what architecture it is; NULL = this machine's */
	bool for_guest;        /* it is to run in a guest, whose loaded modules are not those of this machine */
};

/*
 * Finds the kernel.  Cheap: BTF is opened by the first question that needs it.  NULL with why if nothing of
 * that release is installed; a kernel without headers or BTF opens, and says so when asked
 * (kernel_build_dir(), kernel_types()).
 */
struct kernel_info *kernel_open(struct arena *a, const struct kernel_where *where, struct problem *why);
/* Gives mapped files back; handles into it become invalid. */
void kernel_close(struct kernel_info *k);

const char *kernel_release(const struct kernel_info *k);
/* Build directory for kbuild; NULL with why (which package to install) when it is not installed. */
const char *kernel_build_dir(struct kernel_info *k, struct problem *why);
/* Is it the running kernel, of which it is known which modules are loaded? */
bool kernel_runs_here(const struct kernel_info *k);

/* All types of the kernel, and with a module name those of the module too; NULL with why when there is no BTF, nor DWARF of the module. */
struct dtypes *kernel_types(struct kernel_info *k, const char *module, struct problem *why);

/*
 * Calls back for each function name that matches the glob, sorted, each once; stops when cb returns false.  Returns how many were
 * reported, -1 with why when there is no BTF.  module: NULL for vmlinux.
 */
long kernel_functions(struct kernel_info *k, const char *module, const char *glob,
		      bool (*cb)(void *ctx, const char *name), void *ctx, struct problem *why);

/*
 * The same for the modules that a pattern matches: the loaded ones where this is the running kernel, else all
 * that are installed.  The caller fills modules, functions, found and ctx.  nmodules: how many match;
 * nunknown: those whose BTF cannot be read.  Returns how many functions were reported; 0 or -1 with why.
 */
struct kernel_search {
	const char *modules, *functions; /* patterns */
	bool (*found)(void *ctx, const char *module, const char *function);
	void *ctx;
	size_t nmodules, nunknown;
	const char *unknown, *unknown_why; /* the first */
};
long kernel_search(struct kernel_info *k, struct kernel_search *s, struct problem *why);

/* Is it a module of the kernel: installed, loaded or built in?  False with why (nearest names). */
bool kernel_has_module(struct kernel_info *k, const char *name, struct problem *why);
/* The build-id of a module as it was looked at, in lower-case hex; NULL: it has none, or is not known. */
const char *kernel_module_build_id(struct kernel_info *k, const char *module);

/* The name of a module, or a pattern, as a script may write it -> as the kernel has it: with "_" for "-". */
const char *kernel_module_name(struct arena *a, const char *text);
/* The same where a script may also give the module's file, "/path/name.ko": that file is then looked at for the name. */
const char *kernel_module_of(struct kernel_info *k, const char *text);

/* The prototype of a function at entry and return.  -1 with why; for an unknown name with the nearest ones.
 */
int kernel_function(struct kernel_info *k, const char *module, const char *name, struct proto *p,
		    struct problem *why);
bool kernel_has_function(struct kernel_info *k, const char *module, const char *name);
/*
 * The module that has a function of the name or the glob, for messages: it is looked for where the kernel lists what modules export, and in those
 * whose names begin with the first word of the function's.  NULL: none is found.
 */
const char *kernel_module_with(struct kernel_info *k, const char *glob);

/*
 * Tracepoints, like functions: found(ctx, module, name) is called for each whose name, without its system, matches search->functions.
 * search->modules: a pattern, the name of one module, or NULL for the kernel itself.
 */
long kernel_tracepoints(struct kernel_info *k, struct kernel_search *search, struct problem *why);
/* The values that come with a hit, as parameters.  -1 with why. */
int kernel_tracepoint(struct kernel_info *k, const char *module, const char *name, struct proto *p, struct problem *why);
/* Values that come with a hit in the kernel by other means, each in 8 bytes, whose names and types are set: where they are. */
void kernel_place_given(struct kernel_info *k, struct proto_value *values, size_t n);
/* The system that the tracepoint's event is of ("sched"); NULL: it has no event, or that is not known. */
const char *kernel_tracepoint_system(struct kernel_info *k, const char *module, const char *name);
/* Are the systems of the kernel's own tracepoints known? */
bool kernel_knows_systems(struct kernel_info *k);

/* System calls, those of one name side by side. */
struct kernel_calls {
	VEC(struct kernel_call {
		const char *name;   /* the kernel's */
		const char *common; /* what scripts call it: one name for all calls that do the same */
		unsigned number;
		bool compat;        /* of 32-bit programs, which have numbers of their own */
		bool is_newer;      /* handlers see its own name, not the common one */
		bool of_kernel;     /* the kernel makes it in a program's place: no probe of system calls is hit by it */
	}) v;
};
/* All; NULL with why: the headers with the numbers are not installed. */
const struct kernel_calls *kernel_calls(struct kernel_info *k, struct problem *why);
/*
 * Those that a name means: a common name, a kernel's, or one that SystemTap has for a call of 32-bit programs.  0; -1 with why (the nearest
 * names); 1 with why: scripts know the name, but this kernel has no such call, or no program makes it.
 */
int kernel_calls_named(struct kernel_info *k, const char *name, struct kernel_calls *out, struct problem *why);
/* What is known of any call: arg1 .. arg6, its number (syscall) and the result.  -1 with why. */
int kernel_call_proto(struct kernel_info *k, struct proto *p, struct problem *why);

/* What the kernel calls a function now that does the same as one of that name did; NULL: not certain. */
const char *kernel_function_renamed(struct kernel_info *k, const char *name);
/* How many functions of the kernel itself have the name; 0 also if its image cannot be read. */
unsigned kernel_functions_named(struct kernel_info *k, const char *name);

bool kernel_has_dwarf(struct kernel_info *k, const char *module);
/* The same without asking a server, which may take minutes. */
bool kernel_has_dwarf_here(struct kernel_info *k, const char *module);
/* A variable in memory, from DWARF if there is any: of the source file, unless that is "".  -1 with why: it is not there, or there is no DWARF. */
int kernel_variable_in_dwarf(struct kernel_info *k, const char *module, const char *name, const char *file, struct fetch *f, struct problem *why);
/*
 * The variable outside of functions that a name means in the code of a function of the kernel or the module.  scope: the function, or 0: look it
 * up by its name.  -1: there is none, or no DWARF; then why may have a text, a hint alone, or nothing.
 */
int kernel_variable_in_scope(struct kernel_info *k, const char *module, uint64_t scope, const char *function, const char *name, struct fetch *f,
			     struct problem *why);
/* The type of a variable; BTF has only per-CPU ones.  NULL with why (nearest names, what to do). */
const struct dtype *kernel_variable(struct kernel_info *k, const char *module, const char *name, struct problem *why);

/*
 * Has the kernel, or the module, a symbol of this name: a function or a variable of any type?  1; 0 with why (nearest names); -1: its
 * symbols cannot be read, so this can only be found out at run time.
 */
int kernel_has_symbol(struct kernel_info *k, const char *module, const char *name, struct problem *why);

/*
 * Why a probe on the function is known to fail, or NULL: because of its name, or where the kernel's symbols say that it is.  For modules
 * only names are known, so a probe may fail although this is NULL.
 */
const char *kernel_function_unprobeable(struct kernel_info *k, const char *module, const char *name);

/*
 * False: the kernel's function tracer has no call in the function.  Then the kernel marks it as not to be traced, or it is a piece of
 * assembly that may not be a function at all.
 */
bool kernel_function_traced(struct kernel_info *k, const char *module, const char *name);
/* The call is looked for in so many bytes of its beginning. */
enum { KERNEL_FUNCTION_HEAD = 16 };

/*
 * What is at an address of the code: of the kernel as it is linked, without KASLR; of a module counted from the beginning of its section
 * .text, as in its file.  0: in the function, so many bytes from its beginning.  -1 with why; also if several functions have the name.
 */
int kernel_code_at(struct kernel_info *k, const char *module, uint64_t address, const char **function, uint64_t *offset, struct problem *why);

/*
 * Which lines code is of, in pieces: offsets of a table count from the address of a symbol.  -1 with why: there is no DWARF.
 */
struct kernel_lines {
	const char *symbol;
	uint64_t address, size; /* as linked */
	struct line_table *table;
};
int kernel_lines(struct kernel_info *k, const char *module, const struct kernel_lines **out, size_t *n, struct problem *why);

/*
 * Lines, labels and inlined functions, which only DWARF has.  -1 with why: there is none (which package has it).  None may be found: out says
 * what there is.
 */
int kernel_statements(struct kernel_info *k, const char *module, const struct lines_wanted *w, struct statements *out, struct problem *why);
/* What can be named there. */
void kernel_statement_variables(struct kernel_info *k, const char *module, const struct statement *t, struct statement_variables *out);
/* The prototype of the function that the statement begins. */
int kernel_statement_proto(struct kernel_info *k, const char *module, const struct statement *t, struct proto *p, struct problem *why);
/* Where the statement is when the kernel runs. */
struct kernel_statement_place {
	const char *function; /* the symbol of the function whose code it is in */
	uint64_t offset;      /* from its beginning; it may be in a piece of the function that is elsewhere */
	int64_t distance;     /* of the function's beginning from the kernel's _stext; 0 in a module */
};
/* -1 with why: it is not there, or not to be found. */
int kernel_statement_place(struct kernel_info *k, const char *module, const struct statement *t, struct kernel_statement_place *out,
			   struct problem *why);

/* A file with the library that this kernel maps into every program, the vdso; NULL: there is no image or no cache. */
const char *kernel_vdso(struct kernel_info *k);
/* Are image, modules and headers installed, as running it and building for it need? */
bool kernel_is_complete(struct arena *a, const char *release);

#endif
